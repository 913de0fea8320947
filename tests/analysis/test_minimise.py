"""Prime machines and observable machines against trace sets; covers against brute force."""

import numpy as np
from hypothesis import given
from tests.oracles.machines import bisimilar, quotient, reachable_states, run, traces, transitions
from tests.strategies.tables import complete_tables, partial_relations, relation, relations

from fullproof.analysis.covers import state_cover, transition_cover
from fullproof.analysis.equivalence import is_observable
from fullproof.analysis.minimise import prime, restrict
from fullproof.analysis.observable import observable
from fullproof.analysis.reachability import reachable
from fullproof.analysis.table import RelationTable, Table, deterministic_table


def assert_well_formed(machine: RelationTable) -> None:
    assert machine.start[0] == 0
    assert machine.start[-1] == len(machine.output) == len(machine.target)
    for cell in range(machine.states * machine.inputs):
        row = slice(machine.start[cell], machine.start[cell + 1])
        pairs = list(zip(machine.output[row].tolist(), machine.target[row].tolist(), strict=True))
        assert pairs == sorted(set(pairs))


@given(relations(max_states=5, max_inputs=2, max_outputs=2))
def test_the_prime_machine_has_the_same_traces_and_nothing_to_merge(machine: RelationTable) -> None:
    small = prime(machine)
    assert_well_formed(small.relation)
    for new, old in enumerate(small.representative.tolist()):
        assert small.state_of[old] == new
        assert traces(small.relation, new, 4) == traces(machine, old, 4)
    assert small.state_of[0] == 0
    assert set(np.flatnonzero(small.state_of >= 0).tolist()) == reachable_states(machine)
    n = small.relation.states
    assert bisimilar(small.relation) == [[a == b for b in range(n)] for a in range(n)]


@given(complete_tables(max_states=8, max_outputs=2))
def test_deterministic_machines_get_the_fewest_states(table: Table) -> None:
    small = deterministic_table(prime(relation(table)).relation)
    assert small.states == quotient(table).states


@given(relations(max_states=5))
def test_restriction_keeps_the_transitions_between_what_is_kept(machine: RelationTable) -> None:
    kept = reachable(machine)
    part = restrict(machine, kept)
    assert_well_formed(part.relation)
    names = part.representative.tolist()
    back = {(names[s], i, o, names[t]) for s, i, o, t in transitions(part.relation)}
    assert back == {row for row in transitions(machine) if kept[row[0]] and kept[row[3]]}


@given(relations(max_states=4, max_inputs=2, max_outputs=2))
def test_the_observable_machine_has_the_same_traces(machine: RelationTable) -> None:
    made = observable(machine)
    assert_well_formed(made.relation)
    assert is_observable(made.relation)
    assert made.members[0] == (0,)
    assert reachable(made.relation).all()
    assert traces(made.relation, 0, 5) == traces(machine, 0, 5)


@given(partial_relations())
def test_access_words_are_shortest_and_closed_under_prefixes(machine: RelationTable) -> None:
    table = deterministic_table(machine)
    cover = state_cover(table)
    words = {state: cover.word(state) for state in cover.order.tolist()}
    assert set(words) == reachable_states(machine)
    for state, word in words.items():
        assert run(table, word)[1] == state
        assert cover.depth[state] == len(word)
        assert word == () or word[:-1] in words.values()
        before = [len(words[s]) for s, _, _, t in transitions(machine) if t == state and s in words]
        assert not word or len(word) - 1 == min(before)
    steps = [tuple(word.tolist()) for word in transition_cover(table, cover)]
    expected = {(*word, i) for s, word in words.items() for r, i, _, _ in transitions(machine) if r == s}
    assert len(steps) == len(set(steps))
    assert set(steps) == expected
