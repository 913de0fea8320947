"""Livelocks: runs that never end without further input, in cycles of transitions without trigger or of internal steps.

Proven free of livelocks: no path of some length through the cycles can be taken from any values, or measures taken from
the guards decrease from step to step. Proven livelock: values that a turn of the cycle restores, or a condition that
every turn preserves; whether a run gets there is then a goal like others. All other cases are reported as unknown.
Values outside their ranges are a separate finding: here a run ends where a variable leaves its range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fullproof.artefacts.finding import Severity
from fullproof.check.remarks import values_text
from fullproof.check.running.outcomes import Outcomes
from fullproof.check.running.paths import Path, Spontaneous, cyclic
from fullproof.check.running.program import Definition, Goal, shown_names, with_names
from fullproof.check.running.rank_functions import terminates
from fullproof.check.running.verdicts import Suspicion
from fullproof.check.solving.questions import Questions
from fullproof.core.deadline import Deadline
from fullproof.language.formulas import compared, conjunction, in_bounds, negation
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression, Name
from fullproof.language.types import Value, Variable
from fullproof.smt.answers import Sat, Unsat

TURN = 4
"""Cycles of at most this many transitions are examined for values that repeat for ever."""

STEPS = 2 * TURN
CYCLES = 20
QUESTIONS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The terms for such a cycle in one kind of model."""

    rule: str
    noun: str
    endless: str
    certain: Severity


class Restless(Protocol):
    """A model with spontaneous transitions."""

    @property
    def attributes(self) -> Sequence[Variable]:
        """All variables that have a value."""

    @property
    def by_name(self) -> Mapping[str, Variable]:
        """The same by name."""

    @property
    def current(self) -> Mapping[str, str]:
        """The name of each variable before the first step."""

    @property
    def constants(self) -> Mapping[str, Value]:
        """The named constants."""

    @property
    def wording(self) -> Wording:
        """The terms that findings use."""

    def spontaneous(self) -> Sequence[Spontaneous]:
        """The spontaneous transitions."""

    def defined(
        self, transition: Spontaneous, names: Mapping[str, str], tag: str
    ) -> tuple[tuple[Definition, ...], dict[str, str]]:
        """What a transition assigns."""

    def running(self, transition: Spontaneous) -> Goal:
        """The goal of taking a transition."""


