"""A run compared with an earlier one: which failures are new, which are gone, and what else is different."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.core.counted import counted

_SHOWN = 5
"""Tests that a line names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineComparison:
    """The differences; tests are named by their ids."""

    folder: str
    started: str
    verdict: str
    """When the earlier run began, and how it ended."""
    new: tuple[str, ...]
    """Tests that fail now, and did not fail or did not exist then."""
    gone: tuple[str, ...]
    """Tests that failed then and do not fail now, or are no more."""
    still: int
    """How many tests fail in both runs."""
    new_causes: tuple[str, ...]
    gone_causes: tuple[str, ...]
    """Titles of groups of failures, of which no test failed then, or of which none fails now."""
    added: int | None
    removed: int | None
    """How many tests ran only now, and only then; None where the tests of the earlier run are not all known."""
    not_run: tuple[str, ...] = ()
    """Those of ``gone`` that did not run now: nothing is known of what they would show."""
    changes: tuple[str, ...] = ()
    """What else is different, in words: the model, files of the system, options."""

    @property
    def suite(self) -> str:
        """What became of the suite, in words."""
        if self.added is None or self.removed is None:
            return "which tests the earlier run had is not known: its journal is missing"
        if not self.added and not self.removed:
            return "the tests are the same"
        return f"the tests are different: {counted(self.added, 'test')} ran only now, {self.removed:,} only then"

    def lines(self) -> list[str]:
        """The comparison as text, a fact on each line."""
        return [
            f"compared with {self.folder}, which ended with {self.verdict}:",
            _listed("new", self.new),
            _listed("gone", self.gone, self._unseen),
            *([f"  {counted(self.still, 'test')} failed then as well"] if self.still else []),
            f"  {self.suite}",
            *(f"  {change}" for change in self.changes),
        ]

    @property
    def _unseen(self) -> str:
        return f"; {len(self.not_run):,} of these did not run now" if self.not_run else ""

    def fields(self) -> dict[str, object]:
        """The comparison as JSON has it."""
        return {
            "folder": self.folder,
            "started": self.started,
            "verdict": self.verdict,
            "new": list(self.new),
            "gone": list(self.gone),
            "not_run": list(self.not_run),
            "still": self.still,
            "new_causes": list(self.new_causes),
            "gone_causes": list(self.gone_causes),
            "suite": None if self.added is None else {"added": self.added, "removed": self.removed},
            "changes": list(self.changes),
        }


def _listed(what: str, tests: tuple[str, ...], more: str = "") -> str:
    if not tests:
        return f"  no {what} failures"
    names = ", ".join(tests[:_SHOWN]) + (f" and {len(tests) - _SHOWN:,} more" if len(tests) > _SHOWN else "")
    return f"  {counted(len(tests), f'{what} failure')}: {names}{more}"
