"""Random state charts whose every entry, exit and transition writes down that it happened."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from fullproof.language.parser import parse_assignment, parse_expression
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import joined_as_written
from fullproof.language.syntax import TRUE, Expression
from fullproof.language.types import EnumType, IntType, Variable
from fullproof.model.chart import ChartTransition, Effect, ExitsAndEntries, Vertex
from fullproof.model.sts import Assignment

SIGNALS = ("a", "b")
MODES = EnumType(("L", "M", "H"))
INPUTS = (Variable(name="x", type=IntType(-2, 2)), Variable(name="e", type=MODES))
INNER = (
    Variable(name="h", type=IntType(), initial=0),
    Variable(name="n", type=IntType(), initial=0),
    Variable(name="fuel", type=IntType(), initial=5),
)
"""The history of all that happened, a counter for guards, and what empty triggers use up, so that runs end."""
SCOPE = Scope((*INPUTS, *INNER), {"c": 1})
GUARDS = (
    "true", "true", "false", "x > 0", "x <= 0", "x > c", "x == 1", "x == c", "x < n", "not (x < n)", "n >= 2",
    "-1 <= x <= 1", "x > 0 and n >= 2", "n % 2 == 0", "e == L", "e == M", "e != L", "e >= M", "e == H or x > 0",
    "x > -1 and e == L",
)  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """A chart."""

    vertices: tuple[Vertex, ...]
    arrows: tuple[ChartTransition, ...]
    initial: str


def effect(*texts: str, sends: tuple[str, ...] = ()) -> Effect:
    """Assignments as a person writes them."""
    pairs = [parse_assignment(text) for text in texts]
    return Effect(actions=tuple(Assignment(variable=n, expression=e) for n, e in pairs), sends=sends)


@st.composite
def effects(draw: st.DrawFn, code: int) -> Effect:
    """Nothing, or a change of the history that shows when it happened, perhaps with a signal."""
    match draw(st.sampled_from(["none", "note", "send", "count"])):
        case "none":
            return Effect()
        case "note":
            return effect(f"h = h * 31 + {code}")
        case "send":
            return effect(f"h = h * 31 + {code}", sends=(f"s{code}",))
        case _:
            return effect(f"h = h * 31 + {code}", "n = (n + 1) % 4")


@st.composite
def charts(draw: st.DrawFn) -> Drawn:
    """A tree of up to eight vertices with up to ten arrows of all kinds."""
    count = draw(st.integers(1, 8))
    parents: list[int | None] = [None]
    pseudo = [""]
    for number in range(1, count):
        open_ones = [other for other in range(number) if not pseudo[other]]
        parents.append(draw(st.sampled_from([None, *open_ones])))
        pseudo.append(draw(st.sampled_from(["", "", "", "choice", "final"])))
    names = [f"v{number}" for number in range(count)]
    vertices = [draw(_vertex(number, names, parents, pseudo[number])) for number in range(count)]
    listed = draw(st.permutations(vertices))
    sources = [vertex for vertex in vertices if not vertex.final]
    arrows = [draw(_arrow(draw(st.sampled_from(sources)), vertices, 20 + k)) for k in range(draw(st.integers(0, 10)))]
    return Drawn(tuple(listed), tuple(arrows), draw(st.sampled_from(names)))


@st.composite
def _vertex(draw: st.DrawFn, number: int, names: list[str], parents: list[int | None], pseudo: str) -> Vertex:
    inside = [k for k in range(len(names)) if number in _around(k, parents)]
    parent = parents[number]
    return Vertex(
        name=names[number],
        parent=None if parent is None else names[parent],
        choice=pseudo == "choice",
        final=pseudo == "final",
        initial=names[draw(st.sampled_from(inside))] if inside else None,
        initial_effect=draw(effects(40 + number)) if inside else Effect(),
        entry=Effect() if pseudo == "choice" else draw(effects(60 + number)),
        exit=Effect() if pseudo == "choice" else draw(effects(80 + number)),
    )


def _around(number: int, parents: list[int | None]) -> list[int]:
    found = []
    parent = parents[number]
    while parent is not None:
        found.append(parent)
        parent = parents[parent]
    return found


@st.composite
def _arrow(draw: st.DrawFn, source: Vertex, vertices: list[Vertex], code: int) -> ChartTransition:
    within = [vertex.name for vertex in vertices if _inside(vertex, source, vertices)]
    trigger = None if source.choice else draw(st.sampled_from([*SIGNALS, *SIGNALS, None]))
    guard: Expression = parse_expression(draw(st.sampled_from(GUARDS)))
    done = draw(effects(code))
    if trigger is None and not source.choice:
        fuel = parse_expression("fuel > 0")
        guard = fuel if guard == TRUE else joined_as_written("and", [fuel, guard])
        done = Effect(actions=(*effect("fuel = fuel - 1").actions, *done.actions), sends=done.sends)
    if source.choice:  # a circle of choice points must end, too
        guard = joined_as_written("and", [parse_expression("fuel > 0"), guard])
        done = Effect(actions=(*effect("fuel = fuel - 1").actions, *done.actions), sends=done.sends)
    ways = [
        ExitsAndEntries.EXTERNAL,
        ExitsAndEntries.EXTERNAL,
        *([] if source.choice else [ExitsAndEntries.LOCAL, ExitsAndEntries.INTERNAL]),
    ]
    way = draw(st.sampled_from(ways))
    targets = {
        ExitsAndEntries.EXTERNAL: [v.name for v in vertices],
        ExitsAndEntries.LOCAL: within,
        ExitsAndEntries.INTERNAL: [source.name],
    }[way]
    complete = trigger is None and any(v.final and v.parent == source.name for v in vertices)
    return ChartTransition(
        source=source.name,
        trigger=trigger,
        guard=guard,
        effect=done,
        target=draw(st.sampled_from(targets)),
        way=way,
        completion=complete and draw(st.booleans()),
    )


def _inside(vertex: Vertex, outer: Vertex, vertices: list[Vertex]) -> bool:
    known = {v.name: v for v in vertices}
    here: Vertex | None = vertex
    while here is not None:
        if here.name == outer.name:
            return True
        here = known[here.parent] if here.parent is not None else None
    return False
