"""failing run -> diagnosis: the single mutations of the model that explain all observations."""

from __future__ import annotations

import dataclasses
from collections import Counter
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
from fullproof.language.syntax import Expression
from fullproof.model import Fsm, Model, Sfsm, StateMachine
from fullproof.model.fsm import FsmTransition
from fullproof.model.state_output import Observable, observing_state, unobserved

if TYPE_CHECKING:
    from fullproof.judge.diagnosis import SingleFault, SplitFault, Suspects

SECONDS = 30.0
"""A safety net: a diagnosis is a convenience, and a run that fails should not wait long for it."""
_TRIED = 2_000
"""Mutations that are tried, which is what ends a search that finds none."""
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


class FaultSuspect(NamedTuple):
    """A fault in words, whether it allows executions, the machine with it, and what it has instead of what."""

    text: str
    allows: Allows
    make: Callable[[], Model | None]
    replaced: tuple[str, str] | None = None
    faults: tuple[str, ...] = ()
    """Its parts, where it is more than one fault."""


@dataclass(frozen=True, slots=True)
class Suspected:
    """The faults that explain everything seen, the likeliest first, of how many tried, and whether that was all."""

    found: tuple[FaultSuspect, ...]
    tried: int
    ended: bool


def diagnose(
    model: Model, faults: FaultsToTry, failing: Sequence[Execution], seen: SeenExecutions, *, seconds: float = SECONDS
) -> Diagnosis | None:
    """Look for single mutations of the model that allow everything that was observed; None for other kinds of models.

    ``failing`` are executions with outputs that the model does not allow: they exclude most mutations at once.
    """
    suspected = suspects(model, faults, failing, seen, seconds=seconds)
    if suspected is None:
        return None
    return Diagnosis(
        explanations=tuple(dict.fromkeys(suspect.text for suspect in suspected.found)),
        observations=seen.count,
        candidates=suspected.tried,
        ended=suspected.ended,
    )


