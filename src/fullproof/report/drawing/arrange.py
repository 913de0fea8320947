"""The layout method by size: the larger the machine, the simpler its picture.

For 100 states and 300 labelled arrows dot takes 20 to 40 s where it routes splines itself, and about one where every
arrow has its lane (benchmarks/draw.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fullproof.core.errors import UserError
from fullproof.model import Model
from fullproof.report.drawing.graphviz import TooSlow
from fullproof.report.drawing.judgement import blemishes
from fullproof.report.drawing.lanes import extent, in_lanes
from fullproof.report.drawing.layout import MARGIN, Layout
from fullproof.report.drawing.picture import Detail, Highlight, Picture, parallel, picture_of
from fullproof.report.drawing.routed import Direction, routed
from fullproof.report.drawing.scattered import scattered
from fullproof.report.drawing.text_width import text_width

SECONDS = 20.0
_ROUTED, _ROUTED_NARROW, _LANES = 45, 90, 600  # arrows
_ROWS, _RUNGS = 60, 4000
_CROWDED = 500
_WIDEST = 9000.0
_MOST_STATES, _MOST_ARROWS = 1200, 6000
_DIRECTIONS: tuple[Direction, ...] = ("TB", "LR")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """A picture with its layout; ``method`` says how it was found, ``note`` what the picture leaves out."""

    picture: Picture
    layout: Layout
    detail: Detail
    method: str
    note: str = ""

    @property
    def crowded(self) -> bool:
        """Whether lines must be thin to be distinguishable."""
        return len(self.picture.arrows) > _CROWDED


def note_height(arrangement: Arrangement) -> float:
    """How much room the note takes, twice the size of its letters: as large as is needed to be read where the whole
    picture is on one screen, and as fits on one line.
    """
    if not arrangement.note:
        return 0.0
    width = arrangement.layout.width
    fits = (width - 2 * MARGIN) / text_width(arrangement.note, size=1.0)
    return 2 * min(fits, max(12.0, width / 100))


def arranged(model: Model, highlight: Highlight) -> Arrangement:
    """The best affordable arrangement. Raises UserError for machines that no picture can show."""
    arrows = sum(1 for source, target in parallel(model) if source != target)
    if len(model.states) > _MOST_STATES or arrows > _MOST_ARROWS:
        raise UserError(
            f"{len(model.states)} states with {arrows} arrows are too many for a picture"
            f" (at most {_MOST_STATES} states, {_MOST_ARROWS} arrows): write a .dot file instead"
        )
    for method in (_routed, _in_lanes, _scattered):
        try:
            arrangement = method(model, highlight, arrows)
        except TooSlow:
            continue
        if arrangement is not None:
            return arrangement
    raise UserError(f"no picture within {SECONDS:.0f} s: write a .dot file instead")


def highlighted(arrangement: Arrangement, model: Model, highlight: Highlight) -> Arrangement:
    """The same places and lines with other marks, as long as labels of which parts are marked have room there."""
    picture = picture_of(model, detail=arrangement.detail, highlight=highlight)
    if _has_room(arrangement, picture):
        return replace(arrangement, picture=picture)
    return arranged(model, highlight)


def _has_room(arrangement: Arrangement, picture: Picture) -> bool:
    old, layout = arrangement.picture, arrangement.layout
    if (len(old.nodes), len(old.arrows)) != (len(picture.nodes), len(picture.arrows)):
        return False
    before = [arrow.lines for arrow in old.arrows] + [node.loops for node in old.nodes]
    after = [arrow.lines for arrow in picture.arrows] + [node.loops for node in picture.nodes]
    shown = [*map(bool, layout.labels), *(True for _ in old.nodes)]
    return all(
        not is_shown or not new or len(new) <= len(lines)
        for is_shown, lines, new in zip(shown, before, after, strict=True)
    )


def _routed(model: Model, highlight: Highlight, arrows: int) -> Arrangement | None:
    """Small machines: several layouts, of which the one that reads best is taken."""
    if arrows > _ROUTED_NARROW or len(model.states) > _ROUTED_NARROW:
        return None
    details = (Detail.WIDE, Detail.NARROW) if arrows <= _ROUTED else (Detail.NARROW,)
    pictures = [picture_of(model, detail=detail, highlight=highlight) for detail in details]
    layouts = routed(pictures, _DIRECTIONS, seconds=SECONDS)
    repeated = [(picture, detail) for picture, detail in zip(pictures, details, strict=True) for _ in _DIRECTIONS]
    (picture, detail), layout = min(
        zip(repeated, layouts, strict=True), key=lambda pair: blemishes(pair[0][0], pair[1])
    )
    return Arrangement(picture=picture, layout=layout, detail=detail, method="dot, splines")


def _in_lanes(model: Model, highlight: Highlight, arrows: int) -> Arrangement | None:
    if arrows > _LANES:
        return None
    picture = picture_of(model, detail=Detail.SHORT, highlight=highlight)
    rows, rungs = extent(picture)
    if rows > _ROWS or rungs > _RUNGS:
        return None
    layout = in_lanes(picture, seconds=SECONDS)
    if layout.width > _WIDEST:
        return None
    return Arrangement(picture=picture, layout=layout, detail=Detail.SHORT, method="dot, lanes")


def _scattered(model: Model, highlight: Highlight, arrows: int) -> Arrangement | None:
    picture = picture_of(model, detail=Detail.NONE, highlight=highlight)
    layout = scattered(picture, seconds=SECONDS)
    note = (
        f"{len(model.states)} states, {arrows} arrows: too many for labels. Point at an arrow or a state to read them."
    )
    return Arrangement(picture=picture, layout=layout, detail=Detail.NONE, method="sfdp", note=note)
