"""All runs of transition systems and state machines over small types, step by step as the papers define them.

A value outside its range ends a run: what would follow has no meaning.
"""

from collections.abc import Hashable, Iterator
from functools import cache

from tests.oracles.symbolic import valuations

from fullproof.language.compile import compile_expression
from fullproof.language.scope import Scope
from fullproof.language.types import Value
from fullproof.language.values import in_range
from fullproof.model import StateMachine, Sts
from fullproof.model.sts import TAU, Assignment

Items = tuple[tuple[str, Value], ...]


class _Evaluated:
    """Exact evaluation with a cache of closures."""

    def __init__(self, scope: Scope) -> None:
        self.value = cache(lambda expression: compile_expression(expression, scope))

    def holds(self, expression, values) -> bool:
        return bool(self.value(expression)(values))


class StsRuns:
    """Everything that happens in runs: states (location, values), switches, choices, gaps, values out of range."""

    def __init__(self, model: Sts) -> None:
        self.model = model
        self.gates = {gate.name: gate for gate in model.gates}
        self.types = {variable.name: variable.type for variable in model.variables}
        self.scopes = {
            name: _Evaluated(Scope((*model.variables, *gate.parameters))) for name, gate in self.gates.items()
        }
        self.states: set[tuple[str, Items]] = set()
        self.taken: set[int] = set()
        self.leaving: set[tuple[int, str]] = set()
        self.nondeterministic = False
        self.refused: set[tuple[str, str]] = set()
        self.silent: set[str] = set()
        self.edges: dict[Hashable, set] = {}
        """The internal steps from each state."""
        self._follow((model.initial, tuple((v.name, v.initial) for v in model.variables)))

    def _follow(self, first: tuple[str, Items]) -> None:
        waiting = [first]
        while waiting:
            state = waiting.pop()
            if state in self.states:
                continue
            self.states.add(state)
            location, items = state
            self.edges[state] = {result for result in self._results(location, TAU, dict(items)) if self._inside(result)}
            stable = not any(True for _ in self._results(location, TAU, dict(items)))
            quiet = stable
            for name, gate in self.gates.items():
                for parameters in valuations(gate.parameters):
                    results = set(self._results(location, name, dict(items) | parameters))
                    self.nondeterministic |= len(results) > 1
                    is_output = gate in self.model.outputs
                    quiet = quiet and not (is_output and results)
                    if gate in self.model.inputs and not results and stable:
                        self.refused.add((location, name))
                    waiting += [result for result in results if self._inside(result)]
            if quiet:
                self.silent.add(location)

    def _results(self, location: str, gate: str, values: dict) -> Iterator[tuple[str, Items]]:
        for k, switch in enumerate(self.model.transitions):
            if switch.source == location and switch.gate == gate and self.scopes[gate].holds(switch.guard, values):
                self.taken.add(k)
                new = {a.variable: self.scopes[gate].value(a.expression)(values) for a in switch.assignments}
                self.leaving |= {(k, name) for name, value in new.items() if not in_range(value, self.types[name])}
                yield switch.target, tuple((name, new.get(name, values[name])) for name in self.types)

    def _inside(self, state: tuple[str, Items]) -> bool:
        return all(in_range(value, self.types[name]) for name, value in state[1])

    @property
    def internal(self) -> bool:
        """Whether a run takes an internal step."""
        return any(self.model.transitions[k].gate == TAU for k in self.taken)

    def diverges(self) -> bool:
        """Whether a run may take internal steps for ever."""
        return has_cycle(self.edges)


def has_cycle(edges: dict[Hashable, set]) -> bool:
    """Whether nodes form a cycle: leave out those without successors until nothing changes."""
    left = {node: set(targets) for node, targets in edges.items()}
    while True:
        kept = {node: {t for t in targets if left.get(t)} for node, targets in left.items() if targets}
        if kept == left:
            return bool(left)
        left = kept


class StateMachineRuns:
    """Everything that happens in runs to completion; a node is (resting, state, values)."""

    def __init__(self, model: StateMachine) -> None:
        self.model = model
        attributes = (*model.inputs, *model.outputs, *model.variables)
        self.types = {variable.name: variable.type for variable in attributes}
        self.evaluated = _Evaluated(Scope(attributes))
        self.edges: dict[Hashable, set] = {}
        self.visited: set[str] = set()
        self.taken: set[int] = set()
        self.leaving: set[tuple[int, str]] = set()
        self.stuck: set[str] = set()
        self.nondeterministic = False
        waiting = []
        for inputs in valuations(model.inputs):
            known = {v.name: v.initial for v in (*model.outputs, *model.variables)}
            waiting.append((model.initial, tuple((inputs | known).items())))
        while waiting:
            node = waiting.pop()
            if node not in self.edges:
                self.edges[node] = set()
                self.visited.add(node[0])
                waiting += self._next(node)

    def _next(self, node) -> list:
        """What follows: the run goes on where it can; else the machine rests, and an event comes with new inputs."""
        state, items = node
        running = self._fired(state, dict(items), {None})
        if running:
            self.edges[node] = {result for result in running if self._inside(result)}
            return list(self.edges[node])
        if state in self.model.choices:
            self.stuck.add(state)
            return []
        found = []
        for inputs in valuations(self.model.inputs):
            for event in (None, *self.model.signals_in):
                results = self._fired(state, dict(items) | inputs, {event, None})
                found += [result for result in results if self._inside(result)]
        return found

    def _fired(self, state: str, values: dict, triggers: set) -> set:
        results = set()
        for k, t in enumerate(self.model.transitions):
            if t.source == state and t.trigger in triggers and self.evaluated.holds(t.guard, values):
                self.taken.add(k)
                after = self._done(k, t.actions, dict(values))
                results.add((t.target, tuple(after.items()), t.sends))
        self.nondeterministic |= len(results) > 1
        return {(target, after) for target, after, _ in results}

    def _done(self, k: int, actions: tuple[Assignment, ...], values: dict) -> dict:
        for action in actions:
            values[action.variable] = self.evaluated.value(action.expression)(values)
            if not in_range(values[action.variable], self.types[action.variable]):
                self.leaving.add((k, action.variable))
        return values

    def _inside(self, node) -> bool:
        return all(in_range(value, self.types[name]) for name, value in node[1])

    def has_livelock(self) -> bool:
        """Whether nodes without rest form a cycle."""
        return has_cycle(self.edges)
