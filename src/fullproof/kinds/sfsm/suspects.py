"""Single faults of a symbolic machine that may explain why a run failed."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from fullproof.artefacts.request import Relation
from fullproof.kinds.limits import moved_limits
from fullproof.kinds.suspects import FaultSuspect, SuspectFaults
from fullproof.language.printer import to_text
from fullproof.language.syntax import Binary, Expression, Unary
from fullproof.model import Sfsm
from fullproof.smt import Sat, Unsat, open_solver

_GUARD = "guard "
_JUDGED = Relation.REDUCTION
"""A mutation that leaves an input undefined does not explain the answer to it: for other relations, anything goes."""


def suspects_of(model: Sfsm, asked: SuspectFaults) -> Iterator[Iterable[FaultSuspect]]:
    """Faults of guards, outputs and targets, then limits that lie elsewhere.

    Where the model leaves a choice, then also wrong guards that overlap others, between which a system chooses.
    """
    whole = _Whole(model)
    yield _changes(model, asked, whole, chooses=False)
    yield _moved(model, asked, whole)
    if whole.has_overlaps():
        guards = (s for s in _changes(model, asked, whole, chooses=True) if s.text.startswith(_GUARD))
        yield guards


class _Whole:
    """Asks whether machines with a fault react to all that the model reacts to: a system that answers does."""

    def __init__(self, model: Sfsm) -> None:
        self._model = model
        self._solver = open_solver(model.input_scope, timeout=1.0)

    def only(self, suspect: FaultSuspect, mutant: Sfsm) -> FaultSuspect:
        """The suspect, which allows nothing where its machine leaves open what the model says."""
        return suspect._replace(allows=lambda traces: suspect.allows(traces) and self._reacts(mutant))

    def _reacts(self, mutant: Sfsm) -> bool:
        return not any(self._loses(mutant, state) for state in self._model.states)

    def _loses(self, mutant: Sfsm, state: str) -> bool:
        right, wrong = ([t.guard for t in m.transitions if t.source == state] for m in (self._model, mutant))
        if right == wrong:
            return False
        nowhere = [Unary("not", guard) for guard in wrong]
        return any(isinstance(self._solver.check_assuming(guard, *nowhere), Sat) for guard in right)

    def has_overlaps(self) -> bool:
        """Whether two guards of a state may hold at once."""
        pairs = combinations(self._model.transitions, 2)
        return any(
            one.source == other.source and not isinstance(self._solver.check_assuming(one.guard, other.guard), Unsat)
            for one, other in pairs
        )


def _moved(model: Sfsm, asked: SuspectFaults, whole: _Whole) -> Iterator[FaultSuspect]:
    for text, mutant, replaced in moved_limits(model, asked, model.input_scope):
        yield whole.only(asked.changed(text, mutant, replaced, _JUDGED), mutant)


def _changes(model: Sfsm, asked: SuspectFaults, whole: _Whole, *, chooses: bool) -> Iterator[FaultSuspect]:
    """The faults that the model's domain names, then typical ones, then wrong targets."""
    from fullproof.mutate.expressions import derived_guards, derived_outputs

    domain = model.description.fault_domain
    own_guards = tuple(dict.fromkeys(t.guard for t in model.transitions))
    own_outputs = tuple(dict.fromkeys(t.output for t in model.transitions))
    named = (domain.guards, domain.outputs)
    derived = (
        tuple(fault.expression for fault in derived_guards(model).faults),
        tuple(fault.expression for fault in derived_outputs(model).faults),
    )
    for guards, outputs in (named, derived, (own_guards, own_outputs)):
        for k, t in enumerate(model.transitions):
            arrow = f"{t.source} -> {t.target}"
            for guard in guards:
                if guard != t.guard:
                    wrong, right = to_text(guard), to_text(t.guard)
                    drawn = _with(model, k, dataclasses.replace(t, guard=guard))
                    text = f"{_GUARD}{wrong} instead of {right} on {arrow}"
                    mutant = drawn if chooses else _first(drawn, k, t.guard)
                    yield whole.only(asked.changed(text, mutant, (wrong, right), _JUDGED, drawn=drawn), mutant)
            for output in outputs:
                if output != t.output:
                    wrong, right = to_text(output), to_text(t.output)
                    mutant = _with(model, k, dataclasses.replace(t, output=output))
                    yield asked.changed(
                        f"output {wrong} instead of {right} on {arrow}", mutant, (wrong, right), _JUDGED
                    )
    yield from _changed_everywhere(model, asked, (*domain.outputs, *derived[1], *own_outputs))
    for k, t in enumerate(model.transitions):
        for state in model.states:
            if state != t.target:
                text = f"target {state} instead of {t.target} on {t.source} --[{to_text(t.guard)}]"
                mutant = _with(model, k, dataclasses.replace(t, target=state))
                yield asked.changed(f"{text} / {to_text(t.output)}--> {t.target}", mutant, (state, t.target), _JUDGED)


def _changed_everywhere(model: Sfsm, asked: SuspectFaults, outputs: Sequence[Expression]) -> Iterator[FaultSuspect]:
    """Another output wherever the model has the same one: programs calculate it in one place."""
    for right, places in Counter(t.output for t in model.transitions).items():
        for wrong in dict.fromkeys(outputs) if places > 1 else ():
            if wrong != right:
                new = (dataclasses.replace(t, output=wrong) if t.output == right else t for t in model.transitions)
                texts = to_text(wrong), to_text(right)
                where = f"on all {places} transitions that have it"
                mutant = dataclasses.replace(model, transitions=tuple(new))
                yield asked.changed(f"output {texts[0]} instead of {texts[1]} {where}", mutant, texts, _JUDGED)


def _first(mutant: Sfsm, k: int, right: Expression) -> Sfsm:
    """What a wrong guard takes from other transitions is its own: where they overlap, systems choose one of them."""
    wrong = mutant.transitions[k]
    taken = Unary("not", Binary("and", wrong.guard, Unary("not", right)))
    transitions = tuple(
        dataclasses.replace(t, guard=Binary("and", t.guard, taken))
        if t.source == wrong.source and t is not wrong
        else t
        for t in mutant.transitions
    )
    return dataclasses.replace(mutant, transitions=transitions)


def admits_all(model: Sfsm) -> bool:
    """Whether some guard of each state holds for every input; False where the solver leaves it open."""
    solver = open_solver(model.input_scope, timeout=1.0)
    for state in model.states:
        nowhere = [Unary("not", t.guard) for t in model.transitions if t.source == state]
        if not isinstance(solver.check_assuming(*nowhere), Unsat):
            return False
    return True


def _with(model: Sfsm, k: int, new: object) -> Sfsm:
    transitions = (*model.transitions[:k], new, *model.transitions[k + 1 :])
    return dataclasses.replace(model, transitions=tuple(transitions))  # type: ignore[arg-type]
