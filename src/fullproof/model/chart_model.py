"""A chart with its declarations, as a reader found it: what the flat machine is made from, and what is written back."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from math import prod

from fullproof.core.errors import NOWHERE, Place
from fullproof.language.scope import Scope
from fullproof.language.types import Variable
from fullproof.model.chart import NOTHING, Chart, ChartTransition, Effect, Names, Vertex
from fullproof.model.common import Description
from fullproof.model.timed import Timer


class TransitionRank(Enum):
    """The priorities of transitions of the same state."""

    NONE = "none"
    """Equal, except that completion comes before triggers: their guards exclude each other, or ``check`` reports
    them."""
    DOCUMENT = "document"
    """Those without trigger first, then as listed (SCXML)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartModel:
    """States inside states with all that is declared; ``vertices`` and ``arrows`` are in the order of the file.

    Outputs and variables have the initial values that are declared, before the initial states are entered.
    """

    name: str
    description: Description = Description()
    signals_in: tuple[str, ...] = ()
    signals_out: tuple[str, ...] = ()
    inputs: tuple[Variable, ...] = ()
    outputs: tuple[Variable, ...] = ()
    variables: tuple[Variable, ...] = ()
    vertices: tuple[Vertex, ...]
    arrows: tuple[ChartTransition, ...]
    initial: Names
    choices: tuple[str, ...] = ()
    before: Effect = NOTHING
    """What happens before the initial states are entered."""
    order: TransitionRank = TransitionRank.NONE
    unset: frozenset[str] = frozenset()
    """Variables that have no value before they are assigned."""
    dotted: bool = False
    """Names of signals are prefixes."""
    timers: tuple[Timer, ...] = ()
    at: Place = field(default=NOWHERE, compare=False, repr=False)
    """Where the file says which states are initial."""

    @property
    def scope(self) -> Scope:
        """What the names in guards and actions mean."""
        constants = {constant.name: constant.value for constant in self.description.constants}
        return Scope((*self.inputs, *self.outputs, *self.variables), constants)

    @property
    def received(self) -> tuple[str, ...]:
        """The triggers that do not come from the chart itself: signals, and timers that expire."""
        return (*self.signals_in, *(timer.name for timer in self.timers))

    @property
    def tree(self) -> Chart:
        """The states by name, with their paths and the transitions that leave them; checked."""
        return Chart(self.vertices, self.arrows, self.initial, self.at)

    @property
    def most_configurations(self) -> int:
        """How many sets of innermost states the tree allows, whatever history remembers."""
        inside: dict[str | None, list[Vertex]] = {}
        for vertex in self.vertices:
            if vertex.history is None:
                inside.setdefault(vertex.parent, []).append(vertex)
        return _configurations(None, inside)


def _configurations(vertex: Vertex | None, inside: dict[str | None, list[Vertex]]) -> int:
    counts = [_configurations(one, inside) for one in inside.get(None if vertex is None else vertex.name, [])]
    if not counts:
        return 1
    return prod(counts) if vertex is not None and vertex.parallel else sum(counts)
