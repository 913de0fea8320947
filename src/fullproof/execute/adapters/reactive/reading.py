"""Converts the raw outputs of a system to exact values, whether or not the model has them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from fractions import Fraction

from fullproof.core.errors import UserError
from fullproof.execute.observation import Written, read_value, shown, written
from fullproof.execute.reactive import Gated
from fullproof.execute.sut import SutError
from fullproof.language.lists import listed
from fullproof.language.types import ListType, StringType, Value, Variable
from fullproof.language.values import number_from_json


class Emissions:
    """Reads outputs. A gate or a number of values that the model does not have is an observation, which the judge finds
    wrong.
    """

    def __init__(self, model: Gated) -> None:
        self._gates = {gate.name: gate for gate in model.outputs}

    def read(self, gate: str, values: Sequence[object]) -> tuple[str, tuple[Value, ...]]:
        """One output; SutError where something is not a value of any type."""
        known = self._gates.get(gate)
        if known is None or len(known.parameters) != len(values):
            return gate, tuple(_any(value, gate) for value in values)
        pairs = zip(values, known.parameters, strict=True)
        return gate, tuple(
            _any(value, gate)
            if isinstance(value, list | tuple) and not isinstance(parameter.type, ListType)
            else read_value(value, parameter)
            for value, parameter in pairs
        )

    def read_words(self, gate: str, words: Sequence[str]) -> tuple[str, tuple[Value, ...]]:
        """One output whose values are words of text."""
        known = self._gates.get(gate)
        parameters = known.parameters if known is not None and len(known.parameters) == len(words) else None
        if parameters is None:
            return gate, tuple(_any(word, gate) for word in words)
        return self.read(gate, [_word(word, parameter) for word, parameter in zip(words, parameters, strict=True)])


def _word(word: str, parameter: Variable) -> object:
    if isinstance(parameter.type, StringType) and word.startswith('"'):
        with contextlib.suppress(ValueError):  # no string as JSON writes it: then the word itself
            return Written(json.loads(word))
    return written(word, parameter)


def _any(raw: object, gate: str) -> Value:
    if isinstance(raw, bool):
        return raw
    try:
        number = number_from_json(raw)
    except UserError:
        number = None
    if number is not None:
        return int(number) if isinstance(number, Fraction) and number.denominator == 1 else number
    if isinstance(raw, str):
        return str.__str__(raw)
    if isinstance(raw, list | tuple):
        return listed(_any(item, gate) for item in raw)
    raise SutError(f"{gate} came with {shown(raw)} ({type(raw).__name__}), which is not a value")
