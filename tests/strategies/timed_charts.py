"""Random charts with regions, history, internal events and timers, whose every step shows that it happened."""

from __future__ import annotations

from random import Random
from typing import Any

SIGNALS = ("a", "b")
TIMES = ("1 s", "2 s", "3 s", "500 ms", "T")


def random_timed_chart(dice: Random, *, restarts: bool = False, periodic: bool = False) -> dict[str, Any]:
    """A model file with up to nine states. Its guards exclude each other, so that one run at a time is possible."""
    return _TimedChart(dice, restarts=restarts, periodic=periodic).keys()


class _TimedChart:
    def __init__(self, dice: Random, *, restarts: bool, periodic: bool) -> None:
        self.dice = dice
        self.restarts = restarts
        self.periodic = periodic
        self.count = dice.randint(2, 9)
        self.parents: list[int | None] = [None]
        self.kinds = ["state"]
        for number in range(1, self.count):
            kind = dice.choice(("state", "state", "state", "state", "parallel", "final", "history"))
            holders = [k for k in range(number) if self.kinds[k] in ("state", "parallel")]
            if kind == "final":
                holders = [k for k in holders if self.kinds[k] == "state"]
            above = dice.choice([*([] if kind in ("history", "final") else [None]), *holders] or [None])
            self.parents.append(above)
            self.kinds.append("state" if above is None else kind)
        for number, kind in enumerate(self.kinds):
            if kind == "parallel" and not self.inside(number):
                self.kinds[number] = "state"
        for number, kind in enumerate(self.kinds):
            above = self.parents[number]
            lonely = above is None or not self.inside(above)
            if (kind == "history" and lonely) or (above is not None and self.kinds[above] == "parallel" != kind):
                self.kinds[number] = "state" if kind == "final" or lonely else kind
        self.timed: set[int] = set()

    def inside(self, number: int | None) -> list[int]:
        return [k for k, parent in enumerate(self.parents) if parent == number and self.kinds[k] != "history"]

    def keys(self) -> dict[str, Any]:
        states = {f"v{k}": self.state(k) for k in self.inside(None)}
        return {
            "machine": "statemachine",
            "name": "m",
            "constants": {"T": "4 s"},
            "signals": {"in": list(SIGNALS), "out": ["s", "t"]},
            "variables": {"n": "int 0..3 = 0", "h": "int = 0", "fuel": "int = 6"},
            "initial": f"v{self.dice.choice(self.inside(None))}",
            "states": states,
        }

    def effect(self, code: int) -> dict[str, Any]:
        found: dict[str, Any] = {"do": [f"h = (h * 31 + {code}) % 1009"]}
        if self.dice.random() < 0.4:
            found["send"] = self.dice.choice(("s", "t"))
        return found

    def state(self, number: int) -> dict[str, Any]:
        kind, dice = self.kinds[number], self.dice
        inner = [k for k, parent in enumerate(self.parents) if parent == number]
        if kind == "history":
            beside = self.inside(self.parents[number])
            return {"history": dice.choice(("shallow", "deep")), "initial": f"v{dice.choice(beside)}"}
        found: dict[str, Any] = {"final": True} if kind == "final" else {}
        for word in ("entry", "exit"):
            if dice.random() < 0.3:
                note: dict[str, Any] = {"do": [f"h = (h * 31 + {len(word) * 10 + number}) % 1009"]}
                if word == "exit" and dice.random() < 0.4:
                    note["send"] = dice.choice(("s", "t"))
                found[word] = note
        if kind != "final":
            found["transitions"] = self.transitions(number)
        if inner:
            found["parallel" if kind == "parallel" else "states"] = {f"v{k}": self.state(k) for k in inner}
            if kind != "parallel":
                found["initial"] = f"v{dice.choice(self.inside(number))}"
        return found

    def transitions(self, number: int) -> list[dict[str, Any]]:
        dice, found = self.dice, []
        waits: list[dict[str, Any]] = [{"trigger": name} for name in (*SIGNALS, "i") if dice.random() < 0.5]
        if dice.random() < 0.6:
            self.timed.add(number)
            word = "every" if self.periodic and dice.random() < 0.4 else "after"
            waits.append({word: dice.choice(TIMES)})
        for code, wait in enumerate(waits):
            targets = [k for k in range(self.count) if self.kinds[k] != "history" or self.parents[k] is not None]
            one: dict[str, Any] = {**wait, **self.effect(100 + 10 * number + code), "to": f"v{dice.choice(targets)}"}
            if wait.get("trigger") in SIGNALS and dice.random() < 0.5:
                one["when"] = dice.choice(("n < 2", "n >= 2", f"in(v{dice.choice(self.inside(None))})"))
            if dice.random() < 0.3:
                one["do"] = [*one["do"], "n = (n + 1) % 4"]
            if dice.random() < 0.15:
                one |= {"kind": "internal", "to": f"v{number}"}
            if dice.random() < 0.3 and wait.get("trigger") != "i":
                one["raise"] = "i"
            if self.restarts and self.timed and dice.random() < 0.5:
                one["restart"] = [f"v{dice.choice(sorted(self.timed))}"]
            found.append(one)
        if not any("raise" in one for one in found) and number == 0:
            found.append({"trigger": "a", "when": "n == 3 and n == 2", "raise": "i", "to": "v0"})
        return found
