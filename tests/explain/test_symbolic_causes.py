"""Causes of symbolic machines: what is confirmed is equivalent to the fault that the system has, always."""

import dataclasses
import random
from pathlib import Path

import pytest

from fullproof.artefacts.execution import Columns, Execution
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.suite import Test
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.core.deadline import Deadline
from fullproof.core.errors import NOWHERE, UserError
from fullproof.explain.trials import Trials
from fullproof.formats import read_model_text
from fullproof.kinds import kind_of, oracle_for
from fullproof.kinds.comparison import Asked
from fullproof.kinds.sfsm.probes import probes_of
from fullproof.kinds.suspects import FaultsToTry, ProbesAsked
from fullproof.model import Sfsm
from fullproof.pipeline import causes
from fullproof.pipeline.causes import SystemEvidence, diagnosis_of
from fullproof.pipeline.diagnosis import SeenExecutions
from fullproof.pipeline.live_trials import OracleGround

FAULTS = FaultsToTry(relation=Relation.EQUIVALENCE)
HIGH = 12


def machine(rules) -> Sfsm:
    """Of each state the limits between its guards, and an output and a target for each part."""
    states = []
    for name, (limits, reactions) in rules.items():
        states.append(f"  {name}:")
        for low, high, (output, target) in zip((0, *limits), (*limits, HIGH + 1), reactions, strict=True):
            guard = f"x < {high}" if low == 0 else f"x >= {low}" if high > HIGH else f"x >= {low} and x < {high}"
            states.append(f"    - {{when: '{guard}', then: y == {output}, to: {target}}}")
    text = "\n".join([
        "machine: sfsm", "name: m", f"inputs: {{x: int 0..{HIGH}}}", "outputs: {y: int 0..3}", "initial: s0", "states:",
        *states,
    ])  # fmt: skip
    return read_model_text(text, Path("m.yaml"))


def random_rules(dice: random.Random):
    names = [f"s{k}" for k in range(dice.randint(1, 3))]
    rules = {}
    for name in names:
        limits = tuple(sorted(dice.sample(range(2, HIGH - 1, 2), dice.randint(1, 2))))
        rules[name] = limits, [(dice.randint(0, 3), dice.choice(names)) for _ in range(len(limits) + 1)]
    return rules


def with_fault(dice: random.Random, rules, shift: int):
    name = dice.choice([*rules])
    limits, reactions = rules[name][0], list(rules[name][1])
    match dice.choice(["guard", "output", "target"]):
        case "guard":
            place = dice.randrange(len(limits))
            moved = limits[place] + dice.choice([-shift, shift])
            limits = (*limits[:place], moved, *limits[place + 1 :])
            if list(limits) != sorted(set(limits)) or not 0 < moved <= HIGH:
                return None
        case "output":
            place = dice.randrange(len(reactions))
            reactions[place] = ((reactions[place][0] + dice.randint(1, 3)) % 4, reactions[place][1])
        case _:
            place = dice.randrange(len(reactions))
            reactions[place] = (reactions[place][0], dice.choice([*rules]))
    return {**rules, name: (limits, reactions)}


def answering(rules):
    def attempt(word) -> Execution:
        state, outputs = "s0", []
        for given in word:
            limits, reactions = rules[state]
            output, state = reactions[sum(given["x"] >= limit for limit in limits)]
            outputs.append({"y": output})
        return Execution(Test(inputs=tuple(word)), Columns(tuple(word), outputs))

    return attempt


def diagnosed(rules, faulty, monkeypatch, steps: int = 3_000, extra: int = 0):
    """The diagnosis of a faulty machine, and the machine that it says, or None where no test fails."""
    model, attempt = machine(rules), answering(faulty)
    oracle = oracle_for(model)
    suite = kind_of(model).suite(model, SuiteRequest(extra_states=extra), "", NOWHERE)
    seen = [attempt(test.inputs) for test in suite.tests()]
    failing = [e for e in seen if oracle.judge(e).verdict is Verdict.FAIL]
    if not failing:
        return None
    said = []
    changes = causes._changes
    monkeypatch.setattr(causes, "_changes", lambda m, first: said.append(first) or changes(m, first))
    ground = OracleGround(oracle, Judgement(test="", verdict=Verdict.FAIL), lambda _: ())
    trials = Trials(attempt, ground, steps=steps, deadline=Deadline(None))
    asked = dataclasses.replace(FAULTS, extra_states=extra, domain=suite.header.domain)
    diagnosis = diagnosis_of(SystemEvidence(model, asked, failing, SeenExecutions(len(seen), seen)), trials)
    monkeypatch.setattr(causes, "_changes", changes)
    return diagnosis, None if said[0] is None else said[0].make()


