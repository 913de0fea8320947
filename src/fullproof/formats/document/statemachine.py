"""``machine: statemachine`` in a model file: states with lists of transitions, or with states inside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from fullproof.formats.charts.machine import DrawnChart, state_machine
from fullproof.formats.charts.times import before
from fullproof.formats.charts.vocabulary import Vocabulary
from fullproof.formats.document.description import (
    Declared,
    DescriptionVocabulary,
    read_constants,
    read_description,
    read_req,
    read_variables,
    refuse_initial,
    require_initial,
    scope_of,
)
from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import read_head
from fullproof.formats.document.statemachine_effects import EFFECTS, Effects, raised_by
from fullproof.formats.document.statemachine_states import States, read_states
from fullproof.formats.document.statemachine_timers import TIMES, Timers
from fullproof.formats.document.tree import Fields, Items, Node
from fullproof.language.syntax import TRUE
from fullproof.language.types import Value
from fullproof.model.chart import (
    NOTHING,
    ChartTransition,
    Effect,
    ExitsAndEntries,
    HistoryDepth,
    Names,
    Vertex,
    done_event,
)
from fullproof.model.chart_model import TransitionRank
from fullproof.model.common import Description
from fullproof.model.statemachine import StateMachine, reserved_name

_TRANSITION = ("trigger", *TIMES, "timer", "when", *EFFECTS, "restart", "to", "kind", "req")
KINDS = (*(way.value for way in ExitsAndEntries), "completion")
"""What a transition may do with the states around it; the last is taken once a state has reached its final one."""


@dataclass(slots=True)
class Data:
    """The declarations of a file, each role in the order in which it lists them."""

    constants: dict[str, Value] = field(default_factory=dict)
    inputs: Declared = field(default_factory=list)
    outputs: Declared = field(default_factory=list)
    variables: Declared = field(default_factory=list)


def read_statemachine(document: Document, *, default_name: str) -> StateMachine:
    """Read a state machine: guards and actions refer to inputs, outputs and variables."""
    head = read_head(document, "statemachine", default_name=default_name)
    words, description = read_interface(document, head.record)
    states = read_states(document, head.states)
    words = replace(words, states=tuple(states.names.values()))
    reader = _Reader(document, words, states, head.record)
    choices = _choices(document, head.record, states)
    chart = DrawnChart(
        name=head.name,
        words=words,
        description=description,
        vertices=reader.vertices(choices),
        arrows=reader.arrows(description),
        initial=states.resolved(document, head.record["initial"], (), "initial state"),
        at=document.place(head.record["initial"]),
        choices=tuple(choices),
        before=Effect(actions=reader.timers.from_the_beginning),
        timers=reader.timers.listed,
        order=read_rank(document, head.record.get("semantics")),
    )
    return state_machine(chart)


def read_rank(document: Document, node: Node | None) -> TransitionRank:
    """``semantics: scxml``: transitions of a state rank as they are listed."""
    if node is None:
        return TransitionRank.NONE
    word = document.known(node, "semantics", ("fullproof", "scxml"))
    return TransitionRank.DOCUMENT if word == "scxml" else TransitionRank.NONE


def read_interface(document: Document, record: Mapping[str, Node]) -> tuple[Vocabulary, Description]:
    """The declarations of a model file, independent of the notation of states."""
    constants = read_constants(document, record)
    data = Data(constants, *(_declared(document, record, key, constants) for key in ("inputs", "outputs", "variables")))
    refuse_initial(document, data.inputs, "an input such as")
    require_initial(document, data.outputs, "output")
    require_initial(document, data.variables, "variable")
    return interface_of(document, record, data, read_signals(document, record.get("signals")))


def interface_of(
    document: Document, record: Mapping[str, Node], data: Data, signals: tuple[tuple[str, ...], tuple[str, ...]]
) -> tuple[Vocabulary, Description]:
    """The names for guards and actions, and the optional keys, which use the same names."""
    inputs, outputs, variables = (
        tuple(variable for variable, _ in declared) for declared in (data.inputs, data.outputs, data.variables)
    )
    words = Vocabulary(
        signals_in=signals[0],
        signals_out=signals[1],
        inputs=inputs,
        outputs=outputs,
        variables=variables,
        scope=scope_of(document, data.inputs + data.outputs + data.variables, data.constants),
    )
    speech = DescriptionVocabulary(
        guards=lambda node: document.parsed(node, "a guard", words.guard),
        properties=scope_of(document, data.inputs + data.outputs, data.constants),
        attributes=words.scope.variables,
        transitions_have_faults=True,
    )
    return words, read_description(document, record, data.constants, speech)


def _declared(document: Document, record: Mapping[str, Node], key: str, constants: Mapping[str, Value]) -> Declared:
    declared = read_variables(document, record[key], key, constants) if key in record else []
    for variable, name in declared:
        if (reason := reserved_name(variable.name)) is not None:
            raise document.error(reason, name)
    return declared


def _choices(document: Document, record: Mapping[str, Node], states: States) -> dict[str, None]:
    if "choices" not in record:
        return {}
    items = document.one_or_more(record["choices"], "choices")
    document.names(items, "choice point")
    return {states.resolved(document, item, (), "choice point"): None for item in items}


def read_signals(document: Document, node: Node | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The signals that come in, and those that go out."""
    if node is None:
        return (), ()
    record = document.record(node, "signals", ("in", "out"))
    received = document.names(document.items(record["in"], "the signals in"), "signal") if "in" in record else ()
    outgoing = document.items(record["out"], "the signals out") if "out" in record else ()
    for item in outgoing:
        if document.name(item, "signal") in received:
            raise document.error(f"signal {document.name(item, 'signal')[:60]!r} goes both in and out", item)
    return received, document.names(outgoing, "signal")


