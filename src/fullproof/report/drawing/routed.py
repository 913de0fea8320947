"""Small pictures: ``dot`` ranks the states and routes a curve around everything in its way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from fullproof.report.drawing.curves import Rectangle
from fullproof.report.drawing.graphviz import Placed, placed, sized
from fullproof.report.drawing.layout import ENTRY_SIZE, MARGIN, Layout, label_size, node_size
from fullproof.report.drawing.picture import Picture, PictureArrow, Shape

Direction = Literal["TB", "LR"]


def routed(pictures: Sequence[Picture], directions: Sequence[Direction], *, seconds: float) -> list[Layout]:
    """A layout for each picture in each direction, in that order. Raises TooSlow."""
    wanted = [(picture, way) for picture in pictures for way in directions]
    graphs = placed([_source(picture, way) for picture, way in wanted], engine="dot", seconds=seconds)
    return [_layout(picture, graph) for (picture, _), graph in zip(wanted, graphs, strict=True)]


def _source(picture: Picture, direction: Direction) -> str:
    lines = [
        f"digraph {{ graph [rankdir={direction} nodesep=0.3 ranksep=0.42 splines=spline]",
        'node [fixedsize=true label=""] edge [arrowsize=0.75]',
        sized("entry", (ENTRY_SIZE, ENTRY_SIZE), shape="circle"),
    ]
    for i, node in enumerate(picture.nodes):
        shape = "diamond" if node.shape is Shape.CHOICE else "box"
        lines.append(sized(f"n{i}", node_size(node), shape=shape))
    lines.append(f"entry -> n{picture.initial} [tag=entry weight=3]")
    lines.extend(f"n{a.source} -> n{a.target} [tag=a{i}{_room(a)}]" for i, a in enumerate(picture.arrows))
    return "\n".join([*lines, "}"])


def _room(arrow: PictureArrow) -> str:
    """A table of fixed size replaces the label, so that fonts do not affect the layout."""
    if not arrow.lines:
        return ""
    width, height = label_size(arrow.lines)
    return (
        f' label=<<TABLE BORDER="0" FIXEDSIZE="TRUE" WIDTH="{width + 8:.0f}" HEIGHT="{height + 4:.0f}">'
        "<TR><TD></TD></TR></TABLE>>"
    )


def _layout(picture: Picture, graph: Placed) -> Layout:
    def box(at: tuple[float, float], size: tuple[float, float]) -> Rectangle:
        return Rectangle(at[0] + MARGIN, at[1] + MARGIN, *size)

    arrows = [(f"a{i}", arrow) for i, arrow in enumerate(picture.arrows)]
    at = graph.nodes["entry"]
    return Layout(
        width=graph.width + 2 * MARGIN,
        height=graph.height + 2 * MARGIN,
        nodes=tuple(box(graph.nodes[f"n{i}"], node_size(node)) for i, node in enumerate(picture.nodes)),
        curves=tuple(graph.curves[tag].moved(MARGIN, MARGIN) for tag, _ in arrows),
        labels=tuple(box(graph.labels[tag], label_size(a.lines)) if a.lines else None for tag, a in arrows),
        entry=graph.curves["entry"].moved(MARGIN, MARGIN),
        entry_at=(at[0] + MARGIN, at[1] + MARGIN),
    )
