"""Reliably distinguishable states (paper 002, sections 5.6 and 5.10) and maximal sets of them."""

from __future__ import annotations

from itertools import combinations

from fullproof.analysis.responses import Responses
from fullproof.artefacts.request import Distinguish

Pair = tuple[int, int]

CLIQUES_LIMIT = 10_000
"""Maximal sets may be exponentially many; any subset that contains every state is enough (section 5.6)."""


def ordered(one: int, other: int) -> Pair:
    """A pair without order, as a key."""
    return (one, other) if one < other else (other, one)


def separating_inputs(machine: Responses, one: int, other: int, variant: Distinguish) -> list[tuple[int, list[Pair]]]:
    """The inputs that may begin an r-distinguishing set, each with the pairs that must be r-distinguished after it.

    rd1 and rd3 use inputs defined in both states; rd2 also an input defined in only one of them, with nothing left.
    """
    first, second = machine.after[one], machine.after[other]
    moves = []
    for symbol in sorted(first.keys() | second.keys()):
        if symbol in first and symbol in second:
            shared = first[symbol].keys() & second[symbol].keys()
            rest = sorted({ordered(first[symbol][y], second[symbol][y]) for y in shared})
            if all(a != b for a, b in rest):
                moves.append((symbol, rest))
        elif variant is Distinguish.RD2:
            moves.append((symbol, []))
    return moves


def levels(machine: Responses, variant: Distinguish) -> dict[Pair, int]:
    """The least k for which a pair is r(k)-distinguishable; pairs that are not r-distinguishable are absent.

    rd1 counts a difference in the defined inputs as level 0 (Definition 2).
    """
    level: dict[Pair, int] = {}
    open_pairs: dict[Pair, list[list[Pair]]] = {}
    for pair in combinations(range(machine.states), 2):
        if variant is Distinguish.RD1 and machine.defined(pair[0]) != machine.defined(pair[1]):
            level[pair] = 0
        else:
            open_pairs[pair] = [rest for _, rest in separating_inputs(machine, *pair, variant)]
    depth, changed = 0, True
    while changed:
        depth += 1
        new = [p for p, moves in open_pairs.items() if any(all(r in level for r in rest) for rest in moves)]
        changed = bool(new)
        for pair in new:
            level[pair] = depth
            del open_pairs[pair]
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
