"""What was observed while a test ran; nothing is judged here."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.artefacts.suite import Test, TestInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One input with the output observed; ``enabled`` are the inputs a grey-box system offers before the input."""

    input: TestInput
    output: object
    enabled: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One execution of a test: the steps done, and what went wrong with the system itself, if anything."""

    test: Test
    steps: tuple[Step, ...]
    enabled_at_end: frozenset[str] | None = None
    error: str | None = None
