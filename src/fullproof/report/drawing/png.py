"""Layout -> PNG: the drawing of the SVG once more, in light colours, by Graphviz's own painter.

Every curve and every text has its final place already (engine ``nop2``): Graphviz paints, it does not lay out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from html import escape

from fullproof.report.drawing.arrange import Arrangement, note_height
from fullproof.report.drawing.curves import Curve, Point, Rectangle
from fullproof.report.drawing.graphviz import drawn, inches
from fullproof.report.drawing.layout import (
    ENTRY_SIZE,
    LABEL_SIZE,
    LINE_HEIGHT,
    MARGIN,
    NAME_SIZE,
    PADDING,
    label_size,
    name_height,
)
from fullproof.report.drawing.marks import arrow_look, look_of
from fullproof.report.drawing.palette import LIGHT
from fullproof.report.drawing.picture import Line, PictureNode, Shape

FONTS = "Helvetica,Arial,sans-serif"
_SHARP = 144.0  # dots per inch: two for each point
_MOST_PIXELS = 24e6
_LONGEST_SIDE = 16_000.0
_STEP = int(LABEL_SIZE * LINE_HEIGHT)


def png_bytes(arrangement: Arrangement, *, seconds: float) -> bytes:
    """The picture, as sharp as a reasonable size allows. Raises TooSlow."""
    return drawn(["\n".join(_source(arrangement))], engine="nop2", form="png", seconds=seconds)[0]


def _source(arrangement: Arrangement) -> Iterator[str]:
    picture, layout = arrangement.picture, arrangement.layout
    width, height = layout.width, layout.height + note_height(arrangement)
    page = _Page(height)
    yield f'digraph {{ graph [outputorder=edgesfirst bgcolor="{LIGHT.paper}"'
    yield f"pad=0 dpi={_resolution(width, height):.1f}]"
    yield f'node [fixedsize=true label="" margin=0 fontname="{FONTS}" penwidth=1.4 fontcolor="{LIGHT.ink}"]'
    yield f'edge [arrowsize=0.75 penwidth={0.7 if arrangement.crowded else 1.2} color="{LIGHT.line}"]'
    # Two invisible corners fix the size of the page.
    yield page.node("corner0", Rectangle(0, 0, 0, 0), "style=invis")
    yield page.node("corner1", Rectangle(width, height, 0, 0), "style=invis")
    for n, node in enumerate(picture.nodes):
        yield page.node(f"n{n}", layout.nodes[n], _outline(node))
    for i, (arrow, curve) in enumerate(zip(picture.arrows, layout.curves, strict=True)):
        look = arrow_look(arrow.mark)
        yield f"n{arrow.source} -> n{arrow.target} [{page.curve(curve)}{look}]"
        box = layout.labels[i]
        if box is not None:
            yield page.node(
                f"l{i}", box, f'shape=box style=filled penwidth=0 fillcolor="{LIGHT.paper}" {_list(arrow.lines)}'
            )
    for n, (node, box) in enumerate(zip(picture.nodes, layout.nodes, strict=True)):
        yield from _inscription(page, n, node, box)
    entry = Rectangle(*layout.entry_at, ENTRY_SIZE, ENTRY_SIZE)
    yield page.node("entry", entry, f'shape=circle style=filled penwidth=0 fillcolor="{LIGHT.ink}"')
    yield f'entry -> n{picture.initial} [{page.curve(layout.entry)} color="{LIGHT.ink}"]'
    if arrangement.note:
        size = note_height(arrangement) / 2
        room = Rectangle(width / 2, height - size, width - 2 * MARGIN, 0)
        text = f'<FONT POINT-SIZE="{size:.1f}" COLOR="{LIGHT.line}">{escape(arrangement.note)}</FONT>'
        yield page.node("note", room, f"shape=none {_table([text], room.width, 1.5 * size)}")
    yield "}"


class _Page:
    """Turns our coordinates into Graphviz's, where y grows upwards."""

    def __init__(self, height: float) -> None:
        self._height = height

    def point(self, point: Point) -> str:
        return f"{point[0]:.2f},{self._height - point[1]:.2f}"

    def node(self, name: str, box: Rectangle, look: str) -> str:
        return f'{name} [pos="{self.point((box.x, box.y))}" {inches(box.width, box.height)} {look}]'

    def curve(self, curve: Curve) -> str:
        return f'pos="e,{self.point(curve.tip)} {" ".join(map(self.point, curve.points))}"'


def _resolution(width: float, height: float) -> float:
    by_area = 72 * math.sqrt(_MOST_PIXELS / (width * height))
    return min(_SHARP, by_area, 72 * _LONGEST_SIDE / max(width, height))


def _outline(node: PictureNode) -> str:
    if node.shape is Shape.CHOICE:
        shape, fill, rim = "diamond style=filled", LIGHT.choice, LIGHT.choice_rim
    else:
        shape, fill, rim = 'box style="filled,rounded"', LIGHT.state, LIGHT.rim
    if node.marked:
        fill, rim = LIGHT.glow, LIGHT.accent
    return f'shape={shape} fillcolor="{fill}" color="{rim}"'


def _inscription(page: _Page, n: int, node: PictureNode, box: Rectangle) -> Iterator[str]:
    top = box.y - box.height / 2
    high = name_height(node)
    middle = top + PADDING + high / 2 if node.loops else box.y
    text = f'<B><FONT POINT-SIZE="{NAME_SIZE}">{"<BR/>".join(map(_shown, node.lines))}</FONT></B>'
    yield page.node(f"name{n}", Rectangle(box.x, middle, box.width, high), f"shape=none label=<{text}>")
    if node.loops:
        rule = top + high + PADDING + 5
        yield page.node(
            f"rule{n}",
            Rectangle(box.x, rule, box.width, 0),
            f'shape=box style=filled penwidth=0 fillcolor="{LIGHT.rim}"',
        )
        wide, tall = label_size(node.loops)
        room = Rectangle(box.x - box.width / 2 + 10 + wide / 2, rule + 4 + tall / 2, wide, tall)
        yield page.node(f"loops{n}", room, f"shape=none {_list(node.loops)}")


def _list(lines: tuple[Line, ...]) -> str:
    return _table(map(_styled, lines), *label_size(lines))


def _styled(line: Line) -> str:
    indent = "&#160;" * 3 if line.further else ""
    gap = "&#160;" if line.stimulus and line.response else ""
    stimulus = _shown(line.stimulus)
    if line.mark is not None:
        look = look_of(line.mark)
        tag = "B" if look.bold else "S" if look.decoration else "I" if look.italic else "FONT"
        return f'<{tag}><FONT COLOR="{look.text}">{indent}{stimulus}{gap}{_shown(line.response)}</FONT></{tag}>'
    if not line.response:
        return f"{indent}{stimulus}"
    return f'{indent}{stimulus}{gap}<FONT COLOR="{LIGHT.output}">{_shown(line.response)}</FONT>'


def _shown(text: str) -> str:
    # Graphviz expands \N and the like even here, unless the backslash is doubled, and folds spaces.
    return escape(text).replace("\\", "&#92;&#92;").replace(" ", "&#160;")


def _table(rows: Iterable[str], width: float, height: float) -> str:
    cells = "".join(
        f'<TR><TD ALIGN="LEFT" HEIGHT="{_STEP}"><FONT POINT-SIZE="{LABEL_SIZE}">{text}</FONT></TD></TR>'
        for text in rows
    )
    return (
        'label=<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" FIXEDSIZE="TRUE"'
        f' WIDTH="{math.ceil(width)}" HEIGHT="{math.ceil(height)}">{cells}</TABLE>>'
    )
