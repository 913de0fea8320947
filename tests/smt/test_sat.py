"""The SAT solver behind the port, against truth tables."""

import time
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from fullproof.smt.sat import open_sat_solver
from fullproof.smt.sat_answers import Contradiction, OutOfTime, SatAssignment

VARIABLES = 5
LITERALS = st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from([v, -v]))
CLAUSES = st.lists(st.lists(LITERALS, max_size=3), max_size=14)


def holds(clause, values):
    return any(values[abs(k) - 1] == (k > 0) for k in clause)


def solver_with(clauses):
    solver = open_sat_solver()
    assert [solver.new_variable() for _ in range(VARIABLES)] == list(range(1, VARIABLES + 1))
    for clause in clauses:
        solver.add_clause(clause)
    return solver


@given(CLAUSES, CLAUSES, st.lists(LITERALS, max_size=4), st.lists(LITERALS, max_size=3))
def test_answers_are_those_of_truth_tables(clauses, more, assumptions, preferred):
    solver = solver_with(clauses)
    solver.prefer(preferred)
    for asked in ([], assumptions, []):
        check(solver.solve(asked, seconds=10), clauses, asked)
    for clause in more:
        solver.add_clause(clause)
    check(solver.solve(assumptions, seconds=10), clauses + more, assumptions)


def check(answer, clauses, assumptions):
    possible = [
        values
        for values in product([False, True], repeat=VARIABLES)
        if all(holds(clause, values) for clause in [*clauses, *([k] for k in assumptions)])
    ]
    if possible:
        assert isinstance(answer, SatAssignment)
        values = tuple(answer.holds(v) for v in range(1, VARIABLES + 1))
        assert values in possible
        assert all(answer.holds(-v) != answer.holds(v) for v in range(1, VARIABLES + 1))
        return
    assert isinstance(answer, Contradiction)
    assert answer.core <= set(assumptions)
    needed = [*clauses, *([k] for k in answer.core)]
    assert not any(all(holds(c, v) for c in needed) for v in product([False, True], repeat=VARIABLES))


def test_time_is_kept():
    solver = open_sat_solver()
    holes = 11
    place = [[solver.new_variable() for _ in range(holes)] for _ in range(holes + 1)]
    for pigeon in place:
        solver.add_clause(pigeon)
    for hole in range(holes):
        for one in range(holes + 1):
            for other in range(one):
                solver.add_clause([-place[one][hole], -place[other][hole]])
    began = time.monotonic()
    assert isinstance(solver.solve(seconds=0.3), OutOfTime)
    assert time.monotonic() - began < 5
