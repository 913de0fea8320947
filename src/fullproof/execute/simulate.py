"""Plays a model as a system under test, in the JSON Lines of out-of-process systems."""

from __future__ import annotations

import decimal
import json
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, NoReturn, Protocol, TextIO

from fullproof.artefacts.suite import TestInput, json_input
from fullproof.core.errors import UserError
from fullproof.execute.observation import shown
from fullproof.execute.play import Player, player_for
from fullproof.execute.sut import SutError
from fullproof.language.values import value_from_json
from fullproof.model import Fsm, Model, Sfsm

LONGEST_LINE = 1 << 20


class Writer(Protocol):
    """Where answers go."""

    def write(self, text: str, /) -> object:
        """Write some text."""

    def flush(self) -> object:
        """Let the other side see it."""


def simulate(model: Model, reader: TextIO | BinaryIO, writer: Writer, *, seed: int = 0) -> None:
    """Answer each line until the reader ends; a bad line is answered by ``{"error": ...}`` and changes nothing.

    Before the first reset the model is in its initial state. Random choices go on across resets.
    """
    # Bytes, where there are some: text that is no UTF-8 is a bad line, not the end.
    source: TextIO | BinaryIO = getattr(reader, "buffer", reader)
    session = _Session(model, player_for(model, seed=seed))
    while line := source.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            while line and not line.endswith(b"\n" if isinstance(line, bytes) else "\n"):  # type: ignore[arg-type]
                line = source.readline(LONGEST_LINE)
            answer: dict[str, object] = {"error": f"a line of more than {LONGEST_LINE} bytes"}
        elif not line.strip():
            continue
        else:
            answer = session.answer(line)
        try:
            writer.write(json.dumps(answer) + "\n")
            writer.flush()
        except BrokenPipeError:
            return


def serve(model: Model, address: str, *, seed: int = 0, announce: Callable[[str], object] | None = None) -> None:
    """Serve TCP clients, one at a time, until interrupted; ``announce`` is told the address once it listens."""
    from fullproof.execute.adapters.listening import listen

    listen(address, lambda reader, writer: simulate(model, reader, writer, seed=seed), announce=announce)


class _Session:
    def __init__(self, model: Model, player: Player) -> None:
        self._model = model
        self._player = player
        self._is_partial = isinstance(model, Fsm) and len({(t.source, t.input) for t in model.transitions}) < len(
            model.states
        ) * len(model.inputs)

    def answer(self, line: str | bytes) -> dict[str, object]:
        try:
            question = _parse(line)
            if "reset" in question:
                self._player.reset()
                return {"ready": True} | self._enabled()
            if "input" in question:
                output = self._player.step(self._read(question["input"]))
                return {"output": self._write(output)} | self._enabled()
        except (SutError, UserError) as error:
            return {"error": str(error)}
        return {"error": f'expected {{"reset": true}} or {{"input": ...}}, got {shown(question)}'}

    def _enabled(self) -> dict[str, object]:
        """A machine that takes every input everywhere has nothing to tell."""
        enabled = self._player.enabled() if self._is_partial else None
        return {} if enabled is None else {"enabled": sorted(enabled)}

    def _read(self, raw: object) -> TestInput:
        if not isinstance(self._model, Sfsm):
            if not isinstance(raw, str):
                raise SutError(f"{shown(raw)} is no input of an fsm, which is a string")
            return raw
        if not isinstance(raw, Mapping):
            raise SutError(f"{shown(raw)} is no input of an sfsm, which is an object of values by name")
        types = {v.name: v.type for v in self._model.inputs}
        return {name: value_from_json(value, types[name]) if name in types else value for name, value in raw.items()}

    def _write(self, output: object) -> object:
        """One output bare, several by name."""
        if not isinstance(output, Mapping):
            return output
        written = json_input(output)
        assert isinstance(written, dict)
        return written if len(written) > 1 else next(iter(written.values()))


def _parse(line: str | bytes) -> dict[str, Any]:
    try:
        question = json.loads(line, parse_float=decimal.Decimal, parse_constant=_reject)
    except (ValueError, RecursionError, decimal.InvalidOperation) as error:
        raise SutError(f"no JSON: {error}") from error
    if not isinstance(question, dict):
        raise SutError(f"expected a JSON object, got {shown(question)}")
    return question


def _reject(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
