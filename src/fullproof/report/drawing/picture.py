"""Model -> picture: what a state diagram shows, before anything has a position.

Parallel transitions become one arrow with a list of labels; inputs of an fsm with the same output share a line.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from fullproof.core.counted import counted
from fullproof.formats.labels import AnyTransition, label_halves, symbol_pairs, transition_label
from fullproof.model import Model
from fullproof.report.drawing.text_width import visible, wrap

_STORY_LINES = 60
_FEW = 4  # inputs that are listed by name even where the label could refer to the other inputs
_LOOP = "↻"


class Mark(Enum):
    """How a transition stands out; of an arrow for several transitions, the first one here that one of them has."""

    WRONG = "wrong"
    """A system has it, the model has not."""
    PATH = "marked"
    COVERED = "covered"
    UNCOVERED = "uncovered"
    MISSING = "missing"
    """The model has it, a system has not."""


class AddedTransition(NamedTuple):
    """A transition that the model does not have, and perhaps not its states."""

    source: str
    stimulus: str
    response: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """What stands out: states by name, transitions by their index in the model."""

    states: Collection[str] = frozenset()
    transitions: Collection[int] = frozenset()
    """Those on a path."""
    covered: Collection[int] | None = None
    """Those that were exercised, where it is asked which; the others are marked as well."""
    missing: Collection[int] = frozenset()
    added: tuple[AddedTransition, ...] = ()

    def mark(self, transition: int) -> Mark | None:
        """How a transition of the model stands out."""
        if transition in self.transitions:
            return Mark.PATH
        if transition in self.missing:
            return Mark.MISSING
        if self.covered is None:
            return None
        return Mark.COVERED if transition in self.covered else Mark.UNCOVERED


class Detail(Enum):
    """How much of its label an arrow shows: em per line, lines in all, inputs listed for one output."""

    WIDE = (22.0, 9, 7)
    NARROW = (15.0, 12, 7)
    SHORT = (13.0, 4, 3)
    NONE = (0.0, 0, 0)

    def __init__(self, width: float, lines: int, listed: int) -> None:
        self.width = width
        self.lines = lines
        self.listed = listed


class Shape(Enum):
    """A state is a box, a choice point a diamond."""

    STATE = "state"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a label: what comes in, what goes out; ``further`` lines continue the one above."""

    stimulus: str
    response: str = ""
    further: bool = False
    mark: Mark | None = None
    of: tuple[int, ...] = ()
    """The transitions that it is about, by number: see ``drawn_numbers`` of ``report/diagram.py``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureNode:
    """A state; ``lines`` are as much of its name as fits, ``loops`` the transitions listed inside.

    ``story`` has the whole name and all those transitions, as long as that is reasonable.
    """

    story: str
    lines: tuple[str, ...]
    loops: tuple[Line, ...]
    shape: Shape
    marked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureArrow:
    """All transitions between two states; ``story`` lists them all, as long as that is reasonable."""

    source: int
    target: int
    lines: tuple[Line, ...]
    story: str
    mark: Mark | None
    of: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Nodes in the order of the model's states, arrows in the order of their first transition."""

    title: str
    nodes: tuple[PictureNode, ...]
    arrows: tuple[PictureArrow, ...]
    initial: int


@dataclass(frozen=True, slots=True)
class _Saying:
    """The common part of some transitions of one arrow: one entry of its label list."""

    stimulus: str
    response: str
    mark: Mark | None
    of: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Inside:
    """The self-loops of a state: as many as fit into its box, and all of them."""

    lines: tuple[Line, ...] = ()
    labels: Sequence[str] = ()


