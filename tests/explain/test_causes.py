"""Causes: what is confirmed is what the system is, and what a further test refutes is never said."""

import random
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.strategies.faulty_machines import machine, with_faults

from fullproof.artefacts.execution import Columns, Execution
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.questions import JudgeRequest
from fullproof.artefacts.request import Relation, RunRequest, SuiteRequest
from fullproof.artefacts.suite import Test
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.core.deadline import Deadline
from fullproof.explain.closest_machine import closest_machine
from fullproof.explain.trials import Trials
from fullproof.formats.json.writer import json_lines
from fullproof.kinds import kind_of, oracle_for
from fullproof.kinds.comparison import Asked
from fullproof.kinds.fsm.suspects import closest_suspect
from fullproof.kinds.suspects import FaultsToTry
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition
from fullproof.pipeline import rows
from fullproof.pipeline.causes import SystemEvidence, diagnosis_of
from fullproof.pipeline.diagnosis import SeenExecutions
from fullproof.pipeline.judgement import judge_journal
from fullproof.pipeline.live_trials import OracleGround
from fullproof.pipeline.runs import run_suite

FAULTS = FaultsToTry(relation=Relation.EQUIVALENCE)


def executions(seen: list[Execution]) -> SeenExecutions:
    return SeenExecutions(len(seen), seen)


def answering(system: Fsm):
    table = {(t.source, t.input): (t.output, t.target) for t in system.transitions}

    def attempt(word) -> Execution:
        state, outputs = system.initial, []
        for symbol in word:
            output, state = table[state, symbol]
            outputs.append(output)
        return Execution(Test(inputs=tuple(word)), Columns(tuple(word), outputs))

    return attempt


def equivalent(one: Fsm, other: Fsm) -> bool:
    return bool(kind_of(one).compare(one, Asked(relation=Relation.EQUIVALENCE)).conforms(other))


def applied(model: Fsm, changes) -> Fsm:
    """The machine that a list of changed transitions describes."""

    def transition(arrow):
        return FsmTransition(arrow["state"], arrow["input"], arrow["output"], arrow["target"])

    lost = {transition(change["expected"]) for change in changes if change["expected"]}
    new = [transition(change["actual"]) for change in changes if change["actual"]]
    transitions = (*(t for t in model.transitions if t not in lost), *new)
    states = tuple(dict.fromkeys((*model.states, *(t.source for t in new))))
    return Fsm(name="f", initial="s0", states=states, inputs=model.inputs, outputs=model.outputs,
               transitions=transitions)  # fmt: skip


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 3))
@example(116705, 4, 2)  # the machine with the fault has equivalent states, which the system tells apart
@settings(max_examples=30)
def test_a_confirmed_cause_is_what_the_system_is(seed, states, number):
    dice = random.Random(seed)
    model = machine(dice, states)
    system = with_faults(dice, model, number)
    attempt, oracle = answering(system), oracle_for(model)
    seen = [attempt(word) for word in product("xy", repeat=3)]
    failing = [e for e in seen if oracle.judge(e).verdict is Verdict.FAIL]
    if not failing:
        return
    ground = OracleGround(oracle, Judgement(test="", verdict=Verdict.FAIL), lambda _: ())
    trials = Trials(attempt, ground, steps=5_000, deadline=Deadline(None))
    evidence = SystemEvidence(model, FAULTS, failing, executions(seen))
    diagnosis = diagnosis_of(evidence, trials)
    assert diagnosis is not None
    # A system of the fault domain has an explanation: no more faults than it has, and no more states.
    assert diagnosis.is_confirmed
    assert len(diagnosis.faults) <= number
    assert equivalent(applied(model, diagnosis.fields()["changes"]), system)
    found = closest_suspect(model, evidence.seen().kept)
    assert found is not None
    assert len(found.faults) <= number
    for word in product("xy", repeat=2 * states):  # longer than any word that tells such machines apart needs to be
        evidence.trials.append(attempt(word))
    machine_found = closest_suspect(model, evidence.seen().kept)
    assert machine_found is not None
    assert equivalent(machine_found.make(), system)
    everything = diagnosis_of(evidence, None)
    if len(diagnosis.faults) == 1:
        assert diagnosis.explanations[0] in everything.explanations
    assert len(everything.faults) == len(diagnosis.faults)


