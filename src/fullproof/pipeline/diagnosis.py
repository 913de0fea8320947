"""failing run -> diagnosis: which single mutation of the model explains all observations?"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from fullproof.artefacts.diagnosis import Diagnosis
from fullproof.artefacts.request import Relation
from fullproof.artefacts.trace import Trace
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.language.printing import to_text
from fullproof.model import Fsm, Model, Sfsm, StateMachine
from fullproof.model.fsm import FsmTransition
from fullproof.model.observing import Observable, observing_state, unobserved

if TYPE_CHECKING:
    from fullproof.judge.diagnosis import SingleFault, SplitFault, Suspects

SECONDS = 5.0
"""A diagnosis is a convenience: a run that fails should not wait long for it."""
_SHOWN = 20

SeenAs = Callable[[Observable], Observable]
"""The model with what is observed of it."""

Allows = Callable[[Iterable[Trace]], bool]
"""Whether a mutation allows some executions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsToTry:
    """What the fault domain admits: a relation, and states more than the model has."""

    relation: Relation
    extra_states: int = 0


@dataclass(frozen=True, slots=True)
class Observations:
    """Executions of a run: how many, and each of them, readable repeatedly."""

    count: int
    traces: Callable[[], Iterable[Trace]]


def diagnose(
    model: Model, faults: FaultsToTry, failing: Sequence[Trace], seen: Observations, *, seconds: float = SECONDS
) -> Diagnosis | None:
    """Look for single mutations of the model that allow everything that was observed; None for other kinds of models.

    Faults behind an extra state are tried for deterministic finite machines and state machines, where nothing simpler
    explains a run.
    ``failing`` are executions with outputs that the model does not allow: they exclude most mutations at once.
    """
    if not failing or not isinstance(model, Fsm | Sfsm | StateMachine):
        return None
    search = _Search(failing, seen, time.monotonic() + seconds)
    # A fault is one of the machine; where its state is seen, the state is that of the faulty machine.
    observes = model.description.unobserved is not None
    model, seen_as = unobserved(model), observing_state if observes else _as_it_is
    if isinstance(model, StateMachine):
        search.look(_statemachine_changes(model, seen_as, splits=False))
        if not search.found and search.ended and faults.extra_states:
            search.look(_statemachine_changes(model, seen_as, splits=True))
        found = sorted(search.found, key=_slip)
        return Diagnosis(
            explanations=tuple(found), observations=seen.count, candidates=search.tried, ended=search.ended
        )
    is_deterministic = len({t[:2] for t in model.transitions if isinstance(t, FsmTransition)}) == len(model.transitions)
    if isinstance(model, Fsm) and is_deterministic and not observes:
        from fullproof.judge.diagnosis import Suspects

        suspects = Suspects(model, failing)
        search.look((str(fault), partial(_fits, suspects, fault)) for fault in suspects.single())
        if not search.found and search.ended and faults.extra_states:
            search.look((str(fault), partial(_fits, suspects, fault)) for fault in suspects.split())
        found = list(search.found)
    else:
        # A mutation that leaves an input undefined does not explain the answer to it: there anything goes, but for a
        # model.
        judged = Relation.REDUCTION if isinstance(model, Sfsm) else faults.relation
        search.look((text, partial(_allows, seen_as(mutant), judged)) for text, mutant in _changes(model))
        found = sorted(search.found, key=_slip)
    return Diagnosis(explanations=tuple(found), observations=seen.count, candidates=search.tried, ended=search.ended)


class _Search:
    """Mutations are tried on the failing executions, then on all, while there is time."""

    def __init__(self, failing: Sequence[Trace], seen: Observations, deadline: float) -> None:
        self._failing = failing
        self._seen = seen
        self._deadline = deadline
        self.found: dict[str, None] = {}
        self.tried = 0
        self.ended = True

    def look(self, mutations: Iterable[tuple[str, Allows]]) -> None:
        """Try some mutations."""
        for text, allows in mutations:
            if len(self.found) >= _SHOWN or time.monotonic() > self._deadline:
                self.ended = False
                return
            self.tried += 1
            if allows(self._failing) and allows(self._seen.traces()):
                self.found[text] = None


