"""Shrinking: cheaper, still complete by another search, irredundant, and safe to interrupt."""

import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers
from tests.certify.test_certify import named, read_or_skip, table_of
from tests.oracles.survivors import find_survivor
from tests.shared import needs_shared_models
from tests.strategies.suites import cases, fsm_of, hsi_suite, machine_of, minimal_models

from fullproof.certify import workshop
from fullproof.certify.answers import Open
from fullproof.certify.exact import Survivor
from fullproof.certify.faults import simple_faults
from fullproof.certify.machine import difference, respond
from fullproof.certify.oracle import Confused, Needed, SurvivorOracle
from fullproof.certify.pool import NEVER, MachinePool
from fullproof.certify.shrink import Ended, ShrinkLimits, shrink, shrink_beside
from fullproof.certify.suite_in_work import SuiteInWork
from fullproof.certify.tree import maximal
from fullproof.core.budget import Budget
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError


def numbers(fsm, words):
    return [tuple(fsm.inputs.index(symbol) for symbol in word) for word in words]


@pytest.fixture(autouse=True)
def _less_patience(monkeypatch):
    monkeypatch.setattr(workshop, "_PATIENCE", 15)


@settings(max_examples=25)
@given(case=cases(max_states=4, max_inputs=3))
def test_results_are_complete_irredundant_and_not_dearer(case):
    fsm = fsm_of(case.model)
    bound = case.model.states + case.extra
    result = shrink(fsm, named(fsm, case.words), extra_states=case.extra, limits=ShrinkLimits(steps=30_000_000))
    found = numbers(fsm, result.words)
    before = maximal(case.words)
    assert result.before == len(before) + sum(map(len, before))
    assert result.after == len(found) + sum(map(len, found)) <= result.before
    if find_survivor(case.table, case.words, bound) is not None:
        assert (result.ended, found) == (Ended.REFUSED, before)
        return
    assert result.ended is Ended.STEADY
    assert result.irredundant
    assert found == maximal(found)
    assert find_survivor(case.table, found, bound) is None
    for word in found:
        less = [other for other in found if other != word] + [word[:-1]]
        assert find_survivor(case.table, less, bound) is not None


@settings(max_examples=15)
@given(case=cases(max_states=3, max_inputs=2), seed=integers(0, 99))
def test_what_is_known_costs_nothing_and_counts(case, seed):
    """The result is complete together with the known words, each of its inputs is needed beside them."""
    fsm, dice = fsm_of(case.model), Random(seed)
    bound = case.model.states + case.extra
    known = [tuple(dice.choices(range(len(fsm.inputs)), k=dice.randint(1, 7))) for _ in range(dice.randint(0, 5))]
    result = shrink_beside(
        fsm,
        named(fsm, case.words),
        named(fsm, known),
        extra_states=case.extra,
        limits=ShrinkLimits(steps=30_000_000),
    )
    found = numbers(fsm, result.words)
    if find_survivor(case.table, [*known, *case.words], bound) is not None:
        assert result.ended is Ended.REFUSED
        return
    assert result.after == len(found) + sum(map(len, found)) <= result.before
    assert find_survivor(case.table, [*known, *found], bound) is None
    assert not any(other[: len(word)] == word for word in found for other in known)
    for word in found:
        less = [other for other in found if other != word] + [word[:-1]]
        assert find_survivor(case.table, [*known, *less], bound) is not None


@settings(max_examples=10)
@given(table=minimal_models())
def test_resets_cost_what_the_user_says(table):
    fsm = fsm_of(machine_of(table))
    suite = named(fsm, hsi_suite(table, 0))
    for cost in (0.0, 2.5, 50.0):
        result = shrink(fsm, suite, extra_states=0, limits=ShrinkLimits(steps=30_000_000), reset_cost=cost)
        assert result.after == sum(map(len, result.words)) + cost * len(result.words) <= result.before
        assert find_survivor(table, numbers(fsm, result.words), table.states) is None


@needs_shared_models
def test_dear_resets_make_few_long_tests():
    fsm = read_or_skip("CoffeeMachine/coffeemachine")
    suite = named(fsm, hsi_suite(table_of(fsm), 0))
    dear, cheap = (
        shrink(fsm, suite, extra_states=0, limits=ShrinkLimits(steps=25_000_000), reset_cost=cost)
        for cost in (30.0, 0.5)
    )
    assert len(dear.words) < len(cheap.words)


def test_the_same_seed_gives_the_same_suite():
    fsm = read_or_skip("ToyModels/lee_yannakakis_distinguishable")
    suite = named(fsm, hsi_suite(table_of(fsm), 0))
    one, two = (shrink(fsm, suite, extra_states=0, limits=ShrinkLimits(), seed=3) for _ in range(2))
    assert one == two
    assert one.ended is Ended.STEADY


def test_a_budget_of_steps_gives_the_same_suite_however_fast_the_machine_is(monkeypatch):
    """The search is ended by its steps, in the middle of its work, at the same point each time."""
    fsm = read_or_skip("CoffeeMachine/coffeemachine")
    suite = named(fsm, hsi_suite(table_of(fsm), 1))
    limits = ShrinkLimits(steps=3_000_000)
    one = shrink(fsm, suite, extra_states=1, limits=limits, seed=3)
    original = SurvivorOracle.ask

    def slow(self, words, *, effort):
        time.sleep(0.002)
        return original(self, words, effort=effort)

    monkeypatch.setattr(SurvivorOracle, "ask", slow)
    two = shrink(fsm, suite, extra_states=1, limits=limits, seed=3)
    assert one == two
    assert one.ended is Ended.STEPS
    assert one.after < one.before


