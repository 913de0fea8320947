"""An SCXML interpreter after appendix D of the W3C's recommendation, without parallel states, history and invocation.

It works on the XML itself and shares nothing with the reader.
"""

from __future__ import annotations

from collections import deque
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

NS = "{http://www.w3.org/2005/07/scxml}"


class Interpreter:
    """One session: ``data`` has the values, ``sent`` what was sent since it was last emptied."""

    def __init__(self, text: str) -> None:
        self.root = ElementTree.fromstring(text)
        self.parent = {child: element for element in self.root.iter() for child in element}
        self.order = {element: number for number, element in enumerate(self.root.iter())}
        self.states = {e.get("id"): e for e in self.root.iter() if e.tag in (f"{NS}state", f"{NS}final")}
        self.data = {e.get("id"): self.value(e.get("expr", "")) for e in self.root.iter(f"{NS}data")}
        self.active: set[Element] = set()
        self.internal: deque[str] = deque()
        self.sent: list[str] = []
        self.running = True
        self.enter(self.initial_targets(self.root), self.root)
        self.macrostep()

    @property
    def atomic(self) -> str | None:
        """The id of the innermost active state."""
        (leaf,) = (state for state in self.active if not self.inside(state))
        return leaf.get("id")

    def event(self, name: str) -> None:
        """Handle an external event to the end."""
        if self.running:
            self.microstep(self.select(name))
            self.macrostep()

    def macrostep(self) -> None:
        while self.running:
            chosen = self.select(None)
            if chosen is None:
                if not self.internal:
                    return
                chosen = self.select(self.internal.popleft())
            self.microstep(chosen)

    def select(self, event: str | None) -> Element | None:
        """The first enabled transition of the innermost state that has one."""
        (leaf,) = (state for state in self.active if not self.inside(state))
        for state in [leaf, *self.ancestors(leaf)]:
            for transition in state.findall(f"{NS}transition"):
                wanted = transition.get("event")
                matches = wanted is None if event is None else wanted is not None and _matches(wanted, event)
                if matches and self.value(transition.get("cond", "true")):
                    return transition
        return None

    def microstep(self, transition: Element | None) -> None:
        if transition is None:
            return
        if transition.get("target") is None:
            self.execute(transition)
            return
        domain = self.domain(transition)
        leaving = [state for state in self.active if domain in self.ancestors(state)]
        for state in sorted(leaving, key=lambda element: -self.order[element]):
            for block in state.findall(f"{NS}onexit"):
                self.execute(block)
            self.active.remove(state)
        self.execute(transition)
        self.enter(self.targets(transition), domain)

    def domain(self, transition: Element) -> Element:
        source, targets = self.parent[transition], self.targets(transition)
        inside = all(source in self.ancestors(target) for target in targets)
        if transition.get("type") == "internal" and self.inside(source) and inside:
            return source
        common = (a for a in self.ancestors(source) if all(a in self.ancestors(target) for target in targets))
        return next(common)

    def enter(self, targets: list[Element], domain: Element) -> None:
        entering: set[Element] = set()
        default: set[Element] = set()
        waiting = list(targets)
        while waiting:
            state = waiting.pop()
            entering.add(state)
            if self.inside(state):
                default.add(state)
                waiting += self.initial_targets(state)
        for state in list(entering):
            for ancestor in self.ancestors(state):
                if ancestor is domain or ancestor in self.active:
                    break
                entering.add(ancestor)
        entering.discard(self.root)
        for state in sorted(entering, key=lambda element: self.order[element]):
            self.active.add(state)
            for block in state.findall(f"{NS}onentry"):
                self.execute(block)
            first = state.find(f"{NS}initial/{NS}transition")
            if state in default and first is not None:
                self.execute(first)
            if state.tag == f"{NS}final":
                if self.parent[state] is self.root:
                    self.running = False
                else:
                    self.internal.append(f"done.state.{self.parent[state].get('id')}")

    def initial_targets(self, state: Element) -> list[Element]:
        element = state.find(f"{NS}initial/{NS}transition")
        named = state.get("initial") if element is None else element.get("target")
        return [self.inside(state)[0] if named is None else self.states[named]]

    def targets(self, transition: Element) -> list[Element]:
        return [self.states[word] for word in transition.get("target", "").split()]

    def inside(self, state: Element) -> list[Element]:
        return [child for child in state if child.tag in (f"{NS}state", f"{NS}final")]

    def ancestors(self, state: Element) -> list[Element]:
        found = []
        while state is not self.root:
            state = self.parent[state]
            found.append(state)
        return found

    def execute(self, block: Element) -> None:
        for action in block:
            if action.tag == f"{NS}assign":
                self.data[action.get("location")] = self.value(action.get("expr", ""))
            elif action.tag == f"{NS}send":
                self.sent.append(action.get("event", ""))

    def value(self, text: str) -> object:
        python = text.replace("&&", " and ").replace("||", " or ").replace("true", "True").replace("false", "False")
        return eval(python, {}, getattr(self, "data", {}))


def _matches(descriptors: str, event: str) -> bool:
    for word in descriptors.split():
        stem = word.removesuffix("*").removesuffix(".")
        if stem in ("", event) or event.startswith(f"{stem}."):
            return True
    return False
