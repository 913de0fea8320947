"""A model plays the system under test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TextIO


def simulate_streams(path: Path, reader: TextIO, writer: TextIO, *, seed: int) -> None:
    """Play on a pair of streams until the reader ends."""
    from fullproof.execute.simulate import simulate
    from fullproof.formats import read_model

    simulate(read_model(path), reader, writer, seed=seed)


def simulate_tcp(path: Path, address: str, *, seed: int, announce: Callable[[str], object] | None = None) -> None:
    """Serve TCP clients, one at a time, until interrupted; ``announce`` is told the address once it listens."""
    from fullproof.execute.simulate import serve
    from fullproof.formats import read_model

    serve(read_model(path), address, seed=seed, announce=announce)
