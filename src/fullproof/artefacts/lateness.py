"""How late the steps of an execution in real time were: stored as the evidence of the execution, and read again."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_TEXT = re.compile(r"real time: at most (?P<late>\S+) s late, (?P<allowed>\S+) s allowed, execution (?P<execution>\d+)")


@dataclass(frozen=True, slots=True)
class Lateness:
    """The latest step, how late a step may be, and which execution of the test was on time."""

    late: float
    allowed: float
    execution: int

    def __str__(self) -> str:
        return f"real time: at most {self.late:.6f} s late, {self.allowed:.6f} s allowed, execution {self.execution}"


def read_lateness(evidence: str) -> Lateness | None:
    """The lateness that an execution has as its evidence, if it has one."""
    found = _TEXT.fullmatch(evidence)
    if found is None:
        return None
    return Lateness(float(found["late"]), float(found["allowed"]), int(found["execution"]))


def seconds_text(seconds: float) -> str:
    """``3 ms`` or ``1.5 s``."""
    if math.isinf(seconds):
        return "any time"
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
