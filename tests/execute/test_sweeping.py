"""Runs that only count what goes as expected come to the same result as those that write everything down."""

import random
import time
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.execute.adapters.python_sut import open_object
from fullproof.execute.runner import Enabled, Options, execute
from fullproof.execute.sweep import can_sweep, sweep
from fullproof.judge import Summary
from fullproof.kinds import oracle_for
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

INPUTS = ("a", "b")


def machine(seed: int, *, partial: bool = False) -> Fsm:
    dice = random.Random(seed)
    states = [f"s{k}" for k in range(1 + dice.randrange(4))]
    transitions = [
        FsmTransition(s, i, dice.choice("xyz"), dice.choice(states))
        for s in states
        for i in INPUTS
        if not partial or dice.random() < 0.8
    ]
    return Fsm(
        name="m",
        initial=dice.choice(states),
        states=tuple(states),
        inputs=INPUTS,
        outputs=("x", "y", "z"),
        transitions=tuple(transitions),
    )


class System:
    """Plays a machine; from one of its steps on it may do something else."""

    def __init__(self, fsm: Fsm, at: int, fault: str) -> None:
        self.cells = {(t.source, t.input): (t.output, t.target) for t in fsm.transitions}
        self.initial, self.steps, self.at, self.fault = fsm.initial, 0, at, fault
        self.state = fsm.initial

    def reset(self) -> None:
        self.state = self.initial
        if self.fault == "reset" and self.steps >= self.at:
            self.at = 10**9
            raise RuntimeError("stuck")

    def step(self, symbol: str) -> object:
        self.steps += 1
        output, self.state = self.cells.get((self.state, symbol), ("x", self.state))
        if self.steps >= self.at:
            match self.fault:
                case "once":
                    self.at = 10**9
                    return "z" if output != "z" else "x"
                case "for ever":
                    return "z"
                case "raise":
                    self.at = 10**9
                    raise ValueError("no")
                case "type":
                    return 3
                case "exit":
                    self.at += 5
                    raise SystemExit
        return output


def outcome(fsm: Fsm, runs: Iterable[object]) -> tuple[object, list[object]]:
    oracle = oracle_for(fsm, Relation.EQUIVALENCE)
    summary, judged = Summary(oracle, repeat=1), []
    for run in runs:
        if isinstance(run, Execution):
            judgement = oracle.judge(run)
            summary.add(run, judgement)
            judged.append((run.number, tuple(run.steps), run.error, judgement))
        else:
            summary.add_expected(run.tests, run.steps, run.taken)
    return summary.result(seconds=0), [item for item in judged if item[3].verdict.value != "pass"]


def without_contradiction(found: RunResult) -> RunResult:
    """What is only counted is not kept, so that a later answer cannot be seen to contradict it."""
    verdict = Verdict.FAIL if found.verdict is Verdict.NONDETERMINISTIC else found.verdict
    return replace(found, verdict=verdict, contradiction=None)


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 500),
    st.booleans(),
    st.integers(0, 60),
    st.sampled_from(["none", "once", "for ever", "raise", "type", "reset", "exit"]),
    st.lists(st.text("ab", min_size=1, max_size=6), min_size=1, max_size=40),
    st.integers(0, 5),
)
def test_the_same_as_when_everything_is_written_down(
    seed: int, partial: bool, at: int, fault: str, words: list[str], first: int
) -> None:
    fsm, options, results = machine(seed, partial=partial), Options(), []
    for swept in (False, True):
        system = System(fsm, at, fault)
        sut = open_object(lambda system=system: system, fsm, name="System", step_timeout=None)
        tests = [make_test(word) for word in words]
        answers = oracle_for(fsm).answers()
        assert answers is not None
        runs = sweep(sut, tests, answers, options=options, first=first) if swept else execute(sut, tests)
        results.append(outcome(fsm, runs))
    (plain, bad), (counted, bad_counted) = results
    assert without_contradiction(plain) == without_contradiction(counted)
    assert bad == bad_counted


def test_a_hanging_system_is_interrupted() -> None:
    fsm = machine(1)

    class Sleeper(System):
        def step(self, symbol: str) -> object:
            if self.steps == 30:
                self.steps += 1
                time.sleep(60)
            return super().step(symbol)

    system = Sleeper(fsm, 10**9, "none")
    sut = open_object(lambda: system, fsm, name="Sleeper", step_timeout=None)
    tests = [make_test("ab" * 3) for _ in range(20)]
    answers = oracle_for(fsm).answers()
    assert answers is not None
    result, bad = outcome(fsm, sweep(sut, tests, answers, options=Options(step_timeout=1), first=0))
    assert (result.tests, result.errors, result.passed) == (20, 1, 19)
    assert bad[0][2] == "no answer within 1 s"


@pytest.mark.parametrize(
    "options",
    [
        Options(repeat=2),
        Options(test_timeout=1),
        Options(share=True),
        Options(enabled=Enabled.IF_OFFERED),
        Options(watch=lambda _test: None),  # type: ignore[arg-type,return-value]
    ],
)
def test_only_where_nobody_wants_more(options: Options) -> None:
    fsm = machine(1)
    sut = open_object(lambda: System(fsm, 10**9, "none"), fsm, name="System", step_timeout=None)
    assert can_sweep(sut, Options())
    assert not can_sweep(sut, options)


def test_a_nondeterministic_model_has_no_single_answers() -> None:
    fsm = machine(1)
    more = (*fsm.transitions, FsmTransition("s0", "a", "z" if fsm.transitions[0].output != "z" else "y", "s0"))
    wide = Fsm(name="m", initial=fsm.initial, states=fsm.states, inputs=INPUTS, outputs=fsm.outputs, transitions=more)
    assert oracle_for(wide).answers() is None