def test_a_clock_that_cuts_is_named():
    fsm = read_or_skip("CoffeeMachine/coffeemachine")
    suite = named(fsm, hsi_suite(table_of(fsm), 1))
    result = shrink(fsm, suite, extra_states=1, limits=ShrinkLimits(seconds=0.5))
    assert result.ended in (Ended.TIME, Ended.REFUSED)
    assert "0.5 s" in result.reason or "--timeout" in result.reason


def test_without_time_the_suite_stays_complete():
    fsm = read_or_skip("CoffeeMachine/coffeemachine")
    suite = named(fsm, hsi_suite(table_of(fsm), 1))
    for timeout in (0.0, 0.05, 0.3):
        result = shrink(fsm, suite, extra_states=1, limits=ShrinkLimits(seconds=timeout))
        assert result.after <= result.before
        assert timeout > 0 or result.ended is Ended.REFUSED
        assert isinstance(decide(fsm, result.words, 1), Needed)


def test_an_interrupted_search_keeps_what_it_has(monkeypatch):
    fsm = read_or_skip("CoffeeMachine/coffeemachine")
    suite = named(fsm, hsi_suite(table_of(fsm), 0))
    asked = 0
    original = SurvivorOracle.ask

    def interrupting(self, words, *, effort):
        nonlocal asked
        asked += 1
        if asked == 40:
            raise KeyboardInterrupt
        return original(self, words, effort=effort)

    monkeypatch.setattr(SurvivorOracle, "ask", interrupting)
    result = shrink(fsm, suite, extra_states=0, limits=ShrinkLimits())
    assert result.ended is Ended.INTERRUPTED
    assert result.after < result.before
    monkeypatch.undo()
    assert isinstance(decide(fsm, result.words, 0), Needed)


def ample():
    return Budget(10**9, Deadline(60))


def decide(fsm, words, extra):
    """By an oracle that was never asked before."""
    from fullproof.certify.machine import tabulate

    return SurvivorOracle(tabulate(fsm), [()], extra=extra).decide(numbers(fsm, words), effort=ample())


def test_undefined_inputs_choices_and_negative_costs():
    fsm = read_or_skip("ToyModels/naiks")
    from dataclasses import replace

    first = fsm.transitions[0]
    partial = replace(fsm, transitions=fsm.transitions[1:])
    result = shrink(partial, [[first.input]], extra_states=0, limits=ShrinkLimits(seconds=1))
    assert result.ended is Ended.REFUSED
    assert "partial" in result.reason
    other = next(output for output in fsm.outputs if output != first.output)
    choice = replace(fsm, transitions=(first._replace(output=other), *fsm.transitions))
    assert "nondeterministic" in shrink(choice, [[first.input]], extra_states=0, limits=ShrinkLimits()).reason
    with pytest.raises(UserError):
        shrink(fsm, [], extra_states=0, limits=ShrinkLimits(seconds=1), reset_cost=-1)


@needs_shared_models
def test_the_openssl_server_costs_at_most_195():
    fsm = read_or_skip("TLS/OpenSSL_1.0.2_server_regular")
    result = shrink(fsm, named(fsm, hsi_suite(table_of(fsm), 0)), extra_states=0, limits=ShrinkLimits())
    assert result.after <= 195
    assert result.irredundant


@settings(max_examples=40)
@given(case=cases(max_states=4, max_inputs=3))
def test_one_oracle_answers_many_suites_as_fresh_ones_do(case):
    model, bound = case.model, case.model.states + case.extra
    pins = [()]
    labels = {0}
    for word in sorted({w[:k] for w in hsi_suite(case.table, 0) for k in range(len(w) + 1)}, key=len):
        state = 0
        for symbol in word:
            state = model.target[state][symbol]
        if state not in labels:
            labels.add(state)
            pins.append(word)
    oracle = SurvivorOracle(model, pins, extra=case.extra)
    full = hsi_suite(case.table, case.extra)
    for words in (case.words, full, case.words[::2], case.words):
        answer = oracle.decide(words, effort=ample())
        assert isinstance(answer, Survivor) == (find_survivor(case.table, words, bound) is not None)
        if isinstance(answer, Needed):
            assert answer.words <= set(words) | {()}
            assert find_survivor(case.table, sorted(answer.words), bound) is None
        else:
            assert not isinstance(answer, Open | Confused)


@given(case=cases(max_states=4, max_inputs=3))
def test_pools_run_machines_as_one_would(case):
    oracle = SurvivorOracle(case.model, [()], extra=case.extra)
    pool = MachinePool(case.model, case.model.states + case.extra)
    machines = []
    for words in (case.words, case.words[:3], []):
        answer = oracle.decide(words, effort=ample())
        pool.add(case.model)
        if isinstance(answer, Survivor):
            pool.add(answer.machine)
            machines.append(answer.machine)
    assert len(pool) == len(machines)
    for machine in simple_faults(case.model, extra=case.extra, dice=Random(0), most=40):
        assert machine.states == case.model.states + case.extra
        pool.add(machine)
        if difference(case.model, machine) is not None:
            machines.append(machine)
    assert len(pool) == len(machines)
    suite = SuiteInWork(pool, case.words)
    for word in suite.words:
        for k, machine in enumerate(machines):
            right, given = respond(case.model, word), respond(machine, word)
            wrong = [j for j in range(len(word)) if right[j] != given[j]]
            assert suite.runs[word].fails[k] == (wrong[0] + 1 if wrong else NEVER)
    for k, machine in enumerate(machines):
        caught = sum(respond(machine, word) != respond(case.model, word) for word in suite.words)
        assert suite.caught[k] == caught
        shortest = pool.shortest(k, 0, 0, bias=7)
        assert len(shortest) == len(difference(case.model, machine))
        assert respond(machine, shortest) != respond(case.model, shortest)
    assert Deadline(0).passed()
