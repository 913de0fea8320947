"""Causes: what is confirmed is what the system is, and what a further test refutes is never said."""

import random
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

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
from fullproof.pipeline import causes, rows
from fullproof.pipeline.causes import SystemEvidence, diagnosis_of
from fullproof.pipeline.diagnosis import SeenExecutions
from fullproof.pipeline.judgement import judge_journal
from fullproof.pipeline.live_trials import OracleGround
from fullproof.pipeline.runs import run_suite

FAULTS = FaultsToTry(relation=Relation.EQUIVALENCE)


def executions(seen: list[Execution]) -> SeenExecutions:
    return SeenExecutions(len(seen), seen)


def machine(dice: random.Random, states: int) -> Fsm:
    names = [f"s{k}" for k in range(states)]
    cells = product(names, ("x", "y"))
    transitions = tuple(FsmTransition(s, x, dice.choice("ab"), dice.choice(names)) for s, x in cells)
    return Fsm(name="m", initial="s0", states=tuple(names), inputs=("x", "y"), outputs=("a", "b"),
               transitions=transitions)  # fmt: skip


def with_faults(dice: random.Random, model: Fsm, number: int) -> Fsm:
    changed = list(model.transitions)
    for place in dice.sample(range(len(changed)), number):
        t = changed[place]
        wrong = {"a": "b", "b": "a"}[t.output]
        changed[place] = dice.choice([t._replace(output=wrong), t._replace(target=dice.choice(model.states))])
    return Fsm(name="f", initial="s0", states=model.states, inputs=model.inputs, outputs=model.outputs,
               transitions=tuple(changed))  # fmt: skip


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


def partial_machine(dice: random.Random, states: int) -> Fsm:
    whole = machine(dice, states)
    kept = tuple(t for k, t in enumerate(whole.transitions) if k == 0 or dice.random() > 0.3)
    return Fsm(name="m", initial="s0", states=whole.states, inputs=whole.inputs, outputs=whole.outputs,
               transitions=kept)  # fmt: skip


def run_against(model: Fsm, system: Fsm, place, monkeypatch, *, offers: bool):
    """What a run says of a system, and the machine that its cause stands for."""
    for name, one in (("model", model), ("system", system)):
        (place / f"{name}.json").write_text("".join(json_lines(one)))
    source = """
import json, pathlib
rows = json.loads((pathlib.Path(__file__).parent / "system.json").read_text())
class System:
    def reset(self): self.state = "s0"
    def _cells(self): return {t["when"]: t for t in rows["states"][self.state]}
    def step(self, symbol):
        found = self._cells().get(symbol, {"then": "nothing", "to": self.state})
        self.state = found["to"]
        return found["then"]
"""
    (place / "system.py").write_text(source + ("    def enabled(self): return set(self._cells())\n" if offers else ""))
    said = []
    changes = causes._changes
    with monkeypatch.context() as patched:
        patched.setattr(causes, "_changes", lambda m, first: said.append(first) or changes(m, first))
        record = run_suite(place / "model.json",
                           RunRequest(sut=f"python:{place / 'system.py'}:System", isolate=False),
                           progress=unheard).record  # fmt: skip
    return record.diagnosis, said[0].make() if said and said[0] else None


def same_walks(one: Fsm, other: Fsm, length: int) -> bool:
    """Whether two machines answer alike as far as both are defined."""
    tables = [{t[:2]: t for t in m.transitions} for m in (one, other)]
    for word in product("xy", repeat=length):
        here = [one.initial, other.initial]
        for symbol in word:
            left, right = (table.get((state, symbol)) for table, state in zip(tables, here, strict=True))
            if left is None or right is None:
                break
            if left.output != right.output:
                return False
            here = [left.target, right.target]
    return True


@pytest.mark.parametrize("offers", [True, False])
def test_a_cause_of_a_partial_machine_is_what_the_system_is(offers, tmp_path, monkeypatch):
    """An input that is undefined in a machine with a fault, where anything may follow, explains nothing."""
    said, confirmed = 0, 0
    for seed in range(30):
        dice = random.Random(seed)
        model = partial_machine(dice, 3)
        system = with_faults(dice, model, 1)
        diagnosis, found = run_against(model, system, tmp_path, monkeypatch, offers=offers)
        if diagnosis is None or found is None:
            continue
        said += 1
        assert "missing" not in diagnosis.sentence()
        if diagnosis.is_confirmed:
            assert same_walks(found, system, 8), (seed, diagnosis.sentence())
            confirmed += 1
    assert said >= 10
    assert confirmed >= (8 if offers else 0)  # nothing says what a black box takes behind its failure


