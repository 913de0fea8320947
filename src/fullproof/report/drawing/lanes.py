"""Larger pictures: states in rows by their distance from the start, every arrow in a lane of its own.

Routing splines around labels is what makes ``dot`` slow. Here an arrow is cut into rungs, one for each row it passes,
and its label is a rung of its own, next to the source. ``dot`` places the rungs in a fraction of the time, and the
curve through an arrow's rungs needs no routing at all: rungs never overlap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from fullproof.report.drawing.curves import Point, Rectangle, smooth
from fullproof.report.drawing.graphviz import Placed, placed, sized
from fullproof.report.drawing.layout import ENTRY_SIZE, MARGIN, Layout, label_size, node_size
from fullproof.report.drawing.picture import Picture

_RUNG = (1.0, 1.0)
_ASPECT = 2.0  # before the lanes of long arrows make it wider
# As in dot itself: the further from a state, the straighter.
_LANE_WEIGHT, _END_WEIGHT, _SHORT_WEIGHT = 8, 2, 1


@dataclass(frozen=True, slots=True)
class _Ladder:
    """The rungs of one arrow from source to target, each with its row; rows with states are even."""

    rungs: tuple[tuple[str, int], ...]
    flat: bool


def extent(picture: Picture) -> tuple[int, int]:
    """How many rows ``in_lanes`` makes, and how many rungs: what its picture costs to look at, and to make."""
    rows = _rows(picture)
    return max(rows) + 1, sum(max(1, 2 * abs(rows[a.source] - rows[a.target])) for a in picture.arrows)


def in_lanes(picture: Picture, *, seconds: float) -> Layout:
    """Rows by distance from the initial state. Raises TooSlow."""
    rows = [2 * row for row in _rows(picture)]
    ladders = [_ladder(i, rows[a.source], rows[a.target]) for i, a in enumerate(picture.arrows)]
    (graph,) = placed([_source(picture, rows, ladders)], engine="dot", seconds=seconds)
    return _layout(picture, ladders, graph)


def _rows(picture: Picture) -> list[int]:
    """Breadth-first, no row much longer than the page is wide; dead ends below everything."""
    following: dict[int, list[int]] = {}
    for arrow in picture.arrows:
        if arrow.source != arrow.target:
            following.setdefault(arrow.source, []).append(arrow.target)
    most = _longest_row(picture)
    dead_ends = [n for n in range(len(picture.nodes)) if n not in following and n != picture.initial]
    rows = [0] * len(picture.nodes)
    row = 0
    for level in [*_levels(picture, following, skipped=set(dead_ends)), dead_ends]:
        parts = math.ceil(len(level) / most)
        for n, state in enumerate(level):
            rows[state] = row + n * parts // len(level)
        row += parts
    return rows


def _longest_row(picture: Picture) -> int:
    """How many states a row may hold so that all rows together are about twice as wide as high."""
    labels = [label_size(arrow.lines) for arrow in picture.arrows if arrow.lines]
    states = [node_size(node) for node in picture.nodes]
    width = sum(width + 20 for width, _ in (*states, *labels))
    heights = [sum(height for _, height in sizes) / max(1, len(sizes)) for sizes in (states, labels)]
    rows = math.sqrt(width / (_ASPECT * (sum(heights) + 30)))
    return max(3, math.ceil(len(states) / rows))


def _levels(picture: Picture, following: dict[int, list[int]], *, skipped: set[int]) -> list[list[int]]:
    """States by their distance from the initial one, then the unreachable ones likewise."""
    levels = []
    seen = set(skipped)
    for root in (picture.initial, *range(len(picture.nodes))):
        level = [root] if root not in seen else []
        while level:
            levels.append(level)
            seen.update(level)
            level = list(dict.fromkeys(t for s in level for t in following.get(s, ()) if t not in seen))
    return levels


def _ladder(i: int, source: int, target: int) -> _Ladder:
    if source == target:
        return _Ladder(((f"l{i}", source - 1),), flat=True)
    down = 1 if source < target else -1
    label, *others = range(source + down, target, down)
    return _Ladder(((f"l{i}", label), *((f"r{i}_{row}", row) for row in others)), flat=False)


def _source(picture: Picture, rows: list[int], ladders: list[_Ladder]) -> str:
    initial = rows[picture.initial]
    in_row: dict[int, list[str]] = {initial - 2: ["entry"], initial - 1: ["entry_rung"]}
    lines = [
        "digraph { graph [nodesep=0.18 ranksep=0.16 splines=line mclimit=0.3 nslimit=5]",
        'node [fixedsize=true label=""]',
        sized("entry", (ENTRY_SIZE, ENTRY_SIZE)),
        sized("entry_rung", _RUNG),
        f"entry -> entry_rung -> n{picture.initial} [weight={_LANE_WEIGHT}]",
    ]
    for n, node in enumerate(picture.nodes):
        lines.append(sized(f"n{n}", node_size(node)))
        in_row.setdefault(rows[n], []).append(f"n{n}")
    for arrow, ladder in zip(picture.arrows, ladders, strict=True):
        for name, row in ladder.rungs:
            width, height = label_size(arrow.lines) if name[0] == "l" and arrow.lines else _RUNG
            lines.append(sized(name, (width + 6, height + 4) if name[0] == "l" else _RUNG))
            in_row.setdefault(row, []).append(name)
        lines.extend(_steps(f"n{arrow.source}", f"n{arrow.target}", ladder, rows[arrow.source] < rows[arrow.target]))
    first, last = min(in_row), max(in_row)
    lines.extend(
        f"{{ rank=same; row{row - first}; {' '.join(in_row.get(row, ()))} }}" for row in range(first, last + 1)
    )
    lines.extend(f"row{n} -> row{n + 1} [weight=0]" for n in range(last - first))
    return "\n".join([*lines, "}"])


def _steps(source: str, target: str, ladder: _Ladder, down: bool) -> list[str]:
    """Edges from each row to the next one below, whichever way the arrow points."""
    names = [name for name, _ in ladder.rungs]
    if ladder.flat:
        return [f"{names[0]} -> {state}" for state in dict.fromkeys((source, target))]
    path = [source, *names, target] if down else [target, *reversed(names), source]
    end = _END_WEIGHT if len(names) > 1 else _SHORT_WEIGHT
    weights = [end, *([_LANE_WEIGHT] * (len(names) - 1)), end]
    return [f"{a} -> {b} [weight={w}]" for (a, b), w in zip(pairwise(path), weights, strict=True)]


def _layout(picture: Picture, ladders: list[_Ladder], graph: Placed) -> Layout:
    def at(name: str) -> Point:
        x, y = graph.nodes[name]
        return x + MARGIN, y + MARGIN

    nodes = tuple(Rectangle(*at(f"n{n}"), *node_size(node)) for n, node in enumerate(picture.nodes))
    curves = tuple(
        smooth(nodes[arrow.source], [at(name) for name, _ in ladder.rungs], nodes[arrow.target])
        for arrow, ladder in zip(picture.arrows, ladders, strict=True)
    )
    labels = tuple(
        Rectangle(*at(f"l{i}"), *label_size(a.lines)) if a.lines else None for i, a in enumerate(picture.arrows)
    )
    start = Rectangle(*at("entry"), ENTRY_SIZE, ENTRY_SIZE)
    return Layout(
        width=graph.width + 2 * MARGIN,
        height=graph.height + 2 * MARGIN,
        nodes=nodes,
        curves=curves,
        labels=labels,
        entry=smooth(start, [at("entry_rung")], nodes[picture.initial]),
        entry_at=at("entry"),
    )
