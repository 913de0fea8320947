"""A state machine as a program, run to completion: paper 003, section 2.

Where a state is quiescent, an event arrives together with new input values and may fire a transition that it triggers
or one without trigger; then transitions without trigger follow with the same inputs as long as their guards hold. So a
transition without trigger stands for two edges, and new values of the inputs are parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from fullproof.artefacts.finding import Severity
from fullproof.check.remarks import values_text
from fullproof.check.running.livelock import Wording
from fullproof.check.running.paths import Spontaneous
from fullproof.check.running.program import (
    START,
    Definition,
    Goal,
    Program,
    ProgramEdge,
    in_order,
    renamed,
    shown_names,
    with_names,
)
from fullproof.check.running.verdicts import Suspicion, Transit, leaving_range
from fullproof.core.errors import NOWHERE
from fullproof.language.formulas import compared, conjunction, disjunction, negation
from fullproof.language.printer import to_text
from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.language.types import Value
from fullproof.model import StateMachine
from fullproof.model.statemachine import SmTransition

_NEW = "'"


class StateMachineProgram:
    """The program of a model, its transitions, and what might be wrong with them."""

    wording = Wording(rule="livelock", noun="state", endless="a run to completion never ends", certain=Severity.ERROR)

    def __init__(self, model: StateMachine) -> None:
        self.model = model
        self.attributes = (*model.inputs, *model.outputs, *model.variables)
        self.by_name = {variable.name: variable for variable in self.attributes}
        self.current = {variable.name: variable.name for variable in self.attributes}
        self.fresh = self.current | {variable.name: variable.name + _NEW for variable in model.inputs}
        self.new_inputs = tuple(renamed(variable, variable.name + _NEW) for variable in model.inputs)
        self.constants = {constant.name: constant.value for constant in model.description.constants}
        self.leaving: dict[str, list[SmTransition]] = {state: [] for state in model.states}
        for t in model.transitions:
            self.leaving[t.source].append(t)
        places = [(number, t) for here in self.leaving.values() for number, t in enumerate(here, 1)]
        self.transits = [self._transit(t, number, index) for index, (number, t) in enumerate(places)]
        take_inputs = {variable.name: variable.name + _NEW for variable in model.inputs}
        start = Goal(location=START, formula=TRUE, parameters=self.new_inputs)
        self.program = Program(
            variables=self.attributes,
            constants=self.constants,
            start=ProgramEdge(goal=start, target=model.initial, updates=take_inputs),
            edges=tuple(edge for transit in self.transits for edge in transit.edges),
        )

    def where(self, t: SmTransition, number: int) -> str:
        """``state l0, transition 1 (a [x > 0] -> l1)``"""
        guard = "" if t.guard == TRUE else f"[{to_text(t.guard)}] "
        trigger = "" if t.trigger is None else f"{t.trigger} "
        return f"state {t.source}, transition {number} ({trigger}{guard}-> {t.target})"

    def quiescent(self, state: str) -> Expression:
        """The condition that nothing happens in the state without an event or new inputs."""
        return conjunction(negation(t.guard) for t in self.leaving[state] if t.trigger is None)

    def _transit(self, t: SmTransition, number: int, index: int) -> Transit:
        where = self.where(t, number)
        ways = [self.fresh] if t.source not in self.model.choices else []
        ways += [self.current] if t.trigger is None else []
        edges = [replace(self._edge(t, where, names), transition=index) for names in ways]
        return Transit(where=where, source=t.source, guard=t.guard, edges=tuple(edges), at=t.at)

    def _edge(self, t: SmTransition, where: str, names: Mapping[str, str]) -> ProgramEdge:
        """The edge of a transition, from a quiescent state with fresh inputs or in the course of a run."""
        is_first = names is self.fresh
        guard = with_names(t.guard, names)
        definitions, updates = in_order(t.actions, self.by_name, names)
        inputs = {variable.name: variable.name + _NEW for variable in self.model.inputs} if is_first else {}
        goal = Goal(
            location=t.source,
            formula=conjunction([self.quiescent(t.source), guard]) if is_first else guard,
            parameters=self.new_inputs if is_first else (),
            definitions=definitions,
            about=where,
            shown=shown_names(names, [guard, *(definition.expression for definition in definitions)]),
        )
        return ProgramEdge(goal=goal, target=t.target, updates=inputs | updates)

    def spontaneous(self) -> list[SmTransition]:
        """The transitions without trigger."""
        return [t for t in self.model.transitions if t.trigger is None]

    def defined(
        self, transition: Spontaneous, names: Mapping[str, str], tag: str
    ) -> tuple[tuple[Definition, ...], dict[str, str]]:
        """What a transition assigns, in order."""
        assert isinstance(transition, SmTransition)
        return in_order(transition.actions, self.by_name, names, tag=tag)

    def running(self, transition: Spontaneous) -> Goal:
        """The goal to take a transition without trigger in the course of a run."""
        return Goal(location=transition.source, formula=transition.guard, about=f"state {transition.source}")

    def ranges(self) -> Iterator[Suspicion]:
        """Actions that leave the range of their variable."""
        for transit in self.transits:
            for edge in transit.edges:
                yield from leaving_range(self.by_name, edge, transit)

    def gaps(self) -> Iterator[Suspicion]:
        """Choice points none of whose guards holds."""
        for state in self.model.choices:
            guards = [t.guard for t in self.leaving[state] if t.trigger is None]
            goal = Goal(
                location=state,
                formula=conjunction(negation(guard) for guard in guards),
                about=f"choice point {state}",
                shown=shown_names(self.current, guards),
            )
            at = self.leaving[state][-1].at if self.leaving[state] else NOWHERE
            yield Suspicion(goal=goal, rule="choice-incomplete", said=_stuck, at=at, certain=Severity.ERROR)

    def choices(self) -> Iterator[Suspicion]:
        """Two transitions of a state that one event allows, with results that differ."""
        for state, here in self.leaving.items():
            for (i, first), (j, second) in combinations(enumerate(here, 1), 2):
                where = f"state {state}, transitions {i} and {j}"
                triggers = {first.trigger, second.trigger}
                if state not in self.model.choices and (len(triggers) == 1 or None in triggers):
                    yield self._choice(first, second, where, self.fresh)
                if triggers == {None}:
                    yield self._choice(first, second, where, self.current)

    def _choice(self, first: SmTransition, second: SmTransition, where: str, names: Mapping[str, str]) -> Suspicion:
        one, after_one = in_order(first.actions, self.by_name, names)
        two, after_two = in_order(second.actions, self.by_name, names, tag="2.")
        same = first.target == second.target and first.sends == second.sends
        changed = sorted({*after_one, *after_two})
        differ = disjunction(
            compared(Name(after_one.get(name, name)), "!=", Name(after_two.get(name, name))) for name in changed
        )
        guards = [with_names(t.guard, names) for t in (first, second)]
        is_first = names is self.fresh
        goal = Goal(
            location=first.source,
            formula=conjunction(
                [*guards, *([self.quiescent(first.source)] if is_first else []), *([differ] if same else [])]
            ),
            parameters=self.new_inputs if is_first else (),
            definitions=(*one, *two),
            about=where,
            shown=shown_names(names, guards),
        )
        event = next((f"event {t.trigger}" for t in (first, second) if t.trigger is not None), "a run")

        def said(values: Mapping[str, Value]) -> str:
            given = f" where {values_text(values)}" if values else ""
            if first.target != second.target:
                return f"{event}{given} may go to {first.target} as well as to {second.target}"
            return f"{event}{given} does not determine the actions on the way to {first.target}"

        return Suspicion(goal=goal, rule="nondeterministic", said=said, at=second.at, certain=Severity.WARNING)


def _stuck(values: Mapping[str, Value]) -> str:
    return f"no guard holds{f' where {values_text(values)}' if values else ''}: the run is stuck"
