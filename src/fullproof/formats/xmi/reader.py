"""UML state machines in XMI to state machines (UML 2.5.1, chapter 14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.formats.charts.exclusion import guard_unless
from fullproof.formats.charts.inner_first import inner_first
from fullproof.formats.charts.machine import DrawnChart, state_machine
from fullproof.formats.charts.pseudostates import PseudoState, PseudoStates
from fullproof.formats.charts.texts import TextAction, effect_of, expression_of, located
from fullproof.formats.charts.times import time_from_text, with_timers
from fullproof.formats.document.comment_keys import ordered_choices, with_signals, without
from fullproof.formats.document.description import read_req
from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import read_keys_beside
from fullproof.formats.document.statemachine import read_interface
from fullproof.formats.document.tree import Items, Scalar
from fullproof.formats.scxml.tree import Attribute, Element, parse_xml
from fullproof.formats.xmi.completion import refuse_asking_for_states, refuse_changing_guards
from fullproof.formats.xmi.data import comment_keys, with_attributes
from fullproof.formats.xmi.elements import XmiDocument, kind, name_of, parts, xmi
from fullproof.formats.xmi.states import UmlStates, UmlTransition, UmlVertex
from fullproof.language.syntax import TRUE, Expression
from fullproof.model.chart import NOTHING, ChartTransition, Effect, ExitsAndEntries, HistoryDepth, Names, Vertex
from fullproof.model.chart_model import TransitionRank
from fullproof.model.statemachine import StateMachine

_DEPTHS = {"shallowHistory": HistoryDepth.SHALLOW, "deepHistory": HistoryDepth.DEEP}
_PASSED = {
    "junction": PseudoState.JUNCTION,
    "fork": PseudoState.FORK,
    "join": PseudoState.JOIN,
    "entryPoint": PseudoState.JUNCTION,
    "exitPoint": PseudoState.JUNCTION,
}


SEMANTICS = ("uml", "scxml", "fullproof")
"""UML's own; appendix D of the SCXML recommendation; that of model files, which ask guards whenever values change."""


def read_xmi(text: str, path: Path) -> StateMachine:
    """Read the state machine of a file; every mistake is a UserError with its place."""
    document = XmiDocument(parse_xml(text, file=str(path)))
    machine = _machine(document)
    try:
        return _XmiReader(document, machine, str(path)).machine(path.stem)
    except UserError as error:
        raise error if error.at.line is not None else UserError(error.message, at=machine.at) from None


def _machine(document: XmiDocument) -> Element:
    found = [element for element in document.listed if kind(element) == "StateMachine" and parts(element, "region")]
    if not found:
        message = 'there is no state machine, expected an element with xmi:type="uml:StateMachine" and a region'
        raise UserError(message, at=document.root.at)
    if len(found) > 1:
        names = " and ".join(repr(name_of(element)[:60]) for element in found[:2])
        raise UserError(f"expected one state machine in the file, found {names}", at=found[1].at)
    return found[0]


