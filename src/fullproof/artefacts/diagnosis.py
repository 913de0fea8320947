"""Possible faults of a system, derived from its observed behaviour."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum

from fullproof.core.counted import plural_of


class SearchEnd(Enum):
    """Why a search for single faults has ended; the value says it where nothing was found."""

    ALL = ""
    """There are no others."""
    LIMIT = "; others were not tried, as the search has a limit"
    TIME = "; there was no time for the others"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """A transition in texts: of symbolic machines, ``input`` is the trigger and the guard, ``output`` the reaction."""

    state: str
    input: str
    output: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedTransition:
    """A transition of the model and what the machine with the fault has instead; one of them may be missing."""

    expected: Arrow | None
    actual: Arrow | None

    def fields(self) -> dict[str, object]:
        """The change as JSON has it; ``state`` and ``input`` are the model's where it has the transition."""
        known = self.expected or self.actual
        assert known is not None
        return {
            "state": known.state,
            "input": known.input,
            "expected": None if self.expected is None else asdict(self.expected),
            "actual": None if self.actual is None else asdict(self.actual),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """Mutations of the model that explain all observations, each as text; there may be none.

    ``observations`` says how many executions were compared, ``candidates`` how many mutations, and ``ended`` why
    no more of them.
    """

    explanations: tuple[str, ...]
    observations: int
    candidates: int
    ended: SearchEnd = SearchEnd.ALL
    faults: tuple[str, ...] = ()
    """The faults that the first explanation is made of."""
    is_confirmed: bool = False
    """Whether tests after the run distinguish it from all other explanations, and do not contradict it."""
    further: int = 0
    """How many tests were run on the system for it after the run."""
    changes: tuple[ChangedTransition, ...] = ()
    """In which transitions the machine of the first explanation differs from the model."""
    is_closest: bool = False
    """Whether it is the machine with the fewest changes, of several that may explain this, and no single fault."""

    def sentence(self) -> str:
        """The diagnosis as a sentence."""
        if not self.explanations:
            number = "the single fault tried does not explain" if self.candidates == 1 else ""
            none = number or f"none of {self.candidates:,} single faults explains"
            return f"{none} this{self.ended.value}"
        first, *others = self.explanations
        more = f", or with one of {len(others)} other faults" if len(others) > 1 else " or one other" if others else ""
        tests = self.further if self.is_confirmed else self.observations + self.further
        what = f"confirmed by {tests:,} further" if self.is_confirmed else f"consistent with {tests:,}"
        is_guess = self.is_closest and not self.is_confirmed
        like = "no single fault explains this; with the fewest changes it behaves" if is_guess else "behaves"
        return f"{like} like the model with {first}{more}: {what} {plural_of(tests, 'test')}"

    def fields(self) -> dict[str, object]:
        """The cause of a failure as JSON has it."""
        return {
            "sentence": self.sentence(),
            "confirmed": self.is_confirmed,
            "tests": self.further if self.is_confirmed else self.observations + self.further,
            "faults": list(self.faults or self.explanations),
            "changes": [change.fields() for change in self.changes],
        }
