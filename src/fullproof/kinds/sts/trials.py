"""failing conversation -> trials: the tester's moves, replayed on the system opened once more.

A move is an input with its values, or listening. An output that the system gives before an input comes first, as
in every conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import product
from typing import TYPE_CHECKING, cast

from fullproof.artefacts.execution import Event, Execution, Listen, Move, Sent, Stop
from fullproof.artefacts.suite import Test, TestInput, json_value
from fullproof.artefacts.system_spec import is_simulated
from fullproof.artefacts.verdict import Judgement
from fullproof.explain.trials import Attempt, SystemAtHand
from fullproof.kinds.conduct import RunOrder
from fullproof.kinds.sts.instances import tester_for
from fullproof.kinds.sts.moves import Asked, move_texts, moves_of, read_move
from fullproof.kinds.sts.simpler import simpler

if TYPE_CHECKING:
    from fullproof.analysis.sts_knowledge import Knowledge
    from fullproof.judge.sts import StsOracle

STEPS = 300
"""Inputs, outputs and resets of one search: the search waits for outputs of reactive systems."""


def system_at_hand(oracle: StsOracle, order: RunOrder) -> SystemAtHand | None:
    """A reactive system, to be tested again; None where it is on a cluster."""
    if order.pool is not None:
        return None
    below = simpler(oracle.semantics.model)
    return SystemAtHand(
        trying=lambda: _talking(oracle, order),
        ground=lambda wanted: StsGround(oracle, wanted, below),
        word=moves_of,
        alphabet=lambda _: (),
        shown=_shown,
        test=move_texts,
        steps=STEPS,
        is_simulated=is_simulated(order.request.sut),
        patience=order.request.step_timeout,
    )


@contextmanager
def replayed(oracle: StsOracle, order: RunOrder, tests: Sequence[Test], *, after: int) -> Iterator[Iterator[Execution]]:
    """The conversations of tests whose inputs are moves, as often as --repeat says; those up to ``after`` are known."""
    words = [tuple(read_move(oracle.semantics.model, symbol) for symbol in test.inputs) for test in tests]
    with _talking(oracle, order) as attempt:
        turns = product(range(1, order.request.repeat + 1), zip(tests, words, strict=True))
        yield (
            attempt(word)._replace(test=test, number=number, repetition=repetition)
            for number, (repetition, (test, word)) in enumerate(turns, 1)
            if number > after
        )


@contextmanager
def _talking(oracle: StsOracle, order: RunOrder) -> Iterator[Attempt[Asked]]:
    with closing(order.open()) as system, tester_for(system, order.request) as tester:

        def attempt(word: Sequence[Asked]) -> Execution:
            # The moves stand where a test has its inputs, so that an execution says what was asked.
            test = Test(inputs=cast("tuple[TestInput, ...]", tuple(word)), id="moves")
            return tester.converse(test, _Replay(oracle, word, synchronous=system.synchronous), number=1)

        yield attempt


class _Replay:
    """Makes the moves one after the other, as long as the model takes them."""

    def __init__(self, oracle: StsOracle, word: Sequence[Asked], *, synchronous: bool) -> None:
        self._oracle = oracle
        self._word = word
        self._synchronous = synchronous
        self.restart()

    def restart(self) -> None:
        self._made = 0
        self._knowledge = self._oracle.semantics.start()

    def next(self) -> Move:
        if self._knowledge.is_refuted or self._knowledge.astray or self._made == len(self._word):
            return Stop(reached=True)
        move = self._word[self._made]
        if isinstance(move, Sent) and not takes(self._oracle, self._knowledge, move):
            return Stop(reached=False, reason="the model does not take the next input")
        return move

    def saw(self, event: Event, /) -> None:
        self._made += isinstance(event, Sent) or isinstance(self._word[self._made], Listen)
        self._knowledge = self._oracle.after(self._knowledge, event, synchronous=self._synchronous)


def takes(oracle: StsOracle, knowledge: Knowledge, move: Sent) -> bool:
    """Whether the model takes an input wherever the system may be."""
    after = oracle.semantics.after_input(knowledge, (move.gate, move.values), synchronous=True)
    return bool(after.routes) and not after.astray


class StsGround:
    """A model of a reactive system, and the failure to look for."""

    def __init__(self, oracle: StsOracle, wanted: Judgement, simpler: Callable[[Asked], Iterable[Asked]]) -> None:
        self._oracle = oracle
        self._wanted = wanted
        self._simpler = simpler
        self._nodes: dict[object, int] = {}
        self._known: list[Knowledge] = []

    def shows(self, execution: Execution, /) -> int | None:
        """How many moves are enough to show the failure: all that were made until then."""
        found = self._oracle.judge(execution)
        if found.verdict is not self._wanted.verdict:
            return None
        moves = cast("tuple[Asked, ...]", execution.test.inputs)
        if not moves or not isinstance(moves[0], Sent | Listen):  # a conversation of the run, all of whose events count
            return found.step or 0
        made, planned = 0, True
        for event in execution.events[: found.step or 0]:
            planned = isinstance(event, Sent) or isinstance(moves[made], Listen)
            made += planned
        return made if planned else made + 1  # an output that came before an input is heard when that is to be given

    def node(self, execution: Execution, /) -> int | None:
        """Where the model may be."""
        knowledge = self._oracle.knowledge(execution)
        if execution.error is not None or not execution.reached or knowledge.astray:
            return None
        number = self._nodes.setdefault(frozenset(knowledge.routes), len(self._known))
        if number == len(self._known):
            self._known.append(knowledge)
        return number

    def wants(self, node: int, symbol: Asked, /) -> bool:
        """Whether the model takes an input; one can always listen."""
        return isinstance(symbol, Listen) or takes(self._oracle, self._known[node], symbol)

    def simpler(self, symbol: Asked, /) -> Iterable[Asked]:
        """What is simpler than a move."""
        return self._simpler(symbol)


def _shown(word: Sequence[Asked]) -> tuple[object, ...]:
    sent = (move for move in word if isinstance(move, Sent))
    return tuple([move.gate, [json_value(value) for value in move.values]] for move in sent)
