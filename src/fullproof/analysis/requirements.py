"""Which requirements a test exercises, whatever the system answers: those of the transitions that it may take."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

from fullproof.analysis.delays import delays
from fullproof.analysis.run_to_completion import Configuration, RunGoesWrong, RunToCompletion
from fullproof.artefacts.purposes import WHERE, switch_names
from fullproof.artefacts.suite import TestInput
from fullproof.language.compile import compile_expression
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts
from fullproof.model.inputs import Advance, SignalEvent
from fullproof.model.unflattened import drawn_transitions

Covered: TypeAlias = Callable[[Sequence[TestInput]], tuple[str, ...]]
_Step: TypeAlias = tuple[Hashable, tuple[int, ...]]
"""Where an input may lead, and the transitions taken on the way."""
_Steps: TypeAlias = Callable[[Hashable, TestInput], Iterable[_Step]]


def requirements_along(model: Model, *, properties: tuple[str, ...] = ()) -> Covered:
    """A function from the inputs of a test to the requirements that it may exercise, in the order it meets them.

    ``properties`` are those that the suite was generated for: every test of the suite contributes to them.
    """
    of = [t.requirements for t in drawn_transitions(model)]
    if not any(of):
        return lambda _word: properties
    start, steps = _steps_of(model)
    known: dict[tuple[Hashable, Hashable], list[_Step]] = {}

    def covered(word: Sequence[TestInput]) -> tuple[str, ...]:
        found: dict[str, None] = dict.fromkeys(properties)
        here: dict[Hashable, None] = {start: None}
        for symbol in word:
            name = tuple(symbol.items()) if isinstance(symbol, Mapping) else symbol
            after: dict[Hashable, None] = {}
            for state in here:
                if (state, name) not in known:
                    known[state, name] = list(steps(state, symbol))
                for target, taken in known[state, name]:
                    after[target] = None
                    for k in taken:
                        found.update(dict.fromkeys(of[k]))
            here = after
        return tuple(found)

    return covered


def _steps_of(model: Model) -> tuple[Hashable, _Steps]:
    """The initial state, and the steps from a state for an input."""
    match model:
        case Fsm():
            return model.initial, _finite(model)
        case Sfsm():
            return model.initial, _symbolic(model)
        case Sts():
            return None, _purposes(model)
        case StateMachine():
            machine = RunToCompletion(model)
            return machine.start, _runs(machine)


def _finite(model: Fsm) -> _Steps:
    moves: dict[tuple[Hashable, TestInput], list[_Step]] = {}
    for k, t in enumerate(model.transitions):
        moves.setdefault((t.source, t.input), []).append((t.target, (k,)))
    return lambda state, symbol: moves.get((state, symbol), ())


def _symbolic(model: Sfsm) -> _Steps:
    scope = model.scope
    guards = [(k, t, compile_expression(t.guard, scope)) for k, t in enumerate(model.transitions)]

    def steps(state: Hashable, symbol: TestInput) -> Iterable[_Step]:
        assert isinstance(symbol, Mapping)
        return ((t.target, (k,)) for k, t, guard in guards if t.source == state and guard(symbol))

    return steps


def _purposes(model: Sts) -> _Steps:
    """A letter names its switch, whatever the state is."""
    number = {name: k for k, name in enumerate(switch_names(model))}
    return lambda _state, letter: [(None, (number[name],))] if (name := str(letter).split(WHERE)[0]) in number else ()


def _runs(machine: RunToCompletion) -> _Steps:
    """Runs to completion. A run that goes wrong exercises nothing: ``check`` reports it."""

    def steps(state: Hashable, symbol: TestInput) -> Iterable[_Step]:
        assert isinstance(state, Configuration)
        assert isinstance(symbol, SignalEvent | Advance)
        try:
            if isinstance(symbol, Advance):
                found = delays(machine, state, symbol.seconds)
            else:
                found = machine.runs(state, symbol.signal, symbol.values)
        except RunGoesWrong:
            return ()
        return [(run.end, run.transitions) for run in found]

    return steps
