"""Fault domains by name where time or room ends: an answer without a claim, or a suite that is known to be complete."""

import functools
import itertools

import pytest
from tests.certify.test_named_faults import TURNSTILE, wrong_members

from fullproof.artefacts.request import SuiteRequest
from fullproof.certify import named_check, named_suite, pool
from fullproof.certify.answers import Complete, Open, UndecidedCompleteness
from fullproof.certify.checker import certify
from fullproof.certify.exact import Survivor, passes
from fullproof.certify.mutation_machine import mutation_machine
from fullproof.certify.named_check import certify_named
from fullproof.certify.oracle import Needed
from fullproof.certify.submachines import SubmachineOracle
from fullproof.certify.tree import plant
from fullproof.certify.watched_solver import TimeUp
from fullproof.core.budget import Budget, OutOfRoom
from fullproof.core.deadline import Deadline
from fullproof.core.errors import NOWHERE
from fullproof.generate.finite.suite import finite_suite
from fullproof.kinds.fsm.named_faults import suite_for_faults
from fullproof.model.fsm import Fsm, FsmTransition
from fullproof.model.named_faults import FaultName, NamedFaults

TRANSFER = NamedFaults(names=(FaultName.TRANSFER,))
ALL_WORDS = [word for length in (1, 2, 3) for word in itertools.product(range(2), repeat=length)]


def ring(states: int) -> Fsm:
    names = tuple(f"s{k}" for k in range(states))
    return Fsm(
        name="ring",
        initial="s0",
        states=names,
        inputs=("go", "ask"),
        outputs=("no", "yes"),
        transitions=tuple(
            transition
            for k in range(states)
            for transition in (
                FsmTransition(names[k], "go", "no", names[(k + 1) % states]),
                FsmTransition(names[k], "ask", "yes" if k == 0 else "no", names[k]),
            )
        ),
    )


def domain():
    return mutation_machine(TURNSTILE, TRANSFER, extra=0)


def texts(fsm, words):
    return [[fsm.inputs[k] for k in word] for word in words]


def test_the_encoding_looks_at_the_clock():
    with pytest.raises(TimeUp):
        SubmachineOracle(mutation_machine(ring(20), TRANSFER, extra=0), deadline=Deadline(0))


def test_a_domain_that_is_too_large_is_refused_before_it_is_encoded():
    with pytest.raises(OutOfRoom, match="fewer states, inputs or transitions"):
        SubmachineOracle(mutation_machine(ring(300), TRANSFER, extra=0), most=1_000)


def test_a_suite_that_is_too_large_for_the_solver_is_open_and_smaller_ones_are_decided_after_it():
    model = ring(5)
    named = mutation_machine(model, TRANSFER, extra=0)
    for most in itertools.count(20, 20):
        try:
            oracle = SubmachineOracle(named, most=most)
        except OutOfRoom:
            continue
        break
    budget = Budget(1_000_000)
    large = [tuple(k >> bit & 1 for bit in range(8)) for k in range(256)]
    assert isinstance(oracle.ask(large, effort=budget), Open)
    assert budget.left() < 1_000_000
    assert isinstance(oracle.ask([(1,)], effort=Budget(None)), Survivor)


def test_older_tests_make_room_for_new_ones():
    named = domain()
    for most in itertools.count(150, 5):
        try:
            oracle = SubmachineOracle(named, most=most)
        except OutOfRoom:
            continue
        if isinstance(oracle.ask(ALL_WORDS, effort=Budget(None)), Needed):
            break
    for k in range(16):
        oracle.ask([tuple(k >> bit & 1 for bit in range(4))], effort=Budget(None))
    assert isinstance(oracle.ask(ALL_WORDS, effort=Budget(None)), Needed)


def test_without_time_a_suite_from_nothing_has_no_claim():
    made = named_suite.named_suite(domain(), clock=Deadline(0))
    assert "clock" in made.undecided
    large = mutation_machine(ring(20), TRANSFER, extra=0)
    assert "clock" in named_suite.named_suite(large, clock=Deadline(0)).undecided


