"""Budgets count steps: a slow machine is asked the same questions, and the clock is a safety net that is named."""

from fullproof.abstract.budget import EACH, PATIENCE, SolverBudget, steps_for
from fullproof.smt import Unknown, Unsat


def _questions(budget: SolverBudget, answer: Unsat | Unknown) -> int:
    count = 0
    while not budget.is_over and count < 10**6:
        budget.count(answer)
        count += 1
    return count


def test_what_is_spent_does_not_depend_on_the_clock() -> None:
    slow = iter(range(10**7))
    for answer in (Unsat(), Unknown("hard", exhausted=True)):
        fast = SolverBudget(60.0, clock=1e9, now=lambda: 0.0)
        late = SolverBudget(60.0, clock=1e9, now=lambda: float(next(slow)))
        assert _questions(fast, answer) == _questions(late, answer) > 0
    assert _questions(steps_for(60.0), Unknown("hard", exhausted=True)) == 60 / EACH
    assert _questions(steps_for(60.0), Unknown("incomplete")) > 1000


def test_the_clock_is_named_where_it_cut() -> None:
    times = iter([0.0, 1.0, 3.0, 3.0])
    budget = SolverBudget(60.0, clock=2.0, now=lambda: next(times))
    assert not budget.is_over
    assert budget.is_over
    assert budget.reason == "the clock cut the search short after 2 s"
    assert steps_for(60.0).seconds == 60.0
    assert steps_for(60.0, timeout=600).seconds == 600  # whoever waits longer gets more steps
    assert PATIENCE > 1