def with_a_copy(dice: random.Random, model: Fsm) -> Fsm:
    """One transition leads to a copy of its target, in which one transition is wrong."""
    entry = dice.choice(model.transitions)
    copied = [t._replace(source="copy") for t in model.transitions if t.source == entry.target]
    wrong = dice.randrange(len(copied))
    copied[wrong] = copied[wrong]._replace(output=dice.choice("ab"), target=dice.choice(model.states))
    others = [t for t in model.transitions if t != entry]
    return Fsm(name="f", initial="s0", states=(*model.states, "copy"), inputs=model.inputs, outputs=model.outputs,
               transitions=(*others, entry._replace(target="copy"), *copied))  # fmt: skip


@pytest.mark.parametrize("extra", [0, 1])
def test_a_cause_is_not_confirmed_of_a_system_with_another_state(extra):
    """Whatever number of states the run was for: a suspect that a hidden state only resembles is refuted."""
    confirmed = 0
    for seed in range(40):
        dice = random.Random(seed)
        model = machine(dice, 3)
        system = with_a_copy(dice, model)
        attempt, oracle = answering(system), oracle_for(model)
        seen = [attempt(word) for word in product("xy", repeat=3)]
        failing = [e for e in seen if oracle.judge(e).verdict is Verdict.FAIL]
        if not failing:
            continue
        ground = OracleGround(oracle, Judgement(test="", verdict=Verdict.FAIL), lambda _: ())
        trials = Trials(attempt, ground, steps=1_000, deadline=Deadline(None))
        faults = FaultsToTry(relation=Relation.EQUIVALENCE, extra_states=extra)
        diagnosis = diagnosis_of(SystemEvidence(model, faults, failing, executions(seen)), trials)
        assert diagnosis is not None
        if diagnosis.is_confirmed:
            assert equivalent(applied(model, diagnosis.fields()["changes"]), system), seed
            confirmed += 1
    assert confirmed >= 10


def test_a_cause_is_not_confirmed_by_tests_that_end_early():
    """What a system would have answered after it crashed is not known."""
    model = machine(random.Random(5), 4)
    system = with_faults(random.Random(3), model, 1)
    whole, oracle = answering(system), oracle_for(model)
    seen = [whole(word) for word in product("xy", repeat=5)]
    failing = [e for e in seen if oracle.judge(e).verdict is Verdict.FAIL]

    def crashing(word) -> Execution:
        return whole(word[:3])._replace(test=Test(inputs=tuple(word)), error="ValueError: x" if word[3:] else None)

    ground = OracleGround(oracle, Judgement(test="", verdict=Verdict.FAIL), lambda _: ())
    for attempt, is_confirmed in ((whole, True), (crashing, False)):
        trials = Trials(attempt, ground, steps=1_000, deadline=Deadline(None))
        diagnosis = diagnosis_of(SystemEvidence(model, FAULTS, failing, executions(seen)), trials)
        assert diagnosis is not None
        assert diagnosis.explanations
        assert diagnosis.is_confirmed is is_confirmed


def test_a_single_fault_that_one_more_test_refutes_is_not_said():
    """The run has not seen what tells two faults from one; the system has."""
    dice = random.Random(5)
    model, refuted = machine(dice, 4), 0
    for seed in range(40):
        system = with_faults(random.Random(seed), model, 2)
        attempt, oracle = answering(system), oracle_for(model)
        seen = [attempt(word) for word in product("xy", repeat=3)]
        failing = [e for e in seen if oracle.judge(e).verdict is Verdict.FAIL]
        if not failing:
            continue
        before = diagnosis_of(SystemEvidence(model, FAULTS, failing, executions(seen)), None)
        ground = OracleGround(oracle, Judgement(test="", verdict=Verdict.FAIL), lambda _: ())
        trials = Trials(attempt, ground, steps=5_000, deadline=Deadline(None))
        after = diagnosis_of(SystemEvidence(model, FAULTS, failing, executions(seen)), trials)
        assert after.is_confirmed
        assert f"confirmed by {after.further:,} further test" in after.sentence()
        refuted += bool(before.explanations) and not set(after.explanations) & set(before.explanations)
    assert refuted >= 3


@given(st.integers(0, 10**6), st.integers(1, 2))
def test_the_closest_machine_changes_as_few_transitions_as_can_be(seed, number):
    dice = random.Random(seed)
    model = machine(dice, 2)
    system = with_faults(dice, model, number)
    table = {(t.source, t.input): (t.output, t.target) for t in model.transitions}
    seen = [answering(system)(word) for word in product("xy", repeat=3)]
    observations = [[(step.input, step.output) for step in e.steps] for e in seen]
    if all(_answers(table, observation) for observation in observations):
        return
    found = closest_machine("s0", table, observations)
    assert found is not None
    cells = sorted(table)
    answers = [*product("ab", model.states)]
    tables = (dict(zip(cells, choice, strict=True)) for choice in product(answers, repeat=len(cells)))
    fitting = (other for other in tables if all(_answers(other, observation) for observation in observations))
    assert not found.extra
    assert len(found.changed) == min(sum(other[cell] != table[cell] for cell in cells) for other in fitting)


