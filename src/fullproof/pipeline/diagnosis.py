"""failing run -> diagnosis: the single mutations of the model that explain all observations."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from fullproof.artefacts.diagnosis import Diagnosis
from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.verdict import Verdict
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.language.printer import to_text
from fullproof.model import Fsm, Model, Sfsm, StateMachine
from fullproof.model.fsm import FsmTransition
from fullproof.model.state_output import Observable, observing_state, unobserved

if TYPE_CHECKING:
    from fullproof.judge.diagnosis import SingleFault, SplitFault, Suspects

SECONDS = 5.0
"""The time limit in seconds: a diagnosis is a convenience."""
_SHOWN = 20

SeenAs = Callable[[Observable], Observable]
"""The model, with the observed state as an output where it is observed."""

Allows = Callable[[Iterable[Execution]], bool]
"""Whether a mutation allows some executions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsToTry:
    """The fault domain: a relation, and the number of extra states."""

    relation: Relation
    extra_states: int = 0


@dataclass(frozen=True, slots=True)
class SeenExecutions:
    """Executions of a run: how many, and each of them, readable repeatedly."""

    count: int
    traces: Callable[[], Iterable[Execution]]


def diagnose(
    model: Model, faults: FaultsToTry, failing: Sequence[Execution], seen: SeenExecutions, *, seconds: float = SECONDS
) -> Diagnosis | None:
    """Look for single mutations of the model that allow everything that was observed; None for other kinds of models.

    Faults behind an extra state are tried for deterministic finite machines and state machines, where nothing simpler
    explains a run.
    ``failing`` are executions with outputs that the model does not allow: they exclude most mutations at once.
    """
    if not failing or not isinstance(model, Fsm | Sfsm | StateMachine):
        return None
    search = _Search(failing, seen, Deadline(seconds))
    # The fault is in the machine; an observed state is that of the faulty machine.
    observes = model.description.unobserved is not None
    model, seen_as = unobserved(model), observing_state if observes else _as_it_is
    if isinstance(model, StateMachine):
        search.look(_statemachine_changes(model, seen_as, splits=False))
        if not search.found and search.ended and faults.extra_states:
            search.look(_statemachine_changes(model, seen_as, splits=True))
        return search.diagnosis(likeliest_first=True)
    is_deterministic = len({t[:2] for t in model.transitions if isinstance(t, FsmTransition)}) == len(model.transitions)
    if isinstance(model, Fsm) and is_deterministic and not observes:
        from fullproof.judge.diagnosis import Suspects

        suspects = Suspects(model, failing)
        search.look(_Mutation(str(fault), partial(_fits, suspects, fault)) for fault in suspects.single())
        if not search.found and search.ended and faults.extra_states:
            search.look(_Mutation(str(fault), partial(_fits, suspects, fault)) for fault in suspects.split())
        return search.diagnosis(likeliest_first=False)
    # A mutation that leaves an input undefined does not explain the answer to it: there a model allows anything.
    judged = Relation.REDUCTION if isinstance(model, Sfsm) else faults.relation
    search.look(
        _Mutation(change.text, partial(_allows, seen_as(change.mutant), judged), change.replaced)
        for change in _changes(model)
    )
    return search.diagnosis(likeliest_first=True)


class _Mutation(NamedTuple):
    """A fault as text, a test whether it allows executions, and its replaced part."""

    text: str
    allows: Allows
    replaced: tuple[str, str] | None = None


class _Changed(NamedTuple):
    """A machine with a fault."""

    text: str
    mutant: Fsm | Sfsm
    replaced: tuple[str, str]


class _Search:
    """Mutations are tried on the failing executions, then on all, while there is time."""

    def __init__(self, failing: Sequence[Execution], seen: SeenExecutions, deadline: Deadline) -> None:
        self._failing = failing
        self._seen = seen
        self._deadline = deadline
        self.found: dict[str, float] = {}
        self.tried = 0
        self.ended = True

    def look(self, mutations: Iterable[_Mutation]) -> None:
        """Try some mutations."""
        for text, allows, replaced in mutations:
            if len(self.found) >= _SHOWN or self._deadline.passed():
                self.ended = False
                return
            self.tried += 1
            if allows(self._failing) and allows(self._seen.traces()):
                self.found[text] = _difference(replaced)

    def diagnosis(self, *, likeliest_first: bool) -> Diagnosis:
        """The result, in the order of the search or by the size of the mistake."""
        listed = sorted(self.found, key=lambda text: self.found[text]) if likeliest_first else list(self.found)
        return Diagnosis(
            explanations=tuple(listed), observations=self._seen.count, candidates=self.tried, ended=self.ended
        )


