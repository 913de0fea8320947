"""How late the steps of a run in real time were: one note for all its executions."""

from __future__ import annotations

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.lateness import Lateness, read_lateness, seconds_text
from fullproof.core.counted import counted


class LatenessSeen:
    """Counts what the executions of a run say of it."""

    def __init__(self) -> None:
        self._tightest: Lateness | None = None
        self._worst = 0.0
        self._repeated = 0

    def saw(self, execution: Execution) -> None:
        """Count an execution."""
        found = read_lateness(execution.evidence)
        if found is None:
            return
        self._worst = max(self._worst, found.late)
        self._repeated += found.execution > 1
        if self._tightest is None or found.allowed < self._tightest.allowed:
            self._tightest = found

    def notes(self) -> tuple[str, ...]:
        """What is to be said of it; nothing of a run that did not wait."""
        if self._tightest is None:
            return ()
        again = f"; {counted(self._repeated, 'test')} had to be repeated" if self._repeated else ""
        allowed = seconds_text(self._tightest.allowed)
        return (
            f"in real time no step that counts was later than {seconds_text(self._worst)}, where {allowed} or more are "
            f"allowed{again}; the guarantee supposes that the system would have answered alike without that delay",
        )
