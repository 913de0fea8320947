"""Size limits of expressions: hostile text must cause a UserError, never exhaust the memory or the stack."""

MAX_DEPTH = 150
"""Levels of a syntax tree, and of nested parentheses: every walker here is recursive, Python allows 1000 frames."""

MAX_DIGITS = 1000
"""Digits of a literal, including those that its exponent adds."""

MAX_DEGREE = 256
"""The largest exponent of ``**``, nested ones multiplied: no value outgrows the memory."""
