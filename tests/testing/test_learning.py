"""Learning with a complete oracle: what AALpy ends with is right, where random words stop too early."""

import random

import pytest

aalpy = pytest.importorskip("aalpy")

from aalpy.base import SUL  # noqa: E402
from aalpy.learning_algs import run_Lstar  # noqa: E402

import fullproof  # noqa: E402
from fullproof.certify import Complete, certify  # noqa: E402
from fullproof.certify.machine import minimal, tabulate  # noqa: E402
from fullproof.generate.finite.suite import suite_beside  # noqa: E402
from fullproof.model.fsm import Fsm, FsmTransition  # noqa: E402
from fullproof.testing import complete_oracle  # noqa: E402
from fullproof.testing.learning import CompleteOracle  # noqa: E402
from fullproof.testing.likely_order import likeliest_first, seen_windows  # noqa: E402
from fullproof.testing.observations import AnswerTree  # noqa: E402


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


@pytest.mark.parametrize(
    ("options", "methods"), [({}, {"spyh"}), ({"method": "auto"}, {"auto"}), ({"method": "w"}, {"w"})]
)
def test_only_auto_tries_all_methods(options, methods, monkeypatch) -> None:
    """Trying all of them takes longer than running a suite on a quick system."""
    tried, made = set(), complete_oracle.finite_suite

    def recorded(fsm, request, **words):
        tried.add(request.method)
        return made(fsm, request, **words)

    monkeypatch.setattr(complete_oracle, "finite_suite", recorded)
    oracle = CompleteOracle([0, 1, 2], Lock(), extra_states=2, **options)
    run_Lstar([0, 1, 2], Lock(), oracle, automaton_type="mealy", print_level=0)
    assert tried == methods


def test_no_sequence_of_inputs_is_run_twice() -> None:
    """What the system has answered to one suite is known to the next."""

    class Counting(Lock):
        def __init__(self) -> None:
            super().__init__()
            self.words: list[tuple[int, ...]] = []

        def pre(self) -> None:
            super().pre()
            self.words.append(())

        def step(self, symbol: int) -> str:
            self.words[-1] += (symbol,)
            return super().step(symbol)

    asked = Counting()
    oracle = CompleteOracle([0, 1, 2], asked, extra_states=4)
    model = run_Lstar([0, 1, 2], Lock(), oracle, automaton_type="mealy", cache_and_non_det_check=False, print_level=0)
    assert len(model.states) == 6
    assert oracle.reused > 0
    assert len(asked.words) == oracle.num_queries == len(set(asked.words))


@pytest.mark.parametrize("kind", ["moore", "dfa"])
def test_moore_machines_and_acceptors_are_tested_as_well(kind: str) -> None:
    from aalpy.SULs import AutomatonSUL
    from aalpy.utils import generate_random_deterministic_automata

    random.seed(5)
    system = generate_random_deterministic_automata(
        kind, 8, 2, **({} if kind == "dfa" else {"output_alphabet_size": 2})
    )
    alphabet = system.get_input_alphabet()
    oracle = CompleteOracle(alphabet, AutomatonSUL(system), extra_states=1)
    model = run_Lstar(alphabet, AutomatonSUL(system), oracle, automaton_type=kind, print_level=0)
    assert len(model.states) == 8


def random_machine(dice: random.Random) -> Fsm:
    states = [f"s{k}" for k in range(dice.randint(1, 5))]
    inputs = [f"i{k}" for k in range(dice.randint(1, 3))]
    rows = tuple(
        FsmTransition(state, symbol, dice.choice("xxxy"), dice.choice(states)) for state in states for symbol in inputs
    )
    return Fsm(name="m", initial="s0", states=tuple(states), inputs=tuple(inputs), outputs=("x", "y"), transitions=rows)


def system_of(fsm: Fsm) -> type:
    rows = {(t.source, t.input): (t.output, t.target) for t in fsm.transitions}

    class System:
        def reset(self) -> None:
            self.state = fsm.initial

        def step(self, symbol: str) -> str:
            output, self.state = rows[self.state, symbol]
            return output

    return System


