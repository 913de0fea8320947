"""Random machines of XState, in which every entry, exit and transition sends a signal of its own."""

from __future__ import annotations

from random import Random
from typing import Any

EVENTS = ("a", "b", "a.b")
DESCRIPTORS = (*EVENTS, "a", "b", "a.*", "*")
GUARDS = ("n < 2", "n == 1", "n >= 2", "n != 0 && n != 3", "n == 0 || n == 3")


def random_machine(dice: Random, *, most: int = 9) -> dict[str, Any]:
    """A machine with up to so many states: parallel, history and final states, raised events, wildcards."""
    return _Machine(dice, dice.randint(2, most)).config()


class _Machine:
    def __init__(self, dice: Random, count: int) -> None:
        self.dice = dice
        self.parents: list[int | None] = [None]
        self.kinds = ["state"]
        self.sends = 0
        for number in range(1, count):
            kind = dice.choice(("state", "state", "state", "state", "parallel", "final", "history"))
            holders = [k for k in range(number) if self.kinds[k] in ("state", "parallel")]
            if kind == "final":
                holders = [k for k in holders if self.kinds[k] == "state"]
            above = dice.choice([*([] if kind == "history" else [None, None]), *holders] or [None])
            self.parents.append(above)
            self.kinds.append("state" if kind == "history" and above is None else kind)
        for number, kind in enumerate(self.kinds):
            above = self.parents[number]
            lonely = above is not None and kind == "history" and not self.inside(above)
            if lonely or (kind == "parallel" and not self.inside(number)):
                self.kinds[number] = "state"
        if all(self.kinds[k] == "final" for k in self.inside(None)):
            self.kinds[0] = "state"

    def inside(self, number: int | None) -> list[int]:
        return [k for k, parent in enumerate(self.parents) if parent == number and self.kinds[k] != "history"]

    def config(self) -> dict[str, Any]:
        tops = self.inside(None)
        initial = next(k for k in tops if self.kinds[k] != "final")
        config = {
            "id": "m",
            "initial": f"v{initial}",
            "context": {"n": 0, "fuel": 5},
            "states": {f"v{k}": self.node(k) for k in tops},
        }
        if self.dice.random() < 0.2:
            config["on"] = {self.dice.choice(EVENTS): self.transition(None, range(len(self.kinds)))}
        signals = {"in": list(EVENTS), "out": [f"s{k}" for k in range(1, self.sends + 1)]}
        return {**config, "meta": {"fullproof": {"signals": signals}}}

    def node(self, number: int) -> dict[str, Any]:
        kind = self.kinds[number]
        if kind == "history":
            return self.history(number)
        children = [k for k, parent in enumerate(self.parents) if parent == number]
        node: dict[str, Any] = {"id": f"v{number}"}
        if kind in ("parallel", "final"):
            node["type"] = kind
        if children:
            node["states"] = {f"v{k}": self.node(k) for k in children}
            if kind != "parallel":
                node["initial"] = f"v{self.dice.choice(self.inside(number))}"
        for word in ("entry", "exit"):
            if self.dice.random() < 0.35:
                node[word] = self.actions()
        if kind == "final":
            return node
        everything = range(len(self.kinds))
        for _ in range(self.dice.choice((1, 1, 2, 3))):
            descriptor = self.dice.choice((*DESCRIPTORS, "i", "i"))
            node.setdefault("on", {})[descriptor] = [
                self.transition(number, everything) for _ in range(self.dice.choice((1, 1, 2)))
            ]
        if self.dice.random() < 0.12:  # fuel ends every chain of steps
            node["always"] = [{**self.transition(number, everything), "guard": "fuel > 0 && n == 1"}]
            node["always"][0]["actions"] = ["fuel = fuel - 1", *node["always"][0].get("actions", [])]
        if children and self.dice.random() < 0.4:
            node["onDone"] = self.transition(number, everything)
        return node

    def history(self, number: int) -> dict[str, Any]:
        node: dict[str, Any] = {"id": f"v{number}", "type": "history", "history": self.dice.choice(("shallow", "deep"))}
        above = self.parents[number]
        if self.dice.random() < 0.5 and above is not None and self.kinds[above] != "parallel":
            node["target"] = f"v{self.dice.choice(self.inside(above))}"
        return node

    def transition(self, source: int | None, among: range) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.dice.random() < 0.75:
            found["target"] = f"#v{self.dice.choice(among)}"
        if self.dice.random() < 0.4:
            found["guard"] = self.dice.choice(GUARDS)
        if self.dice.random() < 0.25 and source is not None:
            found["reenter"] = True
        if self.dice.random() < 0.7 or "target" not in found:
            found["actions"] = self.actions()
        return found

    def actions(self) -> list[Any]:
        self.sends += 1
        found: list[Any] = [f"s{self.sends}"]
        if self.dice.random() < 0.3:
            found.append(f"n = {self.dice.randint(0, 3)}")
        if self.dice.random() < 0.15 and self.sends > 3:
            found.append({"type": "xstate.raise", "event": {"type": "i"}})
        return found
