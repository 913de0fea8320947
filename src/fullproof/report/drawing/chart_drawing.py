"""Pictures of charts: nested boxes placed by Graphviz, regions side by side, written as SVG and painted as PNG."""

from __future__ import annotations

import html
from collections.abc import Iterator
from html import escape

from fullproof.core.errors import UserError
from fullproof.report.drawing.chart_picture import ChartArrow, ChartBox, ChartNode, ChartPicture, Pseudo
from fullproof.report.drawing.curves import Rectangle
from fullproof.report.drawing.dot import quoted_lines, text_of
from fullproof.report.drawing.graphviz import Placed, TooSlow, drawn, placed, sized
from fullproof.report.drawing.layout import LABEL_SIZE, MARGIN, label_size, name_height, name_width, node_size
from fullproof.report.drawing.marks import arrow_look
from fullproof.report.drawing.palette import LIGHT
from fullproof.report.drawing.picture import PictureNode, Shape
from fullproof.report.drawing.svg import (
    FONTS,
    arrow_svg,
    label_svg,
    lines_svg,
    node_svg,
    rectangle_svg,
    style,
)

SECONDS = 20.0
MOST_STATES = 300
_SMALL = 9.0
_CIRCLE = 22.0


def chart_svg(picture: ChartPicture) -> str:
    """One ``<svg>`` element. Raises UserError where the chart is too large for a picture."""
    graph = _placed(picture)
    width, height = graph.width + 2 * MARGIN, graph.height + 2 * MARGIN
    size = f'width="{width:.1f}" height="{height:.1f}"'
    boxes = {f"cluster_{k}": box for k, box in enumerate(picture.boxes)}
    tags = [(f"a{k}", arrow) for k, arrow in enumerate(picture.arrows)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fp-diagram" {size}'
        f' viewBox="0 0 {width:.1f} {height:.1f}" role="img" aria-label="{escape(picture.title)}"'
        f' font-family="{FONTS}" font-size="{LABEL_SIZE:.1f}">',
        f"<style>{style()}</style>",
        f'<rect class="fp-paper" {size} fill="{LIGHT.paper}"/>',
        f'<g fill="{LIGHT.ink}">',
        *(_box(box, _region(graph, name)) for name, box in boxes.items()),
        "</g>",
        f'<g fill="none" stroke="{LIGHT.line}" stroke-width="1.2">',
        *(arrow_svg(one.arrow, graph.curves[tag].moved(MARGIN, MARGIN)) for tag, one in tags if tag in graph.curves),
        "</g>",
        f'<g fill="{LIGHT.ink}">',
        *(label_svg(one.arrow, _label(graph, tag, one)) for tag, one in tags if one.arrow.lines),
        *(_node(node, graph, k) for k, node in enumerate(picture.nodes)),
        "</g>",
        "</svg>",
        "",
    ]
    return "\n".join(parts)


def chart_png(picture: ChartPicture) -> bytes:
    """The picture in light colours, painted by Graphviz. Raises UserError where that takes too long."""
    try:
        return drawn([chart_dot(picture, plain=False)], engine="dot", form="png", seconds=SECONDS)[0]
    except TooSlow:
        raise UserError(f"no picture within {SECONDS:.0f} s: write a .svg or .dot file instead") from None


def _placed(picture: ChartPicture) -> Placed:
    if len(picture.nodes) > MOST_STATES:
        message = f"{len(picture.nodes)} states are too many for a picture of a chart (at most {MOST_STATES})"
        raise UserError(f"{message}: write a .dot file instead")
    try:
        return placed([chart_dot(picture, plain=True)], engine="dot", seconds=SECONDS)[0]
    except TooSlow:
        raise UserError(f"no picture within {SECONDS:.0f} s: write a .dot file instead") from None