def attacked(seeds, shifts, monkeypatch, *, faults=1, steps=3_000, extra=0):
    """How many systems fail, how many causes are confirmed, and which of these are wrong."""
    failing, confirmed, wrong = 0, 0, []
    for seed in seeds:
        dice = random.Random(seed)
        rules = random_rules(dice)
        faulty = rules
        for _ in range(faults):
            faulty = None if faulty is None else with_fault(dice, faulty, dice.choice(shifts))
        found = None if faulty is None else diagnosed(rules, faulty, monkeypatch, steps, extra)
        if found is None:
            continue
        diagnosis, said = found
        failing += 1
        confirmed += diagnosis.is_confirmed
        equal = said is not None and kind_of(said).compare(said, Asked(relation=Relation.EQUIVALENCE)).conforms(
            machine(faulty)
        )
        if diagnosis.is_confirmed and not equal:
            wrong.append((seed, diagnosis.sentence()))
    return failing, confirmed, wrong


@pytest.mark.parametrize(
    "seeds",
    [pytest.param([18, 22], id="outputs"), pytest.param([3, 10, 12, 16, 20, 23], id="all", marks=pytest.mark.slow)],
)
def test_a_confirmed_cause_is_the_fault_of_the_system(seeds, monkeypatch):
    failing, confirmed, wrong = attacked(seeds, [1], monkeypatch)
    assert not wrong
    assert confirmed == failing == len(seeds)


@pytest.mark.slow
def test_a_cause_outside_the_typical_faults_is_not_confirmed_wrongly(monkeypatch):
    """Of each, a machine with a typical fault behaves alike but for values far from all boundaries."""
    _, _, wrong = attacked([103, 108, 123, 133, 146], [2, 3, 4], monkeypatch)
    assert not wrong


@pytest.mark.parametrize(
    "seeds",
    [pytest.param(range(3, 5), id="some"), pytest.param(range(5, 40), id="more", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(("steps", "extra"), [(3_000, 0), (900, 1)])
def test_one_of_two_faults_is_never_confirmed(seeds, steps, extra, monkeypatch):
    failing, _, wrong = attacked(seeds, [1], monkeypatch, faults=2, steps=steps, extra=extra)
    assert failing and not wrong


@pytest.mark.parametrize("steps", [600, 3_000])
def test_extra_states_of_the_run_are_tested_with_fewer_steps(steps, monkeypatch):
    """Where one suite for all is too large, one for typical faults and one for the fault domain of the run confirm."""
    failing, confirmed, wrong = attacked([104], [1], monkeypatch, steps=steps, extra=1)
    assert (failing, confirmed, wrong) == (1, 1, [])


def asked(steps, *, domain=None):
    return ProbesAsked(extra_states=1, domain=domain, steps=steps, is_over=lambda: False)


def cost(words):
    return sum(len(word) + 1 for word in words)


def test_probes_end_with_an_error_where_the_steps_are_not_enough():
    model = machine({"s0": ((6,), [(0, "s1"), (1, "s0")]), "s1": ((6,), [(2, "s0"), (3, "s1")])})
    whole = list(probes_of(model, model, asked(10_000)))
    parts = list(probes_of(model, model, asked(cost(whole) - 1)))
    assert cost(parts) < cost(whole)
    steps = cost(parts) - 1
    for domain in (None, moved_domain(model)):
        made = []
        with pytest.raises(UserError, match="too large"):
            made.extend(probes_of(model, model, asked(steps, domain=domain)))
        steps = cost(whole) - 1  # with thresholds anywhere, no list of guards is the fault domain of the run


def moved_domain(model):
    domain = kind_of(model).suite(model, SuiteRequest(), "", NOWHERE).header.domain
    return dataclasses.replace(domain, families=("x: 1",))
