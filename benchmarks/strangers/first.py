"""Three protocols with 33 faulty systems: a handshake with numbers, sessions of a broker, a machine with stock."""
# ruff: noqa: E501  # a fault is a text of a file, as it stands there

from __future__ import annotations

FAULTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "tcp": (
        (
            "the acknowledgement of a handshake is not compared",
            "RECEIVED:\n    - {gate: ack, when: number == nxt,",
            "RECEIVED:\n    - {gate: ack, when: number >= nxt,",
        ),
        (
            "one retransmission too many while answering",
            "RECEIVED:\n    - {gate: ack, when: number == nxt, set: {tries: 0}, to: ESTABLISHED}\n    - {gate: ack, when: number != nxt, set: {size: 0}, to: RESETTING}\n    - {gate: timer, when: tries < limit",
            "RECEIVED:\n    - {gate: ack, when: number == nxt, set: {tries: 0}, to: ESTABLISHED}\n    - {gate: ack, when: number != nxt, set: {size: 0}, to: RESETTING}\n    - {gate: timer, when: tries <= limit",
        ),
        (
            "the count of retransmissions survives a write",
            "set: {nxt: nxt + size, tries: 0}, to: FLIGHT",
            "set: {nxt: nxt + size}, to: FLIGHT",
        ),
        (
            "data before the window is accepted",
            "when: seq != rcv, to: CONFIRMING}\n    - {gate: write",
            "when: seq != rcv, set: {rcv: if seq < rcv then seq else rcv}, to: CONFIRMING}\n    - {gate: write",
        ),
        (
            "long segments are cut",
            "set: {rcv: rcv + length}",
            "set: {rcv: if length > 536 then rcv + 536 else rcv + length}",
        ),
        (
            "a retransmission sends the next number",
            "set: {tries: tries + 1, nxt: nxt - size}",
            "set: {tries: tries + 1}",
        ),
        ("a fin is not counted", "set: {rcv: rcv + 1}, to: LEAVING", "to: LEAVING"),
        (
            "the last acknowledgement is off by one",
            "LAST_ACK:\n    - {gate: ack, when: number == nxt + 1",
            "LAST_ACK:\n    - {gate: ack, when: number == nxt",
        ),
        ("a second fin is not acknowledged", "- {gate: fin, to: TIMING}", "- {gate: fin, to: TIME_WAIT}"),
        (
            "a reset while answering closes",
            "- {gate: rst, to: LISTEN}\n  OPENING",
            "- {gate: rst, to: CLOSED}\n  OPENING",
        ),
        ("numbers wrap at 32768", "set: {rcv: seq + 1, nxt: iss + 1}", "set: {rcv: seq % 32768 + 1, nxt: iss + 1}"),
    ),
    "mqtt": (
        (
            "a persistent session forgets its subscription",
            "set: {will: last_will, keep: alive, missed: 0}, to: RESUMED",
            "set: {will: last_will, keep: alive, missed: 0, subscribed: false}, to: RESUMED",
        ),
        (
            "a clean session keeps its subscription",
            "set: {client: id, subscribed: false, topic: 0,",
            "set: {client: id, topic: topic,",
        ),
        ("the session of another client is taken over", "(clean or id != client)", "clean"),
        ("negative identifiers are accepted", "when: id <= 0, to: REFUSED", "when: id == 0, to: REFUSED"),
        (
            "the keep-alive drops one second early",
            "keep > 0 and 2 * seconds > 3 * keep, to",
            "keep > 0 and 2 * seconds >= 3 * keep, to",
        ),
        ("one queued message too few", "queued < most, set", "queued < most - 1, set"),
        (
            "the will is sent after a proper end",
            "disconnect, set: {will: false}, to: LEAVING}\n  SUBSCRIBING",
            "disconnect, to: LEAVING}\n  SUBSCRIBING",
        ),
        (
            "the second retained message does not replace the first",
            "qos == 1, set: {payload: value, packet: id, retained: if retain then value else retained",
            "qos == 1, set: {payload: value, packet: id, retained: if retain and not has_retained then value else retained",
        ),
        (
            "the granted quality of service is at most 1",
            "granted: qos, subscribed: true",
            "granted: if qos > 1 then 1 else qos, subscribed: true",
        ),
        (
            "a duplicate of a half-sent message is released",
            "HALF:\n    - {gate: pubrel, when: id == packet",
            "HALF:\n    - {gate: pubrel, when: id >= packet",
        ),
        (
            "unsubscribing from another filter ends the subscription",
            "when: not (subscribed and filter == topic), set: {packet: id, missed: 0}",
            "when: not (subscribed and filter == topic), set: {packet: id, missed: 0, subscribed: false}",
        ),
    ),
    "vending": (
        (
            "the last can is not sold",
            "drink == 1 and cans > 0 and credit >= price",
            "drink == 1 and cans > 1 and credit >= price",
        ),
        ("an exact price is not enough", "cans > 0 and credit >= price", "cans > 0 and credit > price"),
        ("a full purse rejects too early", "coin, when: credit + cents <= purse", "coin, when: credit + cents < purse"),
        (
            "change is lost where it is more than 100",
            "back: credit - price, credit",
            "back: if credit - price > 100 then 100 else credit - price, credit",
        ),
        (
            "cans and bottles share their stock",
            "set: {bottles: bottles - 1, back",
            "set: {bottles: bottles - 1, cans: if cans > 0 then cans - 1 else 0, back",
        ),
        (
            "refilling overflows",
            "cans + number > full, set: {cans: full}",
            "cans + number > full, set: {cans: if cans + number - full > full then full else cans + number - full}",
        ),
        (
            "a second key opens",
            "IDLE}\n    - {gate: open, when: key == 4711, to: OPENING}\n    - {gate: open, when: key != 4711, to: DENYING}",
            "IDLE}\n    - {gate: open, when: key == 4711 or key == 4712, to: OPENING}\n    - {gate: open, when: key != 4711 and key != 4712, to: DENYING}",
        ),
        (
            "money in a sold-out machine is kept",
            "SOLDOUT:\n    - {gate: coin, set: {back: cents}, to: GIVING_BACK}",
            "SOLDOUT:\n    - {gate: coin, set: {back: cents}, to: SOLDOUT}",
        ),
        ("the count of sales is not reset", "when: total == sold, set: {sold: 0}", "when: total == sold"),
        (
            "shutting does not fill the bottles",
            "- {gate: shut, set: {bottles: full}, to: IDLE}",
            "- {gate: shut, to: IDLE}",
        ),
        (
            "cancelling keeps the credit",
            "set: {back: credit, credit: 0}, to: CHANGE",
            "set: {back: credit}, to: CHANGE",
        ),
    ),
}