def suspects(
    model: Model, faults: FaultsToTry, failing: Sequence[Execution], seen: SeenExecutions, *, seconds: float = SECONDS
) -> Suspected | None:
    """The single faults that explain a run; None for kinds of models that have none, and where nothing failed.

    Faults behind an extra state are tried for deterministic finite machines and state machines, where nothing simpler
    explains a run.
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
        return search.result()
    is_deterministic = len({t[:2] for t in model.transitions if isinstance(t, FsmTransition)}) == len(model.transitions)
    if isinstance(model, Fsm) and is_deterministic and not observes:
        from fullproof.judge.diagnosis import Suspects

        known = Suspects(model, failing)
        search.look(_finite_suspect(model, known, fault) for fault in known.single())
        if not search.found and search.ended and faults.extra_states:
            search.look(_finite_suspect(model, known, fault) for fault in known.split())
        return search.result()
    # A mutation that leaves an input undefined does not explain the answer to it: there anything goes, but for a model.
    judged = Relation.REDUCTION if isinstance(model, Sfsm) else faults.relation
    search.look(_changed_suspect(change, seen_as, judged) for change in _changes(model))
    return search.result()


def closest_suspect(model: Model, seen: Sequence[Execution]) -> FaultSuspect | None:
    """The machine that explains everything seen with the fewest changes to a finite, deterministic, complete model."""
    from fullproof.explain.closest_machine import closest_machine, observations_of

    if not isinstance(model, Fsm) or model.description.unobserved is not None:
        return None
    table = {(t.source, t.input): (t.output, t.target) for t in model.transitions}
    if len(table) < len(model.transitions) or any(step.enabled is not None for trace in seen for step in trace.steps):
        return None
    observations = [*observations_of([(step.input, step.output) for step in trace.steps] for trace in seen)]
    found = closest_machine(model.initial, table, observations)
    if found is None:
        return None
    outputs = tuple(dict.fromkeys((*model.outputs, *(output for output, _ in found.table.values()))))
    transitions = tuple(FsmTransition(*cell, *answer) for cell, answer in found.table.items())
    states = tuple(dict.fromkeys(cell[0] for cell in found.table))
    machine = dataclasses.replace(model, states=states, outputs=outputs, transitions=transitions)
    faults = tuple(_changed_cell(cell, table[cell], found.table[cell]) for cell in found.changed)
    what = f"{len(found.extra)} extra {'state' if len(found.extra) == 1 else 'states'} and " if found.extra else ""
    number = f"{len(faults)} {'fault' if len(faults) == 1 else 'faults'}"
    text = f"{what}{number}: {'; '.join(faults)}"
    return FaultSuspect(text, partial(_answers_like, machine), lambda: machine, None, faults)


def _changed_cell(cell: tuple[str, str], right: tuple[str, str], wrong: tuple[str, str]) -> str:
    from fullproof.judge.diagnosis import SingleFault

    both = right[0] != wrong[0] and right[1] != wrong[1]
    return f"{SingleFault(cell, right, wrong)}{f', and target {wrong[1]}' if both else ''}"


def _answers_like(machine: Fsm, traces: Iterable[Execution]) -> bool:
    table = {(t.source, t.input): (t.output, t.target) for t in machine.transitions}
    for trace in traces:
        state = machine.initial
        for step in trace.steps:
            output, state = table[state, str(step.input)]
            if output != step.output:
                return False
    return True


def _finite_suspect(model: Fsm, known: Suspects, fault: SingleFault | SplitFault) -> FaultSuspect:
    return FaultSuspect(str(fault), partial(_fits, known, fault), partial(fault.machine, model))


def _changed_suspect(change: _Changed, seen_as: SeenAs, judged: Relation) -> FaultSuspect:
    allows = partial(_allows, seen_as(change.mutant), judged)
    return FaultSuspect(change.text, allows, partial(seen_as, change.mutant), change.replaced)


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
        self.found: list[FaultSuspect] = []
        self.tried = 0
        self.ended = True

    def look(self, mutations: Iterable[FaultSuspect]) -> None:
        """Try some mutations."""
        for suspect in mutations:
            if len(self.found) >= _SHOWN or self.tried >= _TRIED or self._deadline.passed():
                self.ended = False
                return
            self.tried += 1
            if suspect.allows(self._failing) and suspect.allows(self._seen.traces()):
                self.found.append(suspect)

    def result(self) -> Suspected:
        """What was found, by how little was mistaken, else in the order of the search."""
        return Suspected(tuple(sorted(self.found, key=_difference)), self.tried, self.ended)


def _fits(suspects: Suspects, fault: SingleFault | SplitFault, traces: Iterable[Execution]) -> bool:
    return all(fault.fits(suspects, trace) for trace in traces)


def _difference(suspect: FaultSuspect) -> float:
    """How much was mistaken: ``x <= 190`` for ``x < 190`` is likelier than an expression of another transition.

    A part that is missing or added counts with its whole size.
    """
    from difflib import SequenceMatcher

    return 1.0 if suspect.replaced is None else 1 - SequenceMatcher(None, *suspect.replaced).ratio()


def _allows(mutant: Model, relation: Relation, traces: Iterable[Execution]) -> bool:
    from fullproof.kinds import oracle_for

    oracle = oracle_for(mutant, Relation.REDUCTION if relation is Relation.PROPERTY else relation)
    return all(oracle.judge(trace).verdict is not Verdict.FAIL for trace in traces)


def _as_it_is(model: Observable) -> Observable:
    return model


def _statemachine_changes(model: StateMachine, seen_as: SeenAs, *, splits: bool) -> Iterator[FaultSuspect]:
    """Single faults, or with ``splits`` those of a copied state."""
    from fullproof.mutate.statemachine import SmOperator
    from fullproof.mutate.statemachine import faults as faults_of

    for fault in faults_of(model, splits=splits):
        if (fault.operator == SmOperator.SPLIT.value) == splits:
            allows = partial(_behaves_like, fault.make, seen_as)
            yield FaultSuspect(fault.where, allows, partial(_made, fault.make, seen_as), fault.replaced)


def _made(make: Callable[[], StateMachine | None], seen_as: SeenAs) -> Model | None:
    mutant = make()
    return None if mutant is None else seen_as(mutant)


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
    yield from _changed_everywhere(model, (*domain.outputs, *derived[1], *own_outputs))
    for k, t in enumerate(model.transitions):
        for state in model.states:
            if state != t.target:
                text = f"target {state} instead of {t.target} on {t.source} --[{to_text(t.guard)}]"
                mutant = _with(model, k, dataclasses.replace(t, target=state))
                yield _Changed(f"{text} / {to_text(t.output)}--> {t.target}", mutant, (state, t.target))


def _changed_everywhere(model: Sfsm, outputs: Sequence[Expression]) -> Iterator[_Changed]:
    """Another output wherever the model has the same one: programs calculate it in one place."""
    for right, places in Counter(t.output for t in model.transitions).items():
        for wrong in dict.fromkeys(outputs) if places > 1 else ():
            if wrong != right:
                new = (dataclasses.replace(t, output=wrong) if t.output == right else t for t in model.transitions)
                texts = to_text(wrong), to_text(right)
                where = f"on all {places} transitions that have it"
                mutant = dataclasses.replace(model, transitions=tuple(new))
                yield _Changed(f"output {texts[0]} instead of {texts[1]} {where}", mutant, texts)


def _with(model: Sfsm, k: int, new: object) -> Sfsm:
    transitions = (*model.transitions[:k], new, *model.transitions[k + 1 :])
    return dataclasses.replace(model, transitions=tuple(transitions))  # type: ignore[arg-type]
