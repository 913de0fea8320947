"""Possible faults of a system, derived from its observed behaviour."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """Mutations of the model that explain all observations, each as text; there may be none.

    ``observations`` says how many executions were compared, ``candidates`` how many mutations; ``ended`` is False where
    there were more than could be tried in time.
    """

    explanations: tuple[str, ...]
    observations: int
    candidates: int
    ended: bool = True
    faults: tuple[str, ...] = ()
    """The faults that the first explanation is made of."""
    is_confirmed: bool = False
    """Whether tests after the run distinguish it from all other explanations, and do not contradict it."""
    further: int = 0
    """How many tests were run on the system for it after the run."""

    def sentence(self) -> str:
        """The diagnosis as a sentence."""
        if not self.explanations:
            number = "the single fault tried does not explain" if self.candidates == 1 else ""
            none = number or f"none of {self.candidates:,} single faults explains"
            return f"{none} this{'' if self.ended else '; there was no time for the others'}"
        first, *others = self.explanations
        more = f", or with one of {len(others)} other faults" if len(others) > 1 else " or one other" if others else ""
        tests = self.further if self.is_confirmed else self.observations + self.further
        what = f"confirmed by {tests:,} further" if self.is_confirmed else f"consistent with {tests:,}"
        return f"behaves like the model with {first}{more}: {what} {'test' if tests == 1 else 'tests'}"

    def fields(self) -> dict[str, object]:
        """The cause of a failure as JSON has it."""
        return {
            "sentence": self.sentence(),
            "confirmed": self.is_confirmed,
            "tests": self.further if self.is_confirmed else self.observations + self.further,
            "faults": list(self.faults or self.explanations),
        }
