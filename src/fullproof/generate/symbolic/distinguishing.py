"""The distinguishing function T: for each pair of guard and output an input at which no other pair can be meant.

Paper 000, Part II, formula 8.1 and Algorithm 1. Which of the inputs that satisfy the formula is taken does not matter
for the guarantee, so that a random choice strengthens suites outside the fault domain (chapter 13).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from fullproof.generate.symbolic.pairs import PairAlphabet
from fullproof.language.compile import compile_expression
from fullproof.language.equations import only_answer, solved_for
from fullproof.language.joining import conjunction
from fullproof.language.printing import to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import Binary, Comparison, Expression, Name, Unary
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Value, Variable
from fullproof.model import Sfsm
from fullproof.smt import Sat, Solver, Unknown, Unsat, open_solver, pushed

_SHOWN = 3
_DRAWS = 500
_POINTS = 3
"""How many random points are drawn for a guard, and how many of those that satisfy it are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinguishing:
    """``inputs`` are input valuations, ``chosen[k]`` the position of the one that pair ``k`` is recognised at."""

    inputs: tuple[Mapping[str, Value], ...]
    chosen: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSeparable:
    """A pair for which formula 8.1 has no solution, or for which the solver could not tell (``reason``).

    ``example`` is an input that satisfies the guard; ``others`` are outputs that cannot be told from that of the pair:
    one that cannot by itself, where there is one, else all of the guard.
    """

    example: str
    output: str
    others: tuple[str, ...]
    reason: str = ""

    def text(self) -> str:
        """For a reader."""
        others = " or ".join(self.others[:_SHOWN]) + (" or ..." if len(self.others) > _SHOWN else "")
        where = f"{self.output} from {others} under the guards of {self.example} (formula 8.1)"
        if self.reason:
            return f"whether some input tells {where} could not be decided: {self.reason}"
        return f"the alphabet is not separable: no input tells {where}"


def distinguishing_function(
    model: Sfsm, alphabet: PairAlphabet, *, seed: int = 0, timeout: float | None = 10.0
) -> Distinguishing | NotSeparable:
    """Compute T with few inputs: one for all pairs of a guard where that is possible.

    Guarantee: every input chosen satisfies formula 8.1 for its pairs, as decided by the solver. With a seed other than
    0 inputs are taken at random places, as far as the formula allows.
    """
    return _Search(model, alphabet, seed=seed, timeout=timeout).run()


