"""Conditions and actions that stand as texts in formats of others: in our language, or in a part of ECMAScript."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from fullproof.core.errors import Place, UserError
from fullproof.formats.charts.vocabulary import Vocabulary
from fullproof.formats.diagrams.text import quoted_name
from fullproof.formats.scxml.expressions import read_expression, read_statements
from fullproof.formats.scxml.tree import Attribute
from fullproof.language.parser import parse_assignment, parse_expression
from fullproof.language.syntax import Expression
from fullproof.model.chart import Action, Effect, RaisedEvent, SentSignal

Read = TypeVar("Read")

ASSIGNS = re.compile(r"\s*[^\W\d]\w*\s*(?::?=(?!=)|[-+*/%]=|\+\+|--)")
"""How a text begins that is an assignment."""
_NAME = re.compile(r"[^\W\d][\w.-]*")
_SIGNAL = re.compile(r"(?:(?P<word>send|raise)\s+)?(?P<name>[^\W\d][\w.-]*|\"(?:[^\"\\]|\\.)*\")(?:\(\s*\))?")
_PIECE = re.compile(r"(?:\"(?:[^\"\\]|\\.)*\"|[^;\n])*[;\n]?")
DELAYS = re.compile(r"(?:after|at|every)\b\s*[\s(0-9]")
"""How a trigger begins that is an instant rather than an event."""


def expression_of(text: str, at: Place) -> Expression:
    """A condition or a value; what neither language can read is reported by ours."""
    return _either(text, at, parse_expression, lambda source: read_expression(source))


def assignments_of(text: str, at: Place) -> list[tuple[str, Expression]]:
    """The assignments of a text such as ``x = 1; y := x + 1; n++``."""

    def ours(text: str, at: Place) -> list[tuple[str, Expression]]:
        # := is Pascal's and SysML's, = ours: of the same width, so that columns stay.
        return [parse_assignment(re.sub(r"^(\s*\w+\s*):=", r"\1 =", text), at=at)]

    def theirs(source: Attribute) -> list[tuple[str, Expression]]:
        return [(name, value) for name, value, _ in read_statements(source)]

    return _either(text, at, ours, theirs)


def _either(text: str, at: Place, ours: Callable[..., Read], theirs: Callable[[Attribute], Read]) -> Read:
    try:
        return ours(text, at=at)
    except UserError as error:
        try:
            return theirs(Attribute(text, lambda offset: moved(at, offset)))
        except UserError:
            raise error from None


def located(source: Attribute, work: Callable[[], Read]) -> Read:
    """What is made of the text of an attribute; mistakes stand where its characters stand in the file."""
    try:
        return work()
    except UserError as error:
        first = source.at
        if error.at.line != first.line or error.at.column is None or first.column is None:
            raise
        raise UserError(error.message, at=source.place(max(error.at.column - first.column, 0))) from None


def moved(at: Place, offset: int) -> Place:
    """A place so many characters further on the line."""
    return at if at.column is None else replace(at, column=at.column + offset)


@dataclass(frozen=True, slots=True)
class TextAction:
    """An assignment (with an expression), a signal that is sent, or an internal event that is raised."""

    name: str
    at: Place
    expression: Expression | None = None
    raised: bool = False


def actions_of(text: str, at: Place) -> list[TextAction]:
    """``m = x / 2; send s; raise e; beep; open()``: a name alone is a signal that is sent."""
    found: list[TextAction] = []
    begin = 0
    for whole in _PIECE.findall(text):
        piece = whole.rstrip(";\n")
        here = moved(at, begin + len(piece) - len(piece.lstrip())) if "\n" not in text else at
        begin += len(whole)
        if not piece.strip():
            continue
        signal = _SIGNAL.fullmatch(piece.strip())
        if signal is not None:
            name = quoted_name(signal["name"]) if signal["name"].startswith('"') else signal["name"]
            if not name:
                raise UserError(f"expected a name between quotes, as in JSON, found {piece.strip()[:40]!r}", at=here)
            found.append(TextAction(name, here, raised=signal["word"] == "raise"))
        elif ASSIGNS.match(piece):
            found += [TextAction(name, here, value) for name, value in assignments_of(piece.strip(), here)]
        else:
            message = f"{piece.strip()[:40]!r} is not an action; expected variable = value, send signal or raise event"
            raise UserError(message, at=here)
    return found


def signal_text(name: str) -> str:
    """A name behind ``send`` or ``raise``: as it is, or between quotes, as in JSON."""
    return name if _NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def effect_of(actions: Iterable[TextAction], words: Vocabulary) -> Effect:
    """What actions do, with names that are declared."""
    found: list[Action] = []
    for action in actions:
        if action.expression is not None:
            found.append(words.checked_assignment(action.name, action.expression, action.at))
        elif action.raised:
            found.append(RaisedEvent(action.name))
        else:
            found.append(SentSignal(words.sent(action.name, action.at)))
    return Effect(actions=tuple(found))
