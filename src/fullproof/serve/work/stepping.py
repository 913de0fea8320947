"""Step through a model by hand: the moves so far are played again, so that nothing has to be kept between two steps.

The same moves and the same seed lead to the same place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.execute.play import FsmPlayer, SfsmPlayer, StateMachinePlayer, player_for
from fullproof.execute.play.statemachine import TRIGGER
from fullproof.execute.play.sts import StsPlayer
from fullproof.execute.sut import SutError
from fullproof.formats import read_model
from fullproof.language.printing import type_to_text, value_to_text
from fullproof.language.types import BoolType, EnumType, Value, Variable
from fullproof.language.values import value_from_json
from fullproof.model import Fsm, Sfsm, StateMachine, Sts
from fullproof.serve.work.content import Content
from fullproof.serve.work.texts import placed
from fullproof.serve.work.ways import ways


def simulate(content: Content) -> dict[str, object]:
    """Where the moves lead, step by step, and what can be done next."""
    model = read_model(placed(content["model"], "model"))
    game = _StsGame(model, content["seed"]) if isinstance(model, Sts) else _Game(model, content["seed"])
    steps, refused = [], None
    for move in content["moves"]:
        before = game.state
        try:
            shown, said = game.move(move)
        except (SutError, UserError) as error:
            refused = str(error)
            break
        steps.append({"input": shown, "output": said, "from": before, "to": game.state})
    return {
        "kind": model.kind,
        "state": game.state,
        "values": {name: value_to_text(value) for name, value in game.values.items()},
        "steps": steps,
        "refused": refused,
        "outgoing": list(ways(model, game.state, game.values)),
        "choices": list(game.choices()),
    }


def _field(variable: Variable, value: Value | None = None) -> dict[str, object]:
    """What a form needs to ask for a value."""
    options = None
    if isinstance(variable.type, BoolType):
        options = ["true", "false"]
    elif isinstance(variable.type, EnumType):
        options = list(variable.type.values)
    text = "" if value is None else value_to_text(value)
    return {"name": variable.name, "type": type_to_text(variable.type), "options": options, "value": text}


def _read(raw: object, variable: Variable) -> Value:
    if isinstance(variable.type, BoolType) and raw in ("true", "false"):
        return raw == "true"
    try:
        return value_from_json(raw, variable.type)
    except UserError as error:
        raise UserError(f"{variable.name}: {error.message}") from None


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {_text(part)}" for name, part in value.items())
    if isinstance(value, list):
        return "[" + ", ".join(map(str, value)) + "]"
    return value if isinstance(value, str) else value_to_text(value)  # type: ignore[arg-type]  # a value of the model


class _Game:
    """A model that answers each input."""

    def __init__(self, model: Fsm | Sfsm | StateMachine, seed: int) -> None:
        self._model = model
        self._player: FsmPlayer | SfsmPlayer | StateMachinePlayer = player_for(model, seed=seed)  # type: ignore[assignment]

    @property
    def state(self) -> str:
        return self._player.state

    @property
    def values(self) -> Mapping[str, Value]:
        return self._player.values if isinstance(self._player, StateMachinePlayer) else {}

    def move(self, move: Mapping[str, Any]) -> tuple[str, str]:
        symbol = self._symbol(move)
        output = self._player.step(symbol)
        if isinstance(symbol, str):
            return symbol, _text(output)
        trigger = symbol.get(TRIGGER) if isinstance(self._model, StateMachine) else None
        rest = {name: value for name, value in symbol.items() if name != TRIGGER or trigger is None}
        return " ".join(filter(None, [str(trigger or ""), _text(rest)])) or "no event", _text(output)

    def _symbol(self, move: Mapping[str, Any]) -> TestInput:
        given = move["values"]
        if isinstance(self._model, Fsm):
            return str(move["name"])
        values = {v.name: _read(given[v.name], v) for v in self._model.inputs if given.get(v.name) not in (None, "")}
        if isinstance(self._model, StateMachine) and move["name"]:
            return {TRIGGER: move["name"], **values}
        return values

    def choices(self) -> Iterator[dict[str, object]]:
        """Forms to fill in: a name and fields."""
        match self._model:
            case Fsm():
                enabled = self._player.enabled() or frozenset()
                for symbol in self._model.inputs:
                    if symbol in enabled:
                        yield {"name": symbol, "fields": []}
            case Sfsm():
                yield {"name": "", "fields": [_field(v) for v in self._model.inputs]}
            case StateMachine():
                known = self.values
                fields = [_field(v, known.get(v.name)) for v in self._model.inputs]
                for signal in ("", *self._model.signals_in):
                    yield {"name": signal, "fields": fields}


class _StsGame:
    """A model that answers when it likes: letting it go on is a move, too."""

    def __init__(self, model: Sts, seed: int) -> None:
        self._model = model
        self._player = StsPlayer(model, Random(seed))

    @property
    def state(self) -> str:
        return self._player.location

    @property
    def values(self) -> Mapping[str, Value]:
        return self._player.variables

    def move(self, move: Mapping[str, Any]) -> tuple[str, str]:
        if not move["name"]:
            emission = self._player.propose()
            if emission is None:
                return "wait", "silence: it emits nothing here"
            self._player.commit(emission)
            return "wait", _call(emission.gate, emission.values)
        gate = self._player.inputs.get(move["name"])
        if gate is None:
            raise UserError(f"unknown input gate {move['name']!r}")
        given = move["values"]
        values = [_read(given.get(p.name, ""), p) for p in gate.parameters]
        self._player.check(gate.name, values)
        if not self._player.take(gate.name, values):
            raise UserError(f"{_call(gate.name, values)} is not specified here")
        return _call(gate.name, values), ""

    def choices(self) -> Iterator[dict[str, object]]:
        yield {"name": "", "fields": []}
        for gate in self._model.inputs:
            yield {"name": gate.name, "fields": [_field(p) for p in gate.parameters]}


def _call(gate: str, values: object) -> str:
    return f"{gate}({', '.join(value_to_text(v) for v in values)})"  # type: ignore[attr-defined]  # a sequence of values
