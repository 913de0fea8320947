"""What a tester does, as the inputs of a test: ``send IREQ [1,2]`` and ``listen``.

A suite whose tests are such moves repeats conversations, one move after the other, with the values that they had.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeAlias

from fullproof.artefacts.execution import Execution, Listen, Sent
from fullproof.artefacts.suite import TestInput, json_value
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.values import in_range, value_from_json
from fullproof.model.sts import Sts

Asked: TypeAlias = Sent | Listen
LISTEN = "listen"
_SEND = "send "


def moves_of(execution: Execution) -> tuple[Asked, ...]:
    """What the tester did."""
    return tuple(event if isinstance(event, Sent) else Listen() for event in execution.events)


def move_texts(moves: Iterable[Asked]) -> tuple[str, ...]:
    """The moves as inputs of a test."""
    return tuple(_text(move) for move in moves)


def _text(move: Asked) -> str:
    if isinstance(move, Listen):
        return LISTEN
    values = [json_value(value) for value in move.values]
    return f"{_SEND}{move.gate} {json.dumps(values, ensure_ascii=False)}"


def is_move(symbol: object) -> bool:
    """Whether an input of a test is a move, and not a switch."""
    return isinstance(symbol, str) and (symbol == LISTEN or symbol.startswith(_SEND))


def read_move(model: Sts, symbol: TestInput, *, at: Place = NOWHERE) -> Asked:
    """A move from its text; a UserError where the model has no such input."""
    if symbol == LISTEN:
        return Listen()
    name, _, rest = str(symbol).removeprefix(_SEND).partition(" ")
    gates = {gate.name: gate for gate in model.inputs}
    if name not in gates:
        message = f"{symbol!r}: {name!r} is not an input gate of the model{did_you_mean(name, gates)}"
        raise UserError(message, at=at)
    try:
        raw = json.loads(rest)
    except ValueError:
        raw = None
    parameters = gates[name].parameters
    if not isinstance(raw, list) or len(raw) != len(parameters):
        number = len(parameters)
        message = f"{symbol!r}: expected the values of {name} as a JSON list of length {number} after its name"
        raise UserError(message, at=at)
    values = tuple(value_from_json(value, one.type, at=at) for value, one in zip(raw, parameters, strict=True))
    for value, one in zip(values, parameters, strict=True):
        if not in_range(value, one.type):
            raise UserError(f"{symbol!r}: the value of {one.name} is outside its type", at=at)
    return Sent(name, values)