def test_without_room_a_suite_from_nothing_is_refused_and_a_known_one_stays(monkeypatch):
    monkeypatch.setattr(named_suite, "SubmachineOracle", functools.partial(SubmachineOracle, most=1))
    with pytest.raises(OutOfRoom):
        named_suite.named_suite(mutation_machine(TURNSTILE, TRANSFER, extra=1))
    longest = [word for word in ALL_WORDS if len(word) == 3]
    made = named_suite.named_suite(domain(), longest)
    assert not made.undecided
    assert "was not trimmed" in made.note
    assert not any(passes(one, plant(domain().model, made.words)) for one in wrong_members(domain()))


def test_a_full_pool_ends_the_search_without_a_claim(monkeypatch):
    monkeypatch.setattr(pool, "_ENTRIES", 1)
    made = named_suite.named_suite(mutation_machine(ring(3), TRANSFER, extra=1))
    assert "no room" in made.undecided


def test_a_suite_that_was_not_trimmed_cites_the_method_that_made_it():
    model = ring(20)
    made = suite_for_faults(model, SuiteRequest(timeout=0), TRANSFER, "", NOWHERE)
    theorem = made.header.guarantee.theorem
    assert not made.undecided
    assert theorem is not None
    assert "all machines with as many states" in theorem.name
    assert "was not trimmed" in str(made.notes[0])
    words = [word.tolist() for piece in made.words.chunks() for word in piece]
    assert isinstance(certify(model, texts(model, words), extra_states=0), Complete)


def test_no_further_method_is_tried_when_the_time_is_up():
    slow, fast = (finite_suite(TURNSTILE, SuiteRequest(), extra_states=1, clock=clock) for clock in (None, Deadline(0)))
    assert slow.notes[-1].count(",") > 0
    assert fast.notes[-1].count(",") == 0


def test_a_suite_for_all_machines_is_complete_for_a_domain_that_is_too_large(monkeypatch):
    monkeypatch.setattr(named_check, "SubmachineOracle", functools.partial(SubmachineOracle, most=1))
    found = finite_suite(TURNSTILE, SuiteRequest(), extra_states=0)
    words = texts(TURNSTILE, [word.tolist() for piece in found.words.chunks() for word in piece])
    answer = certify_named(TURNSTILE, words, TRANSFER, extra_states=0, timeout=60)
    assert isinstance(answer, Complete)
    assert "all machines with at most 2 states" in answer.reason
    answer = certify_named(TURNSTILE, words[:0], TRANSFER, extra_states=0, timeout=60)
    assert isinstance(answer, UndecidedCompleteness)
    assert "clauses" in answer.reason


def test_without_time_a_suite_for_a_single_fault_in_a_large_model_stays_as_it_was():
    single = NamedFaults(names=(FaultName.TRANSFER,), at_most=1)
    model = mutation_machine(ring(61), single, extra=0)
    made = named_suite.named_suite(model, [(0, 1), (0,)], clock=Deadline(0))
    assert made.words == ((0, 1),)
    assert "was not trimmed" in made.note


def test_walks_that_were_not_trimmed_do_not_cite_the_method_of_another_suite(monkeypatch):
    monkeypatch.setattr(named_suite, "SubmachineOracle", functools.partial(SubmachineOracle, most=1))
    output = NamedFaults(names=(FaultName.OUTPUT,))
    made = suite_for_faults(ring(5), SuiteRequest(), output, "", NOWHERE)
    assert "was not trimmed" in str(made.notes[0])
    assert made.header.guarantee.theorem.name.startswith("no machine of the domain survives")
    words = [word.tolist() for piece in made.words.chunks() for word in piece]
    named = mutation_machine(ring(5), output, extra=0)
    assert not any(passes(one, plant(named.model, words)) for one in wrong_members(named))
