"""Manual execution of a model step by step: the interface, and its input forms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.execute.play import Player
from fullproof.judge.oracle import text_of
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.types import BoolType, EnumType, Value, Variable
from fullproof.language.values import value_from_json

M = TypeVar("M")
Form = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWay:
    """A move that may take a transition: values of ``free`` such that ``conditions`` hold, the others as they are."""

    name: str
    free: Sequence[Variable] = ()
    known: Sequence[Variable] = ()
    conditions: tuple[Expression, ...] = ()
    scope: Scope | None = None
    """Of all these variables, where the model assumes more of them than their types."""


class Game(Protocol):
    """A model that is executed by hand."""

    @property
    def state(self) -> str:
        """The current state."""

    @property
    def active(self) -> tuple[str, ...]:
        """The innermost states that are active: one but for charts with regions."""

    @property
    def values(self) -> Mapping[str, Value]:
        """The values of its variables."""

    @property
    def clock(self) -> str:
        """The time since the beginning and the timers that run; empty for a model without timers."""

    def move(self, move: Mapping[str, Any], /) -> tuple[str, str]:
        """Make a move; returns the move as text, and the answer."""

    @property
    def taken(self) -> tuple[int, ...]:
        """The transitions that the last move took, by number, as far as they are known."""

    def choices(self) -> Iterator[Form]:
        """Forms to fill in: a name and fields."""

    def way(self, number: int, /) -> GameWay:
        """How to take the transition of this number."""


class PlayedGame(ABC, Generic[M]):
    """A model that answers each input."""

    def __init__(self, model: M, player: Player) -> None:
        self.model = model
        self.player = player

    @property
    def state(self) -> str:
        """The current state."""
        return self.player.state

    @property
    def active(self) -> tuple[str, ...]:
        """Those of the player."""
        return self.player.active

    @property
    def values(self) -> Mapping[str, Value]:
        """There are no variables, or they are not shown."""
        return {}

    @property
    def clock(self) -> str:
        """A model without timers has none."""
        return ""

    def move(self, move: Mapping[str, Any], /) -> tuple[str, str]:
        """Give it an input."""
        if move.get("event"):
            raise UserError("events are for transition systems: this model answers inputs")
        symbol = self.symbol(move)
        output = self.player.step(symbol)
        return self.shown(symbol), text_of(output)

    @abstractmethod
    def symbol(self, move: Mapping[str, Any], /) -> TestInput:
        """The input that a move stands for."""

    def shown(self, symbol: TestInput, /) -> str:
        """The input as readable text."""
        return text_of(symbol) or "no event"


def field(variable: Variable, value: Value | None = None) -> Form:
    """The description of an input field for a value."""
    options = None
    if isinstance(variable.type, BoolType):
        options = ["true", "false"]
    elif isinstance(variable.type, EnumType):
        options = list(variable.type.values)
    text = "" if value is None else value_to_text(value)
    return {"name": variable.name, "type": type_to_text(variable.type), "options": options, "value": text}


def read_value(raw: object, variable: Variable) -> Value:
    """A value from a form."""
    if isinstance(variable.type, BoolType) and raw in ("true", "false"):
        return raw == "true"
    try:
        return value_from_json(raw, variable.type)
    except UserError as error:
        raise UserError(f"{variable.name}: {error.message}") from None


def given_values(move: Mapping[str, Any], variables: Sequence[Variable]) -> dict[str, Value]:
    """The values that a move gives; a field left empty gives none."""
    given = move["values"]
    return {v.name: read_value(given[v.name], v) for v in variables if given.get(v.name) not in (None, "")}
