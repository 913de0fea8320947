"""Mealy machines gathered transition by transition, and labels such as ``in / out``."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.model.fsm import Fsm, FsmTransition

_UNWRITABLE = frozenset(("Cc", "Cs", "Zl", "Zp"))
"""Control characters, halves of surrogate pairs, line and paragraph separators."""


class MealyBuilder:
    """Collects the transitions of one file; states and symbols are numbered in the order in which they are named.

    A transition that is listed again is dropped: it says nothing new, and tools that write these formats repeat some.
    """

    def __init__(self, path: Path) -> None:
        self.file = str(path)
        self.name = path.stem
        self.states: dict[str, str] = {}
        self.inputs: dict[str, str] = {}
        self.outputs: dict[str, str] = {}
        self._rows: dict[tuple[str, str, str, str], int] = {}

    def add(self, source: str, symbol: str, output: str, target: str, *, line: int) -> None:
        """Add one transition; equal names become one string, which halves the memory of large machines."""
        states = self.states
        row = (
            states.setdefault(source, source),
            self.inputs.setdefault(symbol, symbol),
            self.outputs.setdefault(output, output),
            states.setdefault(target, target),
        )
        self._rows.setdefault(row, line)

    def first_source(self) -> str | None:
        """The state in which the first transition starts."""
        return next((row[0] for row in self._rows), None)

    def build(self, *, initial: str | None) -> Fsm:
        """Return the machine; without a mark for the initial state it is the first state named."""
        if not self.states:
            raise UserError("there are no states", at=Place(file=self.file))
        for names, what in ((self.states, "state"), (self.inputs, "input")):
            if "" in names:
                raise UserError(f"the name of a {what} is empty", at=Place(file=self.file, line=self._line_of_empty()))
        return Fsm(
            name=self.name,
            initial=next(iter(self.states)) if initial is None else initial,
            states=tuple(self.states),
            inputs=tuple(self.inputs),
            outputs=tuple(self.outputs),
            transitions=tuple(FsmTransition(*row) for row in self._rows),
            lines=tuple(self._rows.values()),
        )

    def _line_of_empty(self) -> int | None:
        return next((line for (s, i, _, t), line in self._rows.items() if not (s and i and t)), None)


def split_label(label: str) -> tuple[str, str] | None:
    """``in / out`` at the first ``/`` between blanks, else at the first ``/``; None where there is none."""
    left, slash, right = label.partition(" / ")
    if not slash:
        left, slash, right = label.partition("/")
    return (left.strip(), right.strip()) if slash else None


def used_symbols(fsm: Fsm) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The inputs and outputs in the order in which the transitions name them."""
    return _distinct(t.input for t in fsm.transitions), _distinct(t.output for t in fsm.transitions)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def require_printable(fsm: Fsm, *, ending: str) -> None:
    """Raise a UserError for a name with control characters or a byte order mark: line-based formats cannot hold it."""
    for names in ((fsm.name,), fsm.states, fsm.inputs, fsm.outputs):
        for name in names:
            if name.isprintable():
                continue
            if name.startswith("\ufeff") or any(unicodedata.category(c) in _UNWRITABLE for c in name):
                raise UserError(f"a {ending} file cannot hold the name {name!r}: it has control characters")
