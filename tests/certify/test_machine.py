"""The checker's own machines against the slow twins of the analysis."""

import pytest
from hypothesis import given
from tests.oracles.machines import quotient, run, shortest_separating_length
from tests.strategies.small_fsms import any_fsms, deterministic_fsms, words
from tests.strategies.suites import fsm_of, machine_of
from tests.strategies.tables import complete_tables

from fullproof.certify.machine import difference, minimal, name, obstacle, respond, tabulate


@pytest.mark.requirement("CERTIFY-4")
@given(complete_tables())
def test_minimal_machines_are_those_of_the_twin(table):
    assert minimal(machine_of(table)) == machine_of(quotient(table))


@pytest.mark.requirement("CERTIFY-2")
@given(complete_tables())
def test_differences_are_shortest(table):
    model = machine_of(table)
    for other in range(model.states):
        found = difference(model, model, start=(0, other))
        length = shortest_separating_length(table, 0, other)
        assert (None if found is None else len(found)) == length
        if found is not None:
            assert run(table, found, 0)[0] != run(table, found, other)[0]


@given(any_fsms())
def test_obstacles_are_named_exactly_where_there_are_some(fsm):
    cells = [(t.source, t.input) for t in fsm.transitions]
    fine = len(set(cells)) == len(cells) == len(fsm.states) * len(fsm.inputs)
    assert (obstacle(fsm) is None) == fine


@given(deterministic_fsms(), words())
def test_machines_answer_as_their_models(fsm, word):
    state, answers = fsm.initial, []
    for symbol in word:
        (step,) = (t for t in fsm.transitions if (t.source, t.input) == (state, symbol))
        answers.append(step.output)
        state = step.target
    machine = tabulate(fsm)
    numbers = [fsm.inputs.index(symbol) for symbol in word]
    assert [fsm.outputs[o] for o in respond(machine, numbers)] == answers
    assert respond(minimal(machine), numbers) == respond(machine, numbers)


@given(complete_tables())
def test_named_machines_read_back(table):
    machine = machine_of(table)
    fsm = fsm_of(machine)
    named = name(machine, fsm)
    assert tabulate(named) == machine
    assert named.inputs == fsm.inputs


def test_an_output_the_model_lacks_gets_a_name_of_its_own():
    from fullproof.certify.machine import FlatMachine

    fsm = fsm_of(FlatMachine(target=((0,),), output=((0,),)))
    assert name(FlatMachine(target=((0,),), output=((1,),)), fsm).transitions[0].output == "other"
