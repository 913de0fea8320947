"""Fault domains by name against their definition: all machines of the domain, one by one."""

import math
import random

import pytest
from tests.oracles.members import count, members

from fullproof.certify.answers import Complete, Incomplete
from fullproof.certify.exact import Survivor, passes
from fullproof.certify.machine import difference, tabulate
from fullproof.certify.mutation_machine import MutationMachine, mutation_machine, size_text
from fullproof.certify.named_check import certify_named
from fullproof.certify.named_suite import named_suite
from fullproof.certify.single_faults import enough_of
from fullproof.certify.submachines import SubmachineOracle
from fullproof.certify.tree import plant
from fullproof.certify.verified_walk import verified_walks
from fullproof.core.budget import Budget
from fullproof.core.errors import UserError
from fullproof.model.fsm import Fsm, FsmTransition
from fullproof.model.named_faults import OF_TIMERS, Alternative, FaultName, NamedFaults

MOST = 5_000
"""Machines of a domain that are enumerated."""


def machine(dice: random.Random) -> Fsm:
    states = [f"s{k}" for k in range(dice.randint(1, 4))]
    inputs = [f"i{k}" for k in range(dice.randint(1, 3))]
    outputs = [f"o{k}" for k in range(dice.randint(1, 2))]
    cells = [(s, i) for s in states for i in inputs]
    transitions = tuple(FsmTransition(s, i, dice.choice(outputs), dice.choice(states)) for s, i in cells)
    return Fsm(
        name="m",
        initial="s0",
        states=tuple(states),
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        transitions=transitions,
    )


def faults(dice: random.Random, fsm: Fsm) -> NamedFaults:
    listed = Alternative(
        source=dice.choice(fsm.states),
        input=dice.choice(fsm.inputs),
        targets=tuple(dice.sample(fsm.states, dice.randint(0, len(fsm.states)))),
        outputs=tuple(dice.sample(fsm.outputs, 1)),
    )
    return NamedFaults(
        names=tuple(dice.sample([name for name in FaultName if name not in OF_TIMERS], dice.randint(1, 3))),
        states=tuple(dice.sample(fsm.states, dice.randint(0, len(fsm.states)))),
        inputs=tuple(dice.sample(fsm.inputs, dice.randint(0, len(fsm.inputs)))),
        alternatives=(listed,) if dice.random() < 0.3 else (),
        at_most=dice.choice([None, None, 0, 1, 2]),
    )


def small_domains(seed: int, wanted: int):
    dice = random.Random(seed)
    while wanted:
        fsm = machine(dice)
        named = faults(dice, fsm)
        domain = mutation_machine(fsm, named, extra=dice.choice([0, 0, 0, 1]))
        if count(domain) <= MOST:
            wanted -= 1
            yield dice, fsm, named, domain


def wrong_members(domain: MutationMachine):
    model = domain.model
    return [one for one in members(domain) if difference(model, one) is not None]


def test_a_suite_is_refuted_exactly_where_a_member_survives():
    answers = set()
    for dice, _, _, domain in small_domains(1, 60):
        oracle, wrong = SubmachineOracle(domain), wrong_members(domain)
        for _ in range(4):
            words = {tuple(dice.randrange(domain.model.inputs) for _ in range(dice.randint(1, 5))) for _ in range(4)}
            tree = plant(oracle.model, words)
            survives = any(passes(one, tree) for one in wrong)
            answer = oracle.ask(sorted(words), effort=Budget(None))
            assert isinstance(answer, Survivor) == survives
            answers.add(survives)
    assert answers == {True, False}


def test_no_member_survives_a_generated_suite_and_every_input_of_it_is_needed():
    shortened = 0
    for _, fsm, named, domain in small_domains(2, 12):
        words = named_suite(domain).words
        tree = plant(domain.model, words)
        assert not any(passes(one, tree) for one in wrong_members(domain))
        texts = [tuple(fsm.inputs[i] for i in word) for word in words]
        check = {"extra_states": domain.extra, "timeout": 60}
        assert isinstance(certify_named(fsm, texts, named, **check), Complete)
        for word in texts:
            damaged = [*(other for other in texts if other != word), word[:-1]]
            answer = certify_named(fsm, damaged, named, **check)
            assert isinstance(answer, Incomplete)
            survivor = tabulate(answer.survivor)
            assert passes(survivor, plant(domain.model, [[fsm.inputs.index(i) for i in w] for w in damaged]))
            assert difference(domain.model, survivor) is not None
            shortened += 1
    assert shortened