class _XmiReader:
    def __init__(self, document: XmiDocument, machine: Element, file: str) -> None:
        self.states = UmlStates(document, machine)
        self.element = machine
        steps = self._steps()
        assigned = {step.name for step in steps if step.expression is not None}
        keys = with_attributes(document, machine, comment_keys(document, file), assigned)
        self.order, keys = without(keys, "choices")
        self.reqs, keys = without(keys, "transitions")
        given, keys = without(keys, "semantics")
        self.semantics = "uml" if given is None else Document(given, file=file).known(given, "semantics", SEMANTICS)
        self.raised = {step.name for step in steps if step.raised}
        received = [
            _scalar(name, at.at)
            for transition in self.states.transitions
            for name, at in transition.triggers
            if name not in self.raised
        ]
        sent = [_scalar(step.name, step.at) for step in steps if step.expression is None and not step.raised]
        self.document = Document(with_signals(keys, received, sent, at=Scalar("", 1, 1)), file=file)
        words, self.description = read_interface(self.document, read_keys_beside(self.document, "statemachine"))
        self.constants = {constant.name: constant.value for constant in self.description.constants}
        self.words = replace(words, states=tuple(vertex.name for vertex in self.states.listed))

    def machine(self, default_name: str) -> StateMachine:
        """The flat machine."""
        arrows = list(self._arrows())
        passed = self._passed(arrows)
        vertices = [self._vertex(v, passed) for v in self.states.listed if v.kind not in ("initial", *_PASSED)]
        transitions = passed.transitions()
        if self.semantics == "uml":
            refuse_asking_for_states(arrows, [vertex.name for vertex in self.states.listed if vertex.kind == "choice"])
            transitions = inner_first(vertices, transitions)
            refuse_changing_guards(vertices, transitions, self.words.inputs)
        initial, before = self._start(passed)
        vertices, transitions, timers = with_timers(vertices, transitions, self.constants, self.words.signals_in)
        choices = tuple(vertex.name for vertex in vertices if vertex.choice)
        chart = DrawnChart(
            name=name_of(self.element) or default_name,
            words=self.words,
            description=self.description,
            vertices=vertices,
            arrows=transitions,
            initial=initial,
            at=self.element.at,
            choices=ordered_choices(self.order, choices, file=self.document.file),
            before=before,
            order=TransitionRank.DOCUMENT if self.semantics == "scxml" else TransitionRank.NONE,
            timers=timers,
        )
        return state_machine(chart)

    def _steps(self) -> list[TextAction]:
        found = [step for transition in self.states.transitions for step in transition.actions]
        for vertex in self.states.listed:
            found += [*self.states.actions(vertex, "entry"), *self.states.actions(vertex, "exit")]
        return found

    # --- vertices ---

    def _vertex(self, vertex: UmlVertex, passed: PseudoStates) -> Vertex:
        initial, effect = self._initial(vertex, passed)
        return Vertex(
            name=vertex.name,
            parent=None if vertex.around is None else vertex.around.name,
            choice=vertex.kind == "choice",
            final=vertex.kind == "final",
            parallel=vertex.parallel,
            history=_DEPTHS.get(vertex.kind),
            initial=initial,
            initial_effect=effect,
            entry=effect_of(self.states.actions(vertex, "entry"), self.words),
            exit=effect_of(self.states.actions(vertex, "exit"), self.words),
            at=vertex.element.at,
        )

    def _initial(self, vertex: UmlVertex, passed: PseudoStates) -> tuple[Names | None, Effect]:
        if vertex.kind in _DEPTHS:
            leaving = [t for t in self.states.transitions if t.source is vertex]
            if leaving:
                return self._default(leaving, vertex, passed)
            inside = self._inside(vertex.around)
        else:
            inside = vertex.inside
        if vertex.parallel or not any(one.kind in ("state", "region", "final", "choice") for one in inside):
            return None, NOTHING
        return self._first(inside, vertex.element.at, vertex.name, passed)

    def _start(self, passed: PseudoStates) -> tuple[Names, Effect]:
        if self.states.root is not None:
            return self.states.root.name, NOTHING
        return self._first(self._inside(None), self.element.at, "the machine", passed)

    def _inside(self, around: UmlVertex | None) -> list[UmlVertex]:
        return [vertex for vertex in self.states.listed if vertex.around is around]

    def _first(self, inside: list[UmlVertex], at: Place, name: str, passed: PseudoStates) -> tuple[Names, Effect]:
        """What the initial pseudostate of a region leads to."""
        initial = [vertex for vertex in inside if vertex.kind == "initial"]
        if len(initial) != 1:
            raise UserError(f"expected one initial pseudostate in {name[:60]!r}, found {len(initial)}", at=at)
        leaving = [t for t in self.states.transitions if t.source is initial[0]]
        return self._default(leaving, initial[0], passed)

    def _default(self, leaving: list[UmlTransition], vertex: UmlVertex, passed: PseudoStates) -> tuple[Names, Effect]:
        if len(leaving) != 1 or leaving[0].triggers or leaving[0].times or leaving[0].guard is not None:
            what = "an initial pseudostate" if vertex.kind == "initial" else "a history state"
            at = leaving[0].element.at if leaving else vertex.element.at
            raise UserError(f"expected one transition from {what}, with neither trigger nor guard", at=at)
        return passed.initial(leaving[0].target.name, effect_of(leaving[0].actions, self.words))

    # --- transitions ---

    def _passed(self, arrows: list[ChartTransition]) -> PseudoStates:
        found = [vertex for vertex in self.states.listed if vertex.kind in _PASSED]
        kinds = {vertex.name: _PASSED[vertex.kind] for vertex in found}
        for vertex in found:
            if vertex.kind in ("entryPoint", "exitPoint"):
                self._check_point(vertex)
            if vertex.kind == "entryPoint" and vertex.around is not None and vertex.around.parallel:
                kinds[vertex.name] = PseudoState.FORK
        return PseudoStates(arrows, kinds, {vertex.name: vertex.element.at for vertex in found})

    def _check_point(self, vertex: UmlVertex) -> None:
        """Actions between the entry of a state and that of states inside it, or the reverse, have no other place."""
        for transition in self.states.transitions:
            end = transition.source if vertex.kind == "entryPoint" else transition.target
            if end is vertex and transition.actions:
                side = "from an entry point" if vertex.kind == "entryPoint" else "to an exit point"
                raise UserError(f"actions on the way {side} are not supported", at=transition.element.at)

    def _arrows(self) -> Iterator[ChartTransition]:
        guards = [self._guard(transition) for transition in self.states.transitions]
        for transition, guard in zip(self.states.transitions, guards, strict=True):
            if transition.source.kind in ("initial", *_DEPTHS):
                continue
            names: list[str | None] = [self._trigger(name, at) for name, at in transition.triggers]
            names += [self._time(text, at.at) for text, at in transition.times]
            for trigger in names or [None]:
                yield ChartTransition(
                    source=transition.source.name,
                    trigger=trigger,
                    guard=self._otherwise(transition, trigger, guards) if guard is None else guard,
                    effect=effect_of(transition.actions, self.words),
                    target=transition.target.name,
                    way=self._way(transition),
                    completion=trigger is None and _is_composite(transition.source),
                    requirements=self._requirements(transition),
                    at=transition.element.at,
                )

    def _time(self, text: str, at: Place) -> str:
        if time_from_text(text, self.constants, at=at) is None:
            raise UserError(f"{text[:40]!r} is no time; expected such as after(5 s)", at=at)
        return text

    def _trigger(self, name: str, at: Attribute | Element) -> str:
        return name if name in self.raised else self.words.received(name, at.at)

    def _guard(self, transition: UmlTransition) -> Expression | None:
        """The condition; None for ``else``."""
        if transition.guard is None or not transition.guard.text:
            return TRUE
        source = transition.guard
        if source.text.strip("[] \t") == "else":
            return None
        return located(source, lambda: self.words.checked_guard(expression_of(source.text, source.at)))

    def _otherwise(self, transition: UmlTransition, trigger: str | None, guards: list[Expression | None]) -> Expression:
        others = [
            guard
            for other, guard in zip(self.states.transitions, guards, strict=True)
            if other.source is transition.source and guard is not None
            if (trigger is None and not (other.triggers or other.times))
            or any(trigger == name for name, _ in (*other.triggers, *other.times))
        ]
        guard = guard_unless(TRUE, others, self.words.scope)
        if guard is None:
            raise UserError("'else' never holds: another transition has no guard", at=transition.element.at)
        return guard

    def _way(self, transition: UmlTransition) -> ExitsAndEntries:
        source, target = transition.source, transition.target
        if transition.kind == "internal":
            if source is not target:
                raise UserError("an internal transition leads to another state", at=transition.element.at)
            if not (transition.triggers or transition.times):
                raise UserError("an internal transition needs a trigger", at=transition.element.at)
            return ExitsAndEntries.INTERNAL
        above: UmlVertex | None = target
        while above is not None and above is not source:
            above = above.around
        local = transition.kind == "local" and above is source and _is_composite(source)
        if local and source.parallel:
            raise UserError("a local transition of a state with regions is not supported", at=transition.element.at)
        return ExitsAndEntries.LOCAL if local else ExitsAndEntries.EXTERNAL

    def _requirements(self, transition: UmlTransition) -> tuple[str, ...]:
        """``transitions: {id: [R1]}`` of the keys names the requirements of a transition."""
        if self.reqs is None:
            return ()
        given = xmi(transition.element, "id")
        for key, value in self.document.fields(self.reqs, "transitions"):
            if given is not None and key.text == given.text:
                node = value if isinstance(value, Items) else Items((value,), value.line, value.column)
                return read_req(self.document, node, self.description)
        return ()


def _is_composite(vertex: UmlVertex) -> bool:
    return any(one.kind in ("state", "region", "final", "choice") for one in vertex.inside)


def _scalar(name: str, at: Place) -> Scalar:
    return Scalar(name, at.line or 1, at.column or 1, quoted=True)
