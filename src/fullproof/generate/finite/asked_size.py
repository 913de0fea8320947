"""Requests for suites too large for any disk are refused at once, with the size."""

from __future__ import annotations

import math

from fullproof.analysis.defined_words import windows
from fullproof.analysis.table import Table
from fullproof.core.errors import NOWHERE, Place, UserError

_MOST = 12
"""Powers of ten: a suite of 10^12 inputs fills several terabytes."""
_LONGEST = 10**7
"""Extra states for a machine with a single input: a test has to be longer than that."""
_DEEPEST = 10**4
"""Extra states for a partial machine, in which one word may be all that is defined."""


def refuse_size(inputs: int, extra_states: int, *, at: Place = NOWHERE) -> None:
    """Refuse a number of extra states for which every complete suite is too large.

    A system with k extra states may go wrong after any one word of k + 1 inputs that is applied in its initial state:
    it follows the word in copies of states, and every other input leads back into the model. So each of the p^(k+1)
    words has to be applied in the initial state somewhere, and two different ones cannot begin at the same input of a
    suite. That is so for equivalence to a complete machine and for every method.
    """
    digits = (extra_states + 1) * math.log10(inputs) if inputs > 1 else 0.0
    if digits <= _MOST and (inputs > 1 or extra_states <= _LONGEST):
        return
    if inputs > 1:
        size = f"{inputs ** (extra_states + 1):,}" if digits < 30 else f"10^{int(digits):,}"
    else:
        size = f"{extra_states + 1:,}"
    words = f"every word of {extra_states + 1:,} of its {inputs:,} inputs" if inputs > 1 else "its input"
    message = (
        f"--extra-states {extra_states:,}: a suite would have at least {size} inputs, since it has to apply {words}"
    )
    raise UserError(f"{message}; ask for fewer", at=at)


def refuse_words(table: Table, extra_states: int, *, at: Place = NOWHERE) -> None:
    """The same for a partial machine, where the words are those that are defined."""
    if extra_states <= _DEEPEST and windows(table, extra_states + 1, most=10.0**_MOST) < math.inf:
        return
    raise UserError(
        f"--extra-states {extra_states:,}: a suite would have to apply more than 10^{_MOST} words of "
        f"{extra_states + 1:,} inputs, or longer ones than {_DEEPEST:,}; ask for fewer",
        at=at,
    )
