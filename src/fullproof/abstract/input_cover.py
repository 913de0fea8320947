"""A smallest set of inputs that covers all classes.

An input covers a class iff some outputs complete it to a member. Classes that differ in an expression over inputs alone
have no input in common, so each cell of such expressions is covered by itself, and the smallest sets add up. Within a
cell, classes are grouped by common inputs: a group is compatible iff one input has outputs for each of its classes,
which is one query to the solver with a copy of the outputs for every class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from fullproof.abstract.budget import PathSolver, SolverBudget
from fullproof.abstract.conflicts import Fits, fewest_groups
from fullproof.abstract.literals import Values, facts_of, is_disjoint
from fullproof.abstract.numbers import is_exact
from fullproof.abstract.points import BoundaryPoints
from fullproof.abstract.signature import ExpressionSigns, Input, Signs, formula_of
from fullproof.artefacts.abstraction import Representative
from fullproof.core.budget import Budget
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Expression, Name, Unary
from fullproof.language.traversal import free_names
from fullproof.language.types import Value
from fullproof.model import Sfsm
from fullproof.smt import Sat, Unknown, Unsat

MOST_QUESTIONS = 1_500
MOST_ROUNDS = 1_500


@dataclass(frozen=True, slots=True)
class InputCover:
    """Inputs that cover all classes, and whether fewer inputs are proven impossible."""

    representatives: tuple[Representative, ...]
    smallest: bool


@dataclass(frozen=True, slots=True)
class CoverSetting:
    """The context of the queries."""

    model: Sfsm
    scope: Scope
    signature: ExpressionSigns
    points: BoundaryPoints
    budget: SolverBudget
    asking: PathSolver


def smallest_cover(setting: CoverSetting, vectors: Sequence[Signs]) -> InputCover:
    """Representatives for the classes with these sign vectors, as few as possible.

    Needs: each vector was seen by the signature, with an input. Where the solver could not decide whether an input
    covers a class, the class is not in ``covers``.
    """
    outputs = {variable.name for variable in setting.model.outputs}
    expressions = setting.signature.expressions
    of_inputs = [k for k, e in enumerate(expressions) if not free_names(e) & outputs]
    number = {signs: k for k, signs in enumerate(vectors)}
    cells: dict[Signs, list[Signs]] = {}
    for signs in vectors:
        cells.setdefault(tuple(signs[k] for k in of_inputs), []).append(signs)
    seen: dict[Signs, list[Input]] = {}
    for given, there in setting.signature.seen.items():
        seen.setdefault(tuple(next(iter(there))[k] for k in of_inputs), []).append(given)
    rounds, last = Budget(MOST_ROUNDS), setting.budget.calls + MOST_QUESTIONS

    def may_go_on() -> bool:
        """Whether it is tried further to prove that no fewer inputs will do."""
        if rounds.is_over or setting.budget.calls >= last or setting.budget.is_over:
            return False
        rounds.spend(1)
        return True

    found: list[Representative] = []
    smallest = True
    for key, members in cells.items():
        cell = _Cell(setting, members, of_inputs, seen[key])
        chosen, proven = cell.cover(may_go_on)
        smallest &= proven
        for given in chosen:
            covers = tuple(sorted(number[signs] for signs in cell.covered(given)))
            found.append(Representative(input=setting.signature.named(given), covers=covers))
    return InputCover(tuple(sorted(found, key=lambda representative: representative.covers)), smallest)


class _Cell:
    """The inputs that agree on all expressions over inputs alone, and the classes that they may be completed to."""

    def __init__(self, setting: CoverSetting, members: list[Signs], of_inputs: list[int], seen: list[Input]) -> None:
        self._setting = setting
        self._members = members
        self._seen = setting.signature.seen
        self._inputs = list(seen)
        literals = setting.signature.literals
        self._here = conjunction(literals[k][members[0][k]] for k in of_inputs)
        of_outputs = [k for k in range(len(members[0])) if k not in set(of_inputs)]
        self._of_class = [conjunction(literals[k][signs[k]] for k in of_outputs) for signs in members]
        self._asking: PathSolver | None = None

    def cover(self, may_go_on: Callable[[], bool]) -> tuple[list[Input], bool]:
        """The inputs, and whether fewer are impossible."""
        everything = frozenset(self._members)
        whole = [given for given in self._inputs if self._seen[given] >= everything]
        if whole:
            return [_plainest(whole)], True
        known = [self._group(given) for given in self._inputs]
        grouping = fewest_groups(
            len(self._members), known, self._fits, conflicts=self._conflicts(), may_go_on=may_go_on
        )
        return [self._input_for(group) for group in grouping.groups], grouping.smallest

    def _conflicts(self) -> Iterator[frozenset[int]]:
        """Classes whose formulas show syntactically that they have no input in common."""
        for one, other in combinations(range(len(self._members)), 2):
            first, second = self._sets[one], self._sets[other]
            if any(is_disjoint(first[name], second[name]) for name in first.keys() & second.keys()):
                yield frozenset({one, other})

    @cached_property
    def _sets(self) -> list[dict[str, Values]]:
        """For each class, necessary conditions on the values of inputs according to its formula."""
        names = [variable.name for variable in self._setting.model.inputs]
        outputs = [variable.name for variable in self._setting.model.outputs]
        found = []
        for signs in self._members:
            stated = zip(self._setting.signature.expressions, signs, strict=True)
            sets = facts_of(stated, self._setting.scope, outputs).sets
            found.append({name: sets[name] for name in names if name in sets})
        return found

    def covered(self, given: Input) -> set[Signs]:
        """The classes that outputs complete an input to: those seen, and those the solver finds outputs for."""
        covered = self._seen[given] & set(self._members)
        if len(covered) == len(self._members):
            return covered
        at = formula_of(self._setting.signature.named(given))
        known = {signs: Unary("not", formula) for signs, formula in zip(self._members, self._of_class, strict=True)}
        asking = self._setting.asking
        while True:
            answer = asking.check(at, *(known[signs] for signs in self._members if signs in covered))
            if isinstance(answer, Unsat):
                return covered
            signs = self._setting.signature(answer.model) if isinstance(answer, Sat) else None
            if signs is None or signs not in known:
                return covered | set(self._one_by_one(at, covered))
            covered.add(signs)

    def _one_by_one(self, at: Expression, covered: set[Signs]) -> Iterator[Signs]:
        """The other classes that the solver finds outputs for, queried one by one after a joint query was undecided."""
        for signs, formula in zip(self._members, self._of_class, strict=True):
            if signs not in covered and isinstance(self._setting.asking.check(at, formula), Sat):
                yield signs

    def _group(self, given: Input) -> frozenset[int]:
        return frozenset(k for k, signs in enumerate(self._members) if signs in self._seen[given])

    def _input_for(self, group: frozenset[int]) -> Input:
        """An input seen with all classes of a group; there is one, since groups that fit were looked at."""
        return _plainest([given for given in self._inputs if group <= self._group(given)])

    def _fits(self, group: frozenset[int]) -> Fits:
        answer = self._solver().check(*(self._copy(k) for k in sorted(group)))
        match answer:
            case Sat(model):
                self._look(model, group)
                return Fits.YES
            case Unknown():
                return Fits.UNKNOWN
            case _:
                return Fits.NO

    def _look(self, model: Mapping[str, Value], group: frozenset[int]) -> None:
        """Record the input of a solution with the outputs of all copies, and a rounder input with the same coverage."""
        setting = self._setting
        names = [variable.name for variable in setting.model.outputs]
        for near in setting.points.near(model):
            given = self._note(setting.points.completed(near))
            if given is not None and group <= self._group(given):
                return
        given_values = {variable.name: model[variable.name] for variable in setting.model.inputs}
        self._note(
            [{**given_values, **{name: model[_slot(name, k)] for name in names}} for k in sorted(group)]
            + setting.points.completed(given_values)
        )

    def _note(self, valuations: Iterable[Mapping[str, Value]]) -> Input | None:
        given: Input | None = None
        for valuation in valuations:
            self._setting.signature(valuation)
            given = self._setting.signature.input_of(valuation)
        if given is not None and given not in self._inputs and self._group(given):
            self._inputs.append(given)
        return given

    def _solver(self) -> PathSolver:
        if self._asking is None:
            model = self._setting.model
            copies = [replace(v, name=_slot(v.name, k)) for k in range(len(self._members)) for v in model.outputs]
            scope = model.scope_with((*model.inputs, *copies))
            self._asking = PathSolver(scope, self._setting.budget)
            self._asking.move((self._here,))
        return self._asking

    def _copy(self, k: int) -> Expression:
        """The outputs' conditions of a class on a copy of the outputs."""
        return substitute(self._of_class[k], {v.name: Name(_slot(v.name, k)) for v in self._setting.model.outputs})


def _slot(name: str, k: int) -> str:
    return f"{name}@{k}"


def _plainest(inputs: Sequence[Input]) -> Input:
    """The first input whose numbers floats represent exactly: 50/3 is rounded, 17 is not."""
    return next((given for given in inputs if all(is_exact(value) for value in given)), inputs[0])
