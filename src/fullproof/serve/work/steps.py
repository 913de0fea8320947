"""Step through a model by hand: the moves so far are played again, so that nothing has to be kept between two steps.

The same moves and the same seed lead to the same place.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, NamedTuple

from fullproof.core.errors import UserError
from fullproof.execute.sut import SutError
from fullproof.formats import read_model
from fullproof.kinds import kind_of
from fullproof.kinds.game import Game
from fullproof.language.printer import value_to_text
from fullproof.model import Model
from fullproof.report.diagram import drawn_numbers
from fullproof.serve.work.content import Content
from fullproof.serve.work.texts import placed
from fullproof.serve.work.ways import ways

_ATTEMPTS = 200
_SECONDS = 2.0
"""How often, and how long, events are followed through a model that leaves choices; each attempt takes others."""


class _Played(NamedTuple):
    """A model after some moves; ``refused``: why the next one was not possible."""

    game: Game
    steps: list[dict[str, object]]
    refused: str | None


def _played(model: Model, moves: Iterable[Mapping[str, Any]], random: Random) -> _Played:
    game: Game = kind_of(model).game(model, random)
    steps: list[dict[str, object]] = []
    for move in moves:
        before = game.state
        try:
            shown, said = game.move(move)
        except (SutError, UserError) as error:
            return _Played(game, steps, str(error))
        way = {"from": before, "to": game.state, "active": list(game.active), "taken": drawn_numbers(model, game.taken)}
        steps.append({"input": shown, "output": said, **way})
    return _Played(game, steps, None)


def simulate(content: Content) -> dict[str, object]:
    """Where the moves lead, step by step, and what can be done next."""
    model = read_model(placed(content["model"], "model"))
    game, steps, refused = _played(model, content["moves"], Random(content["seed"]))
    if refused is not None and any(move["event"] for move in content["moves"]):
        # What was seen elsewhere may be possible by other choices of the model.
        end = time.monotonic() + _SECONDS
        for attempt in range(_ATTEMPTS):
            other = _played(model, content["moves"], Random(f"{content['seed']} {attempt}"))
            if len(other.steps) > len(steps):
                game, steps, refused = other
            if refused is None or time.monotonic() > end:
                break
    return {
        "kind": model.kind,
        "state": game.state,
        "active": list(game.active),
        "clock": game.clock,
        "values": {name: value_to_text(value) for name, value in game.values.items()},
        "steps": steps,
        "refused": refused,
        "outgoing": list(ways(model, game)),
        "choices": list(game.choices()),
    }
