"""``certify`` of a state machine: its finite machine, or that of each projection of the suite, asked one by one."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat, takewhile

from fullproof.analysis.input_values import all_inputs
from fullproof.analysis.projection import owning_regions, projections
from fullproof.analysis.regions import ChartRegions
from fullproof.analysis.run_to_completion import Configuration, RunGoesWrong, RunToCompletion
from fullproof.artefacts.suite import TestInput
from fullproof.certify import Certificate, Complete, Incomplete, ProofEngine, UndecidedCompleteness, certify
from fullproof.certify.answers import Evidence, up_to_tolerances
from fullproof.core.counted import counted
from fullproof.formats.charts.machine import flat_machine
from fullproof.kinds.kind import CompletenessAsked
from fullproof.kinds.statemachine.event_names import answer_name, event_name
from fullproof.model import Fsm, StateMachine
from fullproof.model.fsm import FsmTransition
from fullproof.model.inputs import SignalEvent

MOST_EVENTS = 500
MOST_CELLS = 40_000
"""How many events, and places times events, a finite machine may have."""


def certify_statemachine(
    model: StateMachine, tests: Sequence[tuple[TestInput, ...]], asked: CompletenessAsked
) -> Certificate:
    """Whether tests are complete for the model, or for each projection that the head of the suite names.

    Inputs are the events that the head of the suite names; without these all events where they can be listed, else the
    events of the tests. The answer says which. Tests count up to their first event that is not among them.
    """
    begin, said = time.monotonic(), list[str]()
    tests = [tuple(map(_ordered, test)) for test in tests]
    engine = ProofEngine.EXACT
    hindrance = _misfit(model, asked)
    if hindrance is not None:
        return UndecidedCompleteness(reason=hindrance)
    for (name, part), chosen in _parts(model, tests, asked):
        on = f"{name}{chosen.sentence}"
        if not chosen.events:
            return UndecidedCompleteness(reason=on)
        machine = _finite(part, chosen.events)
        if isinstance(machine, str):
            return UndecidedCompleteness(reason=f"{on}: {machine}")
        left = max(asked.seconds - (time.monotonic() - begin), 0.1)
        words = [chosen.word(test) for test in tests]
        answer = certify(machine, words, extra_states=asked.extra_states, timeout=left, relation=asked.relation)
        match answer:
            case Incomplete(survivor=survivor, witness=witness, reason=reason):
                return Incomplete(survivor=survivor, witness=witness, reason=f"{on}: {reason}")
            case UndecidedCompleteness(reason=reason):
                return UndecidedCompleteness(reason=f"{name}: {reason}")
            case Complete(method=engine, reason=reason):
                said.append(f"{on}: {reason}")
    return up_to_tolerances(Complete(method=engine, reason="; ".join(said), evidence=Evidence(())), model.outputs)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The events that a claim is about, and how the answer names them; or why there are none."""

    events: Sequence[SignalEvent]
    sentence: str

    @property
    def are_all(self) -> bool:
        """Whether there are no others."""
        return not self.sentence

    def word(self, test: Sequence[TestInput]) -> list[str]:
        """A test up to its first event that the claim is not about."""
        known = {event: event_name(event) for event in self.events}
        return [known[event] for event in takewhile(known.__contains__, test) if isinstance(event, SignalEvent)]


def _misfit(model: StateMachine, asked: CompletenessAsked) -> str | None:
    """Why the projections that the head of a suite names are none of the model; without any, all would be complete."""
    size = None if asked.header is None else asked.header.regions
    if size is None:
        return None
    found = 0 if model.chart is None else len(owning_regions(ChartRegions(model.chart)))
    if 1 <= size <= found:
        return None
    return f"the suite is for {counted(size, 'region')} at a time, and the model has {found} with outputs of their own"


def _parts(
    model: StateMachine, tests: Sequence[tuple[TestInput, ...]], asked: CompletenessAsked
) -> Iterator[tuple[tuple[str, StateMachine], _Chosen]]:
    """The model or its projections, each with its events."""
    head = asked.header
    listed = [(model.name, model)]
    if head is not None and head.regions is not None and model.chart is not None:
        parts = projections(ChartRegions(model.chart), head.regions)
        listed = [(" and ".join(one.regions), flat_machine(one.chart)) for one in parts]
    known = _events(model, tests)
    if head is None or head.events is None or len(head.events) != len(listed):
        yield from zip(listed, repeat(known))
        return
    tested = {event for test in tests for event in test}
    for part, named in zip(listed, head.events, strict=True):
        events = [event for event in dict.fromkeys(map(_ordered, named)) if isinstance(event, SignalEvent)]
        if known.are_all and set(events) == set(known.events):
            yield part, _Chosen(events, "")
        elif not events:
            yield part, _Chosen((), " on some sequences of events alone, which is not decided")
        elif not tested.issuperset(events):
            yield part, _Chosen((), ": the head of the suite names an event that no test has")
        else:
            yield part, _Chosen(events, f" on sequences of the {counted(len(events), 'event')} that the suite names")


def _events(model: StateMachine, tests: Sequence[tuple[TestInput, ...]]) -> _Chosen:
    """All events there are where these can be listed, else those of the tests."""
    signals = (None, *model.signals_in)
    rows = all_inputs(model, most=MOST_EVENTS // len(signals))
    if rows is not None:
        return _Chosen([SignalEvent(signal, tuple(sorted(row))) for row in rows for signal in signals], "")
    met = dict.fromkeys(event for test in tests for event in test if isinstance(event, SignalEvent))
    return _Chosen(tuple(met), f" on sequences of {counted(len(met), 'event')} of the tests")


def _ordered(event: TestInput) -> TestInput:
    """An event with its values in the order of their names: files may have any order."""
    return SignalEvent(event.signal, tuple(sorted(event.inputs))) if isinstance(event, SignalEvent) else event


def _finite(model: StateMachine, events: Sequence[SignalEvent]) -> Fsm | str:
    """The finite machine of the configurations that events reach, or why there is none.

    An answer is the values of outputs, and signals. Configurations do not count the values of inputs, so every event
    has to give all of them.
    """
    for event in events:
        for variable in model.inputs:
            if variable.name not in event.values:
                return f"{event_name(event)} leaves {variable.name} as it was, and only events that give it are decided"
    machine = RunToCompletion(model)
    inputs = len(model.inputs)

    def rests(configuration: Configuration) -> tuple[str, tuple[object, ...]]:
        return configuration.state, configuration.values[inputs:]

    number, waiting = {rests(machine.start): 0}, [machine.start]
    transitions: list[FsmTransition] = []
    for here in waiting:
        if len(waiting) * len(events) > MOST_CELLS:
            return f"{counted(len(events), 'event')} lead to more configurations than {MOST_CELLS // len(events):,}"
        for event in events:
            try:
                (run,) = machine.runs(here, event.signal, event.values)
            except (RunGoesWrong, ValueError):
                return f"{event_name(event)} has no single answer in {here.state}"
            place = rests(run.end)
            if place not in number:
                number[place] = len(waiting)
                waiting.append(run.end)
            values = machine.values(run.end)
            answer = answer_name({v.name: values[v.name] for v in model.outputs}, run.sent)
            source, target = (f"{number[p]}" for p in (rests(here), place))
            transitions.append(FsmTransition(source, event_name(event), answer, target))
    return Fsm(
        name=model.name,
        initial="0",
        states=tuple(str(k) for k in range(len(waiting))),
        inputs=tuple(map(event_name, events)),
        outputs=tuple(dict.fromkeys(t.output for t in transitions)),
        transitions=tuple(transitions),
    )
