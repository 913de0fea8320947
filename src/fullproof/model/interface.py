"""The inputs and outputs of a model, for code that reads, writes, checks or applies them.

A model's ``interface`` is made from it when it is asked for. Rooms that are blind to kinds ask it what they need: which
names there are, how an input is read, whether it fits, and what a system is given for it.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.assumptions import Assumptions
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.types import Value, Variable
from fullproof.language.values import in_range, value_from_json
from fullproof.model.inputs import ADVANCE, SENDS, TRIGGER, Advance, SignalEvent, TestInput, read_input


@dataclass(frozen=True, kw_only=True)
class Interface(ABC):
    """Of a model whose systems answer each input."""

    symbols: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    """The inputs and the outputs, where they are symbols."""
    named: tuple[str, ...] | None = None
    """The names by which inputs can be distinguished: symbols, or signals; None where inputs are values alone."""
    inputs: tuple[Variable, ...] = ()
    """The values that inputs carry."""
    outputs: tuple[Variable, ...] | None = None
    """The values that answers carry; None where answers are symbols."""
    signals_out: tuple[str, ...] = ()
    """The signals that answers may carry."""
    unavailable: str | None = None
    """The answer for an input that a system does not offer, where the model has one."""
    has_events: bool = False
    """Whether inputs are events: a signal or none, and values, of which those left out stay as they are."""
    has_time: bool = False
    """Whether inputs may be delays, too."""

    def decode(self, raw: object, /) -> TestInput:
        """An input from JSON, an object of values by name; a UserError where it is none."""
        if not isinstance(raw, Mapping):
            signal = ""
            if self.has_events and isinstance(raw, str) and self.named:
                known = raw in self.named
                hint = "" if known else did_you_mean(raw, self.named)
                signal = f", and a signal is {json.dumps({TRIGGER: raw if known else self.named[0]})}{hint}"
            raise UserError(
                f"{_shown(raw)} is not an input of this model, which is an object of values by name{signal}"
            )

        def value(name: str, part: Any) -> Value:
            known = self._variables.get(name)
            return part if known is None else value_from_json(part, known.type)  # ``misfit`` finds what is unknown

        if self.has_events and raw.keys() == {ADVANCE} and not self.has_time:
            raw = {TRIGGER: None, **raw}
        return read_input(raw, value, has_events=self.has_events)

    @abstractmethod
    def misfit(self, symbol: TestInput, /) -> str | None:
        """Why a value is not an input of the model; None where it is one."""

    def name_of(self, _symbol: TestInput, /) -> str | None:
        """The name that distinguishes this input, where it has one."""
        return None

    @abstractmethod
    def arguments(self, symbol: TestInput, /) -> Mapping[str, Value | None]:
        """What ``step`` of a system is given by name; nothing where it is given the symbol."""

    def unplayable(self, other: Interface, model: str, /) -> str | None:
        """Why a model with the other interface cannot be the system for this one, of the model of this name."""
        for what, mine, theirs in (("inputs", self.inputs, other.inputs), ("outputs", self.outputs, other.outputs)):
            if {v.name for v in mine or ()} != {v.name for v in theirs or ()}:
                return f"needs the {what} {', '.join(v.name for v in mine or ())} to play the system for {model}"
        return None

    @cached_property
    def _variables(self) -> Mapping[str, Variable]:
        return {v.name: v for v in self.inputs}

    def _wrong_value(self, values: Iterable[tuple[str, Value]]) -> str | None:
        for name, value in values:
            type_ = self._variables[name].type
            if not in_range(value, type_):
                return f"{name} = {value_to_text(value)}, which is not a value of {type_to_text(type_)}"
        return None


class SymbolInterface(Interface):
    """Of a finite machine: symbols for symbols."""

    def decode(self, raw: object, /) -> TestInput:
        """A text."""
        if not isinstance(raw, str):
            raise UserError(f"{_shown(raw)} is not an input of an fsm, which is a string")
        return raw

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.symbols)

    def misfit(self, symbol: TestInput, /) -> str | None:
        """It is one of the symbols."""
        if isinstance(symbol, str) and symbol in self._known:
            return None
        hint = did_you_mean(symbol, self.symbols) if isinstance(symbol, str) else ""
        return f"the input {symbol!r}, which the model does not know{hint}"

    def name_of(self, symbol: TestInput, /) -> str | None:
        """The symbol."""
        return symbol if isinstance(symbol, str) else None

    def arguments(self, _symbol: TestInput, /) -> Mapping[str, Value | None]:
        """The symbol has no name."""
        return {}

    def unplayable(self, other: Interface, model: str, /) -> str | None:
        """The other machine needs some of the inputs."""
        missing = sorted(self._known - set(other.symbols))
        if missing and len(missing) == len(self.symbols):
            return f"has none of the inputs of {model}, such as {missing[0]!r}"
        return None


@dataclass(frozen=True, kw_only=True)
class ValueInterface(Interface):
    """Of a symbolic machine: values for all input variables, each in its range, that keep the model's assumptions."""

    scope: Scope

    @cached_property
    def _assumed(self) -> Assumptions:
        return Assumptions(self.scope)

    def misfit(self, symbol: TestInput, /) -> str | None:
        """It has a right value for each variable."""
        if not isinstance(symbol, Mapping) or symbol.keys() != self._variables.keys():
            return f"the input {symbol!r}; the model takes values for {', '.join(self._variables)}"
        if (wrong := self._wrong_value(symbol.items())) is not None:
            return wrong
        broken = self._assumed.broken(symbol)
        return f"an input of which {broken}" if broken else None

    def arguments(self, symbol: TestInput, /) -> Mapping[str, Value | None]:
        """The values."""
        assert not isinstance(
            symbol, str | SignalEvent | Advance
        )  # asked in every step: cheaper than to ask for a Mapping
        return symbol


