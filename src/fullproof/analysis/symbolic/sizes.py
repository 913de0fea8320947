"""The number of distinguishable states of a symbolic machine."""

from __future__ import annotations

from fullproof.analysis.symbolic.common_scope import Paired, VocabularyMachine
from fullproof.analysis.symbolic.product import NoDifference, ProductUndecided, States, after, counterexample
from fullproof.artefacts.request import Relation


def distinguishable_states(paired: Paired) -> int | None:
    """The number of states of the minimal observable form of the model of a machine paired with itself.

    None where the solver left a question open.
    Needs: ``paired.model`` and ``paired.other`` have the same transitions.
    """
    reached = _reachable(paired.model, paired)
    if reached is None:
        return None
    classes: list[States] = []
    for states in reached:
        for known in classes:
            equal = _equal(paired, states, known)
            if equal is None:
                return None
            if equal:
                break
        else:
            classes.append(states)
    return len(classes)


def _reachable(machine: VocabularyMachine, paired: Paired) -> list[States] | None:
    found = [frozenset({machine.initial})]
    for states in found:  # grows while it is walked
        predicates = frozenset(step.predicate for step in machine.steps(states))
        cells = paired.conditions.cells(frozenset(), predicates)
        if cells.open is not None:
            return None
        for cell in cells.cells:
            following = after(machine, states, cell.holding)
            if following not in found:
                found.append(following)
    return found


def _equal(paired: Paired, one: States, two: States) -> bool | None:
    """Whether two sets of states have the same language: each is a reduction of the other."""
    for start in ((one, two), (two, one)):
        answer = counterexample(paired, Relation.REDUCTION, start=start)
        if isinstance(answer, ProductUndecided):
            return None
        if not isinstance(answer, NoDifference):
            return False
    return True
