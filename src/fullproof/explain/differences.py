"""The transitions in which a machine differs from the model, as a picture or a table shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from fullproof.artefacts.diagnosis import Arrow, ChangedTransition
from fullproof.formats.labels import label_halves
from fullproof.model import Model

_ALIKE: tuple[Callable[[Arrow, Arrow], bool], ...] = (
    lambda one, other: (one.state, one.input) == (other.state, other.input),
    lambda one, other: (one.state, one.output, one.target) == (other.state, other.output, other.target),
    lambda one, other: one.state == other.state,
)
"""Which transition of the machine stands for one of the model: the first rule that finds one decides."""


def changed_transitions(model: Model, machine: Model) -> tuple[ChangedTransition, ...]:
    """What is different, in the order of the model; then what the machine has in addition, such as an extra state's."""
    right, wrong = Counter(_arrows(model)), Counter(_arrows(machine))
    missing, added = [*(right - wrong).elements()], [*(wrong - right).elements()]
    pairs: dict[int, Arrow] = {}
    for is_alike in _ALIKE:
        for place, arrow in enumerate(missing):
            found = None if place in pairs else next((a for a in added if is_alike(arrow, a)), None)
            if found is not None:
                pairs[place] = found
                added.remove(found)
    changed = [ChangedTransition(expected=arrow, actual=pairs.get(place)) for place, arrow in enumerate(missing)]
    return (*changed, *(ChangedTransition(expected=None, actual=arrow) for arrow in added))


def _arrows(model: Model) -> Iterator[Arrow]:
    for transition in model.transitions:
        head, reaction = label_halves(model, transition)
        output = reaction.removeprefix("/").strip()
        yield Arrow(state=transition.source, input=head, output=output, target=transition.target)