class EventInterface(Interface):
    """Of a state machine: events, answered by the output attributes and the signals sent."""

    def misfit(self, symbol: TestInput, /) -> str | None:
        """Its signal is known, and its values are right; or it is a delay, where there are timers."""
        if isinstance(symbol, Advance):
            return None if self.has_time else f"a delay of {symbol.seconds} s, but the model has no timers"
        if not isinstance(symbol, SignalEvent):
            return f"the input {symbol!r}; a statemachine takes an object of values by name"
        signals = self.named or ()
        if symbol.signal is not None and symbol.signal not in signals:
            return f"the signal {symbol.signal!r}, which the model does not know{did_you_mean(symbol.signal, signals)}"
        for name, _ in symbol.inputs:
            if name == ADVANCE and self.has_time:
                return f'{ADVANCE!r} as an input: a delay is {{"{ADVANCE}": seconds}}, not negative, and nothing else'
            if name not in self._variables:
                return f"the input {name!r}, which the model does not know{did_you_mean(name, self._variables)}"
        return self._wrong_value(symbol.inputs)

    def name_of(self, symbol: TestInput, /) -> str | None:
        """The signal."""
        return symbol.signal if isinstance(symbol, SignalEvent) else None

    def arguments(self, symbol: TestInput, /) -> Mapping[str, Value | None]:
        """The signal, or None, and the new values."""
        assert isinstance(symbol, SignalEvent)
        return {TRIGGER: symbol.signal, **symbol.values}

    def unplayable(self, other: Interface, model: str, /) -> str | None:
        """The other machine needs the same attributes, and the signals. One without timers lets time pass."""
        for unheard in sorted(set(self.named or ()) - set(other.named or ())):
            return f"needs the input signal {unheard} to play the system for {model}"
        return super().unplayable(other, model)


@dataclass(frozen=True)
class GateInterface:
    """Of a reactive system: gates, each with its parameters."""

    inputs: Mapping[str, tuple[Variable, ...]]
    outputs: Mapping[str, tuple[Variable, ...]]

    def decode(self, raw: object, /) -> tuple[str, tuple[Value, ...]]:
        """An input from JSON, ``[gate, [values]]``; a UserError where it is none of the model."""
        match raw:
            case [str(gate), [*values]]:
                parameters = self._parameters(gate, len(values))
                decoded = tuple(value_from_json(v, p.type) for v, p in zip(values, parameters, strict=True))
            case _:
                raise UserError(f"expected [gate, [values]], got {_shown(raw)}")
        if (misfit := self.misfit(gate, decoded)) is not None:
            raise UserError(misfit)
        return gate, decoded

    def misfit(self, gate: str, values: Sequence[Value], /) -> str | None:
        """Why a gate with values is not an input of the model; None where it is one."""
        try:
            parameters = self._parameters(gate, len(values))
        except UserError as error:
            return error.message
        for parameter, value in zip(parameters, values, strict=True):
            if not in_range(value, parameter.type):
                text = f"{parameter.name} = {value_to_text(value)} is outside {type_to_text(parameter.type)}"
                return f"gate {gate}: {text}"
        return None

    def unplayable(self, other: GateInterface, model: str, /) -> str | None:
        """The other system needs the input gates, with parameters of the same types."""
        for gate, parameters in self.inputs.items():
            if gate not in other.inputs:
                return f"has no input gate {gate!r}{did_you_mean(gate, other.inputs)}"
            if [type(p.type) for p in parameters] != [type(p.type) for p in other.inputs[gate]]:
                return f"input gate {gate!r} has other parameters than in {model}"
        return None

    def _parameters(self, gate: str, count: int) -> tuple[Variable, ...]:
        if gate not in self.inputs:
            raise UserError(f"unknown input gate {gate!r}{did_you_mean(gate, self.inputs)}")
        if len(self.inputs[gate]) != count:
            raise UserError(f"gate {gate} takes {len(self.inputs[gate])} values, got {count}")
        return self.inputs[gate]


class Described(Protocol):
    """A model of any kind."""

    @property
    def kind(self) -> str:
        """What it is."""

    @property
    def interface(self) -> Interface | GateInterface:
        """What its inputs and outputs are."""


def answering(model: Described) -> Interface:
    """The interface of a model whose systems answer each input; a UserError where they do not."""
    interface = model.interface
    if isinstance(interface, GateInterface):
        raise UserError(f"systems for models of kind {model.kind} do not answer each input")
    return interface


def argument_names(interface: Interface) -> tuple[str, ...]:
    """What ``step`` of a system is given by name; nothing where it is given a symbol."""
    return (*((TRIGGER,) if interface.has_events else ()), *(v.name for v in interface.inputs))


def output_names(interface: Interface) -> tuple[str, ...]:
    """The parts of an answer: one symbol without a name, or values by name and the signals sent."""
    if interface.outputs is None:
        return ("",)
    return (*(v.name for v in interface.outputs), *((SENDS,) if interface.signals_out else ()))


def _shown(raw: object) -> str:
    text = repr(raw)
    return text if len(text) <= 120 else f"{text[:117]}..."