def test_the_size_of_a_domain_is_the_number_of_its_members():
    for _, _, _, domain in small_domains(3, 40):
        if not domain.extra:
            assert math.isclose(domain.size(), math.log10(sum(1 for _ in members(domain))), abs_tol=1e-9)
    assert size_text(0) == "1 machine"
    assert size_text(math.log10(2500)) == "2,500 machines"
    assert size_text(232.6) == "about 10^233 machines"


TURNSTILE = Fsm(
    name="t",
    initial="locked",
    states=("open", "locked"),
    inputs=("coin", "push"),
    outputs=("unlock", "thanks", "beep", "lock"),
    transitions=(
        FsmTransition("locked", "coin", "unlock", "open"),
        FsmTransition("locked", "push", "beep", "locked"),
        FsmTransition("open", "coin", "thanks", "open"),
        FsmTransition("open", "push", "lock", "locked"),
    ),
)


def choices(*names: FaultName, state: int = 0, symbol: int = 0, **options):
    return mutation_machine(TURNSTILE, NamedFaults(names=names, **options), extra=0).choices_of(state, symbol)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (FaultName.TRANSFER, {0: {0}, 1: {0}}),
        (FaultName.OUTPUT, {1: {0, 1, 2, 3, 4}}),
        (FaultName.STUCK, {1: {0}, 0: {0}}),
        (FaultName.MISSING, {1: {0}, 0: {1, 2, 4}}),  # outputs of self-loops, and another one
        (FaultName.SWAPPED, {1: {0}, 0: {2}}),
    ],
)
def test_what_names_mean(name, expected):
    """State 0 is the initial one, locked; outputs are numbered as they are listed, and 4 is none of them."""
    assert choices(name) == expected


def test_trusted_states_and_inputs_have_no_faults():
    assert choices(FaultName.TRANSFER, states=("open",)) == {1: {0}}
    assert choices(FaultName.TRANSFER, inputs=("push",)) == {1: {0}}
    assert choices(FaultName.TRANSFER, transitions=(("locked", "push"),)) == {1: {0}}


def test_any_target_and_any_output_are_all_machines():
    both = (FaultName.TRANSFER, FaultName.OUTPUT)
    assert mutation_machine(TURNSTILE, NamedFaults(names=both), extra=0).is_everything
    assert mutation_machine(TURNSTILE, NamedFaults(names=both), extra=1).is_everything
    for less in (
        NamedFaults(names=both[:1]),
        NamedFaults(names=both, at_most=1),
        NamedFaults(names=both, inputs=("push",)),
    ):
        assert not mutation_machine(TURNSTILE, less, extra=0).is_everything


def test_unknown_names_are_refused():
    with pytest.raises(UserError, match="unknown state 'opne'; did you mean 'open'"):
        choices(FaultName.STUCK, states=("opne",))


def test_walks_that_verify_each_transition_are_complete():
    made = 0
    for _, _, _, domain in small_domains(5, 60):
        words = verified_walks(domain, reset_cost=1.0, seed=0, care=20, effort=Budget(200_000))
        if words is not None:
            made += 1
            tree = plant(domain.model, words)
            assert not any(passes(one, tree) for one in wrong_members(domain))
    assert made >= 20


def test_trying_all_single_faults_keeps_what_catches_them_and_sees_what_survives():
    answers = set()
    for dice, _, _, domain in small_domains(6, 150):
        if domain.extra or domain.at_most != 1:
            continue
        symbols = range(domain.model.inputs)
        words = [tuple(dice.choices(symbols, k=dice.randint(1, 8))) for _ in range(dice.randint(1, 4))]
        shorter, complete = enough_of(domain, words)
        wrong = wrong_members(domain)
        before = [passes(one, plant(domain.model, words)) for one in wrong]
        assert [passes(one, plant(domain.model, shorter)) for one in wrong] == before
        assert complete == (not any(before))
        answers.add(complete)
    assert answers == {True, False}
