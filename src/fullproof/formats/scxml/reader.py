"""SCXML (W3C, 2015): a documented part of it, as a state machine; the rest is refused with its place.

States inside states are flattened, and the order of transitions, which decides in SCXML, becomes part of the guards.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fullproof.core.errors import UserError
from fullproof.formats.charts.chart import NOTHING, ChartTransition, Effect, ExitsAndEntries, Vertex, joined
from fullproof.formats.charts.hierarchy import TransitionRank
from fullproof.formats.charts.machine import DrawnChart, state_machine
from fullproof.formats.charts.vocabulary import Vocabulary
from fullproof.formats.document.description import read_req
from fullproof.formats.document.document import Document
from fullproof.formats.document.statemachine import interface_of
from fullproof.formats.document.tree import Items, Scalar
from fullproof.formats.scxml.data import read_data
from fullproof.formats.scxml.elements import SCXML, checked, fp, needed, one_of, scalar, tag_of
from fullproof.formats.scxml.expressions import read_expression
from fullproof.formats.scxml.extras import extras
from fullproof.formats.scxml.states import Outline, Signals, StateElement, all_event_words
from fullproof.formats.scxml.tree import Attribute, Element, parse_xml
from fullproof.language.parser import parse_expression
from fullproof.language.syntax import TRUE, Expression
from fullproof.model import StateMachine
from fullproof.model.common import Description
from fullproof.model.sts import Assignment


def read_scxml(text: str, path: Path) -> StateMachine:
    """Read a state machine; every mistake is a UserError with file, line and column."""
    root = parse_xml(text, file=str(path))
    try:
        return _machine(root, path)
    except UserError as error:
        raise error if error.at.line is not None else UserError(error.message, at=root.at) from None


def _machine(root: Element, path: Path) -> StateMachine:
    _check_root(root)
    outline = Outline(root)
    if not outline.listed:
        raise UserError("there are no states", at=root.at)
    data = read_data(element for _, datamodel in outline.elements("datamodel") for _, element in checked(datamodel))
    document = Document(Scalar("", root.at.line or 1, root.at.column or 1), file=str(path))
    signals = Signals(outline, list(_sent(outline)))
    words, description = interface_of(document, extras(outline.root), data, signals.interface())
    reader = _Reader(outline, document, words, signals, description)
    given, semantics = root.get("initial"), fp(root, "semantics")
    first = outline.root.inside[0] if given is None else outline.target(given, "initial state")
    ours = semantics is not None and one_of(semantics, "semantics", ("scxml", "fullproof")) == "fullproof"
    chart = DrawnChart(
        name=_name(root, path),
        words=words,
        description=description,
        vertices=reader.vertices(),
        arrows=reader.arrows(),
        initial=first.name,
        at=root.at if given is None else given.at,
        choices=reader.choices(),
        order=TransitionRank.NONE if ours else TransitionRank.DOCUMENT,
    )
    return state_machine(chart)


def _check_root(root: Element) -> None:
    if tag_of(root) != "scxml":
        raise UserError(f'the root element is <{root.tag[:40]}>, expected <scxml xmlns="{SCXML}">', at=root.at)
    for name, allowed in (("version", ("1.0",)), ("binding", ("early",)), ("datamodel", ("ecmascript", "null"))):
        attribute = root.get(name)
        if attribute is not None:
            one_of(attribute, name, allowed)


def _name(root: Element, path: Path) -> str:
    given = fp(root, "name") or root.get("name")
    return path.stem if given is None or not given.text else given.text


class _Reader:
    def __init__(
        self, outline: Outline, document: Document, words: Vocabulary, signals: Signals, description: Description
    ) -> None:
        self.outline = outline
        self.document = document
        self.words = words
        self.signals = signals
        self.description = description
        self._guards: dict[tuple[str, bool], Expression] = {}

    def vertices(self) -> Iterator[Vertex]:
        """All states."""
        for state in self.outline.listed:
            initial, effect = self._initial(state)
            yield Vertex(
                name=state.name,
                parent=None if state.parent is None else state.parent.name,
                choice=fp(state.element, "choice") is not None,
                final=state.tag == "final",
                initial=initial,
                initial_effect=effect,
                entry=joined(map(self._effect, state.part("onentry"))),
                exit=joined(map(self._effect, state.part("onexit"))),
                at=state.element.at,
            )

    def choices(self) -> tuple[str, ...]:
        """The choice points: in the order of the file, or by the numbers that they carry."""
        ranked: list[tuple[int, str]] = []
        for state in self.outline.listed:
            given = fp(state.element, "choice")
            if given is None:
                continue
            if given.text != "true" and not (given.text.isdecimal() and len(given.text) < 9):
                raise UserError(f"unknown choice {given.text[:60]!r}, expected true or a number", at=given.at)
            ranked.append((int(given.text) if given.text != "true" else 0, state.name))
        return tuple(name for _, name in sorted(ranked, key=lambda pair: pair[0]))

    def arrows(self) -> Iterator[ChartTransition]:
        """All transitions; one that several events may fire is several."""
        for state, element in self.outline.elements("transition"):
            yield from self._arrows(state, element)

    def _initial(self, state: StateElement) -> tuple[str | None, Effect]:
        given, elements = state.element.get("initial"), state.part("initial")
        if given is not None and elements:
            raise UserError("both an attribute and an element say which state is initial", at=elements[0].at)
        if given is not None:
            return self.outline.target(given, "initial state").name, NOTHING
        if not elements:
            return (state.inside[0].name if state.inside else None), NOTHING
        transitions = [child for element in elements for _, child in checked(element)]
        if len(transitions) != 1:
            raise UserError("expected one <initial> with one <transition>", at=elements[0].at)
        for name in ("event", "cond"):
            if unwanted := transitions[0].get(name):
                raise UserError(f"the transition of <initial> has no {name}", at=unwanted.at)
        target = self.outline.target(needed(transitions[0], "target"), "initial state")
        return target.name, self._effect(transitions[0])

    def _effect(self, element: Element) -> Effect:
        actions: list[Assignment] = []
        sends: list[str] = []
        for tag, child in checked(element):
            list(checked(child))
            if tag == "assign":
                actions.append(self._assignment(child))
            elif tag == "send":
                sends.append(self.signals.name(needed(child, "event").text))
        return Effect(actions=tuple(actions), sends=tuple(sends))

    def _assignment(self, element: Element) -> Assignment:
        location = needed(element, "location")
        exact = fp(element, "expr")
        value = _exact(exact) if exact is not None else read_expression(needed(element, "expr"))
        return self.words.checked_assignment(location.text.strip(), value, location.at)

    def _arrows(self, state: StateElement, element: Element) -> Iterator[ChartTransition]:
        effect, guard, target = self._effect(element), self._guard(element), element.get("target")
        aim = state if target is None else self.outline.target(target, "target")
        requirements = self._requirements(element)
        for trigger, completion in self._triggers(state, element):
            yield ChartTransition(
                source=state.name,
                trigger=trigger,
                guard=guard,
                effect=effect,
                target=aim.name,
                way=self._way(state, element, aim),
                completion=completion,
                requirements=requirements,
                at=element.at,
            )

    def _way(self, state: StateElement, element: Element, aim: StateElement) -> ExitsAndEntries:
        kind = element.get("type")
        internal = kind is not None and one_of(kind, "type", ("external", "internal")) == "internal"
        if element.get("target") is None:
            return ExitsAndEntries.INTERNAL
        above = aim.parent
        while internal and above is not None:
            if above is state:
                return ExitsAndEntries.LOCAL
            above = above.parent
        return ExitsAndEntries.EXTERNAL

    def _triggers(self, state: StateElement, element: Element) -> list[tuple[str | None, bool]]:
        if element.get("event") is None:
            return [(None, False)]
        found: dict[tuple[str | None, bool], None] = {}
        for word, attribute in all_event_words(element):
            if word.startswith("done.state."):
                identifier = state.element.get("id")
                if identifier is None or word != f"done.state.{identifier.text}":
                    message = f"{word[:60]!r} is waited for only by a transition of that state itself"
                    raise UserError(message, at=attribute.at)
                found[None, True] = None
                continue
            for signal in self.signals.matching(word, attribute):
                found[self.signals.name(signal), False] = None
        return list(found)

    def _guard(self, element: Element) -> Expression:
        exact, source = fp(element, "cond"), element.get("cond")
        given = exact if exact is not None else source
        if given is None:
            return TRUE
        key = (given.text, exact is not None)
        if key not in self._guards:  # large models repeat themselves: equal guards are one tree
            guard = _exact(given) if exact is not None else read_expression(given)
            self._guards[key] = self.words.checked_guard(guard)
        return self._guards[key]

    def _requirements(self, element: Element) -> tuple[str, ...]:
        given = fp(element, "req")
        words: list[Scalar] = []
        if given is not None:
            line, column = given.at.line or 1, given.at.column or 1
            words += [Scalar(word, line, column, quoted=True) for word in given.text.split()]
        for tag, child in checked(element):
            if tag == "fp:req":
                words.append(scalar(needed(child, "name")))
        if not words:
            return ()
        return read_req(self.document, Items(tuple(words), words[0].line, words[0].column), self.description)


def _exact(attribute: Attribute) -> Expression:
    """What is written in our own language, since ECMAScript has no such expression."""
    return parse_expression(attribute.text, at=attribute.at)


def _sent(outline: Outline) -> Iterator[Attribute]:
    """The events of all <send>, in the order of the file."""
    for state in outline.listed:
        holders = [child for tag in ("onentry", "onexit", "transition") for child in state.part(tag)]
        holders += [child for element in state.part("initial") for child in element.children]
        for holder in sorted(holders, key=lambda element: element.at):
            for child in holder.children:
                if tag_of(child) == "send":
                    event = needed(child, "event")
                    target = child.get("target")
                    if target is not None and target.text.startswith("#_internal"):
                        raise UserError("internal events are not supported", at=target.at)
                    if event.text.split() != [event.text]:
                        raise UserError(f"the event {event.text[:60]!r} is not one word", at=event.at)
                    yield event
