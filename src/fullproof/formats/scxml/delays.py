"""Delayed events of an SCXML file: ``<send delay>`` starts a timer, ``<cancel>`` stops it, its expiry is the event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.scxml.elements import needed
from fullproof.formats.scxml.tree import Element
from fullproof.language.durations import duration_of, duration_to_text
from fullproof.model import StateMachine
from fullproof.model.timed import Timer


@dataclass(frozen=True, slots=True)
class _Delayed:
    event: str
    identifier: str
    timer: Timer


class DelayedEvents:
    """The timers of a file: one for each event, delay and ``id``."""

    def __init__(self, sends: Iterable[Element]) -> None:
        self._listed: dict[tuple[str, str, str], _Delayed] = {}
        for element in sends:
            key = _key(element)
            seconds = duration_of(key[1], {}, at=needed(element, "delay").at)
            if seconds == 0:
                message = "a delay of 0 s is not supported; <raise> is done in the same step"
                raise UserError(message, at=needed(element, "delay").at)
            name = f"{key[0]} after {duration_to_text(seconds)}"
            if any(other.timer.name == name for other in self._listed.values()) and key not in self._listed:
                name += f" ({key[2] or len(self._listed)})"
            self._listed.setdefault(key, _Delayed(key[0], key[2], Timer(name, seconds)))

    @property
    def timers(self) -> tuple[Timer, ...]:
        """All of them, in the order of the file."""
        return tuple(one.timer for one in self._listed.values())

    @property
    def events(self) -> tuple[str, ...]:
        """The events that come by them."""
        return tuple(dict.fromkeys(one.event for one in self._listed.values()))

    def of(self, event: str) -> list[str]:
        """The timers whose expiry is an event."""
        return [one.timer.name for one in self._listed.values() if one.event == event]

    def started(self, send: Element) -> str:
        """The timer that an element starts."""
        return self._listed[_key(send)].timer.name

    def stopped(self, cancel: Element) -> list[str]:
        """The timers that an element stops."""
        sendid = needed(cancel, "sendid")
        found = [one.timer.name for one in self._listed.values() if one.identifier == sendid.text]
        if not found:
            known = [one.identifier for one in self._listed.values() if one.identifier]
            hint = did_you_mean(sendid.text[:60], known)
            raise UserError(f"no delayed <send> has the id {sendid.text[:60]!r}{hint}", at=sendid.at)
        return found


def is_delayed(send: Element) -> bool:
    """Whether an event is sent later."""
    return send.get("delay") is not None


def _key(send: Element) -> tuple[str, str, str]:
    target, identifier = send.get("target"), send.get("id")
    if target is not None and target.text != "#_internal":
        raise UserError("a delayed event to others is not supported; it may come to the machine itself", at=target.at)
    event = needed(send, "event").text
    return event, " ".join(needed(send, "delay").text.split()), "" if identifier is None else identifier.text


def refuse_pending_twice(model: StateMachine) -> None:
    """UserError where an event may be sent again while it waits: a timer stands for one of them.

    Times and values are ignored, so that this may refuse what never happens.
    """
    leaving: dict[str, list[int]] = {}
    for number, t in enumerate(model.transitions):
        leaving.setdefault(t.source, []).append(number)
    names = {timer.name for timer in model.timers}
    first = model.initial, frozenset(model.started)
    known, waiting = {first}, [first]
    while waiting:
        state, running = waiting.pop()
        for number in leaving.get(state, []):
            t = model.transitions[number]
            if t.trigger in names and t.trigger not in running:
                continue
            now = running - {t.trigger} - frozenset(t.stops)
            for timer in t.starts:
                if timer in now:
                    message = f"{timer!r} may be sent again while it is still to come; cancel it before"
                    raise UserError(message, at=t.at)
            after = t.target, now | frozenset(t.starts)
            if after not in known:
                known.add(after)
                waiting.append(after)
