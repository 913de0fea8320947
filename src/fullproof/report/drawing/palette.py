"""Colours of state diagrams, for paper and for the dark; every text reaches a contrast of 4.5 on its ground."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """What is drawn in which colour."""

    paper: str
    ink: str
    line: str
    output: str
    state: str
    rim: str
    choice: str
    choice_rim: str
    accent: str
    glow: str
    covered: str
    wrong: str


LIGHT = Palette(
    paper="#ffffff",
    ink="#1b2430",
    line="#66717f",
    output="#0b5cad",
    state="#edf3fa",
    rim="#4a6d93",
    choice="#fff4d6",
    choice_rim="#9a6b00",
    accent="#b3420a",
    glow="#ffe9dc",
    covered="#1a6e3f",
    wrong="#99158a",
)
DARK = Palette(
    paper="#12161c",
    ink="#e4eaf1",
    line="#8d99a8",
    output="#7fbcff",
    state="#1f2a37",
    rim="#7396bd",
    choice="#362a0c",
    choice_rim="#d6a63a",
    accent="#ff9d66",
    glow="#46261a",
    covered="#6fcf97",
    wrong="#f29be6",
)
