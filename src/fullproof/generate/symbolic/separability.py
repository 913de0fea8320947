"""Results of the search for a distinguishing function: the function, or a pair without a distinguishing input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fullproof.generate.symbolic.margins import Margin
from fullproof.language.types import Value

_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinguishing:
    """``inputs`` are input valuations, ``chosen[k]`` the position of the one that pair ``k`` is recognised at."""

    inputs: tuple[Mapping[str, Value], ...]
    chosen: tuple[int, ...]
    ways: tuple[tuple[Mapping[str, Value], ...], ...] = ()
    """With a seed, for each input others at which the same pairs are recognised, itself among them."""
    serves: Callable[[int, Mapping[str, Value]], bool] = lambda _input, _point: False
    """Whether the pairs of an input by position are recognised at another input, too."""
    margin: Margin = Margin.TWICE
    """By how many tolerances the outputs of all pairs of a guard are apart there."""
    near: NotSeparable | None = None
    """A pair that cannot be distinguished from others by more than a tolerance, where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSeparable:
    """A pair for which formula 8.1 has no solution, or for which the solver could not decide that (``reason``).

    ``example`` is an input that satisfies the guard; ``others`` are outputs that cannot be distinguished from that of
    the pair: a single one where there is one, else all of the guard.
    """

    example: str
    output: str
    others: tuple[str, ...]
    reason: str = ""
    margin: Margin = Margin.NONE

    def text(self) -> str:
        """The reason as text."""
        others = " or ".join(self.others[:_SHOWN]) + (" or ..." if len(self.others) > _SHOWN else "")
        where = f"{self.output} from {others} under the guards of {self.example} (formula 8.1)"
        beyond = " by more than the tolerance" if self.margin else ""
        if self.reason:
            return f"whether some input distinguishes {where}{beyond} could not be decided: {self.reason}"
        return f"the alphabet is not separable{beyond}: no input distinguishes {where}"