class _Reader:
    def __init__(self, document: Document, words: Vocabulary, states: States, record: Mapping[str, Node]) -> None:
        self.document = document
        self.words = words
        self.states = states
        raising = [
            *(entry.record for entry in states.entries),
            *(n for entry in states.entries for n in entry.transitions),
        ]
        self.of_chart: tuple[Node, ...] = ()
        if "transitions" in record:
            self.of_chart = document.items(record["transitions"], "the transitions of the chart")
        self.raised = dict.fromkeys(name for node in (*raising, *self.of_chart) for name in raised_by(document, node))
        self.timers = Timers(document, states, read_constants(document, record), self.heard)
        self.timers.declare(record)
        self.effects = Effects(document, words, self.timers.changed)

    @property
    def heard(self) -> tuple[str, ...]:
        """What a transition may wait for: input signals, what the chart raises itself, and the end of states."""
        ends = (done_event(self.states.names[entry.path]) for entry in self.states.entries)
        return tuple(dict.fromkeys((*self.words.signals_in, *self.raised, *ends)))

    @property
    def awaited(self) -> tuple[str, ...]:
        """All that a transition may wait for by name."""
        return (*self.heard, *self.timers.declared)

    def vertices(self, choices: Mapping[str, None]) -> list[Vertex]:
        """All states, with what happens when they are entered and left."""
        found: list[Vertex] = []
        for entry in self.states.entries:
            name, record = self.states.names[entry.path], entry.record
            if name in choices and self.timers.started(entry.path):
                message = f"choice point {name[:60]!r} waits for no time: it is left at once"
                raise self.document.error(message, entry.key)
            initial, effect = self.initial(entry.path, record.get("initial"))
            found.append(
                Vertex(
                    name=name,
                    parent=self.states.names[entry.path[:-1]] if entry.path[:-1] else None,
                    choice=name in choices,
                    final=entry.final,
                    parallel=entry.parallel,
                    history=self.history(record.get("history")),
                    initial=initial,
                    initial_effect=effect,
                    entry=before(self.timers.started(entry.path), self.effects.of_state(record.get("entry"), "entry")),
                    exit=before(self.timers.stopped(entry.path), self.effects.of_state(record.get("exit"), "exit")),
                    at=self.document.place(entry.key),
                )
            )
        return found

    def history(self, node: Node | None) -> HistoryDepth | None:
        """``shallow`` or ``deep``."""
        known = tuple(depth.value for depth in HistoryDepth)
        return None if node is None else HistoryDepth(self.document.known(node, "depth of history", known))

    def initial(self, path: tuple[str, ...], node: Node | None) -> tuple[Names | None, Effect]:
        """``idle``, or ``{to: idle, do: [...], send: [...]}``."""
        if node is None:
            return None, NOTHING
        if not isinstance(node, Fields):
            return self.targets(node, path, "initial state"), NOTHING
        record = self.document.record(node, "initial", ("to", *EFFECTS))
        if "to" not in record:
            raise self.document.error("the initial state lacks the key 'to'", node)
        return self.targets(record["to"], path, "initial state"), self.effects.of(record)

    def targets(self, node: Node, path: tuple[str, ...], what: str) -> Names:
        """One state, or a list of states in different regions."""
        if not isinstance(node, Items):
            return self.states.resolved(self.document, node, path, what)
        return tuple(self.states.resolved(self.document, item, path, what) for item in self.document.items(node, what))

    def arrows(self, description: Description) -> Iterator[ChartTransition]:
        """All transitions."""
        for entry in self.states.entries:
            for node in entry.transitions:
                yield self.arrow(entry.path, node, description)
        for node in self.of_chart:
            yield self.arrow((), node, description)

    def arrow(self, source: tuple[str, ...], node: Node, description: Description) -> ChartTransition:
        """One transition of a state, or of the chart, whose path is empty."""
        document = self.document
        record = document.record(node, "a transition", _TRANSITION)
        kind = "external" if "kind" not in record else document.known(record["kind"], "kind of transition", KINDS)
        name = self.states.names[source] if source else None
        times = [key for key in TIMES if key in record]
        if name is None and times:
            raise document.error("a time needs a state that it is counted from", record[times[0]])
        if "to" not in record and kind != "internal":
            raise document.error("the transition lacks the key 'to'", node)
        trigger, timer = record.get("trigger"), self.timers.trigger(source, record)
        target = self.targets(record["to"], source, "state") if "to" in record else name or ()
        way = ExitsAndEntries(kind) if kind != "completion" else ExitsAndEntries.EXTERNAL
        if name is None and way is ExitsAndEntries.INTERNAL and target != ():
            raise document.error("an internal transition of the chart leads nowhere", record["to"])
        return ChartTransition(
            source=name,
            trigger=timer if trigger is None else document.known(trigger, "input signal", self.awaited),
            guard=document.parsed(record["when"], "a guard", self.words.guard) if "when" in record else TRUE,
            effect=before(self.timers.restarted(source, record), self.effects.of(record)),
            target=target,
            way=way,
            completion=kind == "completion",
            requirements=read_req(document, record.get("req"), description),
            at=document.place(node),
        )
