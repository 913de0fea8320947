"""State diagrams of models: SVG and PNG to look at, DOT and Mermaid for other tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from fullproof.artefacts.diagnosis import ChangedTransition
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.files import replacing_bytes
from fullproof.core.suggest import did_you_mean
from fullproof.formats.labels import AnyTransition, label_halves
from fullproof.formats.mermaid.writer import mermaid_lines
from fullproof.model import Model
from fullproof.model.chart import state_names
from fullproof.model.unflattened import arrows_taken, chart_of
from fullproof.report.drawing.arrange import SECONDS, arranged, highlighted
from fullproof.report.drawing.chart_drawing import chart_dot, chart_png, chart_svg
from fullproof.report.drawing.chart_picture import chart_picture, has_boxes
from fullproof.report.drawing.dot import dot_lines
from fullproof.report.drawing.graphviz import TooSlow
from fullproof.report.drawing.picture import AddedTransition, Detail, Highlight, parallel, picture_of
from fullproof.report.drawing.png import png_bytes
from fullproof.report.drawing.svg import svg_text

__all__ = [
    "ENDINGS",
    "Drawing",
    "DrawnArrow",
    "Highlight",
    "draw",
    "drawn_lines",
    "drawn_numbers",
    "drawn_parts",
    "svg",
]

ENDINGS = (".svg", ".png", ".dot", ".mmd")
_NOTHING = Highlight()


def draw(model: Model, path: Path, *, highlight: Highlight = _NOTHING) -> None:
    """Write the diagram in one step, in the format that the file's ending names.

    Raises UserError where the ending is unknown, the file cannot be written, or the machine is too large for a picture;
    ``.dot`` and ``.mmd`` know no size. The same model gives the same bytes.
    """
    path = Path(path)
    try:
        content = _content(model, path.suffix.lower(), highlight)
    except UserError as error:
        raise UserError(error.message, at=Place(file=str(path))) from None
    with replacing_bytes(path) as out:
        out.write(content)


def svg(model: Model, *, highlight: Highlight = _NOTHING) -> str:
    """One ``<svg>`` element for a file or for a page: no ids, no scripts, nothing from elsewhere.

    Raises UserError where the machine is too large for a picture.
    """
    if has_boxes(model):
        return chart_svg(chart_picture(model, highlight))
    return svg_text(arranged(model, highlight))


class DrawnArrow(NamedTuple):
    """An arrow by its ends, and the transitions that it stands for, by number."""

    source: str
    target: str
    of: tuple[int, ...]


def drawn_parts(model: Model) -> tuple[list[str], list[DrawnArrow]]:
    """States and arrows in the order in which ``svg`` draws them: states around others before those inside."""
    if has_boxes(model):
        picture = chart_picture(model, _NOTHING)
        states = [node.name for node in picture.nodes if node.pseudo is None]
        arrows = [DrawnArrow(one.source, one.target, one.arrow.of) for one in picture.arrows]
        return [*(box.name for box in picture.boxes), *states], arrows
    bundles = parallel(model).items()
    return list(model.states), [DrawnArrow(a, b, tuple(of)) for (a, b), of in bundles if a != b or a in model.choices]


def drawn_numbers(model: Model, transitions: Iterable[int]) -> list[int]:
    """Numbers of transitions of a model, as ``svg`` has them: where there are boxes, those of the chart."""
    numbers = list(transitions)
    return sorted(arrows_taken(model, numbers)) if has_boxes(model) else numbers


def drawn_lines(model: Model) -> list[tuple[str, str, int | None]]:
    """Source, target and line of each transition that ``svg`` shows, by number; no line where it has no known place."""
    if has_boxes(model) and (chart := chart_of(model)) is not None:
        return [(a.source or "", next(iter(state_names(a.target)), ""), a.at.line) for a in chart.arrows]
    transitions: tuple[AnyTransition, ...] = model.transitions
    return [(t.source, t.target, getattr(t, "at", NOWHERE).line) for t in transitions]


class Drawing:
    """A model laid out once, to be shown with one path marked after the other, or with what a system has instead."""

    def __init__(self, model: Model) -> None:
        """Raises UserError where the machine is too large for a picture."""
        self._model = model
        self._arrangement = None if has_boxes(model) else arranged(model, _NOTHING)

    def svg(self, highlight: Highlight = _NOTHING) -> str:
        """One ``<svg>`` element."""
        if self._arrangement is None:
            return svg(self._model, highlight=highlight)
        return svg_text(highlighted(self._arrangement, self._model, highlight))

    def difference(self, changes: Sequence[ChangedTransition]) -> str:
        """The model with the transitions that a system lacks, and those that it has instead.

        Empty for a chart: a system differs in configurations, which its picture does not show.
        """
        if self._arrangement is None:
            return ""
        places: dict[tuple[str, str, str, str], list[int]] = {}
        transitions: tuple[AnyTransition, ...] = self._model.transitions
        for place, transition in enumerate(transitions):
            head, reaction = label_halves(self._model, transition)
            key = (transition.source, head, reaction.removeprefix("/").strip(), transition.target)
            places.setdefault(key, []).append(place)
        missing = [
            places[key].pop()
            for arrow in (change.expected for change in changes)
            if arrow is not None and places.get(key := (arrow.state, arrow.input, arrow.output, arrow.target))
        ]
        added = tuple(
            AddedTransition(arrow.state, arrow.input, f"/ {arrow.output}" if arrow.output else "", arrow.target)
            for arrow in (change.actual for change in changes)
            if arrow is not None
        )
        return svg_text(arranged(self._model, Highlight(missing=frozenset(missing), added=added)))


def _content(model: Model, ending: str, highlight: Highlight) -> bytes:
    if has_boxes(model) and ending in (".png", ".dot"):
        picture = chart_picture(model, highlight)
        return chart_png(picture) if ending == ".png" else chart_dot(picture, plain=False).encode()
    match ending:
        case ".svg":
            return svg(model, highlight=highlight).encode()
        case ".png":
            return _png(model, highlight)
        case ".dot":
            return "".join(dot_lines(picture_of(model, detail=Detail.NARROW, highlight=highlight))).encode()
        case ".mmd":
            return "".join(mermaid_lines(model)).encode()
        case _:
            hint = did_you_mean(ending, ENDINGS) if ending else f"; expected one of {', '.join(ENDINGS)}"
            raise UserError(f"unknown ending {ending!r} of a picture{hint}")


def _png(model: Model, highlight: Highlight) -> bytes:
    try:
        return png_bytes(arranged(model, highlight), seconds=SECONDS)
    except TooSlow:
        raise UserError(f"no picture within {SECONDS:.0f} s: write a .svg or .dot file instead") from None
