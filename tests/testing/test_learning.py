"""Learning with a complete oracle: what AALpy ends with is right, where random words stop too early."""

import random

import pytest

aalpy = pytest.importorskip("aalpy")

from aalpy.base import SUL  # noqa: E402
from aalpy.learning_algs import run_Lstar  # noqa: E402

from fullproof.testing.learning import CompleteOracle  # noqa: E402


class Lock(SUL):
    """Opens after a code of five symbols, which random words hardly ever meet."""

    CODE = (1, 0, 2, 2, 1)

    def pre(self) -> None:
        self.right = 0

    def post(self) -> None:
        """Nothing to end."""

    def step(self, symbol: int) -> str:
        self.right = self.right + 1 if self.right < 5 and symbol == self.CODE[self.right] else 0
        return "open" if self.right == 5 else "shut"


def test_a_lock_is_learnt_completely() -> None:
    oracle = CompleteOracle([0, 1, 2], Lock(), extra_states=5)
    model = run_Lstar([0, 1, 2], Lock(), oracle, automaton_type="mealy", print_level=0)
    assert len(model.states) == 6
    dice = random.Random(1)
    for _ in range(300):
        lock = Lock()
        lock.pre()
        model.reset_to_initial()
        for _ in range(12):
            symbol = dice.choice([0, 1, 2])
            assert model.step(symbol) == lock.step(symbol)
    assert "at most" in oracle.guarantee


def test_too_small_a_bound_may_stop_early() -> None:
    oracle = CompleteOracle([0, 1, 2], Lock(), extra_states=0)
    model = run_Lstar([0, 1, 2], Lock(), oracle, automaton_type="mealy", print_level=0)
    assert len(model.states) < 6
