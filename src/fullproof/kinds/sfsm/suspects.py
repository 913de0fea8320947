"""Single faults of a symbolic machine that may explain why a run failed."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fullproof.artefacts.request import Relation
from fullproof.kinds.suspects import FaultSuspect, SuspectFaults
from fullproof.language.printer import to_text
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm

_JUDGED = Relation.REDUCTION
"""A mutation that leaves an input undefined does not explain the answer to it: there anything goes, but for a model."""


def suspects_of(model: Sfsm, asked: SuspectFaults) -> Iterator[Iterable[FaultSuspect]]:
    """Faults of guards, outputs and targets."""
    yield _changes(model, asked)


def _changes(model: Sfsm, asked: SuspectFaults) -> Iterator[FaultSuspect]:
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
                    yield asked.changed(f"guard {wrong} instead of {right} on {arrow}", mutant, (wrong, right), _JUDGED)
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


def _with(model: Sfsm, k: int, new: object) -> Sfsm:
    transitions = (*model.transitions[:k], new, *model.transitions[k + 1 :])
    return dataclasses.replace(model, transitions=tuple(transitions))  # type: ignore[arg-type]
