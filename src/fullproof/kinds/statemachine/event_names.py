"""How events and answers of a state machine are called in finite machines over events, as ``certify`` has them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from fullproof.language.printer import value_to_text
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Value, Variable
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent

_NO_SIGNAL, _NOTHING = "(no signal)", "(nothing)"


def event_name(event: SignalEvent) -> str:
    """``tick with flow = 2``"""
    values = ", ".join(f"{name} = {value_to_text(value)}" for name, value in sorted(event.inputs))
    return f"{event.signal or _NO_SIGNAL}{f' with {values}' if values else ''}"


def signal_of(name: str) -> str | None:
    """The signal of an event by its name; None where it has none."""
    signal = name.partition(" with ")[0]
    return None if signal == _NO_SIGNAL else signal


def answer_name(values: Mapping[str, Value], sent: Sequence[str]) -> str:
    """``open = true, !alarm``: the values of output attributes, and the signals sent."""
    return ", ".join([*(f"{name} = {value_to_text(v)}" for name, v in values.items()), *(f"!{s}" for s in sent)]) or (
        _NOTHING
    )


def answer_of(name: str, model: StateMachine) -> tuple[dict[str, Value], tuple[str, ...]] | None:
    """The values and the signals of an answer by its name; None where it is none of the model's answers."""
    known = {v.name: v for v in model.outputs}
    ahead = "|".join([*(f"{re.escape(one)} = " for one in known), "!"])
    values, sent = dict[str, Value](), list[str]()
    for part in [] if name == _NOTHING else re.split(f", (?={ahead})", name):
        if part.startswith("!") and part[1:] in model.signals_out:
            sent.append(part[1:])
            continue
        output, _, text = part.partition(" = ")
        value = _value(text, known[output]) if output in known else None
        if value is None:
            return None
        values[output] = value
    return values, tuple(sent)


def _value(text: str, variable: Variable) -> Value | None:
    match variable.type:
        case BoolType() if text in ("true", "false"):
            return text == "true"
        case EnumType(values=values) if text in values:
            return text
        case IntType() if re.fullmatch(r"-?\d+", text):
            return int(text)
        case RealType() if re.fullmatch(r"-?\d+(\.\d+|/[1-9]\d*)?", text):
            return Fraction(text)
    return None
