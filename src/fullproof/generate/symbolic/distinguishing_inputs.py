"""The distinguishing function T: for each pair of guard and output an input at which it differs from all other pairs.

Paper 000, Part II, formula 8.1 and Algorithm 1. Which of the inputs that satisfy the formula is taken does not matter
for the guarantee, so that a random choice strengthens suites outside the fault domain (chapter 13).

Where outputs have tolerances, formula 8.1 demands values that differ by more than the judge tolerates, and inputs are
chosen at which they are far apart (module ``margins``).
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice

from fullproof.generate.symbolic.margins import GROWTHS, MOST_STEPS, Distance, Margin, apart, distance
from fullproof.generate.symbolic.pairs import PairAlphabet
from fullproof.generate.symbolic.random_inputs import different, drawn, drawn_between
from fullproof.generate.symbolic.separability import Distinguishing, NotSeparable
from fullproof.language.assumptions import Assumptions
from fullproof.language.box import box_of
from fullproof.language.compile import compile_expression
from fullproof.language.equations import only_answer, solved_for
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.shallow_trees import conjunction
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import Binary, Comparison, Expression, Name, Unary
from fullproof.language.types import Value, Variable
from fullproof.model import Sfsm
from fullproof.smt import Sat, Solver, Unknown, Unsat, open_solver, pushed

_POINTS = 3
"""How many random inputs of a guard are tried."""
_WAYS = 8
"""How many inputs there are to draw from for each position of a test."""


Beside = Callable[[Mapping[str, Value]], Iterable[Mapping[str, Value]]]


def distinguishing_function(
    model: Sfsm,
    alphabet: PairAlphabet,
    *,
    seed: int = 0,
    timeout: float | None = 10.0,
    beside: Beside = lambda _: (),
) -> Distinguishing | NotSeparable:
    """Compute T with few inputs: one for all pairs of a guard where that is possible.

    Guarantee: every input chosen satisfies formula 8.1 for its pairs, as decided by the solver, and the outputs of
    other pairs are farther away than the ``margin`` of the result says, which is the largest that all pairs have. With
    a seed other than 0 inputs are taken at random places, as far as the formula allows. ``beside`` proposes inputs that
    are easier to read than the solver's.
    """
    near: NotSeparable | None = None
    if any(v.tolerance for v in model.outputs):
        for margin in (Margin.TWICE, Margin.ONCE):
            found = _Search(model, alphabet, seed=seed, timeout=timeout, margin=margin, beside=beside).run()
            if isinstance(found, Distinguishing):
                return found
            near = found
        margin = Margin.NONE
    else:
        margin = Margin.TWICE
    found = _Search(model, alphabet, seed=seed, timeout=timeout, margin=margin, beside=beside).run()
    return dataclasses.replace(found, near=near) if isinstance(found, Distinguishing) else found


@dataclass(frozen=True, slots=True)
class _Formula:
    """A condition that must hold for some values of ``exists`` and all values of ``forall``."""

    exists: Sequence[Variable]
    forall: Sequence[Variable]
    parts: Sequence[Expression]


class _Search:
    def __init__(
        self,
        model: Sfsm,
        alphabet: PairAlphabet,
        *,
        seed: int,
        timeout: float | None,
        margin: Margin,
        beside: Beside,
    ) -> None:
        self._model = model
        self._margin, self._beside = margin, beside
        self._tolerant = any(v.tolerance for v in model.outputs)
        self._alphabet = alphabet
        self._scope = model.input_scope
        self._assumed = Assumptions(self._scope)
        self._timeout = timeout
        self._random = random.Random(seed) if seed else None
        self._guards = [compile_expression(guard, self._scope) for guard in alphabet.alphabet.guards]
        names = [v.name for v in model.outputs]
        self._whole = self._scope.with_variables(model.outputs)
        self._terms = [solved_for(output, names) for output in alphabet.alphabet.outputs]
        """The terms of outputs where these are equations; then each input has one answer, and no quantifier is
        needed."""
        self._holds = [compile_expression(output, self._whole) for output in alphabet.alphabet.outputs]

    def run(self) -> Distinguishing | NotSeparable:
        inputs: list[Mapping[str, Value]] = []
        ways: list[tuple[Mapping[str, Value], ...]] = []
        chosen: dict[int, int] = {}
        for cell in range(len(self._alphabet.cells)):
            solver = self._solver_of(cell)
            left = list(self._alphabet.of_cell(cell))
            while left:
                found = self._largest(solver, cell, left)
                if isinstance(found, NotSeparable):
                    return found
                served, values = found
                if self._tolerant:
                    values = self._moved_out(solver, cell, served, values)
                if self._random is not None:
                    ways.append(self._ways(solver, cell, served, values, [x for way in ways for x in way]))
                inputs.append(values)
                chosen.update(dict.fromkeys(served, len(inputs) - 1))
                left = [pair for pair in left if pair not in served]
        numbers = tuple(chosen[k] for k in range(len(self._alphabet.pairs)))
        return Distinguishing(
            inputs=tuple(inputs), chosen=numbers, ways=tuple(ways), margin=self._margin, serves=self._served(chosen)
        )

    def _solver_of(self, cell: int) -> Solver:
        solver = open_solver(self._scope, timeout=self._timeout)
        guards, signs = self._alphabet.alphabet.guards, self._alphabet.cells[cell]
        solver.add(*(g if sign else Unary("not", g) for g, sign in zip(guards, signs, strict=True)))
        return solver

    def _served(self, chosen: Mapping[int, int]) -> Callable[[int, Mapping[str, Value]], bool]:
        """Whether the pairs that an input recognises are recognised at another one, with the same margin."""

        def serves(number: int, point: Mapping[str, Value]) -> bool:
            pairs = [pair for pair, position in chosen.items() if position == number]
            cell = self._alphabet.pairs[pairs[0]].cell
            if not self._in_cell(point, cell):
                return False
            others = self._alphabet.of_cell(cell)
            formula = self._formula(pairs, others, Fraction(self._margin) if self._tolerant else None)
            return self._serves(self._solver_of(cell), point, pairs, others, formula)

        return serves

    def _largest(
        self, solver: Solver, cell: int, left: Sequence[int]
    ) -> tuple[tuple[int, ...], Mapping[str, Value]] | NotSeparable:
        """An input for all remaining pairs, or for the first one and as many others as it also serves."""
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
        if self._tolerant:
            return self._far(solver, cell, pairs, others)
        formula = self._formula(pairs, others, None)
        for point in self._points(cell):
            if self._serves(solver, point, pairs, others, formula):
                return Sat(point)
        return self._solved(solver, formula)

    def _far(self, solver: Solver, cell: int, pairs: Sequence[int], others: Sequence[int]) -> Sat | Unsat | Unknown:
        """The same with tolerances: the input, of several, at which the outputs are farthest apart, or any input."""
        formula = self._formula(pairs, others, Fraction(self._margin))
        best: Mapping[str, Value] | None = None
        most: tuple[Distance, ...] = ()
        for point in self._points(cell):
            far = self._distances(point, pairs, others)
            if far is not None and far[0] > self._margin and far > most:
                best, most = point, far
            elif far is None and best is None and self._holds_at(solver, point, formula):
                best = point
        if best is not None:
            return Sat(best)
        answer = self._solved(solver, formula)
        return Sat(self._readable(solver, cell, answer.model, formula)) if isinstance(answer, Sat) else answer

    def _moved_out(
        self, solver: Solver, cell: int, pairs: Sequence[int], found: Mapping[str, Value]
    ) -> Mapping[str, Value]:
        """An input at which the nearest outputs are farther apart, at most by an eighth less than possible.

        None where that takes too many steps, or quantifiers. With a seed a random place is preferred.
        """
        others = self._alphabet.of_cell(cell)
        far = self._distances(found, pairs, others)
        reached = Fraction(self._margin) if far is None else far[0]
        if self._random is not None or not isinstance(reached, Fraction):
            return found
        best, growths = found, list(GROWTHS)
        for _ in range(MOST_STEPS):
            factor = max(growths[0] * reached, growths[0] - 1)
            formula = self._formula(pairs, others, factor)
            answer = self._solved(solver, formula)
            if isinstance(answer, Sat):
                best, reached = self._readable(solver, cell, answer.model, formula), factor
            elif len(growths) == 1 or formula.forall:
                break
            else:
                del growths[0]
        return best

    def _readable(
        self, solver: Solver, cell: int, found: Mapping[str, Value], formula: _Formula
    ) -> Mapping[str, Value]:
        for point in self._beside(found):
            if self._in_cell(point, cell) and self._holds_at(solver, point, formula):
                return point
        return found

    def _holds_at(self, solver: Solver, point: Mapping[str, Value], formula: _Formula) -> bool:
        with pushed(solver):
            solver.add(*(Comparison((Name(name), literal(value)), ("==",)) for name, value in point.items()))
            return isinstance(self._solved(solver, formula), Sat)

    def _solved(self, solver: Solver, formula: _Formula) -> Sat | Unsat | Unknown:
        answer = solver.check_exists_forall(formula.exists, formula.forall, conjunction(formula.parts))
        if isinstance(answer, Sat):
            return Sat({v.name: answer.model[v.name] for v in self._model.inputs})
        return answer

    def _formula(self, pairs: Sequence[int], others: Sequence[int], factor: Fraction | None) -> _Formula:
        """Formula 8.1; with a factor, for outputs that are this many tolerances apart."""
        exists: list[Variable] = []
        forall: dict[str, Variable] = {}
        parts: list[Expression] = []
        outputs = self._model.outputs
        for number, pair in enumerate(pairs):
            output = self._output(pair)
            copies = [Variable(name=f"{v.name}@{number}", type=v.type) for v in outputs]
            exists += copies
            names: dict[str, Expression] = {v.name: Name(c.name) for v, c in zip(outputs, copies, strict=True)}
            parts.append(substitute(output, names))
            single = self._terms[self._alphabet.pairs[pair].outputs[0]] is not None  # the copies are the only answer
            mine = names if single else {v.name: Name(v.name) for v in outputs}
            if not single:
                forall |= {v.name: v for v in outputs}
            for other in others:
                if self._output(other) == output:
                    continue
                differs, shadows = self._differs(mine, other, factor)
                forall |= {v.name: v for v in shadows}
                parts.append(differs if single else Binary("->", output, differs))
        return _Formula(exists, list(forall.values()), parts)

    def _differs(
        self, mine: Mapping[str, Expression], other: int, factor: Fraction | None
    ) -> tuple[Expression, Sequence[Variable]]:
        """The condition that an answer is not one of another pair, nor near one; and the variables for all answers of
        that pair.
        """
        output, outputs = self._output(other), self._model.outputs
        if factor is None:
            return Unary("not", substitute(output, mine)), ()
        terms = self._terms[self._alphabet.pairs[other].outputs[0]]
        if terms is not None:  # whether they are values of their types is not required, which is safe
            return apart(outputs, mine, terms, factor), ()
        shadows = [Variable(name=f"{v.name}@near", type=v.type) for v in outputs if v.tolerance]
        theirs = {**mine, **{v.name: Name(f"{v.name}@near") for v in outputs if v.tolerance}}
        return Binary("->", substitute(output, theirs), apart(outputs, mine, theirs, factor)), shadows

    def _points(self, cell: int) -> Iterator[Mapping[str, Value]]:
        """Inputs to try first: random ones, or readable ones of the cell."""
        if self._random is None:
            yield from self._alphabet.guard_cells.points[cell]
            return
        random_ones = (point for point in drawn(self._model.inputs, self._random) if self._in_cell(point, cell))
        yield from islice(random_ones, _POINTS)

    def _ways(
        self,
        solver: Solver,
        cell: int,
        pairs: Sequence[int],
        found: Mapping[str, Value],
        taken: Sequence[Mapping[str, Value]],
    ) -> tuple[Mapping[str, Value], ...]:
        """The input found and random others that serve the same pairs; none of them is used for other pairs."""
        assert self._random is not None
        variables, others = self._model.inputs, self._alphabet.of_cell(cell)
        known = [found, *self._alphabet.guard_cells.points[cell]]
        offers = chain(drawn(variables, self._random), drawn_between(variables, known, self._random), known)
        inside = (point for point in offers if self._in_cell(point, cell))
        tried = different(inside, most=2 * _WAYS, without=[found, *taken])
        formula = self._formula(pairs, others, Fraction(self._margin) if self._tolerant else None)
        serving = (point for point in tried if self._serves(solver, point, pairs, others, formula))
        return (found, *islice(serving, _WAYS - 1))

    def _serves(
        self,
        solver: Solver,
        point: Mapping[str, Value],
        pairs: Sequence[int],
        others: Sequence[int],
        formula: _Formula,
    ) -> bool:
        """Formula 8.1 at one input: by exact evaluation where that is possible, else by the solver."""
        if self._tolerant:
            far = self._distances(point, pairs, others)
            separates = None if far is None else far[0] > self._margin
        else:
            separates = self._separates_at(point, pairs, others)
        return self._holds_at(solver, point, formula) if separates is None else separates

    def _in_cell(self, point: Mapping[str, Value], cell: int) -> bool:
        signs = tuple(bool(guard(point)) for guard in self._guards)
        return signs == self._alphabet.cells[cell] and self._assumed.keep(point)

    def _distances(
        self, point: Mapping[str, Value], pairs: Sequence[int], others: Sequence[int]
    ) -> tuple[Distance, ...] | None:
        """How far the answers of pairs to an input are from those of others, the least first; None: not computed."""
        boxes = {k: box_of(self._output(k), self._whole, point, self._model.outputs) for k in {*pairs, *others}}
        found: list[Distance] = []
        for pair in pairs:
            mine = boxes[pair]
            if mine is None:
                return None
            for theirs in (boxes[other] for other in others if other != pair):
                if theirs is None:
                    return None
                found.append(distance(self._model.outputs, mine, theirs))
            found.append(Fraction(0) if mine.is_empty() else math.inf)
        return tuple(sorted(found))

    def _separates_at(self, point: Mapping[str, Value], pairs: Sequence[int], others: Sequence[int]) -> bool | None:
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
            margin=self._margin if self._tolerant else Margin.NONE,
        )
