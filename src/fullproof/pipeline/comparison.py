"""model against model: is the other one conforming?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fullproof.artefacts.request import Relation
from fullproof.core.errors import Place, UserError
from fullproof.model import Fsm


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A shortest way to see that a machine does not conform."""

    inputs: tuple[str, ...]
    """The whole word, whose last input shows the difference."""
    outputs: tuple[str, ...]
    """What both machines may answer to all but the last input."""
    observed: str | None
    """The other machine's answer to the last input, where it has one."""
    allowed: tuple[str, ...]
    """The model's answers to the last input."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The answer of ``compare``."""

    relation: Relation
    difference: Difference | None

    @property
    def conforms(self) -> bool:
        """Whether the other machine conforms."""
        return self.difference is None


def compare_files(path: Path, other: Path, relation: Relation | None) -> Comparison:
    """Read two machines and decide whether the second conforms to the first."""
    return compare(read_fsm(path), read_fsm(other), relation or Relation.EQUIVALENCE)


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


def comparison_fields(comparison: Comparison) -> dict[str, object]:
    """The fields of ``compare --json``."""
    difference = comparison.difference
    return {
        "relation": comparison.relation.value,
        "conforms": comparison.conforms,
        "counterexample": None
        if difference is None
        else {
            "inputs": list(difference.inputs),
            "outputs": list(difference.outputs),
            "observed": difference.observed,
            "allowed": list(difference.allowed),
            "reason": difference.reason,
        },
    }


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
