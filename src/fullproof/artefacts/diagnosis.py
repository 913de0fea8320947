"""Possible faults of a system, derived from its observed behaviour."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """Single mutations of the model that explain all observations, each as text; there may be none.

    ``observations`` says how many executions were compared, ``candidates`` how many mutations; ``ended`` is False where
    there were more than could be tried in time.
    """

    explanations: tuple[str, ...]
    observations: int
    candidates: int
    ended: bool = True

    def sentence(self) -> str:
        """The diagnosis as a sentence."""
        if not self.explanations:
            tried = f"none of the {self.candidates:,} single mutations tried explains all observations"
            return tried if self.ended else f"{tried}; there was no time for the others"
        first, *others = self.explanations
        more = f", or with one of {len(others)} other mutations" if others else ""
        return f"behaves like the model with {first}{more}"
