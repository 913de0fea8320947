"""Readable formulas of classes: ``x in (190, 200) and y == x / 100`` (paper 000, Table 2.3).

Conditions on one variable are joined to a set of values. An output that an equation determines is substituted in the
other conditions, which thereby become conditions on inputs. Parts that the solver proves redundant are left out. The
text is equivalent to the sign vector, for values within their types that satisfy the assumptions of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fullproof.abstract.alphabet import scope_of
from fullproof.abstract.budget import PathSolver, SolverBudget
from fullproof.abstract.literals import Facts, ValueChoices, facts_of
from fullproof.abstract.number_sets import NumberSet
from fullproof.abstract.set_text import choices_text, numbers_text
from fullproof.artefacts.abstraction import IoClass, IoClasses
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction
from fullproof.language.syntax import Comparison, Expression, Unary
from fullproof.language.traversal import free_names
from fullproof.model import Sfsm
from fullproof.smt import Unsat


@dataclass(frozen=True, slots=True)
class Formula:
    """A text and the condition it stands for."""

    text: str
    condition: Expression


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    condition: Expression
    place: tuple[int, int]
    """Its position in the text: conditions on inputs first, then those on outputs."""
    doubt: int
    """Parts with a higher value are left out first; those with 0 never."""


def readable_formulas(model: Sfsm, classes: IoClasses, *, timeout: float | None = 60.0) -> Iterator[Formula]:
    """The formula of each class, in their order. After ``timeout`` seconds no more parts are left out."""
    writer = _Writer(model, classes.alphabet.expressions, SolverBudget(timeout))
    for io_class in classes.classes:
        yield writer.formula(io_class)


class _Writer:
    def __init__(self, model: Sfsm, expressions: Sequence[Expression], budget: SolverBudget) -> None:
        self._scope: Scope = scope_of(model)
        self._outputs = tuple(variable.name for variable in model.outputs)
        self._order = {variable.name: k for k, variable in enumerate(self._scope.variables)}
        self._expressions = expressions
        self._asking = PathSolver(self._scope, budget)

    def formula(self, io_class: IoClass) -> Formula:
        literals = list(dict.fromkeys(zip(self._expressions, io_class.signs, strict=True)))
        facts = facts_of(literals, self._scope, self._outputs)
        parts = self._needed(list(self._parts(facts)))
        parts.sort(key=lambda part: part.place)
        condition = conjunction(part.condition for part in parts)
        return Formula(" and ".join(part.text for part in parts) or "true", condition)

    def _parts(self, facts: Facts) -> Iterator[_Part]:
        outputs = set(self._outputs)
        for name, values in facts.sets.items():
            universe = facts.universe(name)
            if values == universe:
                continue
            place = (2 if name in outputs else 0, self._order[name])
            if isinstance(values, NumberSet):
                assert isinstance(universe, NumberSet)
                text = " and ".join(numbers_text(name, values, universe))
                yield _Part(text, values.condition(name), place, 1)
            elif isinstance(values, ValueChoices):
                assert isinstance(universe, ValueChoices)
                text = choices_text(name, values.values, universe.values)
                yield _Part(text, values.condition(name), place, 1)
        for name, equation in facts.equations.items():
            yield _Part(to_text(equation), equation, (2, self._order[name]), 0)
        for kept in facts.others:
            speaks_of_outputs = bool(free_names(kept) & outputs)
            is_hole = (isinstance(kept, Comparison) and kept.operators == ("!=",)) or isinstance(kept, Unary)
            place = (3 if speaks_of_outputs else 1, 0)
            yield _Part(_bracketed(kept), kept, place, 3 if is_hole else 2)

    def _needed(self, parts: list[_Part]) -> list[_Part]:
        """Without the parts that follow from the others."""
        if all(part.doubt < 2 for part in parts) and not any(part.doubt == 0 for part in parts):
            return parts  # sets for different variables never follow from each other
        for part in sorted(parts, key=lambda part: -part.doubt):
            if not part.doubt:
                break
            rest = [other for other in parts if other is not part]
            self._asking.move(tuple(other.condition for other in rest))
            if isinstance(self._asking.check(Unary("not", part.condition)), Unsat):
                parts = rest
        return parts


def _bracketed(condition: Expression) -> str:
    text = to_text(condition)
    loose = not isinstance(condition, Comparison) and (" or " in text or " -> " in text or text.startswith("if "))
    return f"({text})" if loose and not isinstance(condition, Unary) else text
