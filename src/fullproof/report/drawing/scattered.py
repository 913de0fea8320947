"""The largest pictures: neighbours near each other, straight arrows without labels, by ``sfdp``."""

from __future__ import annotations

from fullproof.report.drawing.curves import Rectangle, straight
from fullproof.report.drawing.graphviz import placed, sized
from fullproof.report.drawing.layout import ENTRY_SIZE, MARGIN, Layout, node_size
from fullproof.report.drawing.picture import Picture

_AWAY = 26.0  # from the initial state to the dot of its entry arrow
_EDGE = MARGIN + _AWAY


def scattered(picture: Picture, *, seconds: float) -> Layout:
    """A layout by springs and repulsion. Raises TooSlow."""
    lines = ['digraph { graph [overlap=scale splines=none] node [fixedsize=true label=""]']
    lines.extend(sized(f"n{n}", node_size(node)) for n, node in enumerate(picture.nodes))
    lines.extend(f"n{a.source} -> n{a.target}" for a in picture.arrows)
    (graph,) = placed(["\n".join([*lines, "}"])], engine="sfdp", seconds=seconds)
    places = {name: (x + _EDGE, y + _EDGE) for name, (x, y) in graph.nodes.items()}
    nodes = tuple(Rectangle(*places[f"n{n}"], *node_size(node)) for n, node in enumerate(picture.nodes))
    first = nodes[picture.initial]
    start = Rectangle(first.x - first.width / 2 - _AWAY, first.y - first.height / 2 - _AWAY, ENTRY_SIZE, ENTRY_SIZE)
    return Layout(
        width=graph.width + 2 * _EDGE,
        height=graph.height + 2 * _EDGE,
        nodes=nodes,
        curves=tuple(straight(nodes[a.source], nodes[a.target]) for a in picture.arrows),
        labels=(None,) * len(picture.arrows),
        entry=straight(start, nodes[picture.initial]),
        entry_at=(start.x, start.y),
    )
