"""SCXML (W3C, 2015): a documented part of it, as a state machine; the rest is refused with its place.

The states of the model are the configurations of the chart (``formats/charts``), and the order of transitions, which
decides in SCXML, becomes part of the guards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fullproof.core.errors import UserError
from fullproof.formats.charts.machine import DrawnChart, state_machine
from fullproof.formats.document.description import read_req
from fullproof.formats.document.document import Document
from fullproof.formats.document.statemachine import interface_of
from fullproof.formats.document.tree import Items, Scalar
from fullproof.formats.scxml.actions import Actions, content_events, delayed_events, refuse_scripts_elsewhere
from fullproof.formats.scxml.data import read_data
from fullproof.formats.scxml.delays import DelayedEvents, refuse_pending_twice
from fullproof.formats.scxml.disputes import refuse_disputed
from fullproof.formats.scxml.elements import SCXML, checked, fp, needed, one_of, scalar, tag_of
from fullproof.formats.scxml.extras import extras
from fullproof.formats.scxml.states import Outline, Signals, StateElement, event_words
from fullproof.formats.scxml.tree import Element, parse_xml
from fullproof.model import StateMachine
from fullproof.model.chart import (
    NOTHING,
    ChartTransition,
    Effect,
    ExitsAndEntries,
    HistoryDepth,
    Names,
    Vertex,
    state_names,
)
from fullproof.model.chart_model import TransitionRank
from fullproof.model.common import Description


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
    refuse_scripts_elsewhere(outline)
    data = read_data(outline)
    document = Document(Scalar("", root.at.line or 1, root.at.column or 1), file=str(path))
    delayed = delayed_events(outline)
    signals = Signals(outline, *content_events(outline), delayed.events)
    words, description = interface_of(document, extras(outline.root), data.declared, signals.interface())
    words = replace(words, states=tuple(state.name for state in outline.listed))
    reader = _Reader(
        outline, document, Actions(outline, words, signals, data.lists, delayed), signals, delayed, description
    )
    given, semantics = root.get("initial"), fp(root, "semantics")
    ours = semantics is not None and one_of(semantics, "semantics", ("scxml", "fullproof")) == "fullproof"
    vertices, arrows = tuple(reader.vertices()), tuple(reader.arrows())
    if not ours:
        refuse_disputed(vertices, arrows)
    chart = DrawnChart(
        name=_name(root, path),
        words=words,
        description=description,
        vertices=vertices,
        arrows=arrows,
        initial=(outline.root.inside[0].name if given is None else outline.targets(given, "initial state")),
        at=root.at if given is None else given.at,
        choices=reader.choices(),
        order=TransitionRank.NONE if ours else TransitionRank.DOCUMENT,
        unset=data.unset,
        timers=delayed.timers,
        dotted=not ours
        and not any(word == "*" for _, t in outline.elements("transition") for word, _ in event_words(t)),
    )
    machine = state_machine(chart)
    if delayed.timers:
        refuse_pending_twice(machine)
    return machine


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
        self,
        outline: Outline,
        document: Document,
        actions: Actions,
        signals: Signals,
        delayed: DelayedEvents,
        description: Description,
    ) -> None:
        self.outline = outline
        self.document = document
        self.actions = actions
        self.signals = signals
        self.delayed = delayed
        self.description = description

    def vertices(self) -> Iterator[Vertex]:
        """All states."""
        for state in self.outline.listed:
            initial, effect = self._initial(state)
            yield Vertex(
                name=state.name,
                parent=None if state.parent is None else state.parent.name,
                choice=fp(state.element, "choice") is not None,
                final=state.tag == "final",
                parallel=state.tag == "parallel",
                history=_depth(state),
                initial=initial,
                initial_effect=effect,
                entry=self.actions.effect(state.part("onentry")),
                exit=self.actions.effect(state.part("onexit")),
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
            if state.tag != "history":
                yield from self._arrows(state, element)

    def _initial(self, state: StateElement) -> tuple[Names | None, Effect]:
        given, elements = state.element.get("initial"), state.part("initial")
        if given is not None and elements:
            raise UserError("both an attribute and an element say which state is initial", at=elements[0].at)
        if given is not None:
            return self.outline.targets(given, "initial state"), NOTHING
        if state.tag == "history":
            return self._default(state.part("transition"), state.element, "<history>", "default")
        if not elements:
            return (state.inside[0].name if state.inside and state.tag != "parallel" else None), NOTHING
        transitions = [child for element in elements for _, child in checked(element)]
        return self._default(transitions, elements[0], "<initial>", "initial state")

    def _default(
        self, transitions: list[Element], holder: Element, where: str, what: str
    ) -> tuple[tuple[str, ...], Effect]:
        if len(transitions) != 1:
            raise UserError(f"expected one {where} with one <transition>", at=holder.at)
        for name in ("event", "cond"):
            if unwanted := transitions[0].get(name):
                raise UserError(f"the transition of {where} has no {name}", at=unwanted.at)
        targets = self.outline.targets(needed(transitions[0], "target"), what)
        return targets, self.actions.effect(transitions)

    def _arrows(self, state: StateElement, element: Element) -> Iterator[ChartTransition]:
        effect, guard, target = self.actions.effect([element]), self.actions.guard(element), element.get("target")
        source = state.name or None
        aims = state_names(source) if target is None else self.outline.targets(target, "target")
        requirements = self._requirements(element)
        for trigger in self._triggers(element):
            yield ChartTransition(
                source=source,
                trigger=trigger,
                guard=guard,
                effect=effect,
                target=aims,
                way=self._way(state, element, aims),
                requirements=requirements,
                at=element.at,
            )

    def _way(self, state: StateElement, element: Element, aims: tuple[str, ...]) -> ExitsAndEntries:
        kind = element.get("type")
        internal = kind is not None and one_of(kind, "type", ("external", "internal")) == "internal"
        if element.get("target") is None:
            return ExitsAndEntries.INTERNAL
        compound = internal and state.tag == "state" and bool(state.inside)
        if compound and all(self.outline.is_history(aim) or self.outline.lies_inside(aim, state) for aim in aims):
            return ExitsAndEntries.LOCAL
        return ExitsAndEntries.EXTERNAL

    def _triggers(self, element: Element) -> list[str | None]:
        if element.get("event") is None:
            return [None]
        found: dict[str | None, None] = {}
        for word, attribute in event_words(element):
            for event in self.signals.matching(word, attribute):
                found.update(dict.fromkeys(self.delayed.of(event)))
                if event not in self.signals.delayed or event in self.signals.received + self.signals.raised:
                    found[self.signals.name(event)] = None
        return list(found)

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


def _depth(state: StateElement) -> HistoryDepth | None:
    if state.tag != "history":
        return None
    given = state.element.get("type")
    return HistoryDepth.SHALLOW if given is None else HistoryDepth(one_of(given, "type", ("shallow", "deep")))
