"""Ask Graphviz for a layout or a drawing, with a time limit."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fullproof.core.errors import Bug, UserError
from fullproof.report.drawing import graphviz_worker
from fullproof.report.drawing.curves import Curve, Point, parsed

Engine = Literal["dot", "sfdp", "nop2"]

_INCH = 72.0


class TooSlow(Exception):
    """The time limit came before the drawing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A graph with positions: points from the upper left corner; y grows downwards. Edges go by their ``tag``."""

    width: float
    height: float
    nodes: dict[str, Point]
    curves: dict[str, Curve]
    labels: dict[str, Point]
    boxes: dict[str, tuple[Point, Point]]
    """The upper left and lower right corners of clusters."""


def placed(sources: Sequence[str], *, engine: Engine, seconds: float) -> list[Placed]:
    """Lay out each DOT text. Raises TooSlow after ``seconds``."""
    return [_read(text) for text in drawn(sources, engine=engine, form="json0", seconds=seconds)]


def drawn(
    sources: Sequence[str], *, engine: Engine, form: Literal["json0", "json", "png"], seconds: float
) -> list[bytes]:
    """Lay out and render each DOT text.

    Raises TooSlow after ``seconds``, UserError where letters are to be painted and there is no font. Ctrl-C ends it at
    once: Graphviz runs in a process of its own.
    """
    request = {"engine": engine, "format": form, "seconds": seconds, "sources": list(sources)}
    try:
        # -P: neither the folder of the script nor the current one may shadow a module of the standard library.
        done = subprocess.run(
            [sys.executable, "-P", str(Path(graphviz_worker.__file__))],
            input=json.dumps(request).encode("ascii"),
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise TooSlow from error
    if done.returncode == graphviz_worker.NO_FONT:
        raise UserError("no font is installed, a painting would show no letters: write a .svg file instead")
    if done.returncode:
        raise Bug(f"Graphviz ended with {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    return [base64.b64decode(drawing) for drawing in json.loads(done.stdout)]


def sized(name: str, size: tuple[float, float], *, shape: str = "box") -> str:
    """A node in DOT that takes exactly this much room."""
    return f"{name} [shape={shape} {inches(*size)}]"


def inches(width: float, height: float) -> str:
    """The attributes of a size in points."""
    return f"width={width / _INCH:.4f} height={height / _INCH:.4f}"


def _read(text: bytes) -> Placed:
    graph = json.loads(text)
    left, low, right, high = (float(number) for number in graph["bb"].split(","))

    def place(x: float, y: float) -> Point:
        return x - left, high - y

    edges = [edge for edge in graph.get("edges", ()) if "tag" in edge]
    return Placed(
        width=right - left,
        height=high - low,
        nodes={item["name"]: place(*_pair(item["pos"])) for item in graph["objects"] if "pos" in item},
        curves={edge["tag"]: parsed(edge["pos"], place) for edge in edges if "pos" in edge},
        boxes={item["name"]: _corners(item["bb"], place) for item in graph.get("objects", ()) if "bb" in item},
        labels={edge["tag"]: place(*_pair(edge["lp"])) for edge in edges if "lp" in edge},
    )


def _corners(text: str, place: Callable[[float, float], Point]) -> tuple[Point, Point]:
    left, low, right, high = (float(number) for number in text.split(","))
    return place(left, high), place(right, low)


def _pair(text: str) -> tuple[float, float]:
    x, y = (float(number) for number in text.split(",")[:2])
    return x, y
