"""Diagnoses: the fault that was put in is among the explanations, and every explanation explains."""

import random
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.judgement import judge

from fullproof.artefacts.diagnosis import Diagnosis, SearchEnd
from fullproof.artefacts.execution import Columns, Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.kinds.suspects import FaultsToTry
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition
from fullproof.pipeline.diagnosis import SECONDS, SeenExecutions, suspects

FAULTS = FaultsToTry(relation=Relation.EQUIVALENCE)


def machine(dice: random.Random, states: int, inputs: int) -> Fsm:
    names = [f"s{k}" for k in range(states)]
    return Fsm(
        name="m",
        initial="s0",
        states=tuple(names),
        inputs=tuple(f"i{k}" for k in range(inputs)),
        outputs=("a", "b"),
        transitions=tuple(
            FsmTransition(s, f"i{k}", dice.choice("ab"), dice.choice(names)) for s in names for k in range(inputs)
        ),
    )


def observe(fsm: Fsm, word: tuple[str, ...]) -> Execution:
    table = {(t.source, t.input): t for t in fsm.transitions}
    state, outputs = fsm.initial, []
    for symbol in word:
        outputs.append(table[state, symbol].output)
        state = table[state, symbol].target
    test = make_test(word)
    return Execution(test, Columns(test.inputs, outputs))


def faults(fsm: Fsm) -> list[tuple[str, Fsm]]:
    """All single output and transfer faults, the slow way."""
    found = []
    for k, t in enumerate(fsm.transitions):
        arrow = f"{t.source} --{t.input}/{t.output}--> {t.target}"
        others = [(f"output {o} instead of {t.output} on {arrow}", t._replace(output=o)) for o in "ab" if o != t.output]
        others += [
            (f"target {s} instead of {t.target} on {arrow}", t._replace(target=s)) for s in fsm.states if s != t.target
        ]
        for text, new in others:
            transitions = (*fsm.transitions[:k], new, *fsm.transitions[k + 1 :])
            found.append(
                (
                    text,
                    Fsm(
                        name="x",
                        initial=fsm.initial,
                        states=fsm.states,
                        inputs=fsm.inputs,
                        outputs=fsm.outputs,
                        transitions=transitions,
                    ),
                )
            )
    return found


def diagnose(fsm: Fsm, wanted: FaultsToTry, failing, seen: SeenExecutions, *, seconds: float = SECONDS):
    """What a run without its system at hand says of single faults."""
    found = suspects(fsm, wanted, failing, seen, seconds=seconds)
    if found is None:
        return None
    texts = tuple(dict.fromkeys(suspect.text for suspect in found.found))
    return Diagnosis(explanations=texts, observations=seen.count, candidates=found.tried, ended=found.ended)


@given(st.integers(0, 10_000), st.integers(2, 3), st.integers(1, 2))
@example(1766, 3, 1)  # a wrong target, with which every transition seen answers a: no output is renamed
def test_explanations_are_exactly_the_faults_that_fit(seed: int, states: int, inputs: int) -> None:
    dice = random.Random(seed)
    fsm = machine(dice, states, inputs)
    text, faulty = dice.choice(faults(fsm))
    words = [word for length in (3, 4) for word in product(fsm.inputs, repeat=length)]
    traces = [observe(faulty, word) for word in words]
    failing = [t for t in traces if judge(fsm, t, Relation.EQUIVALENCE).verdict is Verdict.FAIL]
    diagnosis = diagnose(fsm, FAULTS, failing, SeenExecutions(len(traces), traces))
    if not failing:
        assert diagnosis is None
        return
    assert diagnosis is not None
    wanted = {name for name, other in faults(fsm) if [observe(other, w) for w in words] == traces}
    assert text in wanted
    assert set(diagnosis.explanations) == wanted
    assert text in diagnosis.sentence() or len(wanted) > 1


