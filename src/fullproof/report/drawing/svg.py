"""Layout -> SVG: one element that stands alone or inside a page, in light and in dark mode.

No ids, no references, no scripts: several diagrams can live in one page. Colours are attributes, so that a viewer
without CSS shows the light ones; a style sheet of custom properties repeats them for browsers. A page around the
diagram may set those on any element of its own, such as ``--fp-paper``, the ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from html import escape

from fullproof.report.drawing.arrange import Arrangement, note_height
from fullproof.report.drawing.curves import Curve, Point, Rectangle, arrowhead
from fullproof.report.drawing.layout import (
    ENTRY_SIZE,
    INDENT,
    LABEL_SIZE,
    LINE_HEIGHT,
    MARGIN,
    NAME_SIZE,
    Layout,
    line_text,
    line_width,
    name_height,
    name_width,
)
from fullproof.report.drawing.marks import look_of
from fullproof.report.drawing.palette import DARK, LIGHT, Palette
from fullproof.report.drawing.picture import Line, Mark, PictureArrow, PictureNode, Shape
from fullproof.report.drawing.text_width import has_unsure_width

FONTS = "Helvetica, Arial, sans-serif"

_RULES = """
.fp-diagram { max-width: 100%; height: auto; }
.fp-paper, .fp-label rect { fill: var(--fp-paper); }
.fp-diagram text { fill: var(--fp-ink); }
.fp-diagram .fp-response { fill: var(--fp-output); }
.fp-diagram .fp-note { fill: var(--fp-line); }
.fp-arrow path { stroke: var(--fp-line); }
.fp-arrow polygon { fill: var(--fp-line); }
.fp-entry circle, .fp-entry polygon { fill: var(--fp-ink); }
.fp-entry path { stroke: var(--fp-ink); }
.fp-state rect { fill: var(--fp-state); stroke: var(--fp-rim); }
.fp-state path { stroke: var(--fp-rim); }
.fp-choice polygon { fill: var(--fp-choice); stroke: var(--fp-choice-rim); }
.fp-arrow.fp-marked path { stroke: var(--fp-accent); stroke-width: 3; }
.fp-arrow.fp-marked polygon { fill: var(--fp-accent); }
.fp-arrow.fp-covered path { stroke: var(--fp-covered); stroke-width: 1.8; }
.fp-arrow.fp-covered polygon { fill: var(--fp-covered); }
.fp-arrow.fp-wrong path { stroke: var(--fp-wrong); stroke-width: 2.4; }
.fp-arrow.fp-wrong polygon { fill: var(--fp-wrong); }
.fp-marked rect, .fp-choice.fp-marked polygon { fill: var(--fp-glow); stroke: var(--fp-accent); stroke-width: 2.2; }
.fp-diagram .fp-strong { fill: var(--fp-accent); font-weight: 700; }
.fp-diagram .fp-strong.fp-wrong { fill: var(--fp-wrong); }
.fp-diagram .fp-text.fp-covered { fill: var(--fp-covered); }
.fp-diagram .fp-text.fp-uncovered, .fp-diagram .fp-text.fp-missing { fill: var(--fp-line); }
.fp-arrow:hover path { stroke: var(--fp-accent); stroke-width: 2.2; stroke-opacity: 1; }
.fp-arrow:hover polygon { fill: var(--fp-accent); }
"""


def svg_text(arrangement: Arrangement) -> str:
    """The whole drawing, with its note below it."""
    picture, layout = arrangement.picture, arrangement.layout
    width, height = layout.width, layout.height + note_height(arrangement)
    size = f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}"'
    thin = ' stroke-opacity="0.6"' if arrangement.crowded else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fp-diagram" {size} role="img"'
        f' aria-label="{_x(picture.title)}" font-family="{FONTS}" font-size="{_n(LABEL_SIZE)}">',
        f"<style>{style()}</style>",
        f'<rect class="fp-paper" width="{_n(width)}" height="{_n(height)}" fill="{LIGHT.paper}"/>',
        f'<g fill="none" stroke="{LIGHT.line}" stroke-width="{0.8 if arrangement.crowded else 1.2}"{thin}>',
        *map(arrow_svg, picture.arrows, layout.curves),
        "</g>",
        f'<g fill="{LIGHT.ink}">',
        *(label_svg(arrow, box) for arrow, box in zip(picture.arrows, layout.labels, strict=True) if box),
        *map(node_svg, picture.nodes, layout.nodes),
        "</g>",
        _entry(layout),
        *_note(arrangement, height),
        "</svg>",
        "",
    ]
    return "\n".join(parts)


def style() -> str:
    """The style sheet inside every drawing: the same for all of them, so that a page can allow it by its hash."""
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {_properties(DARK)} }} }}"
    return f"\n:root {{ {_properties(LIGHT)} }}\n{dark}{_RULES}"


def _properties(palette: Palette) -> str:
    return " ".join(f"--fp-{name.replace('_', '-')}: {colour};" for name, colour in asdict(palette).items())


def _entry(layout: Layout) -> str:
    x, y = layout.entry_at
    return (
        f'<g class="fp-entry" fill="{LIGHT.ink}"><circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(ENTRY_SIZE / 2)}"/>'
        f'<path d="{path_svg(layout.entry)}" fill="none" stroke="{LIGHT.ink}" stroke-width="1.4"/>'
        f'<polygon points="{corners_svg(arrowhead(layout.entry))}"/></g>'
    )


def _note(arrangement: Arrangement, height: float) -> Iterator[str]:
    if arrangement.note:
        size = note_height(arrangement) / 2
        yield (
            f'<text class="fp-note" x="{_n(MARGIN)}" y="{_n(height - size)}" font-size="{_n(size)}"'
            f' fill="{LIGHT.line}">{_x(arrangement.note)}</text>'
        )


def arrow_svg(arrow: PictureArrow, curve: Curve) -> str:
    """An arrow without its label."""
    look = look_of(arrow.mark)
    colour = look.colour or LIGHT.line
    stroke = f' stroke="{look.colour}"' if look.colour else ""
    if look.dash:
        stroke += f' stroke-dasharray="{look.dash}"'
    return (
        f'<g class="fp-arrow{_class(arrow.mark)}"{_of(arrow.of)}><title>{_x(arrow.story)}</title>'
        f'<path d="{path_svg(curve)}"{stroke}/>'
        f'<polygon points="{corners_svg(arrowhead(curve))}" fill="{colour}" stroke="none"/></g>'
    )


def label_svg(arrow: PictureArrow, box: Rectangle) -> str:
    """The label of an arrow."""
    ground = rectangle_svg(Rectangle(box.x, box.y, box.width + 2, box.height), corner=3)
    lines = lines_svg(arrow.lines, box.x - box.width / 2, box.y - box.height / 2)
    return f'<g class="fp-label"><title>{_x(arrow.story)}</title><rect {ground} fill="{LIGHT.paper}"/>{lines}</g>'


def lines_svg(lines: Iterable[Line], left: float, top: float) -> str:
    """Lines of text below each other."""
    texts = []
    for n, line in enumerate(lines):
        x = left + (INDENT if line.further else 0.0)
        y = top + n * LABEL_SIZE * LINE_HEIGHT + 0.98 * LABEL_SIZE
        fitted = _fitted(line_text(line), line_width(line) - (INDENT if line.further else 0.0))
        texts.append(f'<text x="{_n(x)}" y="{_n(y)}"{_of(line.of)}{_strong(line)}{fitted}>{_spans(line)}</text>')
    return "".join(texts)


def _of(numbers: tuple[int, ...]) -> str:
    """Which transitions an element is about, for pages in which it can be clicked."""
    return f' data-of="{" ".join(map(str, numbers))}"' if numbers else ""


def _fitted(text: str, width: float) -> str:
    """The attributes of a text whose width a viewer has to keep, since it depends on the faces of the machine."""
    return f' textLength="{_n(width)}" lengthAdjust="spacingAndGlyphs"' if has_unsure_width(text) else ""


def _strong(line: Line) -> str:
    if line.mark is None:
        return ""
    look = look_of(line.mark)
    weight = ' font-weight="700"' if look.bold else ' font-style="italic"' if look.italic else ""
    line_through = f' text-decoration="{look.decoration}"' if look.decoration else ""
    return (
        f' class="fp-{"strong" if look.bold else "text"}{_class(line.mark)}" fill="{look.text}"{weight}{line_through}'
    )


def _class(mark: Mark | None) -> str:
    return "" if mark is None else f" fp-{mark.value}"


def _spans(line: Line) -> str:
    if not line.response:
        return _x(line.stimulus)
    gap = " " if line.stimulus else ""
    style = "" if line.mark is not None else f' class="fp-response" fill="{LIGHT.output}"'
    return f"{_x(line.stimulus)}{gap}<tspan{style}>{_x(line.response)}</tspan>"


def node_svg(node: PictureNode, box: Rectangle) -> str:
    """A state or a choice point."""
    if node.shape is Shape.CHOICE:
        fill, rim = (LIGHT.glow, LIGHT.accent) if node.marked else (LIGHT.choice, LIGHT.choice_rim)
        shape = f'<polygon points="{corners_svg(_diamond(box))}"'
    else:
        fill, rim = (LIGHT.glow, LIGHT.accent) if node.marked else (LIGHT.state, LIGHT.rim)
        shape = f"<rect {rectangle_svg(box, corner=min(12.0, box.height / 2))}"
    return (
        f'<g class="fp-{node.shape.value}{_marked(marked=node.marked)}"><title>{_x(node.story)}</title>'
        f'{shape} fill="{fill}" stroke="{rim}" stroke-width="1.4"/>{_name(node, box)}{_loops(node, box)}</g>'
    )


def _name(node: PictureNode, box: Rectangle) -> str:
    step = NAME_SIZE * LINE_HEIGHT
    top = box.y - box.height / 2 + 7.5 if node.loops else box.y - name_height(node) / 2
    first = top + step / 2 + 0.35 * NAME_SIZE
    lines = "".join(
        f'<text x="{_n(box.x)}" y="{_n(first + n * step)}"{_fitted(text, name_width(text))}>{_x(text)}</text>'
        for n, text in enumerate(node.lines)
    )
    return f'<g text-anchor="middle" font-size="{_n(NAME_SIZE)}" font-weight="600">{lines}</g>'


def _loops(node: PictureNode, box: Rectangle) -> str:
    if not node.loops:
        return ""
    top = box.y - box.height / 2 + name_height(node) + 12.5
    left, right = box.x - box.width / 2, box.x + box.width / 2
    rule = f'<path d="M{_n(left)},{_n(top)}H{_n(right)}" stroke="{LIGHT.rim}" stroke-width="0.8"/>'
    return f"{rule}{lines_svg(node.loops, left + 10, top + 4)}"


def _marked(*, marked: bool) -> str:
    return " fp-marked" if marked else ""


def rectangle_svg(box: Rectangle, *, corner: float) -> str:
    """The attributes of a box."""
    x, y = box.x - box.width / 2, box.y - box.height / 2
    return f'x="{_n(x)}" y="{_n(y)}" width="{_n(box.width)}" height="{_n(box.height)}" rx="{_n(corner)}"'


def _diamond(box: Rectangle) -> tuple[Point, ...]:
    wide, high = box.width / 2, box.height / 2
    return (box.x, box.y - high), (box.x + wide, box.y), (box.x, box.y + high), (box.x - wide, box.y)


def path_svg(curve: Curve) -> str:
    """The data of a path."""
    start, *rest = curve.points
    return f"M{_point(start)}C{' '.join(map(_point, rest))}"


def corners_svg(points: Iterable[Point]) -> str:
    """The points of a polygon."""
    return " ".join(map(_point, points))


def _point(point: Point) -> str:
    return f"{_n(point[0])},{_n(point[1])}"


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _x(text: str) -> str:
    return escape(text, quote=True)