def _fits(suspects: Suspects, fault: SingleFault | SplitFault, traces: Iterable[Trace]) -> bool:
    return all(fault.fits(suspects, trace) for trace in traces)


def _slip(explanation: str) -> float:
    """How much was mistaken: ``x <= 190 instead of x < 190`` is likelier than an expression of another transition."""
    from difflib import SequenceMatcher

    wrong, _, right = explanation.rpartition(" on ")[0].partition(" instead of ")
    return 1 - SequenceMatcher(None, wrong.partition(" ")[2], right).ratio()


def _allows(mutant: Model, relation: Relation, traces: Iterable[Trace]) -> bool:
    from fullproof.judge import oracle_for

    oracle = oracle_for(mutant, Relation.REDUCTION if relation is Relation.PROPERTY else relation)
    return all(oracle.judge(trace).verdict is not Verdict.FAIL for trace in traces)


def _as_it_is(model: Observable) -> Observable:
    return model


def _statemachine_changes(model: StateMachine, seen_as: SeenAs, *, splits: bool) -> Iterator[tuple[str, Allows]]:
    """Single faults, or with ``splits`` those of a copied state."""
    from fullproof.mutate.statemachine import SmOperator
    from fullproof.mutate.statemachine import faults as faults_of

    for fault in faults_of(model, splits=splits):
        if (fault.operator == SmOperator.SPLIT.value) == splits:
            yield fault.where, partial(_behaves_like, fault.make, seen_as)


def _behaves_like(make: Callable[[], StateMachine | None], seen_as: SeenAs, traces: Iterable[Trace]) -> bool:
    mutant = make()
    try:
        return mutant is not None and _allows(seen_as(mutant), Relation.EQUIVALENCE, traces)
    except UserError:  # it goes wrong where the system answered
        return False


def _changes(model: Fsm | Sfsm) -> Iterator[tuple[str, Fsm | Sfsm]]:
    return _symbolic_changes(model) if isinstance(model, Sfsm) else _finite_changes(model)


def _finite_changes(fsm: Fsm) -> Iterator[tuple[str, Fsm]]:
    for k, t in enumerate(fsm.transitions):
        arrow = f"{t.source} --{t.input}/{t.output}--> {t.target}"
        changed = [(f"output {o} instead of {t.output}", t._replace(output=o)) for o in fsm.outputs if o != t.output]
        changed += [(f"target {s} instead of {t.target}", t._replace(target=s)) for s in fsm.states if s != t.target]
        for text, new in changed:
            transitions = (*fsm.transitions[:k], new, *fsm.transitions[k + 1 :])
            yield f"{text} on {arrow}", dataclasses.replace(fsm, transitions=tuple(dict.fromkeys(transitions)))


def _symbolic_changes(model: Sfsm) -> Iterator[tuple[str, Sfsm]]:
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
                    text = f"guard {to_text(guard)} instead of {to_text(t.guard)} on {arrow}"
                    yield text, _with(model, k, dataclasses.replace(t, guard=guard))
            for output in outputs:
                if output != t.output:
                    text = f"output {to_text(output)} instead of {to_text(t.output)} on {arrow}"
                    yield text, _with(model, k, dataclasses.replace(t, output=output))
    for k, t in enumerate(model.transitions):
        for state in model.states:
            if state != t.target:
                text = f"target {state} instead of {t.target} on {t.source} --[{to_text(t.guard)}]"
                yield (
                    f"{text} / {to_text(t.output)}--> {t.target}",
                    _with(model, k, dataclasses.replace(t, target=state)),
                )


def _with(model: Sfsm, k: int, new: object) -> Sfsm:
    transitions = (*model.transitions[:k], new, *model.transitions[k + 1 :])
    return dataclasses.replace(model, transitions=tuple(transitions))  # type: ignore[arg-type]