def test_two_faults_at_once_are_explained_by_none() -> None:
    fsm = Fsm(
        name="m", initial="s", states=("s", "t"), inputs=("x", "y"), outputs=("a", "b"),
        transitions=(
            FsmTransition("s", "x", "a", "t"), FsmTransition("s", "y", "a", "s"),
            FsmTransition("t", "x", "a", "s"), FsmTransition("t", "y", "b", "t"),
        ),
    )  # fmt: skip
    both = tuple(t._replace(output="b") if t.source == "s" else t for t in fsm.transitions)
    faulty = Fsm(name="m", initial="s", states=fsm.states, inputs=fsm.inputs, outputs=fsm.outputs, transitions=both)
    traces = [observe(faulty, word) for word in product("xy", repeat=3)]
    diagnosis = diagnose(fsm, FAULTS, traces, SeenExecutions(len(traces), traces))
    assert diagnosis is not None
    assert diagnosis.explanations == ()
    assert diagnosis.sentence() == "the single fault tried does not explain this"


@given(st.integers(0, 10_000), st.integers(2, 3), st.booleans())
def test_faults_in_a_copied_state_are_found(seed: int, states: int, stays: bool) -> None:
    dice = random.Random(seed)
    fsm = machine(dice, states, 2)
    entry = dice.choice(fsm.transitions)
    copy = f"{entry.target}-copy"
    loop = copy if stays else entry.target
    inside = [
        t._replace(source=copy, target=loop if t.target == entry.target else t.target)
        for t in fsm.transitions
        if t.source == entry.target
    ]
    wrong = dice.randrange(len(inside))
    inside[wrong] = inside[wrong]._replace(target=dice.choice([s for s in fsm.states if s != inside[wrong].target]))
    rest = [t._replace(target=copy) if t == entry else t for t in fsm.transitions]
    faulty = Fsm(name="x", initial="s0", states=(*fsm.states, copy), inputs=fsm.inputs, outputs=fsm.outputs,
                 transitions=(*rest, *inside))  # fmt: skip
    traces = [observe(faulty, word) for word in product(fsm.inputs, repeat=6)]
    failing = [t for t in traces if judge(fsm, t, Relation.EQUIVALENCE).verdict is Verdict.FAIL]
    extra = FaultsToTry(relation=Relation.EQUIVALENCE, extra_states=1)
    diagnosis = diagnose(fsm, extra, failing, SeenExecutions(len(traces), traces), seconds=60)
    if failing:
        assert diagnosis is not None
        assert diagnosis.explanations


def test_a_large_machine_does_not_keep_a_failing_run_waiting() -> None:
    dice = random.Random(3)
    fsm = machine(dice, 3000, 2)
    failing = []
    for _ in range(2):
        right = observe(fsm, tuple(dice.choice(fsm.inputs) for _ in range(40)))
        # No state gives this output, so no wrong target explains it, and no single wrong output both.
        outputs = [*(step.output for step in right.steps[:-1]), "neither"]
        failing.append(Execution(right.test, Columns(right.test.inputs, outputs)))
    extra = FaultsToTry(relation=Relation.EQUIVALENCE, extra_states=1)
    diagnosis = diagnose(fsm, extra, failing, SeenExecutions(2, failing), seconds=0.01)
    assert diagnosis is not None
    assert diagnosis.explanations == ()
    assert diagnosis.ended is SearchEnd.TIME
    assert diagnosis.sentence().endswith("; there was no time for the others")
    assert diagnosis.candidates < 39 * 2999


def test_a_search_that_a_limit_ends_does_not_blame_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullproof.pipeline.diagnosis._TRIED", 3)
    fsm = machine(random.Random(3), 5, 2)
    right = observe(fsm, fsm.inputs * 3)
    outputs = [*(step.output for step in right.steps[:-1]), "neither"]
    seen = [Execution(right.test, Columns(right.test.inputs, outputs))]
    diagnosis = diagnose(fsm, FaultsToTry(relation=Relation.EQUIVALENCE), seen, SeenExecutions(1, seen), seconds=1e6)
    assert diagnosis is not None
    assert (
        diagnosis.sentence()
        == "none of 3 single faults explains this; others were not tried, as the search has a limit"
    )
