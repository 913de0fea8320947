"""State diagrams of models: SVG and PNG to look at, DOT and Mermaid for other tools."""

from __future__ import annotations

from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.core.files import replacing_bytes
from fullproof.core.suggest import did_you_mean
from fullproof.formats.mermaid.writer import mermaid_lines
from fullproof.model import Model
from fullproof.report.drawing.arrange import SECONDS, arranged, highlighted
from fullproof.report.drawing.dot import dot_lines
from fullproof.report.drawing.graphviz import TooSlow
from fullproof.report.drawing.picture import Detail, Highlight, picture_of
from fullproof.report.drawing.png import png_bytes
from fullproof.report.drawing.svg import svg_text

__all__ = ["ENDINGS", "Drawing", "Highlight", "draw", "svg"]

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
    return svg_text(arranged(model, highlight))


class Drawing:
    """A model laid out once, to be shown with one path marked after the other."""

    def __init__(self, model: Model) -> None:
        """Raises UserError where the machine is too large for a picture."""
        self._model = model
        self._arrangement = arranged(model, _NOTHING)

    def svg(self, highlight: Highlight = _NOTHING) -> str:
        """One ``<svg>`` element."""
        return svg_text(highlighted(self._arrangement, self._model, highlight))


def _content(model: Model, ending: str, highlight: Highlight) -> bytes:
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