def test_what_is_learnt_is_right_or_the_system_has_more_states_than_allowed() -> None:
    dice, wrong = random.Random(3), 0
    for _ in range(60):
        fsm, extra = random_machine(dice), dice.randint(0, 2)
        found = fullproof.learn(system_of(fsm), fsm.inputs, extra_states=extra)
        one, other = minimal(tabulate(fsm)), minimal(tabulate(found.model))
        assert found.states == other.states
        if not fullproof.compare(fsm, found.model).conforms:
            assert one.states > found.states + extra
            wrong += 1
    assert wrong  # the bound is needed


def test_a_suite_beside_known_words_is_complete_together_with_them() -> None:
    dice = random.Random(4)
    for _ in range(25):
        fsm, extra = random_machine(dice), dice.randint(0, 1)
        inputs = range(len(fsm.inputs))
        known = {tuple(dice.choice(inputs) for _ in range(dice.randint(0, 6))) for _ in range(dice.randint(0, 8))}
        suite = suite_beside(fsm, sorted(known), extra_states=extra)
        assert suite is not None
        words = [tuple(fsm.inputs[k] for k in word) for word in map(list, suite.words)]
        assert isinstance(certify(fsm, words, extra_states=extra, timeout=60), Complete)


def test_a_suite_is_trimmed_beside_what_is_known(monkeypatch) -> None:
    """Fewer questions, the same claim: all that was asked is a complete suite."""
    dice, saved = random.Random(5), 0
    for _ in range(8):
        fsm, costs = random_machine(dice), []
        for least in (1, 10**9):
            monkeypatch.setattr(complete_oracle, "_WORTH_TRIMMING", least)
            asked = AskedSystem(system_of(fsm))
            found = fullproof.learn(asked, fsm.inputs, extra_states=1)
            costs.append(found.tests + found.steps)
            answer = certify(found.model, asked.words, extra_states=1, timeout=60)
            assert isinstance(answer, Complete)
            assert ("trimmed by the exact checker" in found.guarantee) <= (least == 1)
        saved += costs[1] - costs[0]
    assert saved > 0


class AskedSystem:
    """Remembers all sequences of inputs."""

    def __init__(self, system: type) -> None:
        self._system, self.words = system(), []

    def reset(self) -> None:
        self.words.append(())
        self._system.reset()

    def step(self, symbol: str) -> str:
        self.words[-1] += (symbol,)
        return self._system.step(symbol)


def test_all_tests_come_in_some_order_and_new_windows_first() -> None:
    rows = {(0, "a"): ("x", 1), (0, "b"): ("x", 0), (1, "a"): ("y", 0), (1, "b"): ("x", 1)}
    words = [tuple(word) for word in ("ab", "ba", "aba", "bb", "aab", "bab")]

    def step(state: int, symbol: object) -> tuple[str, int]:
        return rows[state, str(symbol)]

    known = AnswerTree()
    known.add(("a", "b", "a"), ["x", "x", "y"])
    seen = seen_windows(step, 0, known.root, 2)
    assert seen == {(0, "a", "b"), (1, "b", "a")}
    ordered = list(likeliest_first(words, step, 0, seen, 2))
    assert sorted(ordered) == sorted(words)
    assert set(ordered[-2:]) == {("a", "b"), ("a", "b", "a")}


def test_observations_are_kept_and_taken_back() -> None:
    known = AnswerTree()
    known.add("ab", "xy")
    known.add("ac", "xz")
    assert known.answers("ab") == ["x", "y"]
    assert known.answers("abc") is None
    assert known.contradiction("ac", "xy") == 1
    assert known.contradiction("acb", "xzz") is None
    assert sorted(known.longest()) == [(("a", "b"), ["x", "y"]), (("a", "c"), ["x", "z"])]
    known.forget("ac")
    assert known.answers("ac") is None
    assert known.answers("ab") == ["x", "y"]
