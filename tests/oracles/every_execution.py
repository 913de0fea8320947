"""A run in which a machine shows everything that it can: each test is executed in every way that there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fullproof.artefacts.execution import Execution, Step
from fullproof.artefacts.request import ALL_ANSWERS, GREY_BOX, Relation
from fullproof.artefacts.suite import Test
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.judge import Summary
from fullproof.kinds import oracle_for
from fullproof.model import Fsm


def moves(machine: Fsm, states: frozenset[str], symbol: str) -> dict[str, frozenset[str]]:
    """The states that a machine may be in after each output."""
    found: dict[str, set[str]] = {}
    for t in machine.transitions:
        if t.source in states and t.input == symbol:
            found.setdefault(t.output, set()).add(t.target)
    return {output: frozenset(targets) for output, targets in found.items()}


def executions(machine: Fsm, test: Test, oracle, *, grey: bool) -> Iterator[Execution]:
    """Every trace that the runner may record: it stops where the oracle has seen enough or an input is not offered."""

    def go(states: frozenset[str], steps: tuple[Step, ...]) -> Iterator[Execution]:
        offered = frozenset(t.input for t in machine.transitions if t.source in states)
        observer = oracle.observer(test)
        for step in steps:
            observer.sees(step)
        done = len(steps)
        if done < len(test.inputs) and observer.wants(test.inputs[done]):
            symbol = test.inputs[done]
            if symbol in offered:
                for output, following in sorted(moves(machine, states, symbol).items()):
                    yield from go(following, (*steps, Step(symbol, output, offered if grey else None)))
                return
            if not grey:
                yield Execution(test, steps, None, f"input {symbol!r} is undefined")
                return
        yield Execution(test, steps, offered if grey else None)

    yield from go(frozenset({machine.initial}), ())


def verdict(
    model: Fsm, machine: Fsm, tests: Iterable[Test], relation: Relation, *, grey: bool | None = None
) -> tuple[Verdict, list[Judgement]]:
    """The verdict of the run, and all that spoke against the machine."""
    oracle = oracle_for(model, relation)
    summary = Summary(oracle, repeat=1_000)
    for test in tests:
        shows = relation in GREY_BOX if grey is None else grey
        for number, trace in enumerate(executions(machine, test, oracle, grey=shows), 1):
            for repetition in range(
                12 if relation in ALL_ANSWERS else 1
            ):  # so that a fork has been visited often enough
                again = Execution(trace.test, trace.steps, trace.enabled_at_end, trace.error, "", number + repetition)
                summary.add(again, oracle.judge(again))
    result = summary.result(seconds=0)
    return result.verdict, list(result.failures)
