"""The default bound on the states of a system: as many as its model has as written.

The guarantee of a suite counts from the minimal form of the model. Where a model has states that no test distinguishes,
a system with one state for each state as written would be larger than that, so that a pass would say nothing about it.
Where neither the options nor the model give a number of extra states, the default covers such systems.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullproof.artefacts.notes import MeaningNote
from fullproof.core.counted import counted

if TYPE_CHECKING:
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.model import Model

MOST_WORDS = 10_000
"""A default is not for suites that are larger than about this many tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenStates:
    """The states of a model as written that can be reached, and how many of them tests distinguish."""

    written: int
    distinguishable: int
    inputs: int = 1
    """How many inputs tests are made of."""

    @property
    def more(self) -> int:
        """How many extra states cover systems with as many states as the model has as written."""
        return max(0, self.written - self.distinguishable)

    @property
    def is_afforded(self) -> bool:
        """Whether the default covers them: suites grow by a factor of ``inputs`` for each extra state."""
        words = self.distinguishable
        for _ in range(min(self.more + 1, MOST_WORDS)):
            words *= self.inputs
            if words > MOST_WORDS:
                return False
        return self.more < MOST_WORDS

    @property
    def default(self) -> int:
        """The number of extra states where none is given."""
        return self.more if self.is_afforded else 0

    def note(self, extra: int, *, given: bool, obstacle: str = "") -> MeaningNote | None:
        """What the difference means for a suite or a check with ``extra`` extra states; None where there is none.

        ``given`` is whether the number was given; ``obstacle`` is why the default could not be taken.
        """
        if not self.more or (given and extra >= self.more):
            return None
        if given:
            end = f", --extra-states {extra} does not"
        elif extra >= self.more:
            end = ", and is the default"
        else:
            end = f"; the default is 0, since {obstacle or 'that suite would be large'}"
        return MeaningNote(f"{self.sentence}{end}")

    @property
    def sentence(self) -> str:
        """What it means that the model is not minimal."""
        return (
            f"your model has {counted(self.written, 'state')}, {self.distinguishable:,} of them distinguishable; "
            f"--extra-states {self.more} covers systems with as many states as you wrote"
        )


def written_states(model: Model) -> int:
    """How many states as written can be reached."""
    return len(reachable_states(model))


def reachable_states(model: Model) -> set[str]:
    """The states as written to which transitions lead from the initial one; choice points are no states of a system."""
    after: dict[str, list[str]] = {}
    for transition in model.transitions:
        after.setdefault(transition.source, []).append(transition.target)
    found, waiting = {model.initial}, [model.initial]
    while waiting:
        for target in after.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found.difference(model.choices)


def given_extra_states(model: Model, request: SuiteRequest) -> int | None:
    """The number of extra states from the request, else from the model; None where neither has one."""
    asked = request.extra_states
    return asked if asked is not None else model.description.fault_domain.extra_states
