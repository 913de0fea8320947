"""Simulates a system under test by a model, with the JSON Lines protocol of out-of-process systems."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import BinaryIO, Protocol, TextIO

from fullproof.artefacts.request import Observe
from fullproof.artefacts.suite import json_value
from fullproof.core.errors import UserError
from fullproof.execute.json_protocol import LONGEST_LINE, parse_object
from fullproof.execute.line_source import LineSource, Nothing
from fullproof.execute.observation import shown
from fullproof.execute.play import EmittingPlayer, Play, Player
from fullproof.execute.sut import SutError
from fullproof.model import Model
from fullproof.model.interface import answering


class Writer(Protocol):
    """Where answers go."""

    def write(self, text: str, /) -> object:
        """Write some text."""

    def flush(self) -> object:
        """Let the other side see it."""


Say = Callable[[Mapping[str, object]], None]


def simulate(
    model: Model,
    reader: TextIO | BinaryIO,
    writer: Writer,
    *,
    play: Play,
    seed: int = 0,
    observe: Observe | None = None,
) -> None:
    """Answer each line until the reader ends; a bad line is answered by ``{"error": ...}`` and changes nothing.

    Before the first reset the model is in its initial state. The random generator is not reset. An sts emits possible
    outputs spontaneously, a moment later. With ``observe`` each answer shows the state.
    """

    def say(answer: Mapping[str, object]) -> None:
        writer.write(json.dumps(answer) + "\n")
        writer.flush()

    source = LineSource(reader)
    try:
        dice = Random(seed)
        player = play(model, dice)
        if isinstance(player, EmittingPlayer):
            from fullproof.execute.emission import converse

            converse(player, source, say, dice)
        else:
            _answer_each(_Session(model, player, shows_state=observe is not None), source, say)
    except BrokenPipeError:
        return  # the other side has disconnected


def serve(
    model: Model,
    address: str,
    *,
    play: Play,
    seed: int = 0,
    observe: Observe | None = None,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Serve TCP clients, one at a time, until interrupted; ``announce`` is called with the address once it listens."""
    from fullproof.execute.adapters.tcp_server import listen

    answer = partial(simulate, model, play=play, seed=seed, observe=observe)
    listen(address, lambda reader, writer: answer(reader, writer), announce=announce)


def _answer_each(session: _Session, source: LineSource, say: Say) -> None:
    while (line := source.next()) is not Nothing.MORE:
        if isinstance(line, Nothing):
            say({"error": f"a line of more than {LONGEST_LINE} bytes"})
        elif line.strip():
            say(session.answer(line))


class _Session:
    def __init__(self, model: Model, player: Player, *, shows_state: bool) -> None:
        self._decode = answering(model).decode
        self._shows_state = shows_state
        self._player = player

    def answer(self, line: str | bytes) -> dict[str, object]:
        try:
            question = parse_object(line)
            if "reset" in question:
                self._player.reset()
                return {"ready": True} | self._enabled() | self._state()
            if "input" in question:
                output = self._player.step(self._decode(question["input"]))
                return {"output": _written(output)} | self._enabled() | self._state()
        except (SutError, UserError) as error:
            return {"error": str(error)}
        return {"error": f'expected {{"reset": true}} or {{"input": ...}}, got {shown(question)}'}

    def _enabled(self) -> dict[str, object]:
        """A completely specified machine shows no enabled inputs."""
        enabled = self._player.enabled() if self._player.is_partial else None
        return {} if enabled is None else {"enabled": sorted(enabled)}

    def _state(self) -> dict[str, object]:
        return {"state": self._player.state} if self._shows_state else {}


def _written(output: object) -> object:
    """One output bare, several by name."""
    if not isinstance(output, Mapping):
        return output
    written = {name: value if isinstance(value, list) else json_value(value) for name, value in output.items()}
    return written if len(written) != 1 else next(iter(written.values()))
