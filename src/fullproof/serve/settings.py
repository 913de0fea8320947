"""Settings of the workbench: systems and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fullproof.serve.folder import ModelFolder

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on the cost of a request. Beyond them it is refused; the workbench itself continues."""

    workers: int = 2
    waiting: int = 256
    """Questions that wait for a worker; further ones are refused with a request to retry."""
    seconds: float = 60.0
    patience: float = 60.0
    """For a question, and before that for its wait for a worker."""
    run_seconds: float = 1800.0
    memory: int = 2048 * MEBIBYTE
    """Address space of one worker."""
    request: int = 4 * MEBIBYTE
    requests: int = 64 * MEBIBYTE
    """Bytes of one request, and of all requests that are being worked on."""
    request_seconds: float = 20.0
    """How long a client may take to send a request."""
    answer: int = 24 * MEBIBYTE
    file: int = 512 * MEBIBYTE
    """The largest file that a worker may write: journals of long runs."""
    runs: int = 20
    """Runs whose reports are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenModel:
    """A model to begin with: its file's name and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings from the command line."""

    systems: Mapping[str, str] = field(default_factory=dict)
    """Systems under test, by name, as ``--sut`` takes them. The browser only sends a name."""
    models: tuple[GivenModel, ...] = ()
    folder: ModelFolder | None = None
    """Where pages may open and save models."""
    limits: Limits = Limits()
