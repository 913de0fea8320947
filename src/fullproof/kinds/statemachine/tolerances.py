"""What the guarantee of a suite supposes where runs are judged with tolerances of outputs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fullproof.artefacts.guarantee import OUTSIDE_TOLERANCES, RESET, Guarantee
from fullproof.language.types import Variable


def outside_tolerances(made: Guarantee, outputs: Iterable[Variable]) -> Guarantee:
    """The guarantee of a suite that distinguishes all values, for runs that do not where an output has a tolerance."""
    if made.theorem is None or all(variable.tolerance is None for variable in outputs):
        return made
    others = [one for one in made.hypotheses if one is not RESET]
    return replace(made, hypotheses=(*others, OUTSIDE_TOLERANCES, RESET))
