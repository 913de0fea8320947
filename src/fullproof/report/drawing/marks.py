"""How marked transitions look: each mark differs from the others by its line or its letters, not by colour alone."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.report.drawing.palette import LIGHT
from fullproof.report.drawing.picture import Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The look of an arrow, and of its label."""

    colour: str = ""
    """Of the arrow, where it is not that of the others."""
    width: float = 1.2
    dash: str = ""
    text: str = LIGHT.ink
    bold: bool = False
    italic: bool = False
    decoration: str = ""


_LOOKS = {
    None: Look(),
    Mark.PATH: Look(colour=LIGHT.accent, width=3.0, text=LIGHT.accent, bold=True),
    Mark.COVERED: Look(colour=LIGHT.covered, width=1.8, text=LIGHT.covered),
    Mark.UNCOVERED: Look(dash="2 3", text=LIGHT.line, italic=True),
    Mark.MISSING: Look(dash="6 4", text=LIGHT.line, decoration="line-through"),
    Mark.WRONG: Look(colour=LIGHT.wrong, width=2.4, dash="12 3", text=LIGHT.wrong, bold=True, decoration="underline"),
}


def look_of(mark: Mark | None) -> Look:
    """How a mark looks."""
    return _LOOKS[mark]


def arrow_look(mark: Mark | None) -> str:
    """The attributes of an arrow for Graphviz."""
    look = _LOOKS[mark]
    colour = f' color="{look.colour}" penwidth={look.width:g}' if look.colour else ""
    return colour + (f" style={'dotted' if mark is Mark.UNCOVERED else 'dashed'}" if look.dash else "")
