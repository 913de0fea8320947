"""Pairs of events: the first is chosen so that the second can satisfy a letter that no known place admits."""

from __future__ import annotations

from fractions import Fraction

from fullproof.analysis.symbolic_runs import SymbolicRuns
from fullproof.artefacts.partition import StateClass
from fullproof.generate.statemachine.letters import TriggerLetter
from fullproof.generate.statemachine.places import MachinePlace, Places
from fullproof.language.formulas import compared, has_values
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import Expression, Name
from fullproof.language.types import RealType, Variable
from fullproof.model.inputs import SignalEvent
from fullproof.smt import Answer, Sat, Unknown, open_solver, pushed

_NEXT = "@next"
GUESSES = tuple(
    Fraction(n, d) for n, d in ((0, 1), (1, 1), (-1, 1), (2, 1), (-2, 1), (3, 1), (-3, 1), (-1, 10), (5, 1))
)
"""Values of a real input to try where the solver finds no rational solution by itself."""


class Bridges:
    """Solves for the inputs of two consecutive events, the first of which takes a given run."""

    def __init__(self, places: Places) -> None:
        self._places = places
        model = places.model
        self._later = {v.name: Name(v.name + _NEXT) for v in model.inputs}
        later = tuple(Variable(name=v.name + _NEXT, type=v.type) for v in model.inputs)
        variables = (*model.inputs, *model.outputs, *model.variables, *later)
        scope = Scope(variables, {c.name: c.value for c in model.description.constants})
        self._solver = open_solver(scope, timeout=0.5)
        self._runs = SymbolicRuns(model)

    def first_event(
        self,
        place: MachinePlace,
        signal: str | None,
        transitions: tuple[int, ...],
        target: StateClass,
        letter: TriggerLetter,
    ) -> SignalEvent | None:
        """An event that takes this run into the target class, where the letter can be satisfied afterwards."""
        only, run = self._runs.condition(place.state, signal, transitions)
        arriving = [substitute(one, run.replaced) for one in target.literals]
        after: dict[str, Expression] = {name: run.replaced[name] for name in self._places.memory_names}
        then = [substitute(one, {**after, **self._later}) for one in letter.conditions]
        with pushed(self._solver) as solver:
            solver.add(has_values(zip(self._places.memory_names, place.memory, strict=True)), only, *arriving, *then)
            answer = self._rational()
        if not isinstance(answer, Sat):
            return None
        return SignalEvent(signal, tuple((v.name, answer.model[v.name]) for v in self._places.model.inputs))

    def event_into(
        self, place: MachinePlace, signal: str | None, transitions: tuple[int, ...], goal: Expression
    ) -> SignalEvent | None:
        """An event that takes this run, after which a condition holds that is about no input."""
        only, run = self._runs.condition(place.state, signal, transitions)
        with pushed(self._solver) as solver:
            memory = has_values(zip(self._places.memory_names, place.memory, strict=True))
            solver.add(memory, only, substitute(goal, run.replaced))
            answer = self._rational()
        if not isinstance(answer, Sat):
            return None
        return SignalEvent(signal, tuple((v.name, answer.model[v.name]) for v in self._places.model.inputs))

    def _rational(self) -> Answer:
        self._places.calls += 1
        answer = self._solver.check()
        if not isinstance(answer, Unknown):
            return answer
        for variable in self._places.model.inputs:
            if isinstance(variable.type, RealType):
                for guess in GUESSES:
                    self._places.calls += 1
                    term = compared(self._later[variable.name], "==", literal(guess))
                    found = self._solver.check_assuming(term)
                    if isinstance(found, Sat):
                        return found
        self._places.open += 1
        return answer
