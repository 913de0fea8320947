"""The address of a system as reports may show it: without what only its user should know."""

from __future__ import annotations

import re

_USER = re.compile(r"(?<=//)[^/@\s]+@")
_NAMED = re.compile(
    r"((?<![\w-])[\w-]*(?:token|secret|password|passwd|passphrase|api[_-]?key|credentials?)(?:=|\s+))"
    r"(\"[^\"]*\"|'[^']*'|[^\s&\"']+)",
    re.IGNORECASE,
)


def public_spec(spec: str) -> str:
    """Mask users and passwords in URLs, and the values of options and parameters that sound like secrets."""
    return _NAMED.sub(r"\1***", _USER.sub("***@", spec))