def _fits(suspects: Suspects, fault: SingleFault | SplitFault, traces: Iterable[Execution]) -> bool:
    return all(fault.fits(suspects, trace) for trace in traces)


def _difference(replaced: tuple[str, str] | None) -> float:
    """The size of the mistake: ``x <= 190`` for ``x < 190`` is likelier than an expression of another transition.

    A part that is missing or added counts with its whole size.
    """
    from difflib import SequenceMatcher

    return 1.0 if replaced is None else 1 - SequenceMatcher(None, *replaced).ratio()


def _allows(mutant: Model, relation: Relation, traces: Iterable[Execution]) -> bool:
    from fullproof.kinds import oracle_for

    oracle = oracle_for(mutant, Relation.REDUCTION if relation is Relation.PROPERTY else relation)
    return all(oracle.judge(trace).verdict is not Verdict.FAIL for trace in traces)


def _as_it_is(model: Observable) -> Observable:
    return model


def _statemachine_changes(model: StateMachine, seen_as: SeenAs, *, splits: bool) -> Iterator[_Mutation]:
    """Single faults, or with ``splits`` those of a copied state."""
    from fullproof.mutate.statemachine import SmOperator
    from fullproof.mutate.statemachine import faults as faults_of

    for fault in faults_of(model, splits=splits):
        if (fault.operator == SmOperator.SPLIT.value) == splits:
            yield _Mutation(fault.where, partial(_behaves_like, fault.make, seen_as), fault.replaced)


def _behaves_like(make: Callable[[], StateMachine | None], seen_as: SeenAs, traces: Iterable[Execution]) -> bool:
    mutant = make()
    try:
        return mutant is not None and _allows(seen_as(mutant), Relation.EQUIVALENCE, traces)
    except UserError:  # the mutation goes wrong where the system answered
        return False


def _changes(model: Fsm | Sfsm) -> Iterator[_Changed]:
    return _symbolic_changes(model) if isinstance(model, Sfsm) else _finite_changes(model)


def _finite_changes(fsm: Fsm) -> Iterator[_Changed]:
    for k, t in enumerate(fsm.transitions):
        arrow = f"{t.source} --{t.input}/{t.output}--> {t.target}"
        changed = [("output", (o, t.output), t._replace(output=o)) for o in fsm.outputs if o != t.output]
        changed += [("target", (s, t.target), t._replace(target=s)) for s in fsm.states if s != t.target]
        for what, (wrong, right), new in changed:
            transitions = (*fsm.transitions[:k], new, *fsm.transitions[k + 1 :])
            mutant = dataclasses.replace(fsm, transitions=tuple(dict.fromkeys(transitions)))
            yield _Changed(f"{what} {wrong} instead of {right} on {arrow}", mutant, (wrong, right))


def _symbolic_changes(model: Sfsm) -> Iterator[_Changed]:
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
                    mutant = _with(model, k, dataclasses.replace(t, guard=guard))
                    yield _Changed(f"guard {wrong} instead of {right} on {arrow}", mutant, (wrong, right))
            for output in outputs:
                if output != t.output:
                    wrong, right = to_text(output), to_text(t.output)
                    mutant = _with(model, k, dataclasses.replace(t, output=output))
                    yield _Changed(f"output {wrong} instead of {right} on {arrow}", mutant, (wrong, right))
    for k, t in enumerate(model.transitions):
        for state in model.states:
            if state != t.target:
                text = f"target {state} instead of {t.target} on {t.source} --[{to_text(t.guard)}]"
                mutant = _with(model, k, dataclasses.replace(t, target=state))
                yield _Changed(f"{text} / {to_text(t.output)}--> {t.target}", mutant, (state, t.target))


def _with(model: Sfsm, k: int, new: object) -> Sfsm:
    transitions = (*model.transitions[:k], new, *model.transitions[k + 1 :])
    return dataclasses.replace(model, transitions=tuple(transitions))  # type: ignore[arg-type]
