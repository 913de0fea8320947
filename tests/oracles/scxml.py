"""An SCXML interpreter after appendix D of the W3C's recommendation, without invocation and the external queue.

It works on the XML itself, keeps the names of the recommendation, and shares nothing with the reader.
"""

from __future__ import annotations

import re
from collections import deque
from fractions import Fraction
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

NS = "{http://www.w3.org/2005/07/scxml}"
STATES = tuple(f"{NS}{tag}" for tag in ("state", "parallel", "final"))


class Interpreter:
    """One session: ``data`` has the values, ``sent`` what was sent since it was last emptied."""

    def __init__(self, text: str) -> None:
        self.root = ElementTree.fromstring(text)
        self.parent = {child: element for element in self.root.iter() for child in element}
        self.order = {element: number for number, element in enumerate(self.root.iter())}
        self.states = {e.get("id"): e for e in self.root.iter() if e.tag in (*STATES, f"{NS}history")}
        self.configuration: set[Element] = set()
        self.data: dict[str | None, object] = {}
        self.data = {e.get("id"): self.value(e.get("expr", "")) for e in self.root.iter(f"{NS}data")}
        self.history_value: dict[Element, set[Element]] = {}
        self.internal: deque[str] = deque()
        self.sent: list[str] = []
        self.running = True
        self.now = Fraction(0)
        self.delayed: list[tuple[Fraction, int, str | None, str]] = []
        """When, a number that orders what comes at one instant, the id and the event."""
        self.steps = 0
        self.enter_states([(self.initial_targets(self.root), self.root, None)])
        self.macrostep()

    @property
    def active(self) -> list[str | None]:
        """The ids of the atomic active states, in document order."""
        atomic = [state for state in self.configuration if not self.children(state)]
        return [state.get("id") for state in sorted(atomic, key=self.order.__getitem__)]

    def event(self, name: str) -> None:
        """Handle an external event to the end."""
        if self.running:
            self.microstep(self.select_transitions(name))
            self.macrostep()

    def advance(self, seconds: Fraction) -> None:
        """Let time pass; delayed events come when it is time for them."""
        end = self.now + seconds
        while self.delayed and min(self.delayed)[0] <= end:
            first = min(self.delayed)
            self.delayed.remove(first)
            self.now = first[0]
            self.event(first[3])
        self.now = end

    def macrostep(self) -> None:
        while self.running:
            self.steps += 1
            if self.steps > 1_000:
                raise RecursionError("livelock")
            enabled = self.select_transitions(None)
            if not enabled:
                if not self.internal:
                    return
                enabled = self.select_transitions(self.internal.popleft())
            self.microstep(enabled)
        for state in sorted(self.configuration, key=lambda element: -self.order[element]):  # exitInterpreter
            for block in state.findall(f"{NS}onexit"):
                self.execute(block)

    def select_transitions(self, event: str | None) -> list[Element]:
        enabled: list[Element] = []
        atomic = [state for state in self.configuration if not self.children(state)]
        for leaf in sorted(atomic, key=self.order.__getitem__):
            chosen = self.first_enabled(leaf, event)
            if chosen is not None and chosen not in enabled:
                enabled.append(chosen)
        return self.remove_conflicting(enabled)

    def first_enabled(self, leaf: Element, event: str | None) -> Element | None:
        for state in [leaf, *self.ancestors(leaf)]:
            for transition in state.findall(f"{NS}transition"):
                wanted = transition.get("event")
                matches = wanted is None if event is None else wanted is not None and _matches(wanted, event)
                if matches and self.value(transition.get("cond", "true")):
                    return transition
        return None

    def remove_conflicting(self, enabled: list[Element]) -> list[Element]:
        filtered: list[Element] = []
        for first in enabled:
            preempted, removed = False, []
            for second in filtered:
                if self.exit_set(first) & self.exit_set(second):
                    if self.is_descendant(self.parent[first], self.parent[second]):
                        removed.append(second)
                    else:
                        preempted = True
                        break
            if not preempted:
                filtered = [other for other in filtered if other not in removed] + [first]
        return filtered

    def exit_set(self, transition: Element) -> set[Element]:
        if transition.get("target") is None:
            return set()
        domain = self.domain(transition)
        return {state for state in self.configuration if self.is_descendant(state, domain)}

    def microstep(self, enabled: list[Element]) -> None:
        leaving = set[Element]().union(*(self.exit_set(t) for t in enabled))
        for state in leaving:
            for history in state.findall(f"{NS}history"):
                if history.get("type") == "deep":
                    kept = {s for s in self.configuration if not self.children(s) and self.is_descendant(s, state)}
                else:
                    kept = {s for s in self.configuration if self.parent[s] is state}
                self.history_value[history] = kept
        for state in sorted(leaving, key=lambda element: -self.order[element]):
            for block in state.findall(f"{NS}onexit"):
                self.execute(block)
            self.configuration.remove(state)
        for transition in enabled:
            self.execute(transition)
        moving = [t for t in enabled if t.get("target") is not None]
        self.enter_states([(self.targets(t), self.domain(t), t) for t in moving])

    def domain(self, transition: Element) -> Element:
        source, targets = self.parent[transition], self.effective(self.targets(transition))
        inside = all(self.is_descendant(target, source) for target in targets)
        compound = source.tag == f"{NS}state" and bool(self.children(source))
        if source is self.root or (transition.get("type") == "internal" and compound and inside):
            return source
        for ancestor in self.ancestors(source):
            if ancestor.tag != f"{NS}parallel" and all(self.is_descendant(t, ancestor) for t in targets):
                return ancestor
        raise AssertionError("the root holds all states")

    def effective(self, targets: list[Element]) -> list[Element]:
        found: list[Element] = []
        for state in targets:
            if state.tag != f"{NS}history":
                found.append(state)
            elif state in self.history_value:
                found += self.history_value[state]
            else:
                found += self.effective(self.targets(state.find(f"{NS}transition")))
        return found

    def enter_states(self, moves: list[tuple[list[Element], Element, Element | None]]) -> None:
        self.to_enter: set[Element] = set()
        self.by_default: set[Element] = set()
        self.default_history: dict[Element, Element] = {}
        for targets, domain, _ in moves:
            for state in targets:
                self.add_descendants(state)
            for state in self.effective(targets):
                self.add_ancestors(state, domain)
        for state in sorted(self.to_enter, key=self.order.__getitem__):
            self.configuration.add(state)
            for block in state.findall(f"{NS}onentry"):
                self.execute(block)
            first = state.find(f"{NS}initial/{NS}transition")
            if state in self.by_default and first is not None:
                self.execute(first)
            if state in self.default_history:
                self.execute(self.default_history[state])
            if state.tag == f"{NS}final":
                self.reach_final(state)

    def reach_final(self, state: Element) -> None:
        parent = self.parent[state]
        if parent is self.root:
            self.running = False
            return
        self.internal.append(f"done.state.{parent.get('id')}")
        grandparent = self.parent[parent]
        if grandparent.tag == f"{NS}parallel" and all(map(self.is_in_final, self.children(grandparent))):
            self.internal.append(f"done.state.{grandparent.get('id')}")

    def is_in_final(self, state: Element) -> bool:
        if state.tag == f"{NS}parallel":
            return all(map(self.is_in_final, self.children(state)))
        return any(s.tag == f"{NS}final" and s in self.configuration for s in self.children(state))

    def add_descendants(self, state: Element) -> None:
        if state.tag == f"{NS}history":
            default = state.find(f"{NS}transition")
            assert default is not None
            if state in self.history_value:
                inner = sorted(self.history_value[state], key=self.order.__getitem__)
            else:
                self.default_history[self.parent[state]] = default
                inner = self.targets(default)
            for one in inner:
                self.add_descendants(one)
            for one in inner:
                self.add_ancestors(one, self.parent[state])
            return
        self.to_enter.add(state)
        if state.tag == f"{NS}parallel":
            self.add_regions(state)
        elif self.children(state):
            self.by_default.add(state)
            for one in self.initial_targets(state):
                self.add_descendants(one)
            for one in self.initial_targets(state):
                self.add_ancestors(one, state)

    def add_ancestors(self, state: Element, ancestor: Element) -> None:
        for above in self.ancestors(state):
            if above is ancestor or above is self.root:
                return
            self.to_enter.add(above)
            if above.tag == f"{NS}parallel":
                self.add_regions(above)

    def add_regions(self, state: Element) -> None:
        for child in self.children(state):
            if not any(self.is_descendant(s, child) for s in self.to_enter):
                self.add_descendants(child)

    def initial_targets(self, state: Element) -> list[Element]:
        element = state.find(f"{NS}initial/{NS}transition")
        named = state.get("initial") if element is None else element.get("target")
        return [self.children(state)[0]] if named is None else [self.states[word] for word in named.split()]

    def targets(self, transition: Element | None) -> list[Element]:
        assert transition is not None
        return [self.states[word] for word in transition.get("target", "").split()]

    def children(self, state: Element) -> list[Element]:
        return [child for child in state if child.tag in STATES]

    def is_descendant(self, state: Element, other: Element) -> bool:
        return other in self.ancestors(state)

    def ancestors(self, state: Element) -> list[Element]:
        found = []
        while state is not self.root:
            state = self.parent[state]
            found.append(state)
        return found

    def execute(self, block: Element) -> None:
        for action in block:
            match action.tag.removeprefix(NS):
                case "assign":
                    self.data[action.get("location")] = self.value(action.get("expr", ""))
                case "send" if action.get("delay") is not None:
                    number, unit = re.fullmatch(r"([\d.]+)(ms|s)", action.get("delay", "")).groups()  # type: ignore
                    due = self.now + Fraction(number) / (1000 if unit == "ms" else 1)
                    self.steps += 1
                    self.delayed.append((due, self.steps, action.get("id"), action.get("event", "")))
                case "cancel":
                    self.delayed = [one for one in self.delayed if one[2] != action.get("sendid")]
                case "send" if action.get("target") is None:
                    self.sent.append(action.get("event", ""))
                case "send" | "raise":
                    self.internal.append(action.get("event", ""))
                case "if":
                    self.execute(self.case(action))
                case "foreach":
                    for item in self.value(action.get("array", "")):  # type: ignore[attr-defined]
                        self.data[action.get("item")] = item
                        self.execute(action)

    def case(self, action: Element) -> Element:
        """The actions of the first case that holds, as a block."""
        block, holds, taken = Element("block"), bool(self.value(action.get("cond", ""))), False
        for child in action:
            if child.tag in (f"{NS}elseif", f"{NS}else"):
                taken = taken or holds
                holds = not taken and bool(self.value(child.get("cond", "true")))
            elif holds and not taken:
                block.append(child)
        return block

    def value(self, text: str) -> object:
        python = text.replace("&&", " and ").replace("||", " or ").replace("true", "True").replace("false", "False")
        names = {state.get("id") for state in self.configuration}
        return eval(python, {"In": names.__contains__}, self.data)


def _matches(descriptors: str, event: str) -> bool:
    for word in descriptors.split():
        stem = word.removesuffix("*").removesuffix(".")
        if stem in ("", event) or event.startswith(f"{stem}."):
            return True
    return False
