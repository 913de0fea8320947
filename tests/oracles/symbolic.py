"""Symbolic machines over small types, by trying out all values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from fullproof.language.compile import compile_expression
from fullproof.language.evaluate import evaluate
from fullproof.language.lists import listed
from fullproof.language.scope import Scope
from fullproof.language.types import BoolType, EnumType, IntType, ListType, Value, Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition


def values_of(variable: Variable) -> Sequence[Value]:
    match variable.type:
        case BoolType():
            return (False, True)
        case EnumType(values=values):
            return values
        case IntType(low=int(low), high=int(high)):
            return range(low, high + 1)
        case ListType(element=element, most=most):
            each = values_of(replace(variable, type=element))
            return [listed(items) for length in range(most + 1) for items in product(each, repeat=length)]
    raise AssertionError(f"{variable} has too many values")


def valuations(variables: Sequence[Variable]) -> Iterator[dict[str, Value]]:
    for values in product(*map(values_of, variables)):
        yield dict(zip((variable.name for variable in variables), values, strict=True))


def inputs_of(model: Sfsm) -> Iterator[dict[str, Value]]:
    """The inputs that keep the assumptions of a model, which are evaluated one by one."""
    scope = Scope(model.inputs, {c.name: c.value for c in model.description.constants})
    for values in valuations(model.inputs):
        if all(evaluate(assumption, scope, values) for assumption in model.assumptions):
            yield values


class Enumerated:
    """All (input, output) pairs of every transition."""

    def __init__(self, model: Sfsm) -> None:
        self.model = model
        scope = Scope((*model.inputs, *model.outputs), {c.name: c.value for c in model.description.constants})
        self.inputs = [tuple(values.items()) for values in inputs_of(model)]
        self.guarded: dict[int, set] = {}
        self.pairs: dict[int, set] = {}
        for k, t in enumerate(model.transitions):
            guard, output = compile_expression(t.guard, scope), compile_expression(t.output, scope)
            given = [dict(x) for x in self.inputs if guard(dict(x))]
            self.guarded[k] = {tuple(x.items()) for x in given}
            self.pairs[k] = {
                (tuple(x.items()), tuple(y.items())) for x in given for y in valuations(model.outputs) if output(x | y)
            }

    def results(self, state: str) -> dict[object, set]:
        """For each input, the (output, target) pairs it allows."""
        found: dict[object, set] = {x: set() for x in self.inputs}
        for k, t in enumerate(self.model.transitions):
            if t.source == state:
                for x, y in self.pairs[k]:
                    found[x].add((y, t.target))
        return found

    def step(self, state: str) -> list[tuple[object, str]]:
        return [
            ((x, y), t.target)
            for k, t in enumerate(self.model.transitions)
            if t.source == state
            for x, y in self.pairs[k]
        ]

    def reachable(self) -> set[str]:
        found = {self.model.initial}
        while True:
            more = found | {target for state in found for _, target in self.step(state)}
            if more == found:
                return found
            found = more


def satisfies(model: Sfsm, transition: SfsmTransition, values: Mapping[str, Value]) -> bool:
    """Whether inputs and outputs satisfy guard and output expression, exactly."""
    scope = Scope((*model.inputs, *model.outputs), {c.name: c.value for c in model.description.constants})
    parts = (compile_expression(part, scope) for part in (transition.guard, transition.output))
    return all(part(values) for part in parts)
