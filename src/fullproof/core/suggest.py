"""Suggestions for misspelt names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


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
