"""Suggestions for misspelt names."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

_LONGEST = 60
"""Names that are longer resemble no other."""


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` or, where nothing is near, ``; expected one of ...``."""
    names = sorted(set(known))
    lowered = {name.lower(): name for name in names}
    if wrong.lower() in lowered:
        return f"; did you mean {lowered[wrong.lower()]!r}?"
    near = difflib.get_close_matches(wrong, names, n=1, cutoff=0.6)
    if near:
        return f"; did you mean {near[0]!r}?"
    if not names:
        return ""
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    return f"; expected one of {shown}"


def all_of(wrong: str, known: Collection[str]) -> str:
    """The same with all known names, in their order: for names of which there are few, such as keys."""
    hint = did_you_mean(wrong, known) if len(wrong) <= _LONGEST else ""
    near = hint if hint.endswith("?") else ""
    return f"{near or ';'} expected one of {', '.join(known)}" if known else ""
