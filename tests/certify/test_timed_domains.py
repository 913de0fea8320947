"""Suites for machines with timers, attacked by all members of their domains, one by one and tick by tick."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.timed_members import (
    Answer,
    SlowMachine,
    all_members,
    may_be_same,
    slow_answers,
    slow_difference,
    slow_machine,
)
from tests.strategies.timed_machines import random_timed_domain, random_timed_machine
from tests.timed_models import lamp, sensor

from fullproof.certify.answers import Complete, Incomplete, Open, UndecidedCompleteness
from fullproof.certify.timed_check import certify_timed_domain
from fullproof.certify.timed_domain import TimedDomain, timed_domain
from fullproof.certify.timed_instants import before_races
from fullproof.certify.timed_member import MemberRuns, TimedWord, choices_of, own_choice
from fullproof.certify.timed_oracle import TimedNeeded, TimedOracle, TimedSurvivor
from fullproof.certify.timed_outputs import flat
from fullproof.certify.timed_product import DifferenceSearch, ProductStart, TimedDifference
from fullproof.certify.timed_suite import timed_suite
from fullproof.core.budget import Budget
from fullproof.core.errors import UserError
from fullproof.model.named_faults import FaultName, NamedFaults
from fullproof.model.timed import TimedMachine, TimedMove, Timer

_TICK = Fraction(1, 12)
TIMERS = (FaultName.DURATION, FaultName.START)
ALL = (FaultName.TRANSFER, FaultName.OUTPUT, *TIMERS)
SEEDS = st.integers(0, 10**6)


def _zones_differ(domain: TimedDomain, member: dict[int, int]) -> bool:
    runs, choose = MemberRuns(domain), choices_of(member)
    start = ProductStart(runs.begin(choose), runs.begin(own_choice), 0.0)
    return isinstance(DifferenceSearch(runs, choose).find([start]), TimedDifference)


def _ticks_differ(domain: TimedDomain, member: dict[int, int]) -> bool:
    model, other = (slow_machine(domain, some, _TICK) for some in ({}, member))
    return slow_difference(model, other, int(domain.margin * domain.unit / _TICK))


def _fine_tick(domain: TimedDomain, words: Collection[TimedWord]) -> Fraction:
    """A tick that divides all delays."""
    whole = 2
    for word in words:
        for symbol in word:
            whole = max(whole, (domain.unit * abs(symbol)).denominator if symbol < 0 else 1)
    return Fraction(1, whole)


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_no_member_that_differs_survives(seed: int) -> None:
    domain = random_timed_domain(Random(seed), most_locations=2)
    if domain.size() > 2.3:
        return
    suite = timed_suite(domain)
    assert suite.undecided == ""
    tick = _fine_tick(domain, suite.words)

    def answers(machine: SlowMachine) -> list[Answer]:
        return [one for word in suite.words for one in slow_answers(machine, word, domain.unit, tick)]

    expected = answers(slow_machine(domain, {}, tick))
    for member in all_members(domain):
        if may_be_same(answers(slow_machine(domain, member, tick)), expected):
            assert not _ticks_differ(domain, member), domain.text(member)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_zones_find_what_ticks_find(seed: int) -> None:
    dice = Random(seed)
    domain = random_timed_domain(dice, most_locations=2)
    member: dict[int, int] = {}
    for _ in range(dice.randint(1, 2)):
        k = dice.randrange(len(domain.decisions)) if domain.decisions else 0
        if domain.decisions:
            member[k] = dice.randrange(len(domain.decisions[k].values))
    if domain.holds(member):
        assert _zones_differ(domain, member) == _ticks_differ(domain, member), domain.text(member)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_members_run_as_their_tables_say(seed: int) -> None:
    dice = Random(seed)
    domain = random_timed_domain(dice)
    half = int(Fraction(1, 2) / domain.unit)
    word = tuple(
        dice.randrange(len(domain.machine.inputs)) if dice.random() < 0.5 else -half * dice.randint(1, 9)
        for _ in range(8)
    )
    member = {k: dice.randrange(len(d.values)) for k, d in enumerate(domain.decisions)}
    expected = slow_answers(slow_machine(domain, member, Fraction(1, 2)), word, domain.unit, Fraction(1, 2))
    found = MemberRuns(domain).seen(word, choices_of(member))
    assert may_be_same([(frozenset({flat(outputs)}), shown) for outputs, shown in found], expected)


@settings(max_examples=12, deadline=None)
@given(SEEDS)
def test_no_member_with_an_extra_location_survives(seed: int) -> None:
    """Members are too many to be listed: some that change a few decisions, most of them of the extra location."""
    dice = Random(seed)
    machine = random_timed_machine(dice, most_locations=2, most_timers=1)
    names = dice.choice([(FaultName.TRANSFER, FaultName.START), (FaultName.STUCK, FaultName.DURATION), ALL])
    faults = NamedFaults(names=names, at_most=1)
    domain = timed_domain(machine, faults, margin=Fraction(1, 2), tolerance=Fraction(1), extra=1)
    suite = timed_suite(domain, seconds=20)
    if suite.undecided:
        return
    oracle, tick = TimedOracle(domain), _fine_tick(domain, suite.words)
    extra = [k for cells in (domain.target_of, domain.outputs_of, domain.look_of)
             for (place, _), k in cells.items() if place == len(machine.locations)]  # fmt: skip
    extra += [k for (place, _, _), k in domain.start_of.items() if place == len(machine.locations)]
    entries = [k for (place, _), k in domain.target_of.items() if place < len(machine.locations)]
    for _ in range(60):
        member = {k: dice.randrange(len(domain.decisions[k].values)) for k in (*extra, *domain.like.values())}
        if entries:
            k = dice.choice(entries)
            member[k] = domain.decisions[k].values.index(len(machine.locations)) if names[0] in (
                FaultName.TRANSFER,) else 0  # fmt: skip
        if not domain.holds(member):
            continue
        slow, model = (slow_machine(domain, some, tick) for some in (member, {}))
        for word in suite.words:
            one, other = (slow_answers(machine, word, domain.unit, tick) for machine in (slow, model))
            assert oracle.passes(member, word) == may_be_same(one, other), domain.text(member)
        if all(oracle.passes(member, word) for word in suite.words):
            assert not _ticks_differ(domain, member), domain.text(member)


def test_outputs_of_one_instant_come_in_any_order() -> None:
    """x starts t anew in a member; where that makes t expire together with u, both may look as in the model."""
    both = frozenset({0, 1})
    machine = TimedMachine(
        locations=("idle", "here", "there"),
        inputs=("x",),
        timers=(Timer("t", Fraction(2)), Timer("u", Fraction(3))),
        initial=0,
        running=(frozenset(), both, frozenset({0})),
        moves={(0, 0): TimedMove(1, (), both), (1, 0): TimedMove(1), (2, 0): TimedMove(2)},
        timeouts={(1, 0): TimedMove(1, ("b",)), (1, 1): TimedMove(2, ("a",)), (2, 0): TimedMove(2, ("b",))},
    )
    domain = timed_domain(machine, NamedFaults(names=(FaultName.START,), at_most=1), margin=Fraction(1, 2))
    (k,) = [k for cell, k in domain.start_of.items() if cell == (1, 0, 0)]
    second = int(1 / domain.unit)
    together, apart = (0, -second, 0, -5 * second // 2), (0, -second // 2, 0, -3 * second // 2)
    oracle = TimedOracle(domain)
    assert oracle.passes({k: 1}, together)
    assert not oracle.passes({k: 1}, apart)
    assert isinstance(oracle.ask([together], effort=Budget(None)), TimedSurvivor)
    assert any(not oracle.passes({k: 1}, word) for word in timed_suite(domain).words)


def test_wrong_values_that_are_shown_between_two_moves_are_found() -> None:
    """Two ways lead to a place that shows q; a test that waits until it is left does not see what it shows."""
    one, other, none = frozenset({0}), frozenset({1}), frozenset[int]()
    machine = TimedMachine(
        locations=("idle", "here", "there", "place"),
        inputs=("x", "y"),
        timers=(Timer("t", Fraction(2)), Timer("u", Fraction(3))),
        initial=0,
        running=(none, one, one, other),
        moves={(0, 0): TimedMove(1, (), one), (0, 1): TimedMove(2, (), one)}
        | {(place, symbol): TimedMove(place) for place in (1, 2, 3) for symbol in (0, 1)},
        timeouts={
            (1, 0): TimedMove(3, (), other),
            (2, 0): TimedMove(3, (), other),
            (3, 1): TimedMove(0, ("a",)),
        },
        shown=("p", "p", "p", "q"),
    )
    domain = timed_domain(machine, NamedFaults(names=(FaultName.OUTPUT,), inputs=("t", "u"), at_most=1))
    half = int(Fraction(1, 2) / domain.unit)
    seen, passed_by = (0, -5 * half), (1, -11 * half)
    answer = certify_timed_domain(domain, [seen, passed_by], seconds=60)
    assert isinstance(answer, Incomplete)
    assert answer.reason.endswith("wrong: values shown after expiry of t in there: p")
    suite = timed_suite(domain)
    assert suite.undecided == ""
    assert isinstance(certify_timed_domain(domain, suite.words, seconds=60), Complete)


def test_a_test_that_waits_very_long_is_not_executed_expiry_by_expiry() -> None:
    blinks = TimedMachine(
        locations=("on",),
        inputs=("x",),
        timers=(Timer("t", Fraction(1, 2), periodic=True),),
        initial=0,
        running=(frozenset({0}),),
        moves={(0, 0): TimedMove(0)},
        timeouts={(0, 0): TimedMove(0, ("tick",), frozenset({0}))},
    )
    domain = timed_domain(blinks, NamedFaults(names=TIMERS))
    answer = certify_timed_domain(domain, [(-int(10**12 / domain.unit),)], seconds=60)
    assert isinstance(answer, UndecidedCompleteness)
    assert "more than 1,000 times the shortest time" in answer.reason


def test_what_a_test_has_behind_a_race_does_not_count() -> None:
    """z leads here; two timers race to leave it. Which one wins is open, so w behind them shows nothing."""
    both, none = frozenset({0, 1}), frozenset[int]()
    machine = TimedMachine(
        locations=("idle", "here", "there", "one", "other"),
        inputs=("z", "w"),
        timers=(Timer("t", Fraction(2)), Timer("u", Fraction(2))),
        initial=0,
        running=(none, both, both, none, none),
        moves={
            (0, 0): TimedMove(1, (), both),
            (0, 1): TimedMove(0),
            (1, 0): TimedMove(1),
            (1, 1): TimedMove(1, ("a",)),
            (2, 0): TimedMove(2),
            (2, 1): TimedMove(2, ("b",)),
            (3, 0): TimedMove(3),
            (3, 1): TimedMove(3, ("a",)),
            (4, 0): TimedMove(4),
            (4, 1): TimedMove(4, ("b",)),
        },
        timeouts={(1, 0): TimedMove(3), (1, 1): TimedMove(4), (2, 0): TimedMove(4), (2, 1): TimedMove(3)},
    )
    domain = timed_domain(machine, NamedFaults(names=(FaultName.TRANSFER,), states=("idle",), inputs=("z",)))
    second = int(1 / domain.unit)
    behind = (0, -3 * second, 1)
    assert before_races(MemberRuns(domain), behind) == (0,)
    assert isinstance(certify_timed_domain(domain, [behind], seconds=60), Incomplete)
    assert isinstance(certify_timed_domain(domain, [(0, 1, 1)], seconds=60), Complete)


def test_a_suite_without_one_of_its_tests_lets_a_member_pass_that_differs() -> None:
    domain = timed_domain(lamp(), NamedFaults(names=ALL))
    suite = timed_suite(domain)
    oracle, whole = TimedOracle(domain), Budget(None)
    assert isinstance(oracle.ask(suite.words, effort=whole), TimedNeeded)
    for word in suite.words:
        rest = [other for other in suite.words if other != word]
        answer = oracle.ask(rest, effort=whole)
        assert isinstance(answer, TimedSurvivor)
        assert domain.holds(answer.member)
        assert all(oracle.passes(answer.member, other) for other in rest)
        assert not oracle.passes(answer.member, answer.killer)
        assert _zones_differ(domain, dict(answer.member))


def test_extra_locations_need_more_tests() -> None:
    costs = []
    for extra in (0, 1):
        domain = timed_domain(lamp(), NamedFaults(names=(FaultName.TRANSFER, FaultName.DURATION)), extra=extra)
        suite = timed_suite(domain)
        assert suite.undecided == ""
        costs.append(sum(len(word) + 1 for word in suite.words))
    assert costs[0] < costs[1]


@pytest.mark.parametrize("factor", [Fraction(1000), Fraction(1, 7)])
def test_a_suite_does_not_depend_on_units(factor: Fraction) -> None:
    faults = NamedFaults(names=ALL)
    one, other = timed_domain(lamp(), faults), timed_domain(lamp(factor), faults)
    assert timed_suite(one) == timed_suite(other)
    assert other.unit == factor * one.unit


def test_the_sensor_costs_little_with_proof() -> None:
    domain = timed_domain(sensor(), NamedFaults(names=TIMERS, at_most=1))
    suite = timed_suite(domain)
    assert suite.undecided == ""
    assert sum(len(word) + 1 for word in suite.words) <= 100


def test_tests_keep_the_margin_of_the_model() -> None:
    domain = timed_domain(lamp(), NamedFaults(names=ALL), margin=Fraction(1), tolerance=Fraction(2))
    for word in timed_suite(domain).words:
        runs = MemberRuns(domain)
        here, since = runs.begin(own_choice), domain.margin
        for symbol in word:
            before = here
            here, _ = runs.step(here, symbol, own_choice)
            if symbol < 0:
                expired = [left for left in before.left if 0 <= left <= -symbol]
                since = -symbol - max(expired) if expired else since - symbol
                assert since >= domain.margin
            assert all(left < 0 or left >= domain.margin for left in here.left)


def test_the_end_of_the_budget_is_no_proof() -> None:
    domain = timed_domain(sensor(), NamedFaults(names=ALL))
    assert isinstance(TimedOracle(domain).ask([], effort=Budget(1)), Open | TimedSurvivor)
    suite = timed_suite(domain, seconds=0.2)
    assert "could not be completed" in suite.undecided


@pytest.mark.parametrize(
    ("margin", "tolerance", "says"),
    [(Fraction(0), None, "above 0"), (Fraction(3), None, "half of the smallest"), (Fraction(1), Fraction(1), "exceed")],
)
def test_margins_that_do_not_fit_are_refused(margin: Fraction, tolerance: Fraction | None, says: str) -> None:
    with pytest.raises(UserError, match=says):
        timed_domain(lamp(), NamedFaults(names=TIMERS), margin=margin, tolerance=tolerance)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UserError, match="unknown state 'lot'"):
        timed_domain(lamp(), NamedFaults(names=TIMERS, states=("lot",)))
