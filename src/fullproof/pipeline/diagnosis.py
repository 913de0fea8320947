"""failing run -> diagnosis: which single mutation of the model explains all observations?"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fullproof.artefacts.diagnosis import Diagnosis
from fullproof.artefacts.request import Relation
from fullproof.artefacts.trace import Trace
from fullproof.artefacts.verdict import Verdict
from fullproof.language.printing import to_text
from fullproof.model import Fsm, Model, Sfsm

SECONDS = 5.0
"""A diagnosis is a convenience: a run that fails should not wait long for it."""
_SHOWN = 20

Everything = Callable[[], Iterable[Trace]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsToTry:
    """What the fault domain admits: a relation, and states more than the model has."""

    relation: Relation
    extra_states: int = 0


def diagnose(
    model: Model, faults: FaultsToTry, failing: Sequence[Trace], everything: Everything, *, seconds: float = SECONDS
) -> Diagnosis | None:
    """Look for single mutations of the model that allow everything that was observed; None for other kinds of models.

    Faults behind an extra state are tried for deterministic finite machines, where nothing simpler explains a run.
    ``failing`` are executions with outputs that the model does not allow: they exclude most mutations at once.
    """
    if not failing:
        return None
    observations = sum(1 for _ in everything())
    if isinstance(model, Fsm) and len({(t.source, t.input) for t in model.transitions}) == len(model.transitions):
        return _deterministic(model, faults, failing, everything, observations, seconds)
    if not isinstance(model, Fsm | Sfsm):
        return None
    # A mutation that leaves an input undefined does not explain the answer to it: there anything goes, but for a model.
    judged = Relation.REDUCTION if isinstance(model, Sfsm) else faults.relation
    deadline = time.monotonic() + seconds
    found: list[str] = []
    tried, ended = 0, True
    for text, mutant in _changes(model):
        if time.monotonic() > deadline or len(found) >= _SHOWN:
            ended = False
            break
        tried += 1
        if _allows(mutant, judged, failing) and _allows(mutant, judged, everything()):
            found.append(text)
    found.sort(key=_slip)
    return Diagnosis(explanations=tuple(found), observations=observations, candidates=tried, ended=ended)


def _slip(explanation: str) -> float:
    """How much was mistaken: ``x <= 190 instead of x < 190`` is likelier than an expression of another transition."""
    from difflib import SequenceMatcher

    wrong, _, right = explanation.rpartition(" on ")[0].partition(" instead of ")
    return 1 - SequenceMatcher(None, wrong.partition(" ")[2], right).ratio()


def _deterministic(
    fsm: Fsm, faults: FaultsToTry, failing: Sequence[Trace], everything: Everything, observations: int, seconds: float
) -> Diagnosis:
    from fullproof.judge.diagnosis import single_faults, split_faults

    deadline = time.monotonic() + seconds
    candidates = len(fsm.transitions) * (len(fsm.states) + len(fsm.outputs) - 2)
    found, ended = _some(single_faults(fsm, failing, everything), deadline)
    if not found and ended and faults.extra_states:
        found, ended = _some(split_faults(fsm, failing, everything), deadline)
        candidates *= 1 + len(fsm.transitions)
    return Diagnosis(
        explanations=tuple(found), observations=observations, candidates=max(len(found), candidates), ended=ended
    )


def _some(faults: Iterable[object], deadline: float) -> tuple[list[str], bool]:
    """What is found in time, and whether that is all."""
    found: dict[str, None] = {}
    for fault in faults:
        found[str(fault)] = None
        if time.monotonic() > deadline or len(found) >= _SHOWN:
            return list(found), False
    return list(found), True


def _allows(mutant: Model, relation: Relation, traces: Iterable[Trace]) -> bool:
    from fullproof.judge import oracle_for

    oracle = oracle_for(mutant, Relation.REDUCTION if relation is Relation.PROPERTY else relation)
    return all(oracle.judge(trace).verdict is not Verdict.FAIL for trace in traces)


def _changes(model: Fsm | Sfsm) -> Iterator[tuple[str, Model]]:
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
