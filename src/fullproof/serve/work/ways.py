"""The transitions from a state, each with an input that may take it, found by the solver where data is involved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from fullproof.formats.labels import AnyTransition, transition_label
from fullproof.kinds.game import Game, GameWay
from fullproof.language.printer import value_to_text
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Comparison, Name
from fullproof.model import Model
from fullproof.report.diagram import drawn_numbers

_MOST = 40
_SOLVED = 12
_SECONDS = 0.5


def ways(model: Model, game: Game) -> Iterator[dict[str, object]]:
    """The transitions that leave a state; ``try`` is a move that may take one, where there is such a move."""
    transitions: tuple[AnyTransition, ...] = model.transitions
    leaving = (k for k, t in enumerate(transitions) if t.source == game.state)
    for place, number in enumerate(islice(leaving, _MOST)):
        transition, way = transitions[number], game.way(number)
        move = _move(model, way, game) if not way.conditions or place < _SOLVED else None
        of = drawn_numbers(model, [number])
        yield {"label": transition_label(model, transition), "to": transition.target, "of": of, "try": move}


def _move(model: Model, way: GameWay, game: Game) -> dict[str, object] | None:
    if not way.conditions:
        return {"name": way.name, "values": {}}
    from fullproof.smt import Sat, open_solver

    variables, values = (*way.known, *way.free), game.values
    constants = {c.name: c.value for c in model.description.constants}
    solver = open_solver(way.scope or Scope(variables, constants), timeout=_SECONDS)
    fixed = [Comparison((Name(v.name), literal(values[v.name])), ("==",)) for v in way.known if v.name in values]
    answer = solver.check_assuming(*way.conditions, *fixed)
    if not isinstance(answer, Sat):
        return None
    return {"name": way.name, "values": {v.name: value_to_text(answer.model[v.name]) for v in way.free}}
