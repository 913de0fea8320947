"""model against model: is the other one conforming?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import TestInput, json_input, json_value
from fullproof.core.errors import Place, UserError
from fullproof.model import Fsm, Sfsm, StateMachine, Sts
from fullproof.pipeline.ioco_comparison import DEPTH, IocoComparison, compare_sts, ioco_fields

Seen: TypeAlias = str | Mapping[str, object]
"""An answer: a symbol, or values by name and, of a state machine, the signals sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A shortest way to see that a machine does not conform."""

    inputs: tuple[TestInput, ...]
    """The whole word, whose last input shows the difference."""
    outputs: tuple[Seen, ...]
    """What both machines may answer to all but the last input."""
    observed: Seen | None
    """The other machine's answer to the last input, where it has one."""
    allowed: tuple[str, ...]
    """The model's answers to the last input."""
    reason: str
    missing: TestInput | None = None
    """An answer of a symbolic model that the other machine never gives to the last input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The answer of ``compare``."""

    relation: Relation
    difference: Difference | None
    undecided: str = ""
    """The formula about which a solver could not tell, where that leaves the answer open."""
    proof: str = ""
    """How equivalence was shown, where there is more than one way."""

    @property
    def conforms(self) -> bool | None:
        """Whether the other machine conforms; None where that stayed open."""
        if self.difference is not None:
            return False
        return None if self.undecided else True


def compare_files(
    path: Path,
    other: Path,
    relation: Relation | None,
    *,
    properties: Sequence[str] = (),
    timeout: float | None = None,
    depth: int = DEPTH,
) -> Comparison | IocoComparison:
    """Read two machines and decide whether the second conforms to the first.

    ``timeout`` is for each solver call on an sfsm (default 10), for the whole search on an sts or a statemachine, where
    ``depth`` bounds the traces.
    """
    from fullproof.formats import read_model
    from fullproof.pipeline.symbolic_comparison import SymbolicConformance

    asked = relation or (Relation.PROPERTY if properties else Relation.EQUIVALENCE)
    model, candidate = read_model(path), read_model(other)
    match model, candidate:
        case Sts(), Sts():
            return compare_sts(model, candidate, relation, properties=properties, depth=depth, timeout=timeout)
        case Fsm(), Fsm():
            return compare(model, candidate, asked)
        case Sfsm(), Sfsm():
            timeout = 10.0 if timeout is None else timeout
            conformance = SymbolicConformance(model, asked, properties=properties, timeout=timeout)
            return conformance.compare(candidate, at=Place(file=str(other)))
        case StateMachine(), StateMachine():
            return _compare_statemachines(model, candidate, asked, depth, timeout, Place(file=str(other)))
    raise UserError(
        f"is of kind {candidate.kind}, {model.name} of kind {model.kind}: only machines of one kind are compared",
        at=Place(file=str(other)),
    )


def _compare_statemachines(
    model: StateMachine, other: StateMachine, relation: Relation, depth: int, timeout: float | None, at: Place
) -> Comparison:
    from fullproof.pipeline.statemachine_comparison import SECONDS, StateMachineConformance

    if relation is not Relation.EQUIVALENCE:
        raise UserError(f"state machines are compared for equivalence, not for {relation.value}")
    seconds = SECONDS if timeout is None else timeout
    return StateMachineConformance(model, depth=depth, seconds=seconds).compare(other, at=at)


def compare(model: Fsm, other: Fsm, relation: Relation) -> Comparison:
    """Decide conformance exactly.

    An input that the model leaves undefined may do anything, for equivalence (then quasi-equivalence) and
    quasi-reduction; it must be undefined in the other machine for reduction and strong reduction.
    """
    from fullproof.analysis.alignment import align
    from fullproof.analysis.conformance import Violation, counterexample

    if relation in (Relation.IOCO, Relation.PROPERTY):
        raise UserError(f"finite machines are not compared for {relation.value}")
    aligned = align(model, other)
    found = counterexample(aligned.model, aligned.other, relation)
    if found is None:
        return Comparison(relation=relation, difference=None)
    state = 0
    for symbol, output in found.trace:
        state = aligned.model.after[state][symbol][output]
    given = found.output is not None and found.violation is not Violation.MISSING
    names = [*(symbol for symbol, _ in found.trace), found.input]
    return Comparison(
        relation=relation,
        difference=Difference(
            inputs=tuple(aligned.inputs[symbol] for symbol in names),
            outputs=tuple(aligned.outputs[output] for _, output in found.trace),
            observed=aligned.outputs[found.output] if given and found.output is not None else None,
            allowed=tuple(aligned.outputs[y] for y in sorted(aligned.model.after[state].get(found.input, {}))),
            reason=found.violation.value,
        ),
    )


def comparison_fields(comparison: Comparison | IocoComparison) -> dict[str, object]:
    """The fields of ``compare --json``."""
    if isinstance(comparison, IocoComparison):
        return ioco_fields(comparison)
    difference = comparison.difference
    return {
        "relation": comparison.relation.value,
        "conforms": comparison.conforms,
        "counterexample": None
        if difference is None
        else {
            "inputs": [json_input(symbol) for symbol in difference.inputs],
            "outputs": [_json(seen) for seen in difference.outputs],
            "observed": None if difference.observed is None else _json(difference.observed),
            "allowed": list(difference.allowed),
            "reason": difference.reason,
            **({"missing": json_input(difference.missing)} if difference.missing is not None else {}),
        },
        **({"undecided": comparison.undecided} if comparison.undecided else {}),
        **({"proof": comparison.proof} if comparison.proof else {}),
    }


def _json(seen: Seen) -> object:
    if isinstance(seen, str):
        return seen
    return {name: json_value(value) if isinstance(value, Fraction) else value for name, value in seen.items()}


def read_machine(path: Path, *, what: str = "compared") -> Fsm | Sfsm:
    """Read a machine, finite or symbolic, or say that it is none; ``what`` would have been done to it."""
    from fullproof.formats import read_model

    model = read_model(path)
    if not isinstance(model, Fsm | Sfsm):
        raise UserError(
            f"machines of kind fsm and sfsm are {what} in this version; this is a model of kind {model.kind}",
            at=Place(file=str(path)),
        )
    return model


def read_fsm(path: Path, *, what: str = "compared") -> Fsm:
    """Read a finite machine, or say that it is none; ``what`` would have been done to it."""
    from fullproof.formats import read_model

    model = read_model(path)
    if not isinstance(model, Fsm):
        raise UserError(
            f"finite machines are {what} in this version; this is a model of kind {model.kind}",
            at=Place(file=str(path)),
        )
    return model
