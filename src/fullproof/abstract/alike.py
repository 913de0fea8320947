"""Inputs that are as good as a representative: with the same classes of inputs and outputs, no theorem sees which."""

from __future__ import annotations

from collections.abc import Mapping

from fullproof.abstract.signature import Signs, formula_of
from fullproof.artefacts.abstraction import IoClasses, Representative
from fullproof.language.compile import compile_expression
from fullproof.language.equations import only_answer, solved_for
from fullproof.language.syntax import Unary
from fullproof.language.traversal import free_names
from fullproof.language.types import BoolType, EnumType, IntType, Value, Variable
from fullproof.model import Sfsm
from fullproof.smt import Sat, Solver, Unsat, open_solver, pushed


class AlikeInputs:
    """Decides whether an input has outputs for exactly the classes that a representative covers.

    By exact evaluation where every expression over outputs is an equation for each of them, else by the solver, at
    most ``questions`` times; what is undecided counts as different.
    """

    def __init__(self, model: Sfsm, classes: IoClasses, *, questions: int = 400) -> None:
        self._model, self._classes, self._left = model, classes, questions
        outputs = [v.name for v in model.outputs]
        expressions = classes.alphabet.expressions
        self._of_inputs = [k for k, e in enumerate(expressions) if not free_names(e) & set(outputs)]
        self._of_outputs = [k for k in range(len(expressions)) if k not in set(self._of_inputs)]
        self._holds = {k: compile_expression(expressions[k], model.scope) for k in self._of_inputs}
        terms = [solved_for(expressions[k], outputs) for k in self._of_outputs]
        self._terms = None if None in terms else [term for term in terms if term is not None]
        self._room = _count(model.outputs)
        self._solver: Solver | None = None

    def __call__(self, representative: Representative, point: Mapping[str, Value]) -> bool:
        """Whether the point has the classes of a representative."""
        covered = [self._classes.classes[k].signs for k in representative.covers]
        here = tuple(self._holds[k](point) is True for k in self._of_inputs)
        if any(tuple(signs[k] for k in self._of_inputs) != here for signs in covered):
            return False
        wanted = {tuple(signs[k] for k in self._of_outputs) for signs in covered}
        return wanted == (self._evaluated(point) if self._terms is not None else self._asked(point, here))

    def _evaluated(self, point: Mapping[str, Value]) -> set[Signs]:
        """The signs of equations that outputs can have together at an input."""
        assert self._terms is not None
        answers = [only_answer(term, self._model.outputs, self._model.scope, point) for term in self._terms]
        different = [dict(items) for items in {tuple(answer.items()) for answer in answers if answer is not None}]
        found = {tuple(answer == value for answer in answers) for value in different}
        if self._room is None or len(different) < self._room:
            found.add((False,) * len(answers))
        return found

    def _asked(self, point: Mapping[str, Value], here: Signs) -> set[Signs] | None:
        solver = self._solver = self._solver or open_solver(self._model.scope, timeout=1.0)
        found: set[Signs] = set()
        with pushed(solver):
            solver.add(formula_of(point))
            for one in self._classes.classes:
                if tuple(one.signs[k] for k in self._of_inputs) != here:
                    continue
                signs = tuple(one.signs[k] for k in self._of_outputs)
                expressions = [self._classes.alphabet.expressions[k] for k in self._of_outputs]
                self._left -= 1
                answer = (
                    solver.check_assuming(
                        *(e if s else Unary("not", e) for e, s in zip(expressions, signs, strict=True))
                    )
                    if self._left >= 0
                    else None
                )
                if isinstance(answer, Sat):
                    found.add(signs)
                elif not isinstance(answer, Unsat):
                    return None
        return found


def _count(variables: tuple[Variable, ...]) -> int | None:
    """How many valuations there are; None: more than expressions can name, or no end."""
    sizes = [_size(variable) for variable in variables]
    found = 1
    for size in sizes:
        if size is None:
            return None
        found *= size
    return found


def _size(variable: Variable) -> int | None:
    match variable.type:
        case BoolType():
            return 2
        case EnumType(values=values):
            return len(values)
        case IntType(low=low, high=high) if low is not None and high is not None:
            return int(high) - int(low) + 1
        case _:
            return None
