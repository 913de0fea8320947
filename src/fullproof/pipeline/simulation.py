"""A model plays the system under test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from fullproof.artefacts.request import Observe
from fullproof.core.errors import Place, UserError
from fullproof.model import Model, Sts


def simulate_streams(path: Path, reader: TextIO, writer: TextIO, *, seed: int, observe: Observe | None = None) -> None:
    """Play on a pair of streams until the reader ends; with ``observe`` answers show the state."""
    from fullproof.execute.simulate import simulate

    simulate(_playable(path, observe), reader, writer, seed=seed, observe=observe)


def simulate_tcp(
    path: Path,
    address: str,
    *,
    seed: int,
    observe: Observe | None = None,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Serve TCP clients, one at a time, until interrupted; ``announce`` is told the address once it listens."""
    from fullproof.execute.simulate import serve

    serve(_playable(path, observe), address, seed=seed, observe=observe, announce=announce)


def _playable(path: Path, observe: Observe | None) -> Model:
    from fullproof.formats import read_model

    model = read_model(path)
    if observe is not None and isinstance(model, Sts):
        raise UserError("an sts emits of its own accord: its answers do not show a state", at=Place(file=str(path)))
    return model
