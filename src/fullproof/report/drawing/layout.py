"""Where everything in a picture stands, and how much room it takes."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.report.drawing.curves import Curve, Point, Rectangle
from fullproof.report.drawing.picture import Line, PictureNode, Shape
from fullproof.report.drawing.text_width import text_width

NAME_SIZE = 13.0
LABEL_SIZE = 11.5
LINE_HEIGHT = 1.32
INDENT = 10.0
MARGIN = 14.0
ENTRY_SIZE = 9.0
PADDING = 7.5  # above and below the name of a state


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Positions for the nodes and arrows of a picture, in their order; a label without room has no box."""

    width: float
    height: float
    nodes: tuple[Rectangle, ...]
    curves: tuple[Curve, ...]
    labels: tuple[Rectangle | None, ...]
    entry: Curve
    entry_at: Point


def node_size(node: PictureNode) -> tuple[float, float]:
    """How much room a state needs."""
    wide = max(text_width(line, size=NAME_SIZE) for line in node.lines) * 1.06  # names are set in bold
    high = name_height(node)
    if node.shape is Shape.CHOICE:
        return wide + 2.2 * high + 10, 2 * high + 14
    if node.loops:
        list_wide, list_high = label_size(node.loops)
        return max(wide + 24, list_wide + 20), high + 2 * PADDING + list_high + 6
    return max(wide + 24, 44.0), high + 2 * PADDING


def name_height(node: PictureNode) -> float:
    """How high the lines of a state's name stand together."""
    return len(node.lines) * NAME_SIZE * LINE_HEIGHT


def label_size(lines: tuple[Line, ...]) -> tuple[float, float]:
    """How much room a label needs."""
    return max(map(_line_width, lines)), len(lines) * LABEL_SIZE * LINE_HEIGHT


def _line_width(line: Line) -> float:
    gap = " " if line.stimulus and line.response else ""
    return text_width(line.stimulus + gap + line.response, size=LABEL_SIZE) + (INDENT if line.further else 0.0)
