"""Draw the rooms and their imports: ``python -m docs._site.architecture`` writes docs/images/architecture.svg.

A room stands one row below the lowest room that imports it. An arrow is left out where a path of other arrows says the
same, so that what is drawn is the transitive reduction of the real import graph.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from docs._site.import_graph import Graph, module_graph, room_graph

PICTURE = Path(__file__).parents[1] / "images" / "architecture.svg"
_WIDTH, _HEIGHT, _ACROSS, _DOWN, _MARGIN = 110, 34, 14, 46, 16
_STYLE = """
  .room { fill: #f5f7fa; stroke: #51606f; stroke-width: 1.2 }
  .import { fill: none; stroke: #8795a4; stroke-width: 1.1; marker-end: url(#head) }
  text { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; fill: #1d2733; text-anchor: middle }
  #head path { fill: #8795a4 }
  @media (prefers-color-scheme: dark) {
    .room { fill: #232b35; stroke: #9fb0c2 } .import { stroke: #6b7a8a } text { fill: #e6edf5 }
    #head path { fill: #6b7a8a }
  }
"""


def picture(rooms: Graph) -> str:
    """The picture as SVG text; the same graph gives the same bytes."""
    arrows, rows = _arranged(rooms)
    width = max(len(row) for row in rows) * (_WIDTH + _ACROSS) - _ACROSS + 2 * _MARGIN
    height = len(rows) * (_HEIGHT + _DOWN) - _DOWN + 2 * _MARGIN
    place: dict[str, tuple[float, float]] = {}
    for depth, row in enumerate(rows):
        left = (width - len(row) * (_WIDTH + _ACROSS) + _ACROSS) / 2
        for position, node in enumerate(row):
            place[node] = (left + position * (_WIDTH + _ACROSS) + _WIDTH / 2, _MARGIN + depth * (_HEIGHT + _DOWN))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>The rooms of fullproof and what they import</title><style>{_STYLE}</style>",
        '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z"/></marker>',
        *(f'<path class="import" d="{_curve([place[node] for node in arrow])}"/>' for arrow in arrows),
    ]
    for room in sorted(rooms):
        x, y = place[room]
        imports = ", ".join(sorted(rooms[room])) or "the standard library alone"
        parts.append(
            f"<g><title>{html.escape(room)} imports {html.escape(imports)}</title>"
            f'<rect class="room" x="{x - _WIDTH / 2:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="6"/>'
            f'<text x="{x:g}" y="{y + _HEIGHT / 2 + 4.5:g}">{html.escape(room)}</text></g>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """From the bottom of the first box to the top of the last, straight through the rows between them."""
    text = ""
    for index, ((x, y), (to_x, to_y)) in enumerate(pairwise(points)):
        begin, bend = y + _HEIGHT, _DOWN / 2
        text += f"M{x:g} {begin:g}" if index == 0 else f"L{x:g} {begin:g}"
        text += f"C{x:g} {begin + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}"
    return text


def _arranged(rooms: Graph) -> tuple[list[list[str]], list[list[str]]]:
    """The arrows as paths from row to row, and the rows, which hold a free place where an arrow passes."""
    depth = _depths(rooms)
    rows: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for room in sorted(rooms):
        rows[depth[room]].append(room)
    arrows = []
    for room, imported in _reduced(rooms).items():
        for other in sorted(imported):
            passing = [f"{room} to {other} in row {row}" for row in range(depth[room] + 1, depth[other])]
            for row, node in enumerate(passing, start=depth[room] + 1):
                rows[row].append(node)
            arrows.append([room, *passing, other])
    above: dict[str, list[str]] = {}
    for arrow in arrows:
        for node, after in pairwise(arrow):
            above.setdefault(after, []).append(node)
    place: dict[str, float] = {}
    for row in rows:  # each near the middle of what points to it
        row.sort(key=lambda node: (sum(place[a] for a in above.get(node, ())) / (len(above.get(node, ())) or 1), node))
        place.update({node: position - (len(row) - 1) / 2 for position, node in enumerate(row)})
    return arrows, rows


def _depths(rooms: Graph) -> dict[str, int]:
    """The longest path from the top to each room."""
    depth = dict.fromkeys(rooms, 0)
    waiting = sorted(rooms)
    while waiting:
        room = waiting.pop()
        for other in rooms[room]:
            if depth[other] <= depth[room]:
                depth[other] = depth[room] + 1
                waiting.append(other)
    return depth


def _reduced(rooms: Graph) -> Graph:
    """Without the arrows that a longer path implies."""
    reached: dict[str, frozenset[str]] = {}

    def below(room: str) -> frozenset[str]:
        if room not in reached:
            reached[room] = rooms[room].union(*(below(other) for other in rooms[room]))
        return reached[room]

    return {
        room: frozenset(other for other in imported if not any(other in below(third) for third in imported))
        for room, imported in rooms.items()
    }


if __name__ == "__main__":
    PICTURE.write_text(picture(room_graph(module_graph())), encoding="utf-8")
