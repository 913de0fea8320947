"""``certify`` of a state machine: its finite machine, or that of each projection of the suite, asked one by one."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from fullproof.analysis.input_values import all_inputs
from fullproof.analysis.projection import projections
from fullproof.analysis.regions import ChartRegions
from fullproof.analysis.run_to_completion import Configuration, RunGoesWrong, RunToCompletion
from fullproof.artefacts.suite import TestInput
from fullproof.certify import Certificate, Complete, Incomplete, ProofEngine, UndecidedCompleteness, certify
from fullproof.certify.answers import Evidence
from fullproof.core.counted import counted
from fullproof.formats.charts.machine import flat_machine
from fullproof.kinds.kind import CompletenessAsked
from fullproof.language.printer import value_to_text
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

    Where all events can be listed, these are the inputs; else the events of the tests, and the answer says so.
    """
    events, whole = _events(model, tests)
    words = [[_name(event) for event in test if isinstance(event, SignalEvent)] for test in tests]
    on = "" if whole else f" on sequences of {counted(len(events), 'event')} of the tests"
    begin, said = time.monotonic(), list[str]()
    engine = ProofEngine.EXACT
    for name, part in _parts(model, asked):
        machine = _finite(part, events)
        if machine is None:
            reason = f"the finite machine of {name} is too large, or an event has no single answer"
            return UndecidedCompleteness(reason=reason)
        left = max(asked.seconds - (time.monotonic() - begin), 0.1)
        answer = certify(machine, words, extra_states=asked.extra_states, timeout=left, relation=asked.relation)
        match answer:
            case Incomplete(survivor=survivor, witness=witness, reason=reason):
                return Incomplete(survivor=survivor, witness=witness, reason=f"{name}{on}: {reason}")
            case UndecidedCompleteness(reason=reason):
                return UndecidedCompleteness(reason=f"{name}: {reason}")
            case Complete(method=engine, reason=reason):
                said.append(f"{name}{on}: {reason}")
    return Complete(method=engine, reason="; ".join(said), evidence=Evidence(()))


def _parts(model: StateMachine, asked: CompletenessAsked) -> Iterator[tuple[str, StateMachine]]:
    size = None if asked.header is None else asked.header.regions
    if size is None or model.chart is None:
        yield model.name, model
        return
    for one in projections(ChartRegions(model.chart), size):
        yield " and ".join(one.regions), flat_machine(one.chart)


def _events(model: StateMachine, tests: Sequence[tuple[TestInput, ...]]) -> tuple[list[SignalEvent], bool]:
    """The events that sequences are made of, and whether these are all there are."""
    signals = (None, *model.signals_in)
    rows = all_inputs(model, most=MOST_EVENTS // len(signals))
    if rows is not None:
        return [SignalEvent(signal, row) for row in rows for signal in signals], True
    return list(dict.fromkeys(event for test in tests for event in test if isinstance(event, SignalEvent))), False


def _name(event: SignalEvent) -> str:
    values = ", ".join(f"{name} = {value_to_text(value)}" for name, value in sorted(event.inputs))
    return f"{event.signal or '(no signal)'}{f' with {values}' if values else ''}"


def _finite(model: StateMachine, events: Sequence[SignalEvent]) -> Fsm | None:
    """The finite machine of the configurations that events reach; an answer is the values of outputs, and signals."""
    machine = RunToCompletion(model)
    inputs = len(model.inputs)

    def rests(configuration: Configuration) -> tuple[str, tuple[object, ...]]:
        return configuration.state, configuration.values[inputs:]

    number, waiting = {rests(machine.start): 0}, [machine.start]
    transitions: list[FsmTransition] = []
    for here in waiting:
        if len(waiting) * len(events) > MOST_CELLS:
            return None
        for event in events:
            try:
                (run,) = machine.runs(here, event.signal, event.values)
            except (RunGoesWrong, ValueError):
                return None
            place = rests(run.end)
            if place not in number:
                number[place] = len(waiting)
                waiting.append(run.end)
            values = machine.values(run.end)
            answer = [f"{v.name} = {value_to_text(values[v.name])}" for v in model.outputs] + [
                f"!{s}" for s in run.sent
            ]
            source, target = (f"{number[p]}" for p in (rests(here), place))
            transitions.append(FsmTransition(source, _name(event), ", ".join(answer) or "(nothing)", target))
    return Fsm(
        name=model.name,
        initial="0",
        states=tuple(str(k) for k in range(len(waiting))),
        inputs=tuple(map(_name, events)),
        outputs=tuple(dict.fromkeys(t.output for t in transitions)),
        transitions=tuple(transitions),
    )
