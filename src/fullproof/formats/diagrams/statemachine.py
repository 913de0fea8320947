"""State machines in diagrams: labels and the texts of states to arrows and effects, then flattened."""

from __future__ import annotations

import re
from dataclasses import replace

from fullproof.core.errors import UserError
from fullproof.formats.charts.exclusion import guard_unless
from fullproof.formats.charts.machine import DrawnChart, state_machine
from fullproof.formats.charts.pseudostates import PseudoState, PseudoStates
from fullproof.formats.charts.times import time_from_text, with_timers
from fullproof.formats.diagrams.diagram import Diagram, DiagramArrow, DiagramShape, DiagramState, state_names
from fullproof.formats.diagrams.labels import Label, is_awaited, parse_effects, parse_label, part
from fullproof.formats.diagrams.text import find_outside_quotes
from fullproof.formats.document.comment_keys import ordered_choices, read_comment_value, with_signals, without
from fullproof.formats.document.description import read_constants, read_req
from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import read_keys_beside
from fullproof.formats.document.statemachine import read_interface, read_rank
from fullproof.formats.document.tree import Fields, Scalar
from fullproof.language.syntax import TRUE, Expression
from fullproof.model.chart import (
    NOTHING,
    ChartTransition,
    Effect,
    ExitsAndEntries,
    HistoryDepth,
    Names,
    RaisedEvent,
    Vertex,
)
from fullproof.model.statemachine import StateMachine

_ACTS = re.compile(r"(entry|exit|do)\s*[/:]\s*")
_ELSE = re.compile(r"else\Z")
_PASSED = {DiagramShape.FORK: PseudoState.FORK, DiagramShape.JOIN: PseudoState.JOIN}
_DEPTHS = {DiagramShape.HISTORY: HistoryDepth.SHALLOW, DiagramShape.DEEP_HISTORY: HistoryDepth.DEEP}


def is_behaviour(remark: Scalar) -> bool:
    """Whether the text of a state is an action or an internal transition, rather than a description."""
    if _ACTS.match(remark.text):
        return True
    mark = find_outside_quotes(remark.text, "[/")
    return mark >= 0 and (remark.text[mark] == "[" or mark == 0 or remark.text[mark - 1] == " ")


def build_statemachine(diagram: Diagram, declarations: Fields, *, name: str) -> StateMachine:
    """The flat machine of a diagram; composite states, entry and exit actions are worked into its transitions."""
    return _Builder(diagram, declarations).machine(name)