class Livelocks:
    """The cycles of a model; ``free`` where it is proven that every run ends, whatever the values."""

    def __init__(self, system: Restless, deadline: Deadline) -> None:
        self._system = system
        self.free = True
        self.suspicions: list[Suspicion] = []
        self.turning: list[tuple[Spontaneous, Goal]] = []
        edges = cyclic(system.spontaneous(), lambda t: (t.source, t.target))
        if not edges:
            return
        self._questions = Questions(self._scope(edges), deadline)
        self._left = QUESTIONS
        if self._dies_out(edges) or terminates([self._step(t) for t in edges], self._questions):
            return
        self.free = False
        self.turning = [(t, system.running(t)) for t in edges]
        self.suspicions = [s for cycle in self._cycles(edges) for s in self._endless(cycle)]

    @property
    def goals(self) -> list[Goal]:
        """The goals that a run would have to meet: enter a cycle that is known to be endless, or take a transition at
        all.
        """
        return [*(suspicion.goal for suspicion in self.suspicions), *(goal for _, goal in self.turning)]

    def undecided(self, found: Outcomes) -> list[str]:
        """The states of cycles that runs may enter and that no other finding covers."""
        if any(found.of(suspicion.goal) is not False for suspicion in self.suspicions):
            return []
        possible = [t for t, goal in self.turning if found.of(goal) is not False]
        return list(dict.fromkeys(t.source for t in cyclic(possible, lambda t: (t.source, t.target))))

    def _scope(self, edges: Sequence[Spontaneous]) -> Scope:
        known = {variable.name: variable for variable in self._system.attributes}
        for k in range(STEPS):
            for t in edges:
                for definition in self._definitions(t, self._system.current, k)[0]:
                    known[definition.variable.name] = definition.variable
        return Scope(tuple(known.values()), self._system.constants)

    def _definitions(
        self, t: Spontaneous, names: Mapping[str, str], k: int
    ) -> tuple[tuple[Definition, ...], dict[str, str]]:
        return self._system.defined(t, names, f"{k}.")

    def _step(self, t: Spontaneous) -> Path:
        return self._longer(Path((), (), (), self._system.current), t)

    def _longer(self, path: Path, t: Spontaneous) -> Path:
        definitions, updates = self._definitions(t, path.names, len(path.transitions))
        inside = [
            bound
            for variable, name in updates.items()
            for bound in in_bounds(Name(name), self._system.by_name[variable].type)
        ]
        return Path(
            (*path.transitions, t),
            (*path.conditions, conjunction([with_names(t.guard, path.names), *inside])),
            (*path.definitions, *definitions),
            {**path.names, **updates},
        )

    def _dies_out(self, edges: Sequence[Spontaneous]) -> bool:
        """Whether all paths through the cycles end within this many steps, from all values."""
        paths = [self._step(t) for t in edges]
        for _ in range(STEPS - 1):
            paths = [path for path in paths if not self._impossible(path)]
            if not paths:
                return True
            if self._left <= 0:
                return False
            paths = [self._longer(path, t) for path in paths for t in edges if t.source == path.transitions[-1].target]
        return False

    def _impossible(self, path: Path) -> bool:
        self._left -= 1
        return self._left >= 0 and isinstance(self._questions.attempt(*path.formulas), Unsat)

    def _cycles(self, edges: Sequence[Spontaneous]) -> Iterator[Path]:
        """Short cycles from each of their states, as far as they can be taken at all."""
        count = 0
        paths = [self._step(t) for t in edges]
        for _ in range(TURN):
            feasible = [path for path in paths if isinstance(self._questions.attempt(*path.formulas), Sat)]
            for path in feasible:
                if path.transitions[0].source == path.transitions[-1].target:
                    count += 1
                    yield path
                if count >= CYCLES:
                    return
            paths = [
                self._longer(path, t)
                for path in feasible[:CYCLES]
                for t in edges
                if t.source == path.transitions[-1].target
            ]

    def _endless(self, cycle: Path) -> Iterator[Suspicion]:
        """The condition under which the cycle is taken for ever, where one is found."""
        twice = cycle
        for t in cycle.transitions:
            twice = self._longer(twice, t)
        second = twice.conditions[len(cycle.conditions) :]
        equations = [definition.equation for definition in twice.definitions]
        lost = negation(conjunction(second))
        if isinstance(self._questions.attempt(*equations, *cycle.conditions, lost), Unsat):
            yield self._suspicion(cycle, [])
            return
        restored = [compared(Name(now), "==", Name(then)) for then, now in cycle.names.items() if then != now]
        if isinstance(self._questions.attempt(*cycle.formulas, *restored), Sat):
            yield self._suspicion(cycle, restored)

    def _suspicion(self, cycle: Path, restored: Sequence[Expression]) -> Suspicion:
        wording = self._system.wording
        states = [t.source for t in cycle.transitions]
        way = " -> ".join([*states, states[0]])
        goal = Goal(
            location=states[0],
            formula=conjunction([*cycle.conditions, *restored]),
            definitions=cycle.definitions,
            about=f"{wording.noun}{'s' if len(set(states)) > 1 else ''} {', '.join(dict.fromkeys(sorted(states)))}",
            shown=shown_names(self._system.current, self._mentioned(cycle)),
        )

        def said(values: Mapping[str, Value]) -> str:
            given = f" where {values_text(values)} in {states[0]}" if values else ""
            return f"{wording.endless}{given}: {way}"

        at = cycle.transitions[0].at
        return Suspicion(goal=goal, rule=wording.rule, said=said, at=at, certain=wording.certain)

    def _mentioned(self, cycle: Path) -> list[Expression]:
        return [*cycle.conditions, *(definition.expression for definition in cycle.definitions)]
