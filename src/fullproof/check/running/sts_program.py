"""A symbolic transition system as a program: a switch is an edge, the parameters of its gate are chosen freely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from fullproof.artefacts.finding import Severity
from fullproof.check.remarks import values_text
from fullproof.check.running.livelock import Wording
from fullproof.check.running.paths import Spontaneous
from fullproof.check.running.program import START, Definition, Goal, Program, ProgramEdge, at_once, renamed, shown_names
from fullproof.check.running.verdicts import Suspicion, Transit, leaving_range
from fullproof.language.formulas import compared, conjunction, disjunction
from fullproof.language.printer import to_text
from fullproof.language.substitute import substitute
from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.language.types import Value
from fullproof.model import Sts
from fullproof.model.sts import TAU, Switch


class StsProgram:
    """The program of a model, its switches, and what might be wrong with them."""

    wording = Wording(
        rule="divergence",
        noun="location",
        endless="internal steps may go on for ever, so that silence is never right",
        certain=Severity.WARNING,
    )

    def __init__(self, model: Sts) -> None:
        self.model = model
        self.attributes = model.variables
        self.variables = self.by_name = {variable.name: variable for variable in model.variables}
        self.current = {variable.name: variable.name for variable in model.variables}
        self.constants = {constant.name: constant.value for constant in model.description.constants}
        self.parameters = {
            gate.name: tuple(renamed(p, f"{gate.name}.{p.name}") for p in gate.parameters) for gate in model.gates
        }
        self.labels = {gate.name: {p.name: f"{gate.name}.{p.name}" for p in gate.parameters} for gate in model.gates}
        self.known = {g.name: self.variables | {p.name: p for p in g.parameters} for g in model.gates}
        self.switches: dict[str, list[Switch]] = {location: [] for location in model.states}
        for switch in model.transitions:
            self.switches[switch.source].append(switch)
        places = [(number, switch) for here in self.switches.values() for number, switch in enumerate(here, 1)]
        self.transits = [self._transit(switch, number, index) for index, (number, switch) in enumerate(places)]
        self.internal_transits = [t for t, (_, s) in zip(self.transits, places, strict=True) if s.gate == TAU]
        start = ProgramEdge(goal=Goal(location=START, formula=TRUE), target=model.initial, updates={})
        self.program = Program(
            variables=model.variables,
            constants=self.constants,
            start=start,
            edges=tuple(edge for transit in self.transits for edge in transit.edges),
        )

    def guard(self, switch: Switch) -> Expression:
        """The guard in the names of the program."""
        return substitute(switch.guard, {old: Name(new) for old, new in self.labels[switch.gate].items()})

    def shown(self, gate: str, formulas: Sequence[Expression]) -> dict[str, str]:
        """The variables and parameters that formulas refer to."""
        return shown_names({name: name for name in self.variables} | self.labels[gate], formulas)

    def shown_variables(self, formulas: Sequence[Expression]) -> dict[str, str]:
        """The variables that formulas refer to."""
        return shown_names({name: name for name in self.variables}, formulas)

    def _transit(self, switch: Switch, number: int, index: int) -> Transit:
        definitions, updates = at_once(switch.assignments, self.known[switch.gate], self.labels[switch.gate])
        guard = self.guard(switch)
        where = f"location {switch.source}, switch {number} ({switch.gate}, {to_text(switch.guard)} -> {switch.target})"
        goal = Goal(
            location=switch.source,
            formula=guard,
            parameters=self.parameters[switch.gate],
            definitions=definitions,
            about=where,
            shown=self.shown(switch.gate, [guard, *(definition.expression for definition in definitions)]),
        )
        edge = ProgramEdge(goal=goal, target=switch.target, updates=updates, transition=index)
        return Transit(where=where, source=switch.source, guard=guard, edges=(edge,), at=switch.at)

    def spontaneous(self) -> list[Switch]:
        """The internal steps."""
        return [switch for switch in self.model.transitions if switch.gate == TAU]

    def defined(
        self, transition: Spontaneous, names: Mapping[str, str], tag: str
    ) -> tuple[tuple[Definition, ...], dict[str, str]]:
        """What an internal step assigns, all at once."""
        assert isinstance(transition, Switch)
        return at_once(transition.assignments, self.variables, names, tag=tag)

    def running(self, transition: Spontaneous) -> Goal:
        """The goal to take an internal step."""
        return Goal(location=transition.source, formula=transition.guard, about=f"location {transition.source}")

    def internal(self, location: str) -> list[Expression]:
        """The guards of the internal steps of a location."""
        return [switch.guard for switch in self.switches[location] if switch.gate == TAU]

    def ranges(self) -> Iterator[Suspicion]:
        """Assignments that leave the range of their variable."""
        for transit in self.transits:
            for edge in transit.edges:
                yield from leaving_range(self.variables, edge, transit)

    def choices(self) -> Iterator[Suspicion]:
        """Two switches of a location for one gate whose guards overlap and whose results differ."""
        for location, here in self.switches.items():
            for (i, first), (j, second) in combinations(enumerate(here, 1), 2):
                if first.gate == second.gate:
                    yield self._choice(first, second, f"location {location}, switches {i} and {j}")

    def _choice(self, first: Switch, second: Switch, where: str) -> Suspicion:
        labels = self.labels[first.gate]
        known = self.known[first.gate]
        one, after_one = at_once(first.assignments, known, labels)
        two, after_two = at_once(second.assignments, known, labels, tag="2")
        changed = sorted({*after_one, *after_two})
        differ = disjunction(
            compared(Name(after_one.get(name, name)), "!=", Name(after_two.get(name, name))) for name in changed
        )
        guards = [self.guard(first), self.guard(second)]
        goal = Goal(
            location=first.source,
            formula=conjunction([*guards, *([differ] if first.target == second.target else [])]),
            parameters=self.parameters[first.gate],
            definitions=(*one, *two),
            about=where,
            shown=self.shown(first.gate, guards),
        )

        def said(values: Mapping[str, Value]) -> str:
            given = f" with {values_text(values)}" if values else ""
            if first.target == second.target:
                return f"{first.gate}{given} does not determine the new values of the variables"
            return f"{first.gate}{given} leads to {first.target} as well as to {second.target}"

        return Suspicion(goal=goal, rule="nondeterministic", said=said, at=second.at, certain=Severity.WARNING)
