"""An sts on a pair of streams, with asynchronous inputs and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from fullproof.artefacts.suite import json_value
from fullproof.core.errors import UserError
from fullproof.execute.json_protocol import LONGEST_LINE, parse_object
from fullproof.execute.line_source import LineSource, Nothing
from fullproof.execute.observation import shown
from fullproof.execute.play import Emission, EmittingPlayer
from fullproof.execute.sut import SutError

_LONGEST_PAUSE = 0.01
"""Seconds. A tester must wait longer than this before it concludes quiescence."""
_MOST_EMISSIONS = 1000
"""In a row without a pause: before an input that is undefined so far, and after the last one."""

Say = Callable[[Mapping[str, object]], None]


def converse(player: EmittingPlayer, source: LineSource, say: Say, random: Random) -> None:
    """Take inputs and emit outputs until the source ends, then emit the remaining outputs.

    An input that is undefined now waits for outputs that lead to where it is defined; where none is due, it is answered
    by ``{"error": ...}`` and changes nothing.
    """
    conversation = _Conversation(player, say)
    while True:
        due = conversation.due()
        line = source.next(random.uniform(0, _LONGEST_PAUSE) if due else None)
        match line:
            case Nothing.YET:
                conversation.emit()
            case Nothing.MORE:
                conversation.emit_rest()
                return
            case Nothing.TOO_LONG:
                say({"error": f"a line of more than {LONGEST_LINE} bytes"})
            case bytes() if line.strip():
                conversation.hear(line)
            case _:
                pass


class _Conversation:
    def __init__(self, player: EmittingPlayer, say: Say) -> None:
        self._player = player
        self._say = say

    def due(self) -> bool:
        """Whether an output is possible."""
        return self._propose() is not None

    def emit(self) -> bool:
        """Emit one output, if one is possible."""
        emission = self._propose()
        if emission is None:
            return False
        self._player.commit(emission)
        self._say({"emit": [emission.gate, [json_value(value) for value in emission.values]]})
        return True

    def emit_rest(self) -> None:
        """Emit until nothing is due, or until the limit for endless outputs is reached."""
        for _ in range(_MOST_EMISSIONS):
            if not self.emit():
                return

    def hear(self, line: bytes) -> None:
        """Process one line of the tester."""
        try:
            message = parse_object(line)
            if "reset" in message:
                self._player.reset()
                self._say({"ready": True})
            elif "send" in message:
                self._take(message["send"])
            else:
                raise SutError(f'expected {{"reset": true}} or {{"send": [gate, [values]]}}, got {shown(message)}')
        except (SutError, UserError) as error:
            self._say({"error": str(error)})

    def _propose(self) -> Emission | None:
        """A model that goes wrong here reports the error once, and emits nothing more."""
        try:
            return self._player.propose()
        except SutError as error:
            self._say({"error": str(error)})
            return None

    def _take(self, raw: object) -> None:
        gate, values = self._player.interface.decode(raw)
        for _ in range(_MOST_EMISSIONS):
            if self._player.take_now(gate, values):
                return
            if not self.emit():
                break
        if self._player.take(gate, values):
            return
        raise SutError(
            f"input {gate} with {shown(list(map(json_value, values)))} is undefined in {self._player.where()}"
        )
