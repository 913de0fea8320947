"""sfsm -> its I/O equivalence classes, and inputs that represent them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fullproof.artefacts.abstraction import IoClasses
from fullproof.artefacts.suite import json_input
from fullproof.kinds.classes import ClassesAsked
from fullproof.kinds.sfsm.stated import stated_properties
from fullproof.language.printer import to_text
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm

_SECONDS = 60.0
_REPORT_SECONDS = 5.0
_REPORTED = 300
"""Classes that a report lists, and how long it may take to find them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadClasses:
    """The classes of a model and what each of them says."""

    model: Sfsm
    classes: IoClasses
    formulas: tuple[str, ...]

    @property
    def holds(self) -> bool | None:
        """None where the solver left something open."""
        return None if self.classes.undecided else True

    def fields(self) -> dict[str, object]:
        """The fields of ``classes --json``; expressions are listed where they hold."""
        classes, alphabet = self.classes, self.classes.alphabet
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
                for c, formula in zip(classes.classes, self.formulas, strict=True)
            ],
            "representatives": [
                {"input": json_input(r.input), "covers": [classes.classes[k].id for k in r.covers]}
                for r in classes.representatives
            ],
            "smallest": classes.smallest,
            "undecided": [{"formula": to_text(formula), "reason": reason} for formula, reason in classes.undecided],
        }


def classes_of(model: Sfsm, asked: ClassesAsked) -> ReadClasses:
    """Compute the classes over the guards, outputs and the properties named.

    ``timeout`` are seconds by the clock, a safety net for the search for classes, which counts steps; writing their
    formulas may take as long again.
    """
    from fullproof.abstract.alphabet import alphabet_of
    from fullproof.abstract.budget import steps_for
    from fullproof.abstract.classes import io_classes
    from fullproof.abstract.readable import readable_formulas

    timeout = asked.timeout
    alphabet = alphabet_of(model, properties=stated_properties(model, asked.properties, at=asked.at))
    classes = io_classes(model, alphabet, budget=steps_for(_SECONDS, timeout=timeout))
    patience = _SECONDS if timeout is None else timeout
    formulas = tuple(formula.text for formula in readable_formulas(model, classes, timeout=patience))
    return ReadClasses(model=model, classes=classes, formulas=formulas)


def _holding(expressions: Sequence[Expression], signs: Sequence[bool]) -> list[str]:
    return [to_text(e) for e, holds in zip(expressions, signs, strict=True) if holds]


def shown_formulas(model: Sfsm) -> tuple[tuple[str, str], ...]:
    """The classes with their formulas, as a report lists them: none where they are too many, or take too long."""
    from fullproof.abstract.alphabet import alphabet_of
    from fullproof.abstract.classes import io_classes
    from fullproof.abstract.readable import readable_formulas

    classes = io_classes(model, alphabet_of(model), timeout=_REPORT_SECONDS)
    if classes.undecided or len(classes.classes) > _REPORTED:
        return ()
    formulas = readable_formulas(model, classes, timeout=_REPORT_SECONDS)
    return tuple((c.id, formula.text) for c, formula in zip(classes.classes, formulas, strict=True))
