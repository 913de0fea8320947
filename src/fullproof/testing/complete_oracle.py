"""The equivalence oracle for AALpy: suites that are complete for hypotheses with some states more."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice
from typing import Any

from aalpy.base import SUL, Oracle

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.core.interrupts import Interrupted
from fullproof.generate.finite.suite import FiniteSuite, finite_suite, suite_beside
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition
from fullproof.testing.aalpy_models import edges_of
from fullproof.testing.likely_order import likeliest_first, seen_windows
from fullproof.testing.observations import AnswerTree

_ORDERED = 100_000
"""Tests that are put in order together."""
_WORTH_TRIMMING = 60
"""Inputs and resets that a suite must have left before the exact checker looks which of them are needed."""
_STEPS_EACH = 30_000
"""Steps of the exact checker for each of these inputs: about six milliseconds."""
CHEAP = "cheap"
"""The method by default: quick to generate, not always the fewest tests."""
_FEW_WINDOWS, _SOME_WINDOWS = 4_000, 60_000
"""Sequences of extra states + 1 transitions up to which auto tries all methods for each hypothesis, or a good one."""


class CompleteOracle(Oracle):  # type: ignore[misc]
    """Tests a hypothesis with a suite that is complete for ``extra_states`` more states than it has.

    ``CompleteOracle(alphabet, sul, extra_states=1)`` for ``run_Lstar(..., automaton_type="mealy")`` and its relatives,
    for Moore machines and DFAs as well. Guarantee: when learning ends, the model is equivalent to the system, if that
    has at most ``extra_states`` states more than the model. Needs: a deterministic system that is reset by ``pre``.
    What the system has answered to earlier suites is known: a sequence of inputs is run once. Tests that are likely to
    fail come first (``likely_order``), and a test ends with its first wrong output. ``method`` is one of the finite
    methods; ``auto`` tries all of them for small hypotheses, which pays where steps of the system are slow.
    """

    def __init__(self, alphabet: list[Any], sul: SUL, *, extra_states: int = 1, method: str = CHEAP) -> None:
        super().__init__(alphabet, sul)
        self.extra_states = extra_states
        self.method = method
        self.guarantee = ""
        """The sentence that the last suite without a counterexample proves."""
        self.rounds = 0
        self.reused = 0
        """Tests of which all answers were known."""
        self.progress: Callable[[int, int], None] = lambda _rounds, _states: None
        """Called with the number and the states of the hypothesis, before each of its tests and once after all."""
        self._known: AnswerTree = getattr(sul, "known", None) or AnswerTree()

    def find_cex(self, hypothesis: Any) -> tuple[Hashable, ...] | None:
        """The first test that the system answers otherwise than the hypothesis, up to its first wrong output."""
        self.rounds += 1
        states = len(hypothesis.states)
        self.progress(self.rounds, states)
        hypothesis.reset_to_initial()
        tests = _Numbers(hypothesis)
        found = self._contradicted(tests)
        if found is not None:
            return found
        suite = self._suite(_fsm(hypothesis, self.alphabet), states)
        for word in self._ordered(suite, tests):
            found = self._differs(tests, word)
            self.progress(self.rounds, states)
            if found is not None:
                return found
        self.guarantee = suite.guarantee.sentence
        return None

    def _contradicted(self, tests: _Numbers) -> tuple[Hashable, ...] | None:
        """A shortest sequence whose answers are known and contradict the hypothesis."""
        wrong = []
        for word, outputs in self._known.longest():
            expected = tests.outputs(word)
            place = next((k for k, output in enumerate(outputs) if output != expected[k]), None)
            if place is not None:
                wrong.append(word[: place + 1])
        return min(wrong, key=len, default=None)

    def _suite(self, fsm: Fsm, states: int) -> FiniteSuite:
        """The suite of which the fewest inputs and resets are left to run, beside what is known."""
        windows = states * len(self.alphabet) ** (self.extra_states + 1)
        method, beside = self.method, None
        chooses = method in (CHEAP, "auto")
        if chooses and windows <= _SOME_WINDOWS:
            number = {symbol: k for k, symbol in enumerate(self.alphabet)}
            known = [tuple(number[symbol] for symbol in word) for word, _ in self._known.longest()]
            beside = suite_beside(fsm, known, extra_states=self.extra_states)
        if method == CHEAP or (chooses and windows > _FEW_WINDOWS):
            method = "spyh" if windows <= _SOME_WINDOWS else "hsi"
        request = SuiteRequest(relation=Relation.EQUIVALENCE, method=method)
        try:
            suite = finite_suite(fsm, request, extra_states=self.extra_states)
        except Interrupted:  # what it says is about a suite, and learning says more
            raise KeyboardInterrupt from None
        least = suite if beside is None else min(suite, beside, key=self._left)
        return self._trimmed(fsm, least) if self.method == "auto" and windows <= _FEW_WINDOWS else least

    def _trimmed(self, fsm: Fsm, suite: FiniteSuite) -> FiniteSuite:
        """What is needed of a suite beside the answers that are known, decided exactly; the suite where that is little.

        The budget is for steps, so that learning takes the same path again; it grows with what there is to save.
        """
        from fullproof.artefacts.words import word_list
        from fullproof.certify.shrink import Ended, ShrinkLimits, shrink_beside

        left = self._left(suite)
        if left < _WORTH_TRIMMING:
            return suite
        number = {symbol: k for k, symbol in enumerate(self.alphabet)}
        named = dict(zip(self.alphabet, fsm.inputs, strict=True))
        result = shrink_beside(
            fsm,
            [[named[symbol] for symbol in word] for word in self._words(suite) if self._known.answers(word) is None],
            [[named[symbol] for symbol in word] for word, _ in self._known.longest()],
            extra_states=self.extra_states,
            limits=ShrinkLimits(steps=_STEPS_EACH * left),
        )
        if result.ended is Ended.INTERRUPTED:
            raise KeyboardInterrupt
        if result.after >= left:
            return suite
        position = {name: number[symbol] for symbol, name in named.items()}
        return dataclasses.replace(
            suite,
            words=word_list(sorted([position[name] for name in word] for word in result.words)),
            guarantee=suite.guarantee.citing("trimmed by the exact checker"),
        )

    def _left(self, suite: FiniteSuite) -> int:
        """Inputs and resets of the tests whose answers are not known."""
        return sum(len(word) + 1 for word in self._words(suite) if self._known.answers(word) is None)

    def _words(self, suite: FiniteSuite) -> Iterator[list[Any]]:
        for piece in suite.words.chunks():
            yield from ([self.alphabet[symbol] for symbol in word.tolist()] for word in piece)

    def _ordered(self, suite: FiniteSuite, tests: _Numbers) -> Iterator[Sequence[Hashable]]:
        """The tests whose answers are not known: those that are agree with the hypothesis."""
        length = self.extra_states + 1
        seen = seen_windows(tests.step, tests.initial, self._known.root, length)
        words = self._words(suite)
        while part := list(islice(words, _ORDERED)):
            answered = [self._known.answers(word) is not None for word in part]
            self.reused += sum(answered)
            new = (word for word, known in zip(part, answered, strict=True) if not known)
            yield from likeliest_first(new, tests.step, tests.initial, seen, length)

    def _differs(self, tests: _Numbers, word: Sequence[Hashable]) -> tuple[Hashable, ...] | None:
        wanted = tests.outputs(word)
        for place, output in enumerate(self._answers(word, wanted)):
            if wanted[place] != output:
                return tuple(word[: place + 1])
        return None

    def _answers(self, word: Sequence[Hashable], wanted: Sequence[Any]) -> Sequence[Any]:
        """What the system answers; a run ends with the first wrong output."""
        compared = getattr(self.sul, "compared", None)
        return self._run(word, wanted) if compared is None else compared(word, wanted)

    def _run(self, word: Sequence[Hashable], wanted: Sequence[Any]) -> list[Any]:
        self.sul.pre()
        self.num_queries += 1
        outputs: list[Any] = []
        try:
            for symbol, expected in zip(word, wanted, strict=True):
                self.num_steps += 1
                outputs.append(self.sul.step(symbol))
                if outputs[-1] != expected:
                    break
        finally:
            self.sul.post()
        self._known.add(word, outputs)
        return outputs


class _Numbers:
    """The states of a hypothesis by numbers."""

    initial = 0

    def __init__(self, hypothesis: Any) -> None:
        states = sorted(hypothesis.states, key=lambda state: state is not hypothesis.initial_state)
        number = {id(state): k for k, state in enumerate(states)}
        self._rows: list[dict[Hashable, tuple[Any, int]]] = [
            {symbol: (output, number[id(target)]) for symbol, output, target in edges_of(state)} for state in states
        ]

    def step(self, state: int, symbol: Hashable) -> tuple[Any, int]:
        """The output and the next state."""
        return self._rows[state][symbol]

    def outputs(self, word: Sequence[Hashable]) -> list[Any]:
        """What the hypothesis answers."""
        state, found = self.initial, list[Any]()
        for symbol in word:
            output, state = self._rows[state][symbol]
            found.append(output)
        return found


def _fsm(hypothesis: Any, alphabet: list[Any]) -> Fsm:
    """A machine of AALpy by numbers: its symbols may be anything that can be compared."""
    names = {id(state): f"s{number}" for number, state in enumerate(hypothesis.states)}
    numbers = {symbol: f"i{number}" for number, symbol in enumerate(alphabet)}
    outputs: dict[Any, str] = {}
    transitions = []
    for state in hypothesis.states:
        for symbol, output, target in edges_of(state):
            said = outputs.setdefault(output, f"o{len(outputs)}")
            transitions.append(FsmTransition(names[id(state)], numbers[symbol], said, names[id(target)]))
    return Fsm(
        name="hypothesis",
        initial=names[id(hypothesis.initial_state)],
        states=tuple(names.values()),
        inputs=tuple(numbers.values()),
        outputs=tuple(outputs.values()),
        transitions=tuple(transitions),
    )
