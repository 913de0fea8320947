"""An observable machine as nested dictionaries: what state counting walks on.

State counting enumerates traces, which far outnumber the transitions; it only needs lookups by state, input and output.
"""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.analysis.table import RelationTable
from fullproof.core.errors import Bug


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Responses:
    """``after[state][input][output]`` is the state reached; absent inputs are undefined. State 0 is initial."""

    inputs: int
    after: tuple[dict[int, dict[int, int]], ...]

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.after)

    def defined(self, state: int) -> frozenset[int]:
        """The inputs defined in a state."""
        return frozenset(self.after[state])


def responses(relation: RelationTable) -> Responses:
    """Index an observable machine by state, input and output.

    Needs: observable (one target for each state, input and output).
    """
    after: list[dict[int, dict[int, int]]] = [{} for _ in range(relation.states)]
    start, output, target = relation.start.tolist(), relation.output.tolist(), relation.target.tolist()
    for cell in range(relation.states * relation.inputs):
        state, symbol = divmod(cell, relation.inputs)
        for k in range(start[cell], start[cell + 1]):
            answers = after[state].setdefault(symbol, {})
            if output[k] in answers:
                raise Bug(f"state {state} is not observable at input {symbol}")
            answers[output[k]] = target[k]
    return Responses(inputs=relation.inputs, after=tuple(after))
