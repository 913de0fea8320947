"""Purposes from a suite file: do they fit the model?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fullproof.artefacts.purposes import WHERE, Letter, Purpose, switch_names
from fullproof.artefacts.suite import SuiteHeader
from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.types import BoolType
from fullproof.language.typing import expect_type
from fullproof.model.sts import Sts


@dataclass(frozen=True, slots=True)
class GivenPurposes:
    """What a suite file holds, the SHA-256 of the file, and why its claim is not to be believed, if it is not."""

    header: SuiteHeader
    purposes: list[Purpose]
    sha256: str
    doubt: str | None


def read_purposes(path: Path, model: Sts) -> GivenPurposes:
    """The purposes of a suite; one that is no path of this model is an error, and so is one that is there twice."""
    from fullproof.formats.suite import read_suite
    from fullproof.formats.suite_check import check_suite

    header, tests = read_suite(path)
    checked = check_suite(path)
    at = Place(file=str(path))
    if header.kind != model.kind:
        message = f"this suite is for a model of kind {header.kind}, {model.name} is of kind {model.kind}"
        raise UserError(message, at=at)
    reader = LetterReader(model, at)
    purposes = [Purpose(letters=reader.path(test.id, test.inputs)) for test in tests]
    return GivenPurposes(header, purposes, checked.sha256, checked.doubt)


class LetterReader:
    """Letters from their names in a suite file or a journal; ``at`` is that file."""

    def __init__(self, model: Sts, at: Place) -> None:
        self._model = model
        self._at = at
        self._numbers = {name: number for number, name in enumerate(switch_names(model))}
        constants = {c.name: c.value for c in model.description.constants}
        gates = {gate.name: gate for gate in model.gates}
        self._scopes = [
            Scope((*model.variables, *gates[switch.gate].parameters), constants) for switch in model.transitions
        ]

    def path(self, test: str, inputs: tuple[object, ...]) -> tuple[Letter, ...]:
        """The letters, each beginning where the one before it ends."""
        letters = tuple(self._letter(test, symbol) for symbol in inputs)
        here = self._model.initial
        for letter in letters:
            switch = self._model.transitions[letter.switch]
            if switch.source != here:
                message = (
                    f"test {test} takes a switch of {switch.source} in {here}, so it is no path of {self._model.name}"
                )
                raise UserError(message, at=self._at)
            here = switch.target
        return letters

    def _letter(self, test: str, symbol: object) -> Letter:
        name, where, condition = str(symbol).partition(WHERE)
        if not isinstance(symbol, str) or name not in self._numbers:
            hint = did_you_mean(name, self._numbers)
            raise UserError(f"test {test} has {symbol!r}, which is no switch of the model{hint}", at=self._at)
        number = self._numbers[name]
        if not where:
            return Letter(number)
        expression = parse_expression(condition, at=self._at)
        expect_type(expression, self._scopes[number], BoolType(), what="the condition of a step")
        return Letter(number, expression)
