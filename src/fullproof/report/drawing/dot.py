"""Picture -> DOT: the diagram for Graphviz and its relatives to lay out, whatever its size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fullproof.report.drawing.marks import arrow_look
from fullproof.report.drawing.palette import LIGHT
from fullproof.report.drawing.picture import Line, Picture, Shape


def dot_lines(picture: Picture) -> Iterator[str]:
    """Yield the lines of a digraph. States are ``n0``, ``n1`` ...: their names, being free text, are labels."""
    yield "digraph {\n"
    yield f"  graph [label={quoted_lines([picture.title])} labelloc=t fontname=Helvetica nodesep=0.3 ranksep=0.5]\n"
    yield '  node [shape=box style="rounded,filled" fontname=Helvetica'
    yield f' fillcolor="{LIGHT.state}" color="{LIGHT.rim}"]\n'
    yield f'  edge [color="{LIGHT.line}" fontname=Helvetica fontsize=11 arrowsize=0.75]\n'
    yield f'  __start0 [shape=circle style=filled fillcolor="{LIGHT.ink}" label="" width=0.12]\n'
    for n, node in enumerate(picture.nodes):
        look = f' shape=diamond style=filled fillcolor="{LIGHT.choice}" color="{LIGHT.choice_rim}"'
        shape = look if node.shape is Shape.CHOICE else ""
        accent = f' fillcolor="{LIGHT.glow}" color="{LIGHT.accent}"' if node.marked else ""
        yield f"  n{n} [label={quoted_lines(node.lines)}{shape}{accent}]\n"
    yield f"  __start0 -> n{picture.initial}\n"
    for n, node in enumerate(picture.nodes):
        if node.loops:
            yield f"  n{n} -> n{n} [label={quoted_lines(map(text_of, node.loops), end='l')}]\n"
    for arrow in picture.arrows:
        label = f"label={quoted_lines(map(text_of, arrow.lines), end='l')}" if arrow.lines else ""
        accent = arrow_look(arrow.mark)
        yield f"  n{arrow.source} -> n{arrow.target} [{label}{accent}]\n"
    yield "}\n"


def text_of(line: Line) -> str:
    """A line of a label as one text."""
    gap = " " if line.stimulus and line.response else ""
    return ("   " if line.further else "") + line.stimulus + gap + line.response


def quoted_lines(lines: Iterable[str], *, end: str = "n") -> str:
    """A label: Graphviz reads escapes and character entities in it."""
    escaped = [line.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + (f"\\{end}".join(escaped) + ("\\l" if end == "l" else "")) + '"'
