"""State machines in Mermaid: labels and the texts of states to arrows and effects, then flattened."""

from __future__ import annotations

import re

from fullproof.formats.charts.chart import NOTHING, ChartTransition, Effect, ExitsAndEntries, Vertex
from fullproof.formats.charts.exclusion import guard_unless
from fullproof.formats.charts.machine import DrawnChart, state_machine
from fullproof.formats.document.comment_keys import ordered_choices, read_comment_value, with_signals, without
from fullproof.formats.document.description import read_req
from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import read_keys
from fullproof.formats.document.statemachine import read_interface
from fullproof.formats.document.tree import Fields, Scalar
from fullproof.formats.mermaid.diagram import Diagram, MermaidArrow, MermaidShape, MermaidState, state_names
from fullproof.formats.mermaid.labels import Label, parse_effects, parse_label, part
from fullproof.formats.mermaid.text import find_outside_quotes
from fullproof.language.syntax import TRUE, Expression
from fullproof.model.statemachine import StateMachine

_ACTS = re.compile(r"(entry|exit|do)\s*[/:]\s*")
_ELSE = re.compile(r"else\Z")


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
        self.inside: dict[str | None, list[MermaidState]] = {}
        for box in diagram.boxes.values():
            self.inside.setdefault(box.block, []).append(box)
        self.effects: dict[tuple[str, str], Label] = {}
        self.internal: list[tuple[MermaidState, Label]] = []
        for box in diagram.boxes.values():
            self._read_remarks(box)
        self.order, declarations = without(declarations, "choices")
        self.document = Document(self._with_signals(declarations), file=self.columns.file)
        self.words, self.description = read_interface(self.document, read_keys(self.document, "statemachine"))

    def machine(self, name: str) -> StateMachine:
        start = self.diagram.starts[None]
        vertices = [self._vertex(box) for box in self.diagram.boxes.values()]
        drawn = tuple(vertex.name for vertex in vertices if vertex.choice)
        chart = DrawnChart(
            name=name,
            words=self.words,
            description=self.description,
            vertices=vertices,
            arrows=[*self._arrows(), *self._internal_arrows()],
            initial=self.names[start.target],
            before=self._start(None),
            choices=ordered_choices(self.order, drawn, file=self.columns.file),
            at=self.columns.place(start),
        )
        return state_machine(chart)

    def _read_remarks(self, box: MermaidState) -> None:
        for remark in box.remarks:
            match = _ACTS.match(remark.text)
            if match is None:
                if is_behaviour(remark):
                    self.internal.append((box, parse_label(remark, self.columns)))
                continue
            if match[1] == "do":
                message = "do activities are not supported; expected entry / action or exit / action"
                raise self.columns.error_at(message, remark)
            actions, sends = parse_effects(part(remark, match.end()), self.columns)
            old = self.effects.get((box.identifier, match[1]), Label())
            self.effects[box.identifier, match[1]] = Label(actions=old.actions + actions, sends=old.sends + sends)

    def _with_signals(self, declarations: Fields) -> Fields:
        """The keys of a model file, from which the attributes, signals and the rest are read."""
        labels = [*self.labels, *self.starts.values(), *(label for _, label in self.internal), *self.effects.values()]
        received = [trigger for label in labels for trigger in label.triggers]
        sent = [signal for label in labels for signal in label.sends]
        return with_signals(declarations, received, sent, at=Scalar("", self.diagram.header, 1))

    def _vertex(self, box: MermaidState) -> Vertex:
        start = self.diagram.starts.get(box.identifier)
        if box.identifier in self.inside and start is None:
            message = f"state {box.identifier!r} has states inside it, expected [*] --> and the initial one among them"
            raise self.columns.error_at(message, box)
        return Vertex(
            name=self.names[box.identifier],
            parent=None if box.block is None else self.names[box.block],
            choice=box.shape is MermaidShape.CHOICE,
            final=box.shape is MermaidShape.FINAL,
            initial=None if start is None else self.names[start.target],
            initial_effect=self._start(box.identifier),
            entry=self._effect(self.effects.get((box.identifier, "entry"))),
            exit=self._effect(self.effects.get((box.identifier, "exit"))),
            at=self.columns.place(box),
        )

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
        self, line: MermaidArrow, label: Label, trigger: str | None, guards: list[Expression | None]
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

    def _check_completion(self, line: MermaidArrow, label: Label) -> None:
        inner = self.inside.get(line.source, [])
        if inner and not label.triggers and not any(box.shape is MermaidShape.FINAL for box in inner):
            message = (
                f"an arrow without trigger leaves {line.source!r} when that is complete, but no arrow inside it leads"
                " to [*]; expected a trigger"
            )
            raise self.columns.error_at(message, line)

    def _internal_arrows(self) -> list[ChartTransition]:
        found = []
        for box, label in self.internal:
            guard = self._guard(label.guard)
            if guard is None:
                assert label.guard is not None
                raise self.columns.error_at("'else' belongs to arrows, not to an internal transition", label.guard)
            name = self.names[box.identifier]
            for trigger in self._triggers(label):
                if trigger is None:
                    raise self.columns.error(
                        "an internal transition needs a trigger", box.remarks[0].line, box.remarks[0].column
                    )
                found.append(
                    ChartTransition(
                        source=name,
                        trigger=trigger,
                        guard=guard,
                        effect=self._effect(label),
                        target=name,
                        way=ExitsAndEntries.INTERNAL,
                        at=self.columns.place(box),
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
        return [self.words.received(t.text, self.document.place(t)) for t in label.triggers] or [None]

    def _effect(self, label: Label | None) -> Effect:
        if label is None:
            return NOTHING
        return Effect(
            actions=tuple(self.document.parsed(text, "an action", self.words.assignment) for text in label.actions),
            sends=tuple(self.words.sent(text.text, self.columns.place(text)) for text in label.sends),
        )


def _label(diagram: Diagram, text: Scalar | None) -> Label:
    return Label() if text is None else parse_label(text, diagram.columns)


def _has(label: Label, trigger: str | None) -> bool:
    return any(found.text == trigger for found in label.triggers) if label.triggers else trigger is None
