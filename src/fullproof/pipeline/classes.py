"""sfsm -> its I/O equivalence classes, and inputs that represent them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fullproof.artefacts.abstraction import IoClasses
from fullproof.artefacts.suite import json_input
from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.printing import to_text
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm, StateMachine
from fullproof.model.common import Property
from fullproof.pipeline.partitions import ReadPartition, partition_fields, partition_of_model

_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadClasses:
    """The classes of a model and what each of them says."""

    model: Sfsm
    classes: IoClasses
    formulas: tuple[str, ...]


def classes_of_file(
    path: Path, *, properties: Sequence[str] = (), timeout: float | None = None
) -> ReadClasses | ReadPartition:
    """Read an sfsm and compute its classes over the guards, outputs and the properties named; or a partition.

    ``timeout`` are seconds by the clock, a safety net for the search for classes, which counts steps; writing their
    formulas may take as long again.
    """
    from fullproof.abstract.alphabet import alphabet_of
    from fullproof.abstract.budget import steps_for
    from fullproof.abstract.classes import io_classes
    from fullproof.abstract.readable import readable_formulas
    from fullproof.formats import read_model

    model, at = read_model(path), Place(file=str(path))
    if isinstance(model, StateMachine):
        if properties:
            raise UserError("the classes of a statemachine do not depend on properties", at=at)
        return partition_of_model(model, timeout=_SECONDS if timeout is None else timeout)
    if not isinstance(model, Sfsm):
        raise UserError(
            f"classes of inputs and outputs exist for sfsm models, and those of states and triggers for statemachines; "
            f"this is a model of kind {model.kind}",
            at=at,
        )
    asked = _named(model, properties, at)
    classes = io_classes(model, alphabet_of(model, properties=asked), budget=steps_for(_SECONDS, timeout=timeout))
    patience = _SECONDS if timeout is None else timeout
    formulas = tuple(formula.text for formula in readable_formulas(model, classes, timeout=patience))
    return ReadClasses(model=model, classes=classes, formulas=formulas)


def _named(model: Sfsm, names: Sequence[str], at: Place) -> list[Property]:
    known = {stated.name: stated for stated in model.description.properties}
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) if known else ": the model has none"
            raise UserError(f"unknown property {name!r}{hint}", at=at)
    return [known[name] for name in dict.fromkeys(names)]


def classes_fields(read: ReadClasses | ReadPartition) -> dict[str, object]:
    """The fields of ``classes --json``; expressions are listed where they hold."""
    if isinstance(read, ReadPartition):
        return partition_fields(read)
    classes, alphabet = read.classes, read.classes.alphabet
    return {
        "classes": [
            {
                "id": c.id,
                "guards": _holding(alphabet.guards, c.guards),
                "outputs": _holding(alphabet.outputs, c.outputs),
                "propositions": _holding(alphabet.propositions, c.propositions),
                "formula": formula,
                "witness": json_input(c.witness),
            }
            for c, formula in zip(classes.classes, read.formulas, strict=True)
        ],
        "representatives": [
            {"input": json_input(r.input), "covers": [classes.classes[k].id for k in r.covers]}
            for r in classes.representatives
        ],
        "smallest": classes.smallest,
        "undecided": [{"formula": to_text(formula), "reason": reason} for formula, reason in classes.undecided],
    }


def _holding(expressions: Sequence[Expression], signs: Sequence[bool]) -> list[str]:
    return [to_text(e) for e, holds in zip(expressions, signs, strict=True) if holds]
