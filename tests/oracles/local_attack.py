"""An attack on method local: machines of its fault domain over small whole numbers, judged by trying out all values.

Nothing here uses the solver, the forms or the demands of the method: guards and outputs of the fault domain are listed
again from its definition, as sets of inputs and as functions on them.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from tests.oracles.symbolic import inputs_of, valuations
from tests.oracles.symbolic_attack import words_of

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import Place
from fullproof.kinds.sfsm.method_suite import MethodSuite
from fullproof.kinds.sfsm.methods import answer
from fullproof.kinds.sfsm.question import question_of
from fullproof.language.compile import compile_expression
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm

Row = tuple[tuple[object, int], ...]
"""For each input an answer and a target."""
Label = tuple[tuple[int, object], ...]
"""A guard as the numbers of its inputs, each with the answer that an output gives there."""


class SmallWorld:
    """A model over small types, and the transitions that a system of its domain may have."""

    def __init__(self, model: Sfsm, guards: Sequence[Expression], outputs: Sequence[Expression]) -> None:
        self.model = model
        self.inputs = list(inputs_of(model))
        self.number = {_key(x): k for k, x in enumerate(self.inputs)}
        scope = Scope((*model.inputs, *model.outputs), {c.name: c.value for c in model.description.constants})
        answers = list(valuations(model.outputs))
        self.sets = {g: self._inside(compile_expression(g, scope)) for g in guards}
        self.functions: dict[Expression, list[object]] = {}
        for output in outputs:
            holds = compile_expression(output, scope)
            given = [[y for y in answers if holds(x | y)] for x in self.inputs]
            assert all(len(ys) <= 1 for ys in given)
            self.functions[output] = [_key(ys[0]) if ys else None for ys in given]
        states = [model.initial, *(s for s in model.states if s != model.initial)]
        self.right = []
        for state in states:
            row: list = [None] * len(self.inputs)
            for t in model.transitions:
                if t.source == state:
                    for k in self._inside(compile_expression(t.guard, scope)):
                        row[k] = (self.functions[t.output][k], states.index(t.target))
            self.right.append(tuple(row))

    def _inside(self, holds) -> tuple[int, ...]:
        return tuple(k for k, x in enumerate(self.inputs) if holds(x))

    def labels(self, extra: Sequence[Label] = (), pairs=None) -> list[Label]:
        """What transitions do, without their targets: all pairs of guard and output that have an answer everywhere."""
        found = dict.fromkeys(extra)
        for guard, inside in self.sets.items():
            for output, given in self.functions.items():
                if inside and all(given[k] is not None for k in inside) and (pairs is None or (guard, output) in pairs):
                    found[tuple((k, given[k]) for k in inside)] = None
        return list(found)

    def rows(self, labels: Sequence[Label], states: int, *, most: int, chance: random.Random) -> list[Row]:
        """Rows that some transitions with these labels make up: all of them, or many at random."""
        by_input: list[list[Label]] = [[] for _ in self.inputs]
        for label in labels:
            for k, _ in label:
                by_input[k].append(label)
        found: dict[Row, None] = {}
        for row in self._filled([None] * len(self.inputs), by_input, states, chance, [most * 8]):
            found[row] = None
            if len(found) >= most:
                break
        return list(found)

    def _filled(self, row: list, by_input, states: int, chance: random.Random, budget: list[int]) -> Iterator[Row]:
        budget[0] -= 1
        if budget[0] < 0:
            return
        gap = next((k for k, cell in enumerate(row) if cell is None), None)
        if gap is None:
            yield tuple(row)
            return
        options = [(label, target) for label in by_input[gap] for target in range(states)]
        chance.shuffle(options)
        for label, target in options:
            if all(row[k] is None or row[k] == (answer, target) for k, answer in label):
                longer = list(row)
                for k, answer in label:
                    longer[k] = (answer, target)
                yield from self._filled(longer, by_input, states, chance, budget)

    def passes(self, rows: Sequence[Row], words: Sequence[Sequence[int]]) -> bool:
        for word in words:
            mine, theirs = 0, 0
            for k in word:
                (one, mine), (other, theirs) = self.right[mine][k], rows[theirs][k]
                if one != other:
                    return False
        return True

    def equivalent(self, rows: Sequence[Row]) -> bool:
        seen = {(0, 0)}
        queue = [(0, 0)]
        for mine, theirs in queue:
            for one, other in zip(self.right[mine], rows[theirs], strict=True):
                if one[0] != other[0]:
                    return False
                after = (one[1], other[1])
                if after not in seen:
                    seen.add(after)
                    queue.append(after)
        return True

    def words(self, suite: MethodSuite) -> list[list[int]]:
        return [[self.number[_key(x)] for x in word] for word in words_of(suite)]


def _key(values: Mapping) -> tuple:
    return tuple(sorted(values.items()))


def suite_of(model: Sfsm, request: SuiteRequest) -> MethodSuite:
    return answer(question_of(model, request, at=Place()))


def attack(
    world: SmallWorld, labels: Sequence[Label], suite: MethodSuite, *, extra: int, seed: int, machines: int = 1000
) -> Counter:
    """Meet a suite with machines of the domain: those nearest to passing, and any."""
    found: Counter = Counter()
    if suite.states < len(world.right):
        return found  # the bound is on the states of the minimal model, and these rows are not
    chance = random.Random(seed)
    words = world.words(suite)
    used = sorted({k for word in words for k in word})
    states = len(world.right) + extra
    rows = world.rows(labels, states, most=1_500, chance=chance)
    found["rows"] = len(rows)
    near: list[Row] = []
    """Rows whose answers to all inputs of the suite are those of some state of the model."""
    for right in world.right:
        fitting = [label for label in labels if all(y == right[k][0] for k, y in label if k in used)]
        near += world.rows(fitting, states, most=400, chance=chance)
    found["near"] = len(near)
    for _ in range(machines):
        machine = list(world.right) + [chance.choice(world.right) for _ in range(extra)]
        for place in chance.sample(range(states), chance.randint(1, states)):
            machine[place] = chance.choice(near if near and chance.random() < 0.8 else rows)
        _judge(world, machine, words, found)
    for place in range(len(world.right)):
        for row in near[:300]:
            machine = list(world.right) + [world.right[-1]] * extra
            machine[place] = row
            _judge(world, machine, words, found)
    return found


def _judge(world: SmallWorld, machine: Sequence[Row], words: Sequence[Sequence[int]], found: Counter) -> None:
    passed, right = world.passes(machine, words), world.equivalent(machine)
    found["judged"] += 1
    found["conforming"] += right
    found["survivors"] += passed and not right
    found["unfair"] += right and not passed


COEFFICIENTS = (
    [Fraction(k) for k in range(-9, 21)],
    [Fraction(k, 2) for k in range(-6, 7)],
    [Fraction(k, 2) for k in range(-2, 3)],
)
"""Of x ** 0, x ** 1 and x ** 2."""


def polynomial_labels(world: SmallWorld, degree: int) -> list[Label]:
    """Every guard with many polynomials of a degree in the one input that have values of the output there."""
    (variable,), (output,) = world.model.inputs, world.model.outputs
    allowed = {y[output.name] for y in valuations(world.model.outputs)}
    found: dict[Label, None] = {}
    for inside in set(world.sets.values()):
        at = [Fraction(world.inputs[k][variable.name]) for k in inside]
        for coefficients in product(*COEFFICIENTS[: degree + 1]):
            given = [sum(c * x**k for k, c in enumerate(coefficients)) for x in at]
            if all(value in allowed for value in given):
                found[tuple((k, ((output.name, int(y)),)) for k, y in zip(inside, given, strict=True))] = None
    return list(found)