def chart_dot(picture: ChartPicture, *, plain: bool) -> str:
    """The chart in DOT, with clusters for boxes; ``plain``: room for texts instead of the texts themselves."""
    lines = ["digraph {", "graph [compound=true nodesep=0.3 ranksep=0.38 splines=spline]"]
    if plain:
        lines.append('node [fixedsize=true label=""] edge [arrowsize=0.75]')
    else:
        lines.append(
            f'graph [dpi=144 fontname=Helvetica fontsize=11 pad=0.2] node [shape=box style="rounded,filled" fontsize=11'
            f' fontname=Helvetica fillcolor="{LIGHT.state}" color="{LIGHT.rim}"]'
            f' edge [color="{LIGHT.line}" fontname=Helvetica fontsize=10 arrowsize=0.75]'
        )
    number = {node.name: k for k, node in enumerate(picture.nodes)}
    cluster = {box.name: k for k, box in enumerate(picture.boxes)}
    lines += _inside(picture, None, cluster, plain=plain)
    for k, arrow in enumerate(picture.arrows):
        ends = f" ltail=cluster_{cluster[arrow.from_box]}" if arrow.from_box is not None else ""
        ends += f" lhead=cluster_{cluster[arrow.to_box]}" if arrow.to_box is not None else ""
        label = _room(arrow) if plain else _text(arrow)
        source, target = number[arrow.source], number[arrow.target]
        look = "" if plain else arrow_look(arrow.arrow.mark)
        lines.append(f"n{source} -> n{target} [tag=a{k}{ends}{label}{look}]")
    return "\n".join([*lines, "}"])


def _inside(picture: ChartPicture, around: str | None, cluster: dict[str, int], *, plain: bool) -> Iterator[str]:
    for k, node in enumerate(picture.nodes):
        if node.box == around:
            yield _sized(k, node) if plain else _painted(k, node)
    for box in picture.boxes:
        if box.box == around:
            shape = "dashed" if box.region else "rounded"
            yield f"subgraph cluster_{cluster[box.name]} {{ style={shape} margin=12 labeljust=l"
            yield f"label={_table(_head_size(box.node))}" if plain else f"label={_lettering(box.node)}"
            yield f'color="{LIGHT.rim}"'
            yield from _inside(picture, box.name, cluster, plain=plain)
            yield "}"


def _sized(number: int, node: ChartNode) -> str:
    size = _size(node)
    shape = "circle" if node.pseudo is not None else "diamond" if node.node.shape is Shape.CHOICE else "box"
    return sized(f"n{number}", size, shape=shape)


def _size(node: ChartNode) -> tuple[float, float]:
    if node.pseudo is None:
        return node_size(node.node)
    side = _SMALL if node.pseudo in (Pseudo.START, Pseudo.DOT) else _CIRCLE
    return side, side


def _painted(number: int, node: ChartNode) -> str:
    match node.pseudo:
        case None:
            shape = "shape=diamond style=filled " if node.node.shape is Shape.CHOICE else ""
            mark = f' fillcolor="{LIGHT.glow}" color="{LIGHT.accent}"' if node.node.marked else ""
            return f"n{number} [{shape}label={_lettering(node.node)}{mark}]"
        case Pseudo.START | Pseudo.DOT:
            colour = LIGHT.ink if node.pseudo is Pseudo.START else LIGHT.paper
            return f'n{number} [shape=circle style=filled fillcolor="{colour}" label="" width=0.12 fixedsize=true]'
        case Pseudo.FINAL:
            return f'n{number} [shape=doublecircle style=filled fillcolor="{LIGHT.ink}" label="" width=0.14]'
        case _:
            return (
                f'n{number} [shape=circle label="{node.pseudo.value}" style=filled fillcolor="{LIGHT.paper}" margin=0]'
            )


def _lettering(node: PictureNode) -> str:
    loops = [text_of(line) for line in node.loops]
    return quoted_lines([*node.lines, *loops])


def _text(arrow: ChartArrow) -> str:
    """The text on paper, as it may stand across the edge of a box."""
    if not arrow.arrow.lines:
        return ""
    text = "<BR/>".join(html.escape(text_of(line)) for line in arrow.arrow.lines)
    return f' label=<<TABLE BORDER="0" CELLPADDING="1" BGCOLOR="{LIGHT.paper}"><TR><TD>{text}</TD></TR></TABLE>>'


