"""Whether a system answers alike: two executions that contradict each other, and how a failing test fares again."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.artefacts.suite import TestInput
from fullproof.core.blanks import visibly
from fullproof.core.counted import counted

DEPENDS = "depends on earlier tests"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictingAnswers:
    """Two executions with equal inputs and different outputs, against a model that leaves no choice there."""

    tests: tuple[str, str]
    executions: tuple[int, int]
    """Their numbers in the run, counted from 1; 0 for one that came after the run."""
    steps: tuple[tuple[str, str, str], ...]
    """Of each step the input and both outputs; the last one differs."""

    @property
    def sentence(self) -> str:
        """``equal inputs were answered in two ways: at step 2 of t-1 and of t-2``"""
        return (
            f"equal inputs were answered in two ways, at step {len(self.steps)} of {self._name(0)} and {self._name(1)}"
        )

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """The steps as people read them: blanks are visible where outputs differ in nothing else."""
        return [(symbol, *visibly(one, other)) for symbol, one, other in self.steps]

    @property
    def names(self) -> tuple[str, str]:
        """What stands above the two columns of outputs."""
        return self._name(0), self._name(1)

    def _name(self, place: int) -> str:
        number = self.executions[place]
        return f"{self.tests[place]} ({f'execution {number}' if number else 'run again'})"

    def fields(self) -> dict[str, object]:
        """The contradiction as JSON has it."""
        return {
            "tests": list(self.tests),
            "executions": list(self.executions),
            "steps": [{"input": i, "outputs": [one, other]} for i, one, other in self.steps],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """How a failing test fared when it was run again, each time on a fresh system."""

    failed: int
    of: int
    order: tuple[str, ...] | None = None
    """Tests after which it fails although it does not fail alone; the run had them before it."""
    is_shortest: bool = False
    """Whether it was tried that no fewer tests do."""
    answers_alike: bool = True
    """False for a system that is known to answer equal inputs in two ways."""
    words: tuple[tuple[TestInput, ...], ...] = ()
    """The inputs of these tests."""

    @property
    def standing(self) -> str:
        """``always``, ``sometimes``, ``depends on earlier tests`` or ``never again``."""
        if self.failed == self.of and self.answers_alike:
            return "always"
        if self.order is not None:
            return DEPENDS
        return "sometimes" if self.failed else "never again"

    @property
    def sentence(self) -> str:
        """The same with its figures."""
        fresh = f"{self.failed} of {counted(self.of, 'time')} on a fresh system"
        if self.failed == self.of and self.answers_alike:
            return "fails always"
        if self.order is None:
            return f"fails {fresh}"
        least = " (fewer tests are not enough)" if self.is_shortest and len(self.order) > 1 else ""
        return f"{DEPENDS}: it fails after {', '.join(self.order)}{least}, alone {fresh}"

    def fields(self) -> dict[str, object]:
        """The confirmation as JSON has it."""
        order = None if self.order is None else list(self.order)
        return {"standing": self.standing, "failed": self.failed, "of": self.of, "order": order}
