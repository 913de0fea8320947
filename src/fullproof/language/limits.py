"""How large an expression may be: hostile text must end in a UserError, never in a full memory or stack."""

MAX_DEPTH = 150
"""Levels of a syntax tree, and of nested parentheses: every walker here is recursive, Python allows 1000 frames."""

MAX_DIGITS = 1000
"""Digits of a literal, counting those its exponent stands for."""

MAX_DEGREE = 256
"""The largest exponent of ``**``, nested ones multiplied: no value outgrows the memory."""
