"""The address of a system for reports, without secrets."""

from __future__ import annotations

import re

_NAME = (
    r"(?:token|secret|passw(?:or)?d|pass|passphrase|pwd?|key|sig|signature|auth|authorization|credentials?|cookie"
    r"|jwt|session(?:[_-]?id)?|sas)"
)
_VALUE = r"(?:\"[^\"]*\"|'[^']*'|[^\s&;\"']+)"
_RULES = [
    # A password may hold an @: what is left of the last one before the path is the user's.
    (re.compile(r"(?<=//)[^/?#\s]*@"), "***@"),
    (re.compile(rf"((?<![\w-])[\w.-]*{_NAME}=){_VALUE}", re.IGNORECASE), r"\1***"),
    (re.compile(rf"((?<!\S)--?[\w-]*{_NAME}\s+){_VALUE}", re.IGNORECASE), r"\1***"),
    (re.compile(r"((?<!\S)(?:-u|--user|--proxy-user)(?:\s+|=))(\"[^\"]*\"|'[^']*'|[^\s:]+:\S*)"), r"\1***"),
    # Headers, in quotes or to the end of the word.
    (re.compile(rf"([\"'][\w-]*{_NAME}[\w-]*:\s*)[^\"']*(?=[\"'])", re.IGNORECASE), r"\1***"),
    (re.compile(rf"((?<!\S)[\w-]*{_NAME}:\s*)(?!\*\*\*){_VALUE}", re.IGNORECASE), r"\1***"),
    (re.compile(r"\b((?:Bearer|Basic|Digest)\s+)(?!\*\*\*)[\w.~+/=-]+", re.IGNORECASE), r"\1***"),
]


def public_spec(spec: str) -> str:
    """Mask users and passwords in URLs, and the values of options, parameters and headers that sound like secrets."""
    scheme, colon, rest = spec.partition(":")
    text = rest
    for pattern, shown in _RULES:
        text = pattern.sub(shown, text)
    return f"{scheme}{colon}{text}"
