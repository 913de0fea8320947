"""Confidence bounds on answers that were not seen in a number of tries: the meaning of K.

If a system gives an answer with probability p whenever it is asked, and independently each time, then n tries miss it
with probability (1 - p) ** n. So an answer that was never seen has, with a confidence of c, a probability of less than
1 - (1 - c) ** (1 / n). The complete testing assumption is that no answer is rarer than that.
"""

from __future__ import annotations

import math

from fullproof.core.counted import counted

CONFIDENCE = 0.95
HIGH_CONFIDENCE = 0.999


def excluded_probability(tries: int, confidence: float = CONFIDENCE) -> float:
    """The least probability that ``tries`` tries exclude for an answer that they have not shown."""
    return float(1 - (1 - confidence) ** (1 / tries))


def excluded_text(tries: int) -> str:
    """The bound for one missing answer, as text."""
    return f"with {_percent(CONFIDENCE)} confidence its probability is below {_percent(excluded_probability(tries))}"


def repetitions_text(tries: int) -> str:
    """The bound for a whole run whose tests were executed ``tries`` times, as text."""
    usual, high = (_percent(excluded_probability(tries, c)) for c in (CONFIDENCE, HIGH_CONFIDENCE))
    return (
        f"Each test was executed {counted(tries, 'time')}: answers to a test that were not seen have a "
        f"probability below "
        f"{usual} with a confidence of {_percent(CONFIDENCE)}, and below {high} with {_percent(HIGH_CONFIDENCE)}, "
        "if executions do not depend on each other."
    )


def _percent(share: float) -> str:
    """Rounded up to two significant digits, so that the statement stays true: 9.6 %, 0.05 %."""
    percent = 100 * share
    if round(percent, 6) == round(percent, 1):
        return f"{percent:.1f}".removesuffix(".0") + " %"
    digits = max(0, 1 - math.floor(math.log10(percent)))
    return f"{math.ceil(percent * 10**digits) / 10**digits:.{digits}f} %"
