"""Simulation of a system under test by a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, cast

from fullproof.artefacts.request import Observe
from fullproof.core.errors import Place, UserError
from fullproof.execute.simulate import Writer
from fullproof.language.printer import value_to_text
from fullproof.model import Model
from fullproof.model.state_output import require_state

if TYPE_CHECKING:
    from fullproof.kinds.game import Form, Game


def simulate_streams(
    path: Path,
    reader: TextIO,
    writer: Writer,
    *,
    seed: int,
    observe: Observe | None = None,
    show_state: bool = False,
) -> None:
    """Play on a pair of streams until the reader ends; with ``observe`` answers show the state, with ``show_state`` the
    active innermost states.
    """
    from fullproof.execute.simulate import Shown, simulate
    from fullproof.kinds import play

    model = _playable(path, observe, show_state=show_state)
    shown: Shown | None = "active" if show_state else observe
    simulate(model, reader, writer, play=play, seed=seed, observe=shown)


def simulate_terminal(path: Path, ask: Callable[[str], str], say: Callable[[str], object], *, seed: int) -> None:
    """Play with a person, who types inputs by their names, until there are no more lines.

    The prompt says which state it is and what is possible; ``reset`` starts again, ``quit`` ends.
    """
    from random import Random

    from fullproof.formats import read_model
    from fullproof.kinds import kind_of

    model = read_model(path)

    def begin() -> Game:
        game: Game = kind_of(model).game(model, Random(seed))
        return game

    game = begin()
    say(f"{model.name}: type an input; ? lists them, reset starts again, quit ends.")
    while True:
        try:
            line = ask(_prompt(game)).strip()
        except EOFError:
            return
        if line in ("quit", "exit"):
            return
        if line == "reset":
            game = begin()
        elif line == "?":
            say(_possible(game))
        else:
            say(_moved(game, line))


def _moved(game: Game, line: str) -> str:
    from fullproof.execute.sut import SutError
    from fullproof.model.input_text import meant_name, typed_input

    forms = _forms(game)
    if not line and "" not in forms:
        return _possible(game)
    name = "?"
    try:
        name, values = typed_input(line, forms) if line else ("", {})
        _, answer = game.move({"name": name, "values": values})
    except (SutError, UserError) as error:
        said = error.message if isinstance(error, UserError) else str(error)
        return said + (meant_name(line, forms) if not name else "")
    return f"  -> {answer}" if answer else "  ok"


_WIDEST = 60
"""Characters of what is possible that a prompt shows; ? lists all of it."""


def _prompt(game: Game) -> str:
    values = ", ".join(f"{name} = {value_to_text(value)}" for name, value in game.values.items())
    possible = ", ".join(line.strip() for line in _possible(game).splitlines())
    shown = possible if len(possible) <= _WIDEST else "? lists the inputs"
    clock = f"{game.clock}\n" if game.clock else ""
    return f"{clock}{game.state}{f' [{values}]' if values else ''} ({shown})> "


def _possible(game: Game) -> str:
    """The inputs, each with its values and their types."""
    lines = []
    for form in game.choices():
        fields = [f"{field['name']}: {field['type']}" for field in cast("list[Form]", form["fields"])]
        shown = f"{form['name']}({', '.join(fields)})" if form["name"] and fields else ", ".join(fields)
        lines.append(f"  {shown or form['name'] or '(an empty line waits)'}")
    return "\n".join(lines)


def _forms(game: Game) -> dict[str, list[str]]:
    return {
        str(form["name"]): [str(field["name"]) for field in cast("list[Form]", form["fields"])]
        for form in game.choices()
    }


def simulate_tcp(
    path: Path,
    address: str,
    *,
    seed: int,
    observe: Observe | None = None,
    show_state: bool = False,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Serve TCP clients, one at a time, until interrupted; ``announce`` is called with the address once it listens."""
    from fullproof.execute.simulate import Shown, serve
    from fullproof.kinds import play

    model = _playable(path, observe, show_state=show_state)
    shown: Shown | None = "active" if show_state else observe
    serve(model, address, play=play, seed=seed, observe=shown, announce=announce)


def _playable(path: Path, observe: Observe | None, *, show_state: bool) -> Model:
    from fullproof.formats import read_model
    from fullproof.pipeline.observed_models import observed

    model, at = read_model(path), Place(file=str(path))
    if show_state and observe is not None:
        raise UserError('--show-state and --observe both put "state" into an answer: ask for one of them')
    if show_state:
        require_state(model, at=at)
    observed(model, observe, at=at)  # refuses a model whose answers cannot show a state
    return model