def picture_of(model: Model, *, detail: Detail, highlight: Highlight) -> Picture:
    """The complete contents of a drawing of ``model``."""
    states = tuple(dict.fromkeys((*model.states, *(name for t in highlight.added for name in (t.source, t.target)))))
    numbers = {name: i for i, name in enumerate(states)}
    others = _other_inputs(model) if detail is not Detail.NONE else {}
    choices = frozenset(model.choices)
    arrows = []
    inside: dict[str, _Inside] = {}
    bundles = parallel(model)
    for (source, target), members in (bundles | {(t.source, t.target): [] for t in highlight.added}).items():
        members = bundles.get((source, target), [])
        added = [t for t in highlight.added if (t.source, t.target) == (source, target)]
        sayings = _sayings(model, members, highlight, others, detail) if detail is not Detail.NONE else []
        if detail is not Detail.NONE:
            sayings += [_Saying(visible(t.stimulus), visible(t.response), Mark.WRONG) for t in added]
        labels = [*_labels(model, members), *(visible(f"{t.stimulus} {t.response}") for t in added)]
        if source == target and source not in choices:
            looping = [dataclasses.replace(s, stimulus=f"{_LOOP} {s.stimulus}") for s in sayings]
            inside[source] = _Inside(_fitted(looping, detail), labels)
            continue
        arrows.append(
            PictureArrow(
                source=numbers[source],
                target=numbers[target],
                lines=_fitted(sayings, detail),
                story="\n".join([f"{visible(source)} → {visible(target)}", *labels]),
                mark=_foremost([*map(highlight.mark, members), *(Mark.WRONG for _ in added)]),
                of=tuple(members),
            )
        )
    return Picture(
        title=f"{visible(model.name)}: {model.kind}, {counted(len(model.states), 'state')}, "
        f"{counted(len(model.transitions), 'transition')}",
        nodes=tuple(
            _node(s, Shape.CHOICE if s in choices else Shape.STATE, inside.get(s, _Inside()), highlight) for s in states
        ),
        arrows=tuple(arrows),
        initial=numbers[model.initial],
    )


def _foremost(marks: Sequence[Mark | None]) -> Mark | None:
    """That of an arrow: it is missing only where all its transitions are."""
    found = [mark for mark in Mark if mark in marks]
    if not found or (found[0] is Mark.MISSING and None in marks):
        return None
    return found[0]


def parallel(model: Model) -> dict[tuple[str, str], list[int]]:
    """The transitions, by their index, between each two states."""
    bundles: dict[tuple[str, str], list[int]] = {}
    transitions: tuple[AnyTransition, ...] = model.transitions
    for i, t in enumerate(transitions):
        bundles.setdefault((t.source, t.target), []).append(i)
    return bundles


def _node(name: str, shape: Shape, inside: _Inside, highlight: Highlight) -> PictureNode:
    shown = visible(name)
    lines = wrap(shown, width=6.0 if shape is Shape.CHOICE else 13.0, lines=3)
    return PictureNode(
        story="\n".join([shown, *(f"{_LOOP} {label}" for label in inside.labels)]),
        lines=lines if any(lines) else ("␣",),
        loops=inside.lines,
        shape=shape,
        marked=name in highlight.states,
    )


def _labels(model: Model, members: Sequence[int]) -> list[str]:
    labels = [visible(transition_label(model, model.transitions[i])) for i in members[:_STORY_LINES]]
    return labels if len(members) <= _STORY_LINES else [*labels, f"… {len(members) - _STORY_LINES} more"]


def _other_inputs(model: Model) -> dict[tuple[str, str, str], int]:
    """The (source, output, target) that a complete state of an fsm takes on all inputs but a few: how many.

    Only where every other entry of that state is short enough to be listed, so that "other" has one meaning.
    """
    pairs = symbol_pairs(model)
    if pairs is None:
        return {}
    transitions: tuple[AnyTransition, ...] = model.transitions
    arrows = list(zip(transitions, pairs, strict=True))
    groups: Counter[tuple[str, str, str]] = Counter((t.source, output, t.target) for t, (_, output) in arrows)
    of_state: dict[str, list[tuple[int, tuple[str, str, str]]]] = {}
    for group, size in groups.items():
        of_state.setdefault(group[0], []).append((size, group))
    enabled: dict[str, set[str]] = {}
    for t, (symbol, _) in arrows:
        enabled.setdefault(t.source, set()).add(symbol)
    others = {}
    for state, sized in of_state.items():
        deterministic = sum(size for size, _ in sized) == len(enabled[state])
        if not deterministic or len(enabled[state]) < len(model.inputs):
            continue
        (largest, group), *rest = sorted(sized, key=lambda entry: -entry[0])
        if largest > _FEW and all(size <= _FEW for size, _ in rest):
            others[group] = largest
    return others


