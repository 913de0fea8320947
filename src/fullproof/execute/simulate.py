"""Simulates a system under test by a model, with the JSON Lines protocol of out-of-process systems."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import BinaryIO, Literal, Protocol, TextIO, TypeAlias, runtime_checkable

from fullproof.artefacts.request import Observe
from fullproof.artefacts.suite import json_value
from fullproof.core.errors import UserError
from fullproof.execute.json_protocol import LONGEST_LINE, parse_object
from fullproof.execute.line_source import LineSource, Nothing
from fullproof.execute.observation import shown
from fullproof.execute.play import EmittingPlayer, Play, Player, TimedPlayer
from fullproof.execute.sut import SutError
from fullproof.model import Model
from fullproof.model.inputs import ADVANCE
from fullproof.model.interface import answering


class Writer(Protocol):
    """Where answers go."""

    def write(self, text: str, /) -> object:
        """Write some text."""

    def flush(self) -> object:
        """Let the other side see it."""


@runtime_checkable
class ClockWriter(Protocol):
    """A writer that shows people the time, beside the answers."""

    def clock(self, text: str, /) -> object:
        """Show the time."""


Shown: TypeAlias = Observe | Literal["active"]
"""What answers show beside the output: the state by its name, or the list of the active innermost states."""
Say = Callable[[Mapping[str, object]], None]


def simulate(
    model: Model,
    reader: TextIO | BinaryIO,
    writer: Writer,
    *,
    play: Play,
    seed: int = 0,
    observe: Shown | None = None,
) -> None:
    """Answer each line until the reader ends; a bad line is answered by ``{"error": ...}`` and changes nothing.

    Before the first reset the model is in its initial state. The random generator is not reset. An sts emits possible
    outputs spontaneously, a moment later. With ``observe`` each answer shows the state, or all active innermost states.
    A writer with a clock is shown the time of a model that has timers, after each answer.
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
            _answer_each(_Session(model, player, shown=observe), source, _beside(say, player, writer))
    except BrokenPipeError:
        return  # the other side has disconnected


def serve(
    model: Model,
    address: str,
    *,
    play: Play,
    seed: int = 0,
    observe: Shown | None = None,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Serve TCP clients, one at a time, until interrupted; ``announce`` is called with the address once it listens."""
    from fullproof.execute.adapters.tcp_server import listen

    answer = partial(simulate, model, play=play, seed=seed, observe=observe)
    listen(address, lambda reader, writer: answer(reader, writer), announce=announce)


def _beside(say: Say, player: Player, writer: Writer) -> Say:
    """Answers with the clock of a player beside them, where both have one."""
    if not isinstance(writer, ClockWriter) or not isinstance(player, TimedPlayer) or not player.has_clock:
        return say

    def said(answer: Mapping[str, object]) -> None:
        say(answer)
        writer.clock(player.clock())

    return said


def _answer_each(session: _Session, source: LineSource, say: Say) -> None:
    while (line := source.next()) is not Nothing.MORE:
        if isinstance(line, Nothing):
            say({"error": f"a line of more than {LONGEST_LINE} bytes"})
        elif line.strip():
            say(session.answer(line))


class _Session:
    def __init__(self, model: Model, player: Player, *, shown: Shown | None) -> None:
        self._decode = answering(model).decode
        self._shown = shown
        self._player = player

    def answer(self, line: str | bytes) -> dict[str, object]:
        try:
            question = parse_object(line)
            if "reset" in question:
                self._player.reset()
                return {"ready": True} | self._enabled() | self._state()
            if "input" in question or ADVANCE in question:
                given = question["input"] if "input" in question else {ADVANCE: question[ADVANCE]}
                output = self._player.step(self._decode(given))
                return {"output": _written(output)} | self._enabled() | self._state()
        except (SutError, UserError) as error:
            return {"error": str(error)}
        return {"error": f'expected {{"reset": true}} or {{"input": ...}}, got {shown(question)}'}

    def _enabled(self) -> dict[str, object]:
        """A completely specified machine shows no enabled inputs."""
        enabled = self._player.enabled() if self._player.is_partial else None
        return {} if enabled is None else {"enabled": sorted(enabled)}

    def _state(self) -> dict[str, object]:
        if self._shown == "active":
            return {"state": list(self._player.active)}
        return {} if self._shown is None else {"state": self._player.state}


def _written(output: object) -> object:
    """One output bare, several by name."""
    if not isinstance(output, Mapping):
        return output
    written = {name: value if isinstance(value, list) else json_value(value) for name, value in output.items()}
    return written if len(written) != 1 else next(iter(written.values()))
