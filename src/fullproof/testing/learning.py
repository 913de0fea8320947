"""An equivalence oracle for AALpy based on complete suites, exact within the bound on the system's states."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from aalpy.base import SUL, Oracle

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.generate.finite.suite import finite_suite
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition


class CompleteOracle(Oracle):  # type: ignore[misc]
    """Tests a hypothesis with a suite that is complete for ``extra_states`` more states than it has.

    ``CompleteOracle(alphabet, sul, extra_states=1)`` for ``run_Lstar(..., automaton_type="mealy")`` and its relatives.
    Guarantee: when learning ends, the model is equivalent to the system, if that has at most ``extra_states`` states
    more than the model. Needs: a deterministic system that is reset by ``pre``.
    """

    def __init__(self, alphabet: list[Any], sul: SUL, *, extra_states: int = 1, method: str = "auto") -> None:
        super().__init__(alphabet, sul)
        self.extra_states = extra_states
        self.method = method
        self.guarantee = ""
        """The sentence that the last suite without a counterexample proves."""

    def find_cex(self, hypothesis: Any) -> tuple[Hashable, ...] | None:
        """The first test that the system answers otherwise than the hypothesis, up to its first wrong output."""
        request = SuiteRequest(relation=Relation.EQUIVALENCE, method=self.method)
        suite = finite_suite(_fsm(hypothesis, self.alphabet), request, extra_states=self.extra_states)
        for piece in suite.words.chunks():
            for word in piece:
                found = self._differs(hypothesis, [self.alphabet[symbol] for symbol in word.tolist()])
                if found is not None:
                    return found
        self.guarantee = suite.guarantee.sentence
        return None

    def _differs(self, hypothesis: Any, inputs: list[Any]) -> tuple[Hashable, ...] | None:
        self.reset_hyp_and_sul(hypothesis)
        try:
            for place, symbol in enumerate(inputs, 1):
                self.num_steps += 1
                if hypothesis.step(symbol) != self.sul.step(symbol):
                    return tuple(inputs[:place])
        finally:
            self.sul.post()
        return None


def _fsm(hypothesis: Any, alphabet: list[Any]) -> Fsm:
    """A Mealy machine of AALpy by numbers: its symbols may be anything that can be compared."""
    names = {id(state): f"s{number}" for number, state in enumerate(hypothesis.states)}
    outputs: dict[Any, str] = {}
    transitions = []
    for state in hypothesis.states:
        for number, symbol in enumerate(alphabet):
            output = outputs.setdefault(state.output_fun[symbol], f"o{len(outputs)}")
            target = names[id(state.transitions[symbol])]
            transitions.append(FsmTransition(names[id(state)], f"i{number}", output, target))
    return Fsm(
        name="hypothesis",
        initial=names[id(hypothesis.initial_state)],
        states=tuple(names.values()),
        inputs=tuple(f"i{number}" for number in range(len(alphabet))),
        outputs=tuple(outputs.values()),
        transitions=tuple(transitions),
    )
