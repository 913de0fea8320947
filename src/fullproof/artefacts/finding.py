"""The findings of ``check`` about a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from fullproof.core.errors import NOWHERE, Place


class Severity(Enum):
    """An error makes ``check`` end with exit code 1; a warning limits which methods apply; a note is for
    information.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One remark: the rule that was checked, the place in the model, a witness where data is involved."""

    severity: Severity
    rule: str
    where: str
    message: str
    witness: Mapping[str, object] | None = None
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The properties of a model. None means: not decided for this kind, or the solver could not decide (a finding says
    which).
    """

    kind: str
    name: str
    states: int
    transitions: int
    deterministic: bool | None
    complete: bool | None
    observable: bool | None
    minimal: bool | None
    connected: bool | None
    findings: tuple[Finding, ...]
