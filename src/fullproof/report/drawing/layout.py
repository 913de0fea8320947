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
    wide = max(name_width(line) for line in node.lines)
    high = name_height(node)
    if node.shape is Shape.CHOICE:
        whole = 2 * high + 14
        return wide / (1 - high / whole) + 10, whole  # the corners of the text touch the sides of the diamond
    if node.loops:
        list_wide, list_high = label_size(node.loops)
        return max(wide + 24, list_wide + 20), high + 2 * PADDING + list_high + 6
    return max(wide + 24, 44.0), high + 2 * PADDING


def name_width(line: str) -> float:
    """How wide a line of a state's name is."""
    return text_width(line, size=NAME_SIZE, bold=True)


def name_height(node: PictureNode) -> float:
    """How high the lines of a state's name stand together."""
    return len(node.lines) * NAME_SIZE * LINE_HEIGHT


def label_size(lines: tuple[Line, ...]) -> tuple[float, float]:
    """How much room a label needs."""
    return max(map(line_width, lines)), len(lines) * LABEL_SIZE * LINE_HEIGHT


def line_width(line: Line) -> float:
    """How wide a line of a label is with its indent: in bold, since another picture of the same layout may mark it."""
    return text_width(line_text(line), size=LABEL_SIZE, bold=True) + (INDENT if line.further else 0.0)


def line_text(line: Line) -> str:
    """A line of a label as it is read."""
    return line.stimulus + (" " if line.stimulus and line.response else "") + line.response
