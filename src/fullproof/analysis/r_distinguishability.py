"""Reliably distinguishable states (paper 002, sections 5.6 and 5.10) and maximal sets of them."""

from __future__ import annotations

from enum import Enum
from itertools import combinations

from fullproof.analysis.responses import Responses
from fullproof.artefacts.request import Distinguish

Pair = tuple[int, int]

CLIQUES_LIMIT = 10_000
"""Maximal sets may be exponentially many; any subset that contains every state is enough (section 5.6)."""


def ordered(one: int, other: int) -> Pair:
    """A pair without order, as a key."""
    return (one, other) if one < other else (other, one)


class Answers(Enum):
    """Which of the model's answers a system that passes a test has shown: some of them, or all of them.

    Where it shows all, as under an oracle for equivalence, one difference between the answers of two states is enough
    to distinguish them; where it may show only some, every answer that they share must lead on to a difference.
    """

    SOME = "some"
    ALL = "all"


Move = tuple[int, list[Pair]]
"""An input with the pairs of states, first and second kept in order, all of which must be distinguished after it."""


def separating_inputs(
    machine: Responses, one: int, other: int, variant: Distinguish, answers: Answers = Answers.SOME
) -> list[Move]:
    """The inputs that may begin a set of words that distinguishes two states.

    rd1 and rd3 use inputs defined in both states; rd2 also an input defined in only one of them, with nothing left.
    """
    first, second = machine.after[one], machine.after[other]
    moves: list[Move] = []
    for symbol in sorted(first.keys() | second.keys()):
        if symbol in first and symbol in second:
            moves += _after_input(symbol, first[symbol], second[symbol], answers)
        elif variant is Distinguish.RD2:
            moves.append((symbol, []))
    return moves


def _after_input(symbol: int, first: dict[int, int], second: dict[int, int], answers: Answers) -> list[Move]:
    shared = sorted({(first[y], second[y]) for y in first.keys() & second.keys()})
    if answers is Answers.SOME:
        return [(symbol, shared)] if all(a != b for a, b in shared) else []
    if first.keys() != second.keys():
        return [(symbol, [])]
    return [(symbol, [(a, b)]) for a, b in shared if a != b]


def levels(machine: Responses, variant: Distinguish, answers: Answers = Answers.SOME) -> dict[Pair, int]:
    """The least k for which a pair is r(k)-distinguishable; pairs that cannot be distinguished are absent.

    rd1 counts a difference in the defined inputs as level 0 (Definition 2). Each pair is looked at again only when one
    that it waits for is settled.
    """
    level: dict[Pair, int] = {}
    waiting: dict[Pair, list[tuple[Pair, int]]] = {}
    """For a pair: the moves of others that need it, as (pair, number of the move)."""
    missing: dict[tuple[Pair, int], int] = {}
    found: list[Pair] = []
    following: list[Pair] = []
    for pair in combinations(range(machine.states), 2):
        if variant is Distinguish.RD1 and machine.defined(pair[0]) != machine.defined(pair[1]):
            level[pair] = 0
            found.append(pair)
            continue
        for number, (_, rest) in enumerate(separating_inputs(machine, *pair, variant, answers)):
            needed = {ordered(*r) for r in rest}
            if not needed:
                following.append(pair)
                break
            missing[pair, number] = len(needed)
            for r in needed:
                waiting.setdefault(r, []).append((pair, number))
    depth = 0
    while found or following:
        for pair in found:
            for move in waiting.get(pair, ()):
                missing[move] -= 1
                if not missing[move]:
                    following.append(move[0])
        depth += 1
        found = [pair for pair in dict.fromkeys(following) if pair not in level]
        level.update(dict.fromkeys(found, depth))
        following = []
    return level


def maximal_sets(states: int, level: dict[Pair, int], *, limit: int = CLIQUES_LIMIT) -> list[frozenset[int]]:
    """Maximal sets of pairwise r-distinguishable states, largest first; at most ``limit``, yet covering every state."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(states))
    graph.add_edges_from(sorted(level))
    found: list[frozenset[int]] = []
    for clique in nx.find_cliques(graph):
        found.append(frozenset(clique))
        if len(found) >= limit:
            break
    found += [_grown(graph.adj, state) for state in set(range(states)).difference(*found)]
    return sorted(found, key=lambda s: (-len(s), sorted(s)))


def _grown(adjacent: object, state: int) -> frozenset[int]:
    """One maximal set around a state, greedily."""
    clique, candidates = {state}, set(adjacent[state])  # type: ignore[index]
    while candidates:
        nearest = min(candidates)
        clique.add(nearest)
        candidates &= set(adjacent[nearest])  # type: ignore[index]
    return frozenset(clique)
