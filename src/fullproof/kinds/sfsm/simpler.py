"""Simpler inputs of a symbolic machine: one value nearer to 0 or to a line that the model draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from fullproof.artefacts.suite import TestInput
from fullproof.explain.values import numbers_in, simpler_inputs
from fullproof.language.types import Value
from fullproof.model import Sfsm


def simpler(model: Sfsm) -> Callable[[TestInput], Iterator[TestInput]]:
    """What is simpler than an input, among the inputs of the model."""
    expressions = (e for t in model.transitions for e in (t.guard, t.output))
    numbers = numbers_in(expressions, (c.value for c in model.description.constants))
    variables, interface = {v.name: v for v in model.inputs}, model.interface

    def below(symbol: TestInput) -> Iterator[TestInput]:
        found = simpler_inputs(cast("dict[str, Value]", symbol), variables, numbers)
        return (other for other in found if interface.misfit(other) is None)

    return below
