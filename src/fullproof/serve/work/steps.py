"""Step through a model by hand: the moves so far are played again, so that nothing has to be kept between two steps.

The same moves and the same seed lead to the same place.
"""

from __future__ import annotations

from random import Random

from fullproof.core.errors import UserError
from fullproof.execute.sut import SutError
from fullproof.formats import read_model
from fullproof.kinds import kind_of
from fullproof.language.printer import value_to_text
from fullproof.report.diagram import drawn_numbers
from fullproof.serve.work.content import Content
from fullproof.serve.work.texts import placed
from fullproof.serve.work.ways import ways


def simulate(content: Content) -> dict[str, object]:
    """Where the moves lead, step by step, and what can be done next."""
    model = read_model(placed(content["model"], "model"))
    game = kind_of(model).game(model, Random(content["seed"]))
    steps, refused = [], None
    for move in content["moves"]:
        before = game.state
        try:
            shown, said = game.move(move)
        except (SutError, UserError) as error:
            refused = str(error)
            break
        way = {"from": before, "to": game.state, "active": list(game.active), "taken": drawn_numbers(model, game.taken)}
        steps.append({"input": shown, "output": said, **way})
    return {
        "kind": model.kind,
        "state": game.state,
        "active": list(game.active),
        "values": {name: value_to_text(value) for name, value in game.values.items()},
        "steps": steps,
        "refused": refused,
        "outgoing": list(ways(model, game)),
        "choices": list(game.choices()),
    }
