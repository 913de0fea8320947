"""failing execution -> trials: the system opened once more, and asked one sequence of inputs at a time."""

from __future__ import annotations

import contextlib
import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.artefacts.suite import Test, TestInput, json_input
from fullproof.artefacts.system_spec import is_simulated
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.explain.trials import NOWHERE, Attempt, SystemAtHand, key_of
from fullproof.judge.semantics import Outcome
from fullproof.kinds import kind_of, oracle_for
from fullproof.pipeline.live_executions import How, live_traces

if TYPE_CHECKING:
    from fullproof.execute.runner import Watch
    from fullproof.judge import Oracle
    from fullproof.model import Model

_SYMBOLS = 12
"""Inputs that are tried, where an input is more than a symbol."""


@contextlib.contextmanager
def answering(how: How, ending: Callable[[Execution], Execution] | None) -> Iterator[Attempt[TestInput]]:
    """The system, one instance of it in a place of its own; what it is asked depends on what it has answered.

    ``ending`` says where executions end that are not watched.
    """
    asked: list[Test] = []

    def tests() -> Iterator[Test]:
        while asked:
            yield asked.pop()

    once = dataclasses.replace(how.options, repeat=1, share=False, pilot=None)
    alone = dataclasses.replace(how, options=once, jobs=1, pool=None)
    # With ``more``, an execution begins once the one before it has been taken.
    with live_traces(tests(), alone, after=0, more=lambda _: False, answers=None) as live:

        def attempt(word: Sequence[TestInput]) -> Execution:
            asked.append(Test(inputs=tuple(word)))
            seen = next(live)
            assert isinstance(seen, Execution)  # without ``answers`` nothing is only counted
            return seen if ending is None else ending(seen)

        yield attempt


class _UpToFailure:
    """Ends executions where the model says nothing more, as tests end, and keeps how the last one went on."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._last: Execution | None = None

    def __call__(self, execution: Execution) -> Execution:
        """The execution up to there."""
        self._last, observer = execution, self._oracle.observer(execution.test)
        for number, step in enumerate(execution.steps):
            if not observer.wants(step.input):
                steps = tuple(execution.steps)[:number]
                return execution._replace(steps=steps, enabled_at_end=step.enabled, error=None, evidence="")
            observer.sees(step)
        return execution

    def whole(self, execution: Execution) -> Execution:
        """All of the last execution."""
        return execution if self._last is None else self._last


class OracleGround:
    """A model with an oracle, and one failure that is looked for: the verdict, and a property that it violates."""

    def __init__(self, oracle: Oracle, wanted: Judgement, simpler: Callable[[TestInput], Iterable[TestInput]]) -> None:
        self._oracle = oracle
        self._wanted = wanted
        self._violated = {violation.property for violation in wanted.violates or ()}
        self._simpler = simpler

    def shows(self, execution: Execution, /) -> int | None:
        """How many inputs are enough to show the failure."""
        found, wanted = self._oracle.judge(execution), self._wanted
        if found.verdict is not wanted.verdict:
            return None
        if not self._violated and found.violates:
            return None
        if self._violated:
            steps = [v.step for v in found.violates or () if v.property in self._violated]
            return min(steps, default=None)
        if found.verdict is Verdict.ERROR and _way_of(found.reason) != _way_of(wanted.reason):
            return None
        return found.step or 0

    def node(self, execution: Execution, /) -> int | None:
        """Where the model is after an execution."""
        if execution.error is not None or len(execution.steps) < len(execution.test.inputs):
            return None
        semantics, node = self._oracle.semantics, 0
        for step in execution.steps:
            if step.enabled is not None:
                node = semantics.offering(node, step.enabled)
            if node >= 0:
                node = semantics.move(node, step.input, step.output).node
            if node < 0:
                return None if node == Outcome.ANYTHING else NOWHERE
        return node

    def wants(self, node: int, symbol: TestInput, /) -> bool:
        """Whether the model allows an input here."""
        return self._oracle.semantics.wants(node, symbol)

    def simpler(self, symbol: TestInput, /) -> Iterable[TestInput]:
        """What is simpler than an input."""
        return self._simpler(symbol)


def _way_of(reason: str) -> str:
    """How a system broke down: what comes before the first colon, such as the class of an exception."""
    return reason.partition(":")[0]


def system_at_hand(model: Model, oracle: Oracle, how: How) -> SystemAtHand | None:
    """A system that answers each input, to be asked again; None where it is not at hand, but on a cluster."""
    if how.pool is not None:
        return None
    kind = kind_of(model)
    simpler, symbols = kind.simpler(model), kind.interface(model).symbols
    # What a system does behind its failure may refute a cause. It is asked where no input is undefined, wherever it is,
    # or where it says itself which inputs it takes.
    ending, watch = None, how.options.watch
    if watch is not None and oracle.relation not in GREY_BOX and kind.admits_all(model):
        ending = _UpToFailure(oracle)
        how = dataclasses.replace(how, options=dataclasses.replace(how.options, watch=None))
    elif watch is not None and symbols:
        ending, again = _UpToFailure(oracle), partial(_watch_behind, model, oracle.relation)
        how = dataclasses.replace(how, options=dataclasses.replace(how.options, watch=again()), watch=again)
    return SystemAtHand(
        trying=lambda: answering(how, ending),
        ground=lambda wanted: OracleGround(oracle, wanted, simpler),
        word=lambda trace: trace.test.inputs,
        alphabet=lambda traces: symbols or _frequent(traces),
        shown=lambda word: tuple(map(json_input, word)),
        test=tuple,
        is_simulated=is_simulated(how.sut),
        behind=None if ending is None else ending.whole,
        patience=how.options.step_timeout,
    )


def _watch_behind(model: Model, relation: Relation) -> Watch:
    """What follows trials while they run, made where they run."""
    return oracle_for(model, relation).observer_behind


def _frequent(traces: Sequence[Execution]) -> list[TestInput]:
    """The inputs that tests have most often."""
    inputs = {key_of(symbol): symbol for trace in traces for symbol in trace.test.inputs}
    count = Counter(key_of(symbol) for trace in traces for symbol in trace.test.inputs)
    return [inputs[key] for key, _ in count.most_common(_SYMBOLS)]
