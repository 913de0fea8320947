"""A budget counts steps against a bound, shares them, and says which limit was reached."""

from fullproof.core.budget import Budget
from fullproof.core.deadline import Deadline


def test_steps_are_spent_and_the_reason_names_them() -> None:
    budget = Budget(3)
    budget.spend(2)
    assert (budget.left(), budget.is_over) == (1, False)
    budget.spend(2)
    assert (budget.left(), budget.is_over, budget.was_cut) == (0, True, False)
    assert budget.reason == "the steps for this are used up"


def test_the_clock_is_a_safety_net_that_is_named() -> None:
    times = iter([0.0, 1.0, 2.0, 2.0, 2.0])
    budget = Budget(100, Deadline(2.0, now=lambda: next(times)))
    assert not budget.is_over
    assert not budget.was_cut
    assert budget.is_over
    assert budget.was_cut
    assert budget.reason == "the clock cut the search short after 2 s"


def test_a_share_spends_from_the_whole_and_ends_before_it() -> None:
    whole = Budget(100)
    part = whole.share(0.25)
    part.spend(30)
    assert part.is_over
    assert (whole.left(), whole.is_over) == (70, False)
    whole.spend(70)
    assert whole.is_over


def test_without_a_bound_nothing_is_ever_spent() -> None:
    budget = Budget(None)
    budget.spend(10**12)
    assert not budget.is_over
