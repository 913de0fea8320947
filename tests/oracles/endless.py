"""Infinite traces of a small acceptor that violate a formula, found as cycles, shape by shape and without automata."""

from collections.abc import Callable, Iterable

from tests.oracles.symbolic_faults import Dfa, World

Node = tuple[int, bool]
Edge = tuple[Node, Node, bool]
"""Source, target, and whether the step is one that the cycle has to contain."""


def _owing(owed: bool, p: bool, q: bool) -> list[tuple[bool, bool, bool]]:
    if owed:
        return [] if q else [(True, True, True)]
    return [(False, False, False), (True, False, False)] if p and not q else [(False, False, False)]


def violates_for_ever(world: World, system: Dfa, shape: str) -> bool:
    """Whether some infinite trace violates G(F p), F(G p), G(F p) -> G(F q), G(p -> F q) or G p -> G q."""
    step: dict[str, Callable[[bool, bool, bool], Iterable[tuple[bool, bool, bool]]]] = {
        # (mode, p, q) -> modes after the step, whether it may be part of the cycle, whether the cycle needs it
        "GF": lambda _, p, __: [(False, not p, True)],
        "FG": lambda _, p, __: [(False, True, not p)],
        "GFGF": lambda _, p, q: [(False, not q, p)],
        "GtoF": _owing,
        "GG": lambda seen, p, q: [(seen or not q, seen or not q, True)] if p else [],
    }
    edges: list[tuple[Edge, bool]] = []
    reached: list[Node] = [(0, False)]
    for state, mode in reached:
        for letter, target in system[state]:
            p, q = world.propositions[letter][:2]
            for after, inside, needed in step[shape](mode, p, q):
                edges.append((((state, mode), (target, after), needed), inside))
                if (target, after) not in reached:
                    reached.append((target, after))
    cycle = [edge for edge, inside in edges if inside]
    return any(needed and source in _from(target, cycle) for source, target, needed in cycle)


def _from(start: Node, edges: list[Edge]) -> list[Node]:
    found = [start]
    for node in found:
        found += [target for source, target, _ in edges if source == node and target not in found]
    return list(dict.fromkeys(found))