def _sayings(
    model: Model,
    members: Iterable[int],
    highlight: Highlight,
    others: dict[tuple[str, str, str], int],
    detail: Detail,
) -> list[_Saying]:
    pairs = symbol_pairs(model)
    if pairs is None:
        heads = ((i, *label_halves(model, model.transitions[i])) for i in members)
        return [
            _Saying(visible(head), visible(tail), highlight.mark(i), (i,)) for i, head, tail in heads if head or tail
        ]
    by_output: dict[tuple[str, Mark | None], list[int]] = {}
    for i in members:
        by_output.setdefault((pairs[i][1], highlight.mark(i)), []).append(i)
    sayings = []
    last = []
    for (output, mark), group in by_output.items():
        first = model.transitions[group[0]]
        count = others.get((first.source, output, first.target))
        if count == len(group):
            stimulus = f"all {count} inputs" if count == len(model.inputs) else counted(count, "other input")
            last.append(_Saying(stimulus, f"/ {visible(output)}", mark, tuple(group)))
        else:
            stimulus = _listed([visible(pairs[i][0]) for i in group], detail.listed)
            sayings.append(_Saying(stimulus, f"/ {visible(output)}", mark, tuple(group)))
    return sayings + last


def _listed(names: list[str], limit: int) -> str:
    if len(names) <= limit + 1:
        return ", ".join(names)
    return ", ".join([*names[:limit], f"… {len(names) - limit} more"])


def _fitted(sayings: list[_Saying], detail: Detail) -> tuple[Line, ...]:
    """Marked entries first, then as many whole entries as there is room for, then how many were left out."""
    lines: list[Line] = []
    left_out = 0
    ordered = sorted(sayings, key=lambda saying: saying.mark in (None, Mark.COVERED))
    for n, saying in enumerate(ordered):
        entry = _lines(saying, detail)
        room = detail.lines - len(lines) - (1 if n + 1 < len(ordered) else 0)
        if left_out or (lines and len(entry) > room):
            left_out += len(saying.of) or 1
        else:
            lines.extend(dataclasses.replace(line, of=saying.of) for line in entry)
    if left_out:
        lines.append(Line(f"… {left_out} more"))
    return tuple(lines)


def _lines(saying: _Saying, detail: Detail) -> list[Line]:
    response = saying.response.replace("/ ", "/\N{NO-BREAK SPACE}", 1)
    if len(wrap(f"{saying.stimulus} {response}", width=detail.width, lines=2)) == 1:
        return [Line(saying.stimulus, saying.response, mark=saying.mark)]
    most = max(1, detail.lines // 2)
    heads = wrap(saying.stimulus, width=detail.width, lines=most) if saying.stimulus else ()
    tails = wrap(response, width=detail.width - 1, lines=most) if response else ()
    lines = [Line(text, further=n > 0, mark=saying.mark) for n, text in enumerate(heads)]
    if heads and tails and len(wrap(f"{heads[-1]} {tails[0]}", width=detail.width, lines=2)) == 1:
        lines[-1] = dataclasses.replace(lines[-1], response=_spaced(tails[0]))
        tails = tails[1:]
    return lines + [Line("", _spaced(text), further=bool(lines), mark=saying.mark) for text in tails]


def _spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")
