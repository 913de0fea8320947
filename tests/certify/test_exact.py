"""The exact engine against enumeration of all machines, against a search of another kind, and by another solver."""

import pytest
from hypothesis import given, settings
from tests.oracles.exhaustive import survivors
from tests.oracles.survivors import find_survivor
from tests.strategies.suites import Case, cases

from fullproof.certify import exact
from fullproof.certify.answers import Open, Proved
from fullproof.certify.exact import Survivor, passes, search
from fullproof.certify.machine import FlatMachine, difference, respond
from fullproof.certify.tree import plant
from fullproof.core.deadline import Deadline


def decide(case):
    return search(case.model, plant(case.model, case.words), extra=case.extra, deadline=Deadline(60))


def check_survivor(case, machine):
    """By the definitions alone, word by word."""
    assert machine.states <= case.model.states + case.extra
    assert all(len(row) == case.model.inputs for row in (*machine.target, *machine.output))
    assert all(respond(machine, word) == respond(case.model, word) for word in case.words)
    witness = difference(case.model, machine)
    assert witness is not None
    assert respond(machine, witness) != respond(case.model, witness)


@pytest.mark.requirement("CERTIFY-1")
@settings(max_examples=60)
@given(case=cases(max_states=2, max_bound=2))
def test_all_machines_with_two_states(case):
    compare_with_enumeration(case)


@pytest.mark.requirement("CERTIFY-1")
@settings(max_examples=12)
@given(case=cases(max_states=3, max_extra=2, max_bound=3))
def test_all_machines_with_three_states(case):
    compare_with_enumeration(case)


def compare_with_enumeration(case):
    rows = (case.model.target, case.model.output)
    bound = case.model.states + case.extra
    outputs = max(2, 1 + max(o for row in case.model.output for o in row))
    exists = next(survivors(rows, case.words, bound=bound, outputs=outputs), None) is not None
    answer = decide(case)
    assert isinstance(answer, Survivor) == exists
    if isinstance(answer, Survivor):
        check_survivor(case, answer.machine)
    else:
        assert isinstance(answer, Proved)


@pytest.mark.requirement("CERTIFY-6")
@settings(max_examples=150)
@given(case=cases(max_states=4, max_inputs=3, max_extra=1))
def test_a_search_of_another_kind_agrees(case):
    bound = case.model.states + case.extra
    exists = find_survivor(case.table, case.words, bound) is not None
    answer = decide(case)
    assert isinstance(answer, Survivor) == exists
    if isinstance(answer, Survivor):
        check_survivor(case, answer.machine)


@pytest.mark.requirement("CERTIFY-6")
@settings(max_examples=15)
@given(case=cases(max_states=3, max_extra=2))
def test_z3_agrees_about_the_same_clauses(case):
    answer = decide(case)
    opened = exact.open_sat_solver
    exact.open_sat_solver = Z3Sat
    try:
        assert type(decide(case)) is type(answer)
    finally:
        exact.open_sat_solver = opened


class Z3Sat:
    """The port for propositional questions, by way of z3."""

    def __init__(self):
        import z3

        self.z3, self.variables, self.solver = z3, [], z3.SolverFor("QF_FD")

    def new_variable(self):
        self.variables.append(self.z3.Bool(f"x{len(self.variables)}"))
        return len(self.variables)

    def literal(self, number):
        variable = self.variables[abs(number) - 1]
        return variable if number > 0 else self.z3.Not(variable)

    def add_clause(self, literals):
        self.solver.add(self.z3.Or([self.literal(k) for k in literals]))

    def prefer(self, literals):
        pass

    def steps_taken(self):
        return 0

    def solve(self, assumptions=(), *, seconds, steps=None):
        from fullproof.smt.sat_answers import Contradiction, SatAssignment

        if self.solver.check([self.literal(k) for k in assumptions]) == self.z3.unsat:
            return Contradiction(frozenset())
        model = self.solver.model()
        return SatAssignment([k if model.eval(v) == True else -k for k, v in enumerate(self.variables, start=1)])  # noqa: E712


LOOP = FlatMachine(target=((0, 0),), output=((0, 0),))
"""One state, one output: only an output that the model does not have can be wrong."""


def test_a_model_with_one_output_is_told_from_machines_with_another():
    assert isinstance(decide(Case(None, LOOP, [(0, 1)], 0)), Proved)
    answer = decide(Case(None, LOOP, [(0, 0)], 0))
    assert isinstance(answer, Survivor)
    check_survivor(Case(None, LOOP, [(0, 0)], 0), answer.machine)
    assert isinstance(decide(Case(None, LOOP, [(0, 1)], 1)), Survivor)
    words = [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert isinstance(decide(Case(None, LOOP, words, 1)), Proved)


def test_a_model_without_inputs_has_nothing_to_test():
    assert isinstance(decide(Case(None, FlatMachine(((),), ((),)), [], 2)), Proved)


@pytest.mark.requirement("CERTIFY-1")
@given(case=cases(max_states=4, max_inputs=3))
def test_passing_is_answering_every_word_as_the_model_does(case):
    tree = plant(case.model, case.words)
    assert passes(case.model, tree)
    wrong = FlatMachine(case.model.target, tuple(tuple(1 - o for o in row) for row in case.model.output))
    assert passes(wrong, tree) == (not any(case.words))


@pytest.mark.requirement("CERTIFY-3")
def test_no_time_is_no_answer():
    model = FlatMachine(target=((1, 0), (2, 1), (0, 2)), output=((0, 0), (0, 0), (0, 1)))
    answer = search(model, plant(model, [(0, 0, 1, 0, 0, 1)]), extra=2, deadline=Deadline(0))
    assert isinstance(answer, Open)
