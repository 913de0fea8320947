"""The methods for finite machines."""

from __future__ import annotations

from fullproof.artefacts.request import Relation
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.generate.finite.preparation import inseparable, prepare
from fullproof.kinds.methods import Method
from fullproof.model import Fsm

_COUNTING = Method("counting", "state counting", "Hierons 2004, Sachtleben and Peleska 2022")
_GENERALISED = Method("auto", "generalised Wp-method", "Luo, von Bochmann and Petrenko 1994")


def methods_for(model: Fsm, relation: Relation) -> tuple[Method, ...]:
    """Those for equivalence where the machine is deterministic and complete; where it is partial with separable states,
    those that take it, and counting; others have one, which ``auto`` takes.
    """
    cells = {(t.source, t.input) for t in model.transitions}
    if relation is not Relation.EQUIVALENCE:
        return (_COUNTING,)
    if len(cells) == len(model.transitions) == len(model.states) * len(model.inputs):
        return tuple(Method(method.name, method.title, method.paper) for method in EQUIVALENCE_METHODS.values())
    if len(model.transitions) > len(cells):
        return (_GENERALISED,)
    if not model.transitions or inseparable(prepare(model, partial=True)):
        return (_COUNTING,)
    partial = [method for method in EQUIVALENCE_METHODS.values() if method.partial]
    return (*(Method(method.name, method.title, method.paper) for method in partial), _COUNTING)
