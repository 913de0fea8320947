"""Which inputs a system leaves without an answer that gives some classes of answers, and no others.

Classes do not say it: ``y == x`` with ``y`` in ``0..3`` answers ``x = 2`` and not ``x = 5``, where the guard
``x >= 0`` holds for both. An input is *refused* where none of the classes that some output completes it to is given.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from fullproof.certify.answers import Open
from fullproof.certify.symbolic_classes import SymbolicClasses, Values
from fullproof.core.deadline import Deadline
from fullproof.language.formulas import disjunction, negation
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Expression, Name
from fullproof.smt import Sat, Unknown, Unsat, open_solver, pushed

_SECONDS = 10.0
"""For one question to the solver."""


@dataclass(frozen=True, slots=True)
class OfferedClasses:
    """An input, and the classes that some output completes it to."""

    inputs: Values
    letters: frozenset[int]


class RefusedInputs:
    """Asks for inputs that are refused; each question is asked once, and inputs that were found answer others."""

    def __init__(self, classes: SymbolicClasses, deadline: Deadline) -> None:
        self._classes, self._deadline = classes, deadline
        self._solver = open_solver(classes.alphabet.scope, timeout=_SECONDS)
        self.known: list[OfferedClasses] = []
        """All inputs that were found."""
        self._none: set[tuple[frozenset[int], frozenset[int]]] = set()

    def find(self, demanded: Collection[int], given: Collection[int]) -> OfferedClasses | Open | None:
        """An input that one of the classes ``demanded`` answers, and none of those ``given``; None: there is none."""
        wanted, have = frozenset(demanded), frozenset(given)
        if wanted <= have:
            return None
        for one in self.known:
            if one.letters & wanted and not one.letters & have:
                return one
        if (wanted, have) in self._none:
            return None
        if self._deadline.passed():
            return Open(f"which inputs are left without an answer was not found within {self._deadline.seconds:g} s")
        found = self._ask(wanted, have)
        if isinstance(found, OfferedClasses):
            self.known.append(found)
        elif found is None:
            self._none.add((wanted, have))
        return found

    def _ask(self, wanted: frozenset[int], have: frozenset[int]) -> OfferedClasses | Open | None:
        """A query with one alternation: some output is in a class demanded, and none is in one that is given."""
        inputs = {v.name for v in self._classes.alphabet.inputs}
        outputs = [v for v in self._classes.alphabet.scope.variables if v.name not in inputs]
        bound = [replace(v, name=f"{v.name}'") for v in outputs]
        renamed: dict[str, Expression] = {v.name: Name(b.name) for v, b in zip(outputs, bound, strict=True)}
        never = negation(substitute(disjunction(self._classes.formula(k) for k in sorted(have)), renamed))
        with pushed(self._solver):
            self._solver.add(disjunction(self._classes.formula(k) for k in sorted(wanted - have)))
            answer = self._solver.check_exists_forall((), bound, never)
        match answer:
            case Sat(model=values):
                found = {name: values[name] for name in sorted(inputs)}
                offered = self._classes.offered(found, self._solver)
                if isinstance(offered, Open):
                    return offered
                one = OfferedClasses(found, frozenset(offered))
                fits = bool(one.letters & wanted) and not one.letters & have
                return one if fits else Open("the solver contradicts itself about the answers to an input")
            case Unsat():
                return None
            case Unknown(reason=reason):
                return Open(f"the solver could not decide whether every input has an answer ({reason})")
