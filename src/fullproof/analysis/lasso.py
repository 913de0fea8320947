"""Emptiness of a product with a generalised Büchi automaton: an accepting lasso, or the proof that there is none.

A run of the product is accepting iff no promise of the automaton is carried by all of its steps from some point on. In
a finite product that is so for some run iff a strongly connected component can be reached in which every promise is
missing on some step: a loop through those steps is accepting, and every accepting run ends in such a component.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from fullproof.language.buchi import Buchi, Obligation

Step = TypeVar("Step")
Node: TypeAlias = tuple[int, Obligation]
"""A state of the machine and what the automaton still demands."""


@dataclass(frozen=True, slots=True)
class Lasso(Generic[Step]):
    """Steps that lead to the loop, then steps that repeat for ever; the loop is not empty."""

    stem: tuple[Step, ...]
    loop: tuple[Step, ...]


class MachineStep(NamedTuple, Generic[Step]):
    """A step of the machine: where it leads, which atoms hold in it, and what to show for it."""

    target: int
    valuation: tuple[bool, ...]
    step: Step


class _Edge(NamedTuple, Generic[Step]):
    target: Node
    promises: frozenset[int]
    step: Step


def accepting_lasso(
    initial: int, offers: Callable[[int], Iterable[MachineStep[Step]]], automaton: Buchi
) -> Lasso[Step] | None:
    """A run of the machine that the automaton accepts, or None where there is none.

    The stem is a shortest one to a component with an accepting loop; the loop is short, not always shortest.
    Needs: finitely many states; ``offers`` in a fixed order.
    """
    start = (initial, automaton.initial)
    edges = _explored(start, offers, automaton)
    component = _components(start, edges)
    good = _accepting(edges, component)
    if not good:
        return None
    entry, stem = _path(edges, start, lambda node: component[node] in good)
    return Lasso(stem=stem, loop=_loop(edges, component, entry))


def _explored(
    start: Node, offers: Callable[[int], Iterable[MachineStep[Step]]], automaton: Buchi
) -> dict[Node, list[_Edge[Step]]]:
    edges: dict[Node, list[_Edge[Step]]] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if node in edges:
            continue
        state, obligation = node
        found: dict[tuple[Node, frozenset[int]], _Edge[Step]] = {}
        for offer in offers(state):
            for move in automaton.moves(obligation, offer.valuation):
                target = (offer.target, move.obligation)
                found.setdefault((target, move.promises), _Edge(target, move.promises, offer.step))
        edges[node] = list(found.values())
        queue.extend(edge.target for edge in edges[node])
    return edges


def _components(start: Node, edges: Mapping[Node, list[_Edge[Step]]]) -> dict[Node, int]:
    """Tarjan's algorithm without recursion: the number of the strongly connected component of each node."""
    index: dict[Node, int] = {start: 0}
    low: dict[Node, int] = {start: 0}
    component: dict[Node, int] = {}
    path, open_nodes = [(start, iter(edges[start]))], [start]
    while path:
        node, rest = path[-1]
        edge = next(rest, None)
        if edge is None:
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[node])
            if low[node] == index[node]:
                number = len(component)
                while node not in component:
                    component[open_nodes.pop()] = number
        elif edge.target not in index:
            index[edge.target] = low[edge.target] = len(index)
            open_nodes.append(edge.target)
            path.append((edge.target, iter(edges[edge.target])))
        elif edge.target not in component:
            low[node] = min(low[node], index[edge.target])
    return component


def _accepting(edges: Mapping[Node, list[_Edge[Step]]], component: Mapping[Node, int]) -> set[int]:
    """Components with an inner edge in which no promise is carried by all inner edges."""
    carried: dict[int, frozenset[int]] = {}
    for node, out in edges.items():
        for edge in out:
            number = component[node]
            if component[edge.target] == number:
                carried[number] = carried.get(number, edge.promises) & edge.promises
    return {number for number, promises in carried.items() if not promises}


def _path(
    edges: Mapping[Node, list[_Edge[Step]]],
    start: Node,
    arrived: Callable[[Node], bool],
    *,
    within: Callable[[Node], bool] = lambda _: True,
) -> tuple[Node, tuple[Step, ...]]:
    """A shortest path, possibly empty, to a node that fits."""
    before: dict[Node, tuple[Node, Step] | None] = {start: None}
    queue = deque([start])
    while True:  # a node that fits can be reached: both callers make sure of it
        node = queue.popleft()
        if arrived(node):
            break
        for edge in edges[node]:
            if edge.target not in before and within(edge.target):
                before[edge.target] = (node, edge.step)
                queue.append(edge.target)
    steps: list[Step] = []
    link, end = before[node], node
    while link is not None:
        steps.append(link[1])
        link = before[link[0]]
    return end, tuple(reversed(steps))


def _loop(edges: Mapping[Node, list[_Edge[Step]]], component: Mapping[Node, int], entry: Node) -> tuple[Step, ...]:
    """From the entry through edges that together leave out every promise, and back."""
    number = component[entry]

    def inside(node: Node) -> bool:
        return component[node] == number

    first = min((e for e in edges[entry] if inside(e.target)), key=lambda e: len(e.promises))
    steps, here, owed = [first.step], first.target, first.promises
    while owed:
        here, way = _path(edges, here, lambda node: bool(_leaving_out(edges[node], owed, inside)), within=inside)  # noqa: B023
        edge = min(_leaving_out(edges[here], owed, inside), key=lambda e: len(e.promises & owed))
        steps += [*way, edge.step]
        here, owed = edge.target, owed & edge.promises
    return (*steps, *_path(edges, here, lambda node: node == entry, within=inside)[1])


def _leaving_out(
    edges: Iterable[_Edge[Step]], owed: frozenset[int], inside: Callable[[Node], bool]
) -> list[_Edge[Step]]:
    return [edge for edge in edges if inside(edge.target) and not owed <= edge.promises]