def _answers(table, observation) -> bool:
    state = "s0"
    for symbol, seen in observation:
        output, state = table[state, symbol]
        if output != seen:
            return False
    return True


def test_a_run_and_its_journal_have_the_same_diagnosis(tmp_path, monkeypatch):
    """Although the run keeps few executions in memory, it reads all of them, as judge does."""
    monkeypatch.setattr(rows, "TRACES_KEPT", 2)
    monkeypatch.setattr(rows, "FAILURES_KEPT", 1)
    dice = random.Random(7)
    model = machine(dice, 4)
    for name, one in (("model", model), ("system", with_faults(dice, model, 2))):
        (tmp_path / f"{name}.json").write_text("".join(json_lines(one)))
    journal = tmp_path / "run.sqlite"
    request = RunRequest(
        sut=f"model:{tmp_path / 'system.json'}",
        suite=SuiteRequest(method="w", extra_states=1),
        shrink_failures=0,
        journal=journal,
    )
    ran = run_suite(tmp_path / "model.json", request, progress=unheard).record
    judged = judge_journal(journal, JudgeRequest(), progress=unheard).record
    assert ran.diagnosis == judged.diagnosis
    assert ran.diagnosis.explanations
    assert ran.diagnosis.observations == ran.result.resets > 3
    assert [group.title for group in ran.groups] == [group.title for group in judged.groups]


@pytest.mark.parametrize("number", [1, 2])
def test_a_machine_of_one_state_may_be_wrong_in_every_transition(number):
    table = {("s0", "x"): ("a", "s0"), ("s0", "y"): ("b", "s0")}
    seen = [[("x", "c")], [("y", "c" if number == 2 else "b")]]
    found = closest_machine("s0", table, seen)
    assert found is not None
    assert len(found.changed) == number


@pytest.mark.parametrize("target", ["s0", "s1"])
def test_an_output_that_only_the_system_has_is_a_cause_of_a_nondeterministic_model(target, tmp_path):
    """With the right target, or with another one."""
    transitions = (
        FsmTransition("s0", "x", "a", "s1"),
        FsmTransition("s0", "x", "b", "s1"),
        FsmTransition("s1", "x", "a", "s0"),
        FsmTransition("s0", "y", "a", "s0"),
        FsmTransition("s1", "y", "b", "s1"),
    )
    model = Fsm(name="m", initial="s0", states=("s0", "s1"), inputs=("x", "y"), outputs=("a", "b"),
                transitions=transitions)  # fmt: skip
    wrong = transitions[2]._replace(output="other", target=target)
    system = Fsm(name="f", initial="s0", states=model.states, inputs=model.inputs, outputs=("a", "b", "other"),
                 transitions=(transitions[0], wrong, *transitions[3:]))  # fmt: skip
    for name, one in (("model", model), ("system", system)):
        (tmp_path / f"{name}.json").write_text("".join(json_lines(one)))
    request = RunRequest(sut=f"model:{tmp_path / 'system.json'}", suite=SuiteRequest(relation=Relation.REDUCTION))
    diagnosis = run_suite(tmp_path / "model.json", request, progress=unheard).record.diagnosis
    more = "" if target == "s0" else ", and target s1"
    assert diagnosis.explanations == (f"output other instead of a on s1 --x/a--> s0{more}",)


def test_a_machine_that_was_not_confirmed_is_said_to_be_one_of_several():
    dice = random.Random(5)
    model = machine(dice, 4)
    for seed in range(40):
        attempt, oracle = answering(with_faults(random.Random(seed), model, 3)), oracle_for(model)
        seen = [attempt(word) for word in product("xy", repeat=4)]
        failing = [e for e in seen if oracle.judge(e).verdict is Verdict.FAIL]
        found = diagnosis_of(SystemEvidence(model, FAULTS, failing, executions(seen)), None) if failing else None
        if found is not None and len(found.faults) > 1:
            break
    assert found.sentence().startswith("no single fault explains this; with the fewest changes it behaves like")
    assert found.sentence().endswith("consistent with 16 tests")
