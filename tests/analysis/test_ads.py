"""Splitting trees and adaptive distinguishing sequences against all subsets of states."""

from itertools import combinations

from hypothesis import given, settings
from tests.oracles.machines import run, separates
from tests.strategies.tables import minimal_tables

from fullproof.analysis.ads import AdsNode, adaptive_distinguishing_sequence, adaptive_identifiers
from fullproof.analysis.separation import separation
from fullproof.analysis.splitting_tree import splitting_tree
from fullproof.analysis.table import Table


def has_ads(table: Table) -> bool:
    """Least fixpoint over sets of states: a set is good where some input loses nothing and leads to good sets."""
    sets = [frozenset(c) for size in range(1, table.states + 1) for c in combinations(range(table.states), size)]
    good = {block for block in sets if len(block) == 1}
    changed = True
    while changed:
        changed = False
        for block in sets:
            if block not in good and any(_leads_to_good(table, block, i, good) for i in range(table.inputs)):
                good.add(block)
                changed = True
    return frozenset(range(table.states)) in good


def _leads_to_good(table: Table, block: frozenset[int], symbol: int, good: set[frozenset[int]]) -> bool:
    parts: dict[int, list[int]] = {}
    for state in block:
        cell = state * table.inputs + symbol
        parts.setdefault(int(table.output[cell]), []).append(int(table.target[cell]))
    return all(len(set(part)) == len(part) and frozenset(part) in good for part in parts.values())


@settings(max_examples=200)
@given(minimal_tables(max_states=6, max_inputs=2, max_outputs=2))
def test_a_distinguishing_sequence_is_found_where_there_is_one(table: Table) -> None:
    tree = splitting_tree(table, separation(table))
    root = adaptive_distinguishing_sequence(tree)
    assert (root is not None) == has_ads(table)
    if root is not None:
        for state in range(table.states):
            assert outcome(table, root, state) == (state,)


def outcome(table: Table, node: AdsNode, state: int) -> tuple[int, ...]:
    """Play the sequence against a machine that starts in a state."""
    while node.children:
        answer, state = run(table, node.word, state)
        node = node.children[answer]
    return node.states


@given(minimal_tables(max_states=8, max_inputs=3, max_outputs=2))
def test_the_splitting_tree_splits_down_to_single_states(table: Table) -> None:
    tree = splitting_tree(table, separation(table))
    for node in tree.nodes():
        if len(node.states) == 1:
            assert not node.children
            assert tree.leaf[int(node.states[0])] is node
            continue
        assert len(node.children) > 1
        assert sorted(s for child in node.children for s in child.states) == sorted(node.states)
        outcomes = {int(s): run(table, node.word, int(s)) for s in node.states}
        for child in node.children:
            answers = {outcomes[int(s)][0] for s in child.states}
            assert len(answers) == 1
        assert len({outcomes[int(child.states[0])][0] for child in node.children}) == len(node.children)
        if node.valid:
            assert len(set(outcomes.values())) == len(outcomes)


@given(minimal_tables(max_states=8, max_inputs=3, max_outputs=2))
def test_the_joint_of_states_is_the_smallest_node_with_all_of_them(table: Table) -> None:
    tree = splitting_tree(table, separation(table))
    nodes = list(tree.nodes())
    for chosen in combinations(range(table.states), min(2, table.states)):
        holding = [node for node in nodes if set(chosen) <= set(node.states.tolist())]
        assert tree.joint(chosen) is min(holding, key=lambda node: len(node.states))


@given(minimal_tables(max_states=8, max_inputs=3, max_outputs=2))
def test_adaptive_identifiers_are_harmonised(table: Table) -> None:
    tree = splitting_tree(table, separation(table))
    made = adaptive_identifiers(tree)
    if tree.valid and table.states > 1:
        assert all(len(words) == 1 for words in made)
    prefixes = [{word[:k] for word in words for k in range(len(word) + 1)} for words in made]
    for t in range(table.states):
        for s in range(t):
            assert any(separates(table, word, s, t) for word in prefixes[s] & prefixes[t])
