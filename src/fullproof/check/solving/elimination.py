"""Whether some output exists, without a quantifier: the language's own, under the name that this stage knows."""

from __future__ import annotations

from fullproof.language.elimination import LARGE, SMALL, eliminated

__all__ = ["LARGE", "SMALL", "eliminated"]