def test_an_input_that_is_not_offered_is_the_cause(tmp_path, monkeypatch):
    model = machine(random.Random(3), 3)
    lost = next(t for t in model.transitions if t.source == "s0")
    system = Fsm(name="f", initial="s0", states=model.states, inputs=model.inputs, outputs=model.outputs,
                 transitions=tuple(t for t in model.transitions if t != lost))  # fmt: skip
    diagnosis, _ = run_against(partial_of(model), system, tmp_path, monkeypatch, offers=True)
    assert diagnosis.explanations[0] == f"{lost.input} missing in s0"


def partial_of(model: Fsm) -> Fsm:
    """The model without a transition that the way to the fault does not need."""
    left_out = next(t for t in reversed(model.transitions) if t.source != "s0")
    return Fsm(name="m", initial="s0", states=model.states, inputs=model.inputs, outputs=model.outputs,
               transitions=tuple(t for t in model.transitions if t != left_out))  # fmt: skip


@pytest.mark.parametrize("number", [1, 2])
def test_a_machine_of_one_state_may_be_wrong_in_every_transition(number):
    table = {("s0", "x"): ("a", "s0"), ("s0", "y"): ("b", "s0")}
    seen = [[("x", "c")], [("y", "c" if number == 2 else "b")]]
    found = closest_machine("s0", table, seen)
    assert found is not None
    assert len(found.changed) == number


def test_an_output_that_only_the_system_has_is_a_cause_of_a_nondeterministic_model(tmp_path, monkeypatch):
    transitions = (
        FsmTransition("s0", "x", "a", "s1"),
        FsmTransition("s0", "x", "b", "s1"),
        FsmTransition("s1", "x", "a", "s0"),
        *(FsmTransition(s, "y", "a", s) for s in ("s0", "s1")),
    )
    model = Fsm(name="m", initial="s0", states=("s0", "s1"), inputs=("x", "y"), outputs=("a", "b"),
                transitions=transitions)  # fmt: skip
    system = Fsm(name="f", initial="s0", states=model.states, inputs=model.inputs, outputs=("a", "other"),
                 transitions=(transitions[0], transitions[2]._replace(output="other"), *transitions[3:]))  # fmt: skip
    for name, one in (("model", model), ("system", system)):
        (tmp_path / f"{name}.json").write_text("".join(json_lines(one)))
    request = RunRequest(sut=f"model:{tmp_path / 'system.json'}", suite=SuiteRequest(relation=Relation.REDUCTION))
    diagnosis = run_suite(tmp_path / "model.json", request, progress=unheard).record.diagnosis
    assert diagnosis.explanations[0] == "output other instead of a on s1 --x/a--> s0"


READER = """
machine: fsm
initial: idle
states:
  idle: [{when: card, then: ok, to: in}, {when: card, then: bad, to: idle}]
  in: [{when: pin, then: right, to: open}, {when: pin, then: wrong, to: in}, {when: eject, then: out, to: idle}]
  open: [{when: eject, then: out, to: idle}, {when: pay, then: paid, to: idle}]
"""
READER_SYSTEM = """
class System:
    table = {
        "idle": {"card": ("ok", "in")},
        "in": {"pin": ("right", "open"), "eject": ("out", "idle"), "pay": ("paid", "idle")},
        "open": {"eject": ("out", "idle"), "pay": ("paid", "idle")},
    }
    def reset(self): self.state = "idle"
    def step(self, symbol):
        output, self.state = self.table[self.state][symbol]
        return output
    def enabled(self): return set(self.table[self.state])
"""


def test_an_input_that_must_not_be_offered_is_the_cause_whatever_it_does(tmp_path):
    """Further tests take it, since the system offers it; the model does not say what it should answer then."""
    (tmp_path / "reader.yaml").write_text(READER)
    (tmp_path / "reader.py").write_text(READER_SYSTEM)
    suite = SuiteRequest(relation=Relation.STRONG_REDUCTION)
    request = RunRequest(sut=f"python:{tmp_path / 'reader.py'}:System", suite=suite, isolate=False)
    diagnosis = run_suite(tmp_path / "reader.yaml", request, progress=unheard).record.diagnosis
    assert diagnosis.explanations == ("pay offered in in",)


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