class _Search:
    def __init__(self, model: Sfsm, alphabet: PairAlphabet, *, seed: int, timeout: float | None) -> None:
        self._model = model
        self._alphabet = alphabet
        self._scope = Scope(model.inputs, {c.name: c.value for c in model.description.constants})
        self._timeout = timeout
        self._random = random.Random(seed) if seed else None
        self._guards = [compile_expression(guard, self._scope) for guard in alphabet.alphabet.guards]
        names = [v.name for v in model.outputs]
        self._whole = self._scope.with_variables(model.outputs)
        self._terms = [solved_for(output, names) for output in alphabet.alphabet.outputs]
        """What outputs equal, where they are equations; then there is one answer to an input, and no quantifier."""
        self._holds = [compile_expression(output, self._whole) for output in alphabet.alphabet.outputs]

    def run(self) -> Distinguishing | NotSeparable:
        inputs: list[Mapping[str, Value]] = []
        chosen: dict[int, int] = {}
        for cell, signs in enumerate(self._alphabet.cells):
            solver = open_solver(self._scope, timeout=self._timeout)
            guards = self._alphabet.alphabet.guards
            solver.add(*(g if sign else Unary("not", g) for g, sign in zip(guards, signs, strict=True)))
            left = list(self._alphabet.of_cell(cell))
            while left:
                found = self._largest(solver, cell, left)
                if isinstance(found, NotSeparable):
                    return found
                served, values = found
                inputs.append(values)
                chosen.update(dict.fromkeys(served, len(inputs) - 1))
                left = [pair for pair in left if pair not in served]
        return Distinguishing(inputs=tuple(inputs), chosen=tuple(chosen[k] for k in range(len(self._alphabet.pairs))))

    def _largest(
        self, solver: Solver, cell: int, left: Sequence[int]
    ) -> tuple[tuple[int, ...], Mapping[str, Value]] | NotSeparable:
        """An input that serves all that is left, or the first of it and as many of the others as come along."""
        match self._ask(solver, left):
            case Sat(values):
                return tuple(left), values
            case _:
                pass
        first: tuple[int, ...] = (left[0],)
        answer = self._ask(solver, first)
        if not isinstance(answer, Sat):
            return self._not_separable(solver, cell, left[0], answer)
        served, values = first, answer.model
        for pair in left[1:] if len(left) > 2 else ():
            match self._ask(solver, (*served, pair)):
                case Sat(better):
                    served, values = (*served, pair), better
                case _:
                    pass
        return served, values

    def _ask(self, solver: Solver, pairs: Sequence[int], rivals: Sequence[int] | None = None) -> Sat | Unsat | Unknown:
        """Formula 8.1 for several pairs of a guard at one input: against some rivals, or all pairs of the guard."""
        cell = self._alphabet.pairs[pairs[0]].cell
        others = list(rivals if rivals is not None else self._alphabet.of_cell(cell))
        own = [self._output(k) for k in others]
        exists: list[Variable] = []
        forall: Sequence[Variable] = ()
        parts: list[Expression] = []
        for number, pair in enumerate(pairs):
            output = self._output(pair)
            copies = [Variable(name=f"{v.name}@{number}", type=v.type) for v in self._model.outputs]
            names: dict[str, Expression] = {
                v.name: Name(c.name) for v, c in zip(self._model.outputs, copies, strict=True)
            }
            exists += copies
            parts.append(substitute(output, names))
            if self._terms[self._alphabet.pairs[pair].outputs[0]] is not None:  # the copies are the only answer
                parts += [Unary("not", substitute(other, names)) for other in own if other != output]
            else:
                forall = self._model.outputs
                parts += [Binary("->", output, Unary("not", other)) for other in own if other != output]
        formula = conjunction(parts)
        for point in self._points(cell):
            told = self._told_at(point, pairs, others)
            if told is None:
                with pushed(solver):
                    solver.add(*(Comparison((Name(name), literal(value)), ("==",)) for name, value in point.items()))
                    told = isinstance(solver.check_exists_forall(exists, forall, formula), Sat)
            if told:
                return Sat(point)
        answer = solver.check_exists_forall(exists, forall, formula)
        if isinstance(answer, Sat):
            return Sat({v.name: answer.model[v.name] for v in self._model.inputs})
        return answer

    def _points(self, cell: int) -> Iterator[Mapping[str, Value]]:
        """Inputs to try first: random ones, or some of the cell, whose values people can read."""
        if self._random is None:
            yield from self._alphabet.guard_cells.points[cell]
            return
        found = 0
        for _ in range(_DRAWS):
            point = {v.name: _random_value(v, self._random) for v in self._model.inputs}
            if tuple(bool(guard(point)) for guard in self._guards) == self._alphabet.cells[cell]:
                found += 1
                yield point
            if found == _POINTS:
                return

    def _told_at(self, point: Mapping[str, Value], pairs: Sequence[int], others: Sequence[int]) -> bool | None:
        """Formula 8.1 at one input by exact evaluation; None where an output leaves a choice."""
        for pair in pairs:
            position = self._alphabet.pairs[pair].outputs[0]
            terms = self._terms[position]
            if terms is None:
                return None
            answer = only_answer(terms, self._model.outputs, self._whole, point)
            if answer is None:
                return False
            values = {**point, **answer}
            if any(self._holds[self._alphabet.pairs[k].outputs[0]](values) for k in others if k != pair):
                return False
        return True

    def _output(self, pair: int) -> Expression:
        return self._alphabet.alphabet.outputs[self._alphabet.pairs[pair].outputs[0]]

    def _not_separable(self, solver: Solver, cell: int, pair: int, answer: Unsat | Unknown) -> NotSeparable:
        rivals = [k for k in self._alphabet.of_cell(cell) if k != pair]
        alone = [k for k in rivals if isinstance(self._ask(solver, (pair,), (k,)), Unsat)][:1]
        match solver.check():
            case Sat(values):
                example = ", ".join(f"{v.name} = {value_to_text(values[v.name])}" for v in self._model.inputs)
            case _:
                example = "some input"
        return NotSeparable(
            example=example,
            output=to_text(self._output(pair)),
            others=tuple(to_text(self._output(k)) for k in (alone or rivals)),
            reason=answer.reason if isinstance(answer, Unknown) else "",
        )


def _random_value(variable: Variable, chance: random.Random) -> Value:
    match variable.type:
        case BoolType():
            return chance.random() < 0.5
        case EnumType(values=values):
            return chance.choice(values)
        case IntType(low=low, high=high) | RealType(low=low, high=high):
            least = low if low is not None else (high - 1000 if high is not None else -1000)
            most = high if high is not None else least + 2000
            if isinstance(variable.type, IntType):
                return chance.randint(int(least), int(most))
            return Fraction(least) + Fraction(most - least) * Fraction(chance.randint(0, 1000), 1000)
