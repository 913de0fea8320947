"""Letters of purposes from a suite file or a journal, checked against the model."""

from __future__ import annotations

from fullproof.artefacts.purposes import WHERE, SwitchLetter, Walk, switch_names
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.kinds.sts.moves import is_move, read_move
from fullproof.language.list_functions import with_defaults
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.type_inference import expect_type
from fullproof.language.types import BoolType
from fullproof.model.sts import Sts


class LetterReader:
    """Letters from their names in a suite file or a journal; ``at`` is that file."""

    def __init__(self, model: Sts, at: Place = NOWHERE) -> None:
        self._model = model
        self._at = at
        self.symbols = tuple(switch_names(model))
        self._numbers = {name: number for number, name in enumerate(self.symbols)}
        constants = {c.name: c.value for c in model.description.constants}
        gates = {gate.name: gate for gate in model.gates}
        self._scopes = [
            Scope((*model.variables, *gates[switch.gate].parameters), constants) for switch in model.transitions
        ]

    def misfit(self, symbol: object, /) -> str | None:
        """Why a value is neither a letter of the model nor a move; None where its switch or its gate exists."""
        name = str(symbol).partition(WHERE)[0]
        if isinstance(symbol, str) and name in self._numbers:
            return None
        if self.is_replay((symbol,)):
            try:
                read_move(self._model, str(symbol))
            except UserError as error:
                return error.message
            return None
        return f"{symbol!r}, which is not a switch of the model{did_you_mean(name, self._numbers)}"

    def is_replay(self, inputs: tuple[object, ...]) -> bool:
        """Whether a test repeats the moves of a conversation, instead of going along switches."""
        return bool(inputs) and all(is_move(symbol) and symbol not in self._numbers for symbol in inputs)

    def path(self, test: str, inputs: tuple[object, ...]) -> tuple[SwitchLetter, ...]:
        """The letters, each beginning where the one before it ends."""
        letters = tuple(self._letter(test, symbol) for symbol in inputs)
        here = self._model.initial
        for letter in letters:
            switch = self._model.transitions[letter.switch]
            if switch.source != here:
                message = (
                    f"test {test} is not a path of {self._model.name}: takes a switch of {switch.source} in {here}"
                )
                raise UserError(message, at=self._at)
            here = switch.target
        return letters

    def _letter(self, test: str, symbol: object) -> SwitchLetter:
        name, where, condition = str(symbol).partition(WHERE)
        if (misfit := self.misfit(symbol)) is not None:
            raise UserError(f"test {test} has {misfit}", at=self._at)
        number = self._numbers[name]
        if not where:
            return SwitchLetter(number)
        expression = parse_expression(condition, at=self._at)
        expect_type(expression, self._scopes[number], BoolType(), what="the condition of a step")
        return SwitchLetter(number, with_defaults(expression, self._scopes[number]))


def walk_name(walk: Walk, number: int) -> str:
    """The name that replaces letters for the ``number``-th execution of a run."""
    return f"{walk.value} walk {number}"


def is_walk(word: object, number: int) -> bool:
    """Whether the first letter of a test says that it was a walk."""
    return any(word == walk_name(walk, number) for walk in Walk)
