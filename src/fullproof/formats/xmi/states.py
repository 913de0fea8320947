"""The regions, states and transitions of a UML state machine, before names in texts mean anything."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fullproof.core.errors import Place, UserError
from fullproof.formats.charts.hierarchy import flat_names
from fullproof.formats.charts.texts import DELAYS, TextAction, actions_of, located
from fullproof.formats.scxml.tree import Attribute, Element
from fullproof.formats.xmi.elements import XmiDocument, body_of, inside, kind, name_of, parts

_KINDS = (
    "initial", "shallowHistory", "deepHistory", "choice", "junction", "fork", "join", "entryPoint", "exitPoint",
)  # fmt: skip
_PASSED = ("initial", "junction", "fork", "join", "entryPoint", "exitPoint")
"""Pseudostates that are no states of the chart."""
_AFTER = re.compile(r"after\b\s*[\s(0-9]")
_STATES = ("State", "FinalState", "Pseudostate")


@dataclass(slots=True)
class UmlVertex:
    """A state, a region or a pseudostate; ``around`` is what it lies in, ``path`` leads to it from the outermost."""

    element: Element
    kind: str
    """``state``, ``final``, ``region``, or the kind of a pseudostate."""
    around: UmlVertex | None
    path: tuple[str, ...]
    parallel: bool = False
    inside: list[UmlVertex] = field(default_factory=list)
    name: str = ""


@dataclass(slots=True)
class UmlTransition:
    """A transition with the texts of its guard and its effect."""

    element: Element
    source: UmlVertex
    target: UmlVertex
    triggers: list[tuple[str, Attribute | Element]]
    guard: Attribute | None
    actions: list[TextAction]
    kind: str
    times: list[tuple[str, Element]]
    """Triggers that are times, such as ``after 5 s``."""


class UmlStates:
    """All vertices, outer before inner ones, and all transitions, in the order of the file."""

    def __init__(self, document: XmiDocument, machine: Element) -> None:
        self.document = document
        self.listed: list[UmlVertex] = []
        self._by_element: dict[int, UmlVertex] = {}
        self._pending: list[Element] = []
        regions = parts(machine, "region")
        if not regions:
            raise UserError("the state machine has no region", at=machine.at)
        self.root: UmlVertex | None = None
        if len(regions) > 1:
            self.root = self._add(machine, "state", None, name_of(machine) or "machine")
            self.root.parallel = True
        self._regions(regions, self.root)
        names = flat_names(vertex.path for vertex in self.listed if vertex.kind not in _PASSED)
        for vertex in self.listed:
            vertex.name = names.get(vertex.path) or self._free(name_of(vertex.element) or vertex.kind, names)
            names[vertex.path] = vertex.name
        self.transitions = [self._transition(element) for element in self._pending]

    def actions(self, vertex: UmlVertex, word: str) -> list[TextAction]:
        """What the entry or the exit of a state does."""
        return [] if vertex.kind != "state" or vertex is self.root else self._behaviour(vertex.element, word)

    # --- vertices ---

    def _free(self, name: str, names: dict[tuple[str, ...], str]) -> str:
        while name in names.values():
            name += "_"
        return name

    def _regions(self, regions: list[Element], around: UmlVertex | None) -> None:
        for number, element in enumerate(regions, start=1):
            holder = around
            if len(regions) > 1:
                assert around is not None
                holder = self._add(element, "region", around, name_of(element) or f"{around.path[-1]}.{number}")
            for child in inside(element):
                if child.tag == "subvertex":
                    self._vertex(child, holder)
                elif child.tag == "transition":
                    self._pending.append(child)

    def _add(self, element: Element, what: str, around: UmlVertex | None, name: str) -> UmlVertex:
        before = () if around is None else around.path
        taken = {vertex.path for vertex in self.listed}
        while (*before, name) in taken:
            name += "_"
        vertex = UmlVertex(element, what, around, (*before, name))
        self.listed.append(vertex)
        if around is not None:
            around.inside.append(vertex)
        if what != "region":
            self._by_element[id(element)] = vertex
        return vertex

    def _vertex(self, element: Element, around: UmlVertex | None) -> None:
        what = kind(element)
        if what not in _STATES:
            raise UserError(f"{what[:40]} is not supported in a region, expected a state", at=element.at)
        if what == "Pseudostate":
            self._add_pseudostate(element, around)
            return
        if what == "FinalState":
            self._add(element, "final", around, name_of(element) or "final")
            return
        self._refuse_parts(element)
        vertex = self._add(element, "state", around, name_of(element) or f"state{len(self.listed) + 1}")
        regions = parts(element, "region")
        vertex.parallel = len(regions) > 1
        for point in parts(element, "connectionPoint"):
            self._add_pseudostate(point, vertex)
        self._regions(regions, vertex)

    def _add_pseudostate(self, element: Element, around: UmlVertex | None) -> None:
        given = element.get("kind")
        word = "initial" if given is None else given.text
        if word not in _KINDS:
            raise UserError(f"pseudostates of kind {word[:40]!r} are not supported", at=element.at)
        name = name_of(element) or word
        self._add(element, word, around, f"({word}) {name}" if word in _PASSED else name)

    def _refuse_parts(self, element: Element) -> None:
        for word, what in (
            ("doActivity", "do activities are"),
            ("deferrableTrigger", "deferred events are"),
            ("submachine", "submachine states are"),
            ("connection", "connection point references are"),
            ("redefinedState", "redefined states are"),
        ):
            if parts(element, word) or element.get(word) is not None:
                given = element.get(word)
                at = given.at if given is not None else parts(element, word)[0].at
                raise UserError(f"{what} not supported", at=at)

    # --- transitions ---

    def _transition(self, element: Element) -> UmlTransition:
        ends = []
        for word in ("source", "target"):
            there = self.document.required(element, word)
            if id(there) not in self._by_element:
                given = element.get(word)
                at = element.at if given is None else given.at
                raise UserError(f"the {word} of this transition is no state of the machine", at=at)
            ends.append(self._by_element[id(there)])
        given = element.get("kind")
        waits = [(trigger, self._time(trigger)) for trigger in self._triggers(element)]
        return UmlTransition(
            element,
            ends[0],
            ends[1],
            [self._event(trigger) for trigger, time in waits if time is None],
            self._guard(element),
            self._behaviour(element, "effect"),
            "external" if given is None else given.text,
            [(time, trigger) for trigger, time in waits if time is not None],
        )

    def _triggers(self, element: Element) -> list[Element]:
        found = self.document.references(element, "trigger")
        given = element.get("trigger")
        if given is not None and not found:
            raise UserError(f"the trigger {given.text[:60]!r} is not in the file", at=given.at)
        return found

    def _time(self, trigger: Element) -> str | None:
        """``after 5 s`` for a relative time event, or a trigger with such a name; None for other triggers."""
        for event in self.document.references(trigger, "event"):
            if kind(event) != "TimeEvent":
                return None
            relative = event.get("isRelative")
            if relative is None or relative.text != "true":
                message = 'a time that is not relative is not supported, expected isRelative="true"'
                raise UserError(message, at=event.at)
            when = self.document.references(event, "when")
            texts = [body_of(one) for one in [*(e for w in when for e in parts(w, "expr")), *when]]
            given = next((text for text in texts if text is not None), None)
            if given is None:
                raise UserError("the time event does not say when, expected a text such as 5 s", at=event.at)
            return f"after {given.text}"
        name = name_of(trigger).strip()
        return name if _AFTER.match(name) else None

    def _event(self, trigger: Element) -> tuple[str, Attribute | Element]:
        """The name of the event that a trigger waits for."""
        for event in self.document.references(trigger, "event"):
            what = kind(event)
            if what in ("ChangeEvent", "AnyReceiveEvent"):
                words = {"ChangeEvent": "change events", "AnyReceiveEvent": "events of any kind"}
                raise UserError(f"{words[what]} are not supported, expected a signal", at=trigger.at)
            for word in ("signal", "operation"):
                for meant in self.document.references(event, word):
                    if name_of(meant):
                        return name_of(meant), trigger
            if name_of(event):
                return name_of(event), trigger
        name = name_of(trigger).removesuffix("()").strip()
        if not name:
            raise UserError("the trigger has neither a name nor an event with one", at=trigger.at)
        if DELAYS.match(name):
            message = f"the time {name[:40]!r} is not supported, expected such as after 5 s, or a signal"
            raise UserError(message, at=trigger.at)
        return name, trigger

    def _guard(self, element: Element) -> Attribute | None:
        for constraint in self.document.references(element, "guard"):
            for specification in self.document.references(constraint, "specification") or [constraint]:
                text = body_of(specification)
                if text is not None:
                    return text
                if kind(specification) == "LiteralBoolean":  # XMI leaves the value false out
                    return _constant("false", specification.at)
            if name_of(constraint):
                given = constraint.get("name")
                assert given is not None
                return given
        return None

    def _behaviour(self, element: Element, word: str) -> list[TextAction]:
        found: list[TextAction] = []
        for behaviour in self.document.references(element, word):
            if any(child.tag in ("node", "edge", "region") for child in inside(behaviour)):
                raise UserError(f"a {word} that is a diagram is not supported, expected a text", at=behaviour.at)
            text = body_of(behaviour) or behaviour.get("name")
            if text is not None and text.text.strip():
                found += _actions(text)
        return found


def _constant(text: str, at: Place) -> Attribute:
    """A text that the file does not have."""
    return Attribute(text, lambda _: at)


def _actions(source: Attribute) -> list[TextAction]:
    return located(source, lambda: actions_of(source.text, source.at))
