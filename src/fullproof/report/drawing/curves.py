"""Bézier curves for arrows: read from Graphviz, bent through a label, cut at the edge of a box."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Cubic: TypeAlias = tuple[Point, Point, Point, Point]

ARROW_LENGTH = 7.5
ARROW_WIDTH = 6.0


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle by its centre; y grows downwards."""

    x: float
    y: float
    width: float
    height: float

    def holds(self, point: Point) -> bool:
        """Whether the point lies inside."""
        return abs(point[0] - self.x) * 2 < self.width and abs(point[1] - self.y) * 2 < self.height


@dataclass(frozen=True, slots=True)
class Curve:
    """A start and three control points for each cubic piece; the arrowhead goes from the last point to ``tip``."""

    points: tuple[Point, ...]
    tip: Point

    def moved(self, dx: float, dy: float) -> Curve:
        """The same curve elsewhere."""
        return Curve(tuple((x + dx, y + dy) for x, y in self.points), (self.tip[0] + dx, self.tip[1] + dy))


def parsed(text: str, place: Callable[[float, float], Point]) -> Curve:
    """Read Graphviz's ``e,x,y x,y x,y ...``; ``place`` turns its coordinates into ours."""
    tip: Point | None = None
    points: list[Point] = []
    for word in text.split(";", maxsplit=1)[0].split():
        kind, _, rest = word.partition(",") if word[0] in "es" else ("", "", word)
        x, y = (float(number) for number in rest.split(","))
        if kind == "e":
            tip = place(x, y)
        elif not kind:
            points.append(place(x, y))
    return Curve(tuple(points), tip or points[-1])


def straight(source: Rectangle, target: Rectangle) -> Curve:
    """A line from box to box."""
    start, end = (source.x, source.y), (target.x, target.y)
    line: Cubic = (start, _between(start, end, 1 / 3), _between(start, end, 2 / 3), end)
    back = _reversed(line)
    tip, start = _after(back, _exit(back, target))[0], _after(line, _exit(line, source))[0]
    neck = _stepped(tip, _unit(tip, start), ARROW_LENGTH)
    return Curve((start, _between(start, neck, 1 / 3), _between(start, neck, 2 / 3), neck), tip)


def smooth(source: Rectangle, stops: Sequence[Point], target: Rectangle) -> Curve:
    """A curve from box to box by way of at least one stop, cut at the boxes.

    It swings no further to the side than its stops do: where it turns back, it runs straight down, or up.
    """
    points = [(source.x, source.y), *stops, (target.x, target.y)]
    slopes = [_slope(points, k) for k in range(len(points))]
    pieces: list[Cubic] = [
        (a, (a[0] + s[0] / 3, a[1] + s[1] / 3), (b[0] - t[0] / 3, b[1] - t[1] / 3), b)
        for (a, s), (b, t) in pairwise(zip(points, slopes, strict=True))
    ]
    first, last = pieces[0], _reversed(pieces[-1])
    leaves, arrives = _after(first, _exit(first, source)), _after(last, _exit(last, target))
    tip = arrives[0]
    neck = _stepped(tip, _unit(tip, arrives[1]), ARROW_LENGTH)
    between = [point for piece in pieces[1:-1] for point in piece[1:]]
    return Curve((*leaves, *between, arrives[2], arrives[1], neck), tip)


def _slope(points: list[Point], k: int) -> Point:
    if k in (0, len(points) - 1):
        (ax, ay), (bx, by) = points[max(0, k - 1)], points[min(len(points) - 1, k + 1)]
        return (bx - ax) * 0.6, by - ay
    (ax, ay), (x, y), (bx, by) = points[k - 1 : k + 2]
    turns_aside, turns_back = (bx - x) * (x - ax) <= 0, (by - y) * (y - ay) <= 0
    return 0.0 if turns_aside else (bx - ax) / 2, 0.0 if turns_back else (by - ay) / 2


def sampled(curve: Curve) -> Iterator[Point]:
    """Points along the curve, close enough to notice a line of text under it."""
    yield curve.points[0]
    for i in range(0, len(curve.points) - 1, 3):
        a, b, c, d = curve.points[i : i + 4]
        steps = max(2, min(60, int((math.dist(a, b) + math.dist(b, c) + math.dist(c, d)) / 6)))
        for step in range(1, steps + 1):
            yield _after((a, b, c, d), step / steps)[0]


def arrowhead(curve: Curve) -> tuple[Point, Point, Point]:
    """The triangle at the end of the curve."""
    neck = curve.points[-1]
    across = _unit(neck, curve.tip)
    dx, dy = -across[1] * ARROW_WIDTH / 2, across[0] * ARROW_WIDTH / 2
    return curve.tip, (neck[0] + dx, neck[1] + dy), (neck[0] - dx, neck[1] - dy)


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _stepped(start: Point, way: Point, length: float) -> Point:
    return start[0] + way[0] * length, start[1] + way[1] * length


def _unit(start: Point, end: Point) -> Point:
    length = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _exit(cubic: Cubic, box: Rectangle) -> float:
    """The parameter where a curve that starts in the middle of ``box`` leaves it; 0.9 where it never does."""
    inside, outside = 0.0, 0.9
    for _ in range(16):
        middle = (inside + outside) / 2
        if box.holds(_after(cubic, middle)[0]):
            inside = middle
        else:
            outside = middle
    return outside


def _reversed(cubic: Cubic) -> Cubic:
    a, b, c, d = cubic
    return d, c, b, a


def _after(cubic: Cubic, at: float) -> Cubic:
    """The part of a cubic behind the parameter ``at`` (de Casteljau)."""
    a, b, c, d = cubic
    ab, bc, cd = _between(a, b, at), _between(b, c, at), _between(c, d, at)
    abc, bcd = _between(ab, bc, at), _between(bc, cd, at)
    return _between(abc, bcd, at), bcd, cd, d