class _Builder:
    def __init__(self, diagram: Diagram, declarations: Fields) -> None:
        self.diagram = diagram
        self.columns = diagram.columns
        self.names = state_names(diagram)
        self.labels = [_label(diagram, line.label) for line in diagram.lines]
        self.starts = {block: _label(diagram, start.label) for block, start in diagram.starts.items()}
        self.inside: dict[str | None, list[DiagramState]] = {}
        for box in diagram.boxes.values():
            self.inside.setdefault(box.block, []).append(box)
        self.effects: dict[tuple[str, str], Label] = {}
        self.internal: list[tuple[DiagramState, Scalar, Label]] = []
        for box in diagram.boxes.values():
            self._read_remarks(box)
        self.order, declarations = without(declarations, "choices")
        self.ranked, declarations = without(declarations, "semantics")
        keys = {key.text: value for key, value in declarations.entries}
        self.constants = read_constants(Document(declarations, file=self.columns.file), keys)
        self.document = Document(self._with_signals(declarations), file=self.columns.file)
        words, self.description = read_interface(self.document, read_keys_beside(self.document, "statemachine"))
        self.words = replace(words, states=tuple(self.names.values()))

    def machine(self, name: str) -> StateMachine:
        start = self.diagram.starts[None]
        drawn_arrows = [*self._arrows(), *self._internal_arrows()]
        if self.ranked is not None:  # the order of the text counts, also for what does not leave its state
            drawn_arrows.sort(key=lambda arrow: arrow.at.line or 0)
        passed = self._pseudostates(drawn_arrows)
        boxes = [self._vertex(box, passed) for box in self.diagram.boxes.values() if box.shape not in _PASSED]
        signals = (*self.words.signals_in, *self.raised)
        vertices, arrows, timers = with_timers(boxes, passed.transitions(), self.constants, signals)
        drawn = tuple(vertex.name for vertex in vertices if vertex.choice)
        chart = DrawnChart(
            name=name,
            words=self.words,
            description=self.description,
            vertices=vertices,
            arrows=arrows,
            timers=timers,
            initial=passed.initial(self.names[start.target], NOTHING)[0],
            before=passed.initial(self.names[start.target], self._start(None))[1],
            choices=ordered_choices(self.order, drawn, file=self.columns.file),
            order=read_rank(self.document, self.ranked),
            at=self.columns.place(start),
        )
        return state_machine(chart)

    def _read_remarks(self, box: DiagramState) -> None:
        for remark in box.remarks:
            match = _ACTS.match(remark.text)
            if match is None:
                if is_behaviour(remark):
                    self.internal.append((box, remark, parse_label(remark, self.columns)))
                continue
            if match[1] == "do":
                message = "do activities are not supported; expected entry / action or exit / action"
                raise self.columns.error_at(message, remark)
            new = parse_effects(part(remark, match.end()), self.columns)
            old = self.effects.get((box.identifier, match[1]), Label())
            self.effects[box.identifier, match[1]] = Label(
                actions=old.actions + new.actions, sends=old.sends + new.sends, raises=old.raises + new.raises
            )

    def _with_signals(self, declarations: Fields) -> Fields:
        """The keys of a model file, from which the attributes, signals and the rest are read."""
        labels = [*self.labels, *self.starts.values(), *(label for *_, label in self.internal), *self.effects.values()]
        self.raised = {event.text: None for label in labels for event in label.raises}
        received = [trigger for label in labels for trigger in label.triggers if trigger.text not in self.raised]
        sent = [signal for label in labels for signal in label.sends]
        received = [one for one in received if not is_awaited(one)]
        return with_signals(declarations, received, sent, at=Scalar("", self.diagram.header, 1))

    def _pseudostates(self, arrows: list[ChartTransition]) -> PseudoStates:
        boxes = [box for box in self.diagram.boxes.values() if box.shape in _PASSED]
        kinds = {self.names[box.identifier]: _PASSED[box.shape] for box in boxes}
        return PseudoStates(arrows, kinds, {self.names[box.identifier]: self.columns.place(box) for box in boxes})

    def _vertex(self, box: DiagramState, passed: PseudoStates) -> Vertex:
        initial, effect = self._initial(box, passed)
        return Vertex(
            name=self.names[box.identifier],
            parent=None if box.block is None else self.names[box.block],
            choice=box.shape is DiagramShape.CHOICE,
            final=box.shape is DiagramShape.FINAL,
            parallel=box.parallel,
            history=_DEPTHS.get(box.shape),
            initial=initial,
            initial_effect=effect,
            entry=self._effect(self.effects.get((box.identifier, "entry"))),
            exit=self._effect(self.effects.get((box.identifier, "exit"))),
            at=self.columns.place(box),
        )

    def _initial(self, box: DiagramState, passed: PseudoStates) -> tuple[Names | None, Effect]:
        if box.shape.is_history:
            return self._default(box, passed)
        if all(inner.shape.is_history for inner in self.inside.get(box.identifier, [])):
            if box.identifier in self.inside:
                message = f"state {box.identifier!r} has no states inside it, so it has no history"
                raise self.columns.error_at(message, box)
            return None, NOTHING
        start = self.diagram.starts.get(box.identifier)
        if start is not None:
            return passed.initial(self.names[start.target], self._start(box.identifier))
        if box.identifier in self.inside and not box.parallel:
            what = "a region" if box.shape is DiagramShape.REGION else f"state {box.identifier!r}"
            message = f"{what} has states inside it, expected [*] --> and the initial one among them"
            raise self.columns.error_at(message, box)
        return None, NOTHING

    def _default(self, box: DiagramState, passed: PseudoStates) -> tuple[Names, Effect]:
        """What a history state enters where nothing is remembered: where an arrow leads from it, else what its block
        begins with.
        """
        assert box.block is not None
        around = self.diagram.boxes[box.block]
        if around.parallel and box.shape is DiagramShape.HISTORY:
            message = f"[H] of {around.name[:60]!r}, which has regions, may mean several things; expected [H*]"
            raise self.columns.error_at(message, box)
        leaving = [
            pair for pair in zip(self.diagram.lines, self.labels, strict=True) if pair[0].source == box.identifier
        ]
        for line, label in leaving:
            if label.triggers or label.guard or len(leaving) > 1:
                message = "expected one arrow from a history state, with neither trigger nor guard"
                raise self.columns.error_at(message, line)
            return passed.initial(self.names[line.target], self._effect(label))
        if around.parallel:
            first = next(inner for inner in self.inside[box.block] if inner.shape is DiagramShape.REGION)
            return self.names[first.identifier], NOTHING
        start = self.diagram.starts.get(box.block)
        if start is None:
            raise self.columns.error_at("expected an arrow from the history state to a state", box)
        return passed.initial(self.names[start.target], self._start(box.block))

    def _start(self, block: str | None) -> Effect:
        label = self.starts.get(block)
        if label is not None and (label.triggers or label.guard):
            wrong = label.triggers[0] if label.triggers else label.guard
            assert wrong is not None
            raise self.columns.error_at("the arrow from [*] has neither trigger nor guard", wrong)
        return self._effect(label)

    def _arrows(self) -> list[ChartTransition]:
        read = [self._guard(label.guard) for label in self.labels]
        found = []
        for line, label, guard in zip(self.diagram.lines, self.labels, read, strict=True):
            if self.diagram.boxes[line.source].shape.is_history:
                continue
            self._check_completion(line, label)
            node = None if line.req is None else read_comment_value(line.req, self.columns)
            requirements = read_req(self.document, node, self.description)
            for trigger in self._triggers(label):
                arrow = ChartTransition(
                    source=self.names[line.source],
                    trigger=trigger,
                    guard=self._otherwise(line, label, trigger, read) if guard is None else guard,
                    effect=self._effect(label),
                    target=self.names[line.target],
                    completion=line.source in self.inside and trigger is None,
                    requirements=requirements,
                    at=self.columns.place(line),
                )
                found.append(arrow)
        return found

    def _otherwise(
        self, line: DiagramArrow, label: Label, trigger: str | None, guards: list[Expression | None]
    ) -> Expression:
        """The guard that ``else`` stands for: none of the other arrows with the trigger can be taken."""
        others = [
            guard
            for other, theirs, guard in zip(self.diagram.lines, self.labels, guards, strict=True)
            if other.source == line.source and guard is not None and _has(theirs, trigger)
        ]
        guard = guard_unless(TRUE, others, self.words.scope)
        if guard is None:
            at = label.guard or Scalar("", line.line, line.column)
            message = "'else' never holds: another arrow from this state has the trigger and no guard"
            raise self.columns.error_at(message, at)
        return guard

    def _check_completion(self, line: DiagramArrow, label: Label) -> None:
        if line.source in self.inside and not label.triggers and not self._completes(line.source):
            message = (
                f"an arrow without trigger leaves {line.source!r} when that is complete, but no arrow inside it leads"
                " to [*]; expected a trigger"
            )
            raise self.columns.error_at(message, line)

    def _completes(self, block: str) -> bool:
        """Whether a composite state, each of its regions, has a final state."""
        inner = self.inside.get(block, [])
        regions = [box for box in inner if box.shape is DiagramShape.REGION]
        if regions:
            return all(self._completes(region.identifier) for region in regions)
        return any(box.shape is DiagramShape.FINAL for box in inner)

    def _internal_arrows(self) -> list[ChartTransition]:
        found = []
        for box, remark, label in self.internal:
            guard = self._guard(label.guard)
            if guard is None:
                assert label.guard is not None
                raise self.columns.error_at("'else' belongs to arrows, not to an internal transition", label.guard)
            name = self.names[box.identifier]
            for trigger in self._triggers(label):
                if trigger is None:
                    raise self.columns.error_at("an internal transition needs a trigger", remark)
                found.append(
                    ChartTransition(
                        source=name,
                        trigger=trigger,
                        guard=guard,
                        effect=self._effect(label),
                        target=name,
                        way=ExitsAndEntries.INTERNAL,
                        at=self.columns.place(remark),
                    )
                )
        return found

    def _guard(self, text: Scalar | None) -> Expression | None:
        """The guard of a label; None for ``else``."""
        if text is None:
            return TRUE
        if _ELSE.match(text.text):
            return None
        return self.document.parsed(text, "a guard", self.words.guard)

    def _triggers(self, label: Label) -> list[str | None]:
        return [self._trigger(text) for text in label.triggers] or [None]

    def _trigger(self, text: Scalar) -> str:
        """A signal, an internal event, or a time such as ``after(5 s)``."""
        if is_awaited(text):
            at = self.document.place(text)
            if time_from_text(text.text, self.constants, at=at) is None:
                raise UserError(f"{text.text[:40]!r} is no time; expected such as after(5 s) or every(5 s)", at=at)
            return text.text
        return text.text if text.text in self.raised else self.words.received(text.text, self.document.place(text))

    def _effect(self, label: Label | None) -> Effect:
        if label is None:
            return NOTHING
        assigned = (self.document.parsed(text, "an action", self.words.assignment) for text in label.actions)
        return Effect(
            actions=(*assigned, *(RaisedEvent(event.text) for event in label.raises)),
            sends=tuple(self.words.sent(text.text, self.columns.place(text)) for text in label.sends),
        )


def _label(diagram: Diagram, text: Scalar | None) -> Label:
    return Label() if text is None else parse_label(text, diagram.columns)


def _has(label: Label, trigger: str | None) -> bool:
    return any(found.text == trigger for found in label.triggers) if label.triggers else trigger is None
