"""How well a layout reads: the fewer collisions, and the nearer to a page, the better."""

from __future__ import annotations

from itertools import combinations

from fullproof.report.drawing.curves import Curve, Point, Rectangle, sampled
from fullproof.report.drawing.layout import Layout
from fullproof.report.drawing.picture import Picture

_PAGE = (1060.0, 800.0)
_TOUCH = 1.0  # smaller overlaps are not visible


def blemishes(picture: Picture, layout: Layout) -> float:
    """A weighted count of texts that hide each other, lines that run through texts or states, and lost room."""
    labels = [box for box in layout.labels if box]
    texts = sum(1 for a, b in combinations(labels, 2) if _meet(a, b))
    on_states = sum(1 for label in labels for node in layout.nodes if _meet(label, node))
    through_texts, through_states = 0, 0
    for i, curve in enumerate(layout.curves):
        arrow = picture.arrows[i]
        extent = _extent(curve)
        points = list(sampled(curve))
        through_texts += sum(_crosses(points, extent, box) for box in labels)
        through_states += sum(
            _crosses(points, extent, box) for n, box in enumerate(layout.nodes) if n not in (arrow.source, arrow.target)
        )
    return 3.0 * texts + 3.0 * on_states + through_texts + 2.0 * through_states + _excess(layout)


def _excess(layout: Layout) -> float:
    too_wide, too_high = layout.width / _PAGE[0], layout.height / _PAGE[1]
    return 5.0 * max(0.0, too_wide - 1, too_high - 1) + 0.5 * too_wide * too_high


def _meet(a: Rectangle, b: Rectangle) -> bool:
    return abs(a.x - b.x) < (a.width + b.width) / 2 - _TOUCH and abs(a.y - b.y) < (a.height + b.height) / 2 - _TOUCH


def _extent(curve: Curve) -> Rectangle:
    """The box around the control points holds the curve."""
    xs, ys = [x for x, _ in curve.points], [y for _, y in curve.points]
    return Rectangle((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, max(xs) - min(xs), max(ys) - min(ys))


def _crosses(points: list[Point], extent: Rectangle, box: Rectangle) -> bool:
    core = Rectangle(box.x, box.y, box.width - 2 * _TOUCH, box.height - 2 * _TOUCH)
    near = (
        abs(extent.x - box.x) * 2 <= extent.width + box.width
        and abs(extent.y - box.y) * 2 <= extent.height + box.height
    )
    return near and any(core.holds(point) for point in points)