def _room(arrow: ChartArrow) -> str:
    if not arrow.arrow.lines:
        return ""
    width, height = label_size(arrow.arrow.lines)
    return f" label={_table((width + 8, height + 4))}"


def _table(size: tuple[float, float]) -> str:
    """A table of fixed size replaces a text, so that fonts do not affect the layout."""
    return (
        f'<<TABLE BORDER="0" FIXEDSIZE="TRUE" WIDTH="{size[0]:.0f}" HEIGHT="{size[1]:.0f}"><TR><TD></TD></TR></TABLE>>'
    )


def _head_size(node: PictureNode) -> tuple[float, float]:
    wide, high = max(name_width(line) for line in node.lines), name_height(node)
    if node.loops:
        width, height = label_size(node.loops)
        return max(wide, width) + 16, high + height + 10
    return wide + 16, high + 6


def _region(graph: Placed, name: str) -> Rectangle:
    (left, top), (right, low) = graph.boxes[name]
    return Rectangle((left + right) / 2 + MARGIN, (top + low) / 2 + MARGIN, right - left, low - top)


def _label(graph: Placed, tag: str, one: ChartArrow) -> Rectangle:
    x, y = graph.labels[tag]
    return Rectangle(x + MARGIN, y + MARGIN, *label_size(one.arrow.lines))


def _box(box: ChartBox, at: Rectangle) -> str:
    node, left, top = box.node, at.x - at.width / 2, at.y - at.height / 2
    rim, dash = (LIGHT.accent if node.marked else LIGHT.rim), ' stroke-dasharray="6 4"' if box.region else ""
    step = name_height(node) / len(node.lines)
    names = "".join(
        f'<text x="{left + 10:.1f}" y="{top + 6 + (k + 0.8) * step:.1f}">{escape(line)}</text>'
        for k, line in enumerate(node.lines)
    )
    return (
        f'<g class="fp-box"><title>{escape(node.story)}</title>'
        f'<rect class="fp-paper" {rectangle_svg(at, corner=4 if box.region else 12)}'
        f' fill="{LIGHT.paper}" stroke="{rim}"{dash}/>'
        f'<g font-size="13" font-weight="600">{names}</g>'
        f"{lines_svg(node.loops, left + 10, top + 8 + name_height(node))}</g>"
    )


def _node(node: ChartNode, graph: Placed, number: int) -> str:
    x, y = graph.nodes[f"n{number}"]
    at = Rectangle(x + MARGIN, y + MARGIN, *_size(node))
    if node.pseudo is None:
        return node_svg(node.node, at)
    middle, radius = f'cx="{at.x:.1f}" cy="{at.y:.1f}"', at.width / 2
    title = f"<title>{escape(node.node.story)}</title>" if node.node.story else ""
    full = f'fill="{LIGHT.ink}"'
    match node.pseudo:
        case Pseudo.START:
            inner = f'<g class="fp-entry"><circle {middle} r="{radius:.1f}" {full}/></g>'
        case Pseudo.DOT:
            inner = f'<circle {middle} r="{radius:.1f}" class="fp-paper" fill="{LIGHT.paper}" stroke="{LIGHT.rim}"/>'
        case Pseudo.FINAL:
            inner = f'<circle {middle} r="{radius:.1f}" class="fp-paper" fill="{LIGHT.paper}" stroke="{LIGHT.rim}"/>'
            inner += f'<g class="fp-entry"><circle {middle} r="{radius - 5:.1f}" {full}/></g>'
        case _:
            inner = f'<circle {middle} r="{radius:.1f}" class="fp-paper" fill="{LIGHT.paper}" stroke="{LIGHT.rim}"/>'
            text = f'x="{at.x:.1f}" y="{at.y + 4:.1f}" text-anchor="middle" font-weight="600"'
            inner += f"<text {text}>{escape(node.pseudo.value)}</text>"
    return f'<g class="fp-pseudo">{title}{inner}</g>'
