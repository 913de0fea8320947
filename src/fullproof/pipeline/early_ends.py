"""Why a run ends before its last test: enough failures, or a system that cannot be reached."""

from __future__ import annotations

from fullproof.artefacts.execution import BEFORE_TESTS, Execution, is_before_tests
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.verdict import BAD, Judgement
from fullproof.core.counted import counted

UNREACHED = 3
"""Tests in a row that may end before their first input; then the system counts as gone."""
_SIGNS = ("cannot connect", "Connection refused")
"""What the error of the first input has where the system was not there."""


def is_unreached(execution: Execution) -> bool:
    """Whether the system was not there when a test began."""
    if execution.error is None or execution.length:
        return False
    return is_before_tests(execution) or any(sign in execution.error for sign in _SIGNS)


class EarlyEnd:
    """Counts what may end a run."""

    def __init__(self, request: RunRequest) -> None:
        self._wanted = request.failures_wanted
        self._option = "--stop-on-failure" if request.stop_on_failure else "--max-failures"
        self._failed: set[str] = set()
        self._unreached = 0
        self.note = ""
        """Why the run has ended, where it has."""
        self.is_gone = False
        """Whether the system cannot be reached any more."""

    def follows(self, execution: Execution, judgement: Judgement) -> bool:
        """Whether the run ends after this execution."""
        if judgement.verdict in BAD:
            self._failed.add(judgement.test)
        self._unreached = self._unreached + 1 if is_unreached(execution) else 0
        if self._unreached >= UNREACHED:
            reason = (execution.error or "").removeprefix(BEFORE_TESTS)
            self.note = f"the run was stopped: the system could not be reached in {UNREACHED} tests in a row ({reason})"
            self.is_gone = True
        elif self._wanted is not None and len(self._failed) >= self._wanted:
            self.note = f"the run was stopped after {counted(len(self._failed), 'failing test')} ({self._option})"
        return bool(self.note)
