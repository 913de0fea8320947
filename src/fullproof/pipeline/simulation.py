"""Simulation of a system under test by a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from fullproof.artefacts.request import Observe
from fullproof.core.errors import Place
from fullproof.model import Model


def simulate_streams(path: Path, reader: TextIO, writer: TextIO, *, seed: int, observe: Observe | None = None) -> None:
    """Play on a pair of streams until the reader ends; with ``observe`` answers show the state."""
    from fullproof.execute.simulate import simulate
    from fullproof.kinds import play

    simulate(_playable(path, observe), reader, writer, play=play, seed=seed, observe=observe)


def simulate_tcp(
    path: Path,
    address: str,
    *,
    seed: int,
    observe: Observe | None = None,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Serve TCP clients, one at a time, until interrupted; ``announce`` is called with the address once it listens."""
    from fullproof.execute.simulate import serve
    from fullproof.kinds import play

    serve(_playable(path, observe), address, play=play, seed=seed, observe=observe, announce=announce)


def _playable(path: Path, observe: Observe | None) -> Model:
    from fullproof.formats import read_model
    from fullproof.pipeline.observed_models import observed

    model = read_model(path)
    observed(model, observe, at=Place(file=str(path)))  # refuses a model whose answers cannot show a state
    return model
