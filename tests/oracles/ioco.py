"""ioco between transition systems over small types, event by event with all values, straight from the definition.

Both systems are followed as sets of states, closed under internal steps; an input that the implementation does not
specify leaves it where it is, as soon as no internal step is enabled any more.
"""

from collections.abc import Iterator

from tests.oracles.symbolic import valuations

from fullproof.language.compile import compile_expression
from fullproof.language.scope import Scope
from fullproof.language.types import Value
from fullproof.language.values import in_range
from fullproof.model import Sts
from fullproof.model.sts import TAU

State = tuple[str, tuple[Value, ...]]
Label = tuple[str, tuple[Value, ...]]
DELTA: Label = ("", ())
TAU_LABEL: Label = (TAU, ())
MANY = 100
"""More states by internal steps are a system that is not compared."""


class LeftRange(Exception):
    """A variable has left its range, or internal steps go on with ever more values: nothing can be compared."""


class Concrete:
    """A system with values for everything."""

    def __init__(self, model: Sts) -> None:
        self.model = model
        constants = {c.name: c.value for c in model.description.constants}
        self.gates = {gate.name: gate for gate in model.gates}
        scopes = {g.name: Scope((*model.variables, *g.parameters), constants) for g in self.gates.values()}
        self.switches = [
            (
                t,
                compile_expression(t.guard, scopes[t.gate]),
                {a.variable: compile_expression(a.expression, scopes[t.gate]) for a in t.assignments},
            )
            for t in model.transitions
        ]
        self.start: State = (model.initial, tuple(v.initial for v in model.variables))
        self._known: dict[tuple[State, Label], frozenset[State]] = {}

    def labels(self, gates) -> list[Label]:
        return [(gate.name, tuple(values.values())) for gate in gates for values in valuations(gate.parameters)]

    def after(self, state: State, label: Label) -> frozenset[State]:
        if (state, label) not in self._known:
            self._known[state, label] = frozenset(self._after(state, label))
        return self._known[state, label]

    def _after(self, state: State, label: Label) -> Iterator[State]:
        if label == DELTA:
            if self.is_quiescent(state):
                yield state
            return
        gate, given = label
        if gate not in self.gates:
            return
        parameters = self.gates[gate].parameters
        if not all(in_range(value, p.type) for value, p in zip(given, parameters, strict=True)):
            return
        names = [v.name for v in self.model.variables]
        values = dict(zip(names, state[1], strict=True)) | {
            p.name: value for p, value in zip(parameters, given, strict=True)
        }
        for switch, guard, updates in self.switches:
            if switch.source == state[0] and switch.gate == gate and guard(values):
                new = tuple(updates[n](values) if n in updates else values[n] for n in names)
                if not all(in_range(value, v.type) for value, v in zip(new, self.model.variables, strict=True)):
                    raise LeftRange
                yield switch.target, new

    def is_quiescent(self, state: State) -> bool:
        return self.is_stable(state) and not any(self.after(state, label) for label in self.labels(self.model.outputs))

    def is_stable(self, state: State) -> bool:
        return not self.after(state, TAU_LABEL)

    def closed(self, states: frozenset[State]) -> frozenset[State]:
        """The states with all that internal steps lead to."""
        found, waiting = set(states), list(states)
        while waiting:
            for state in self.after(waiting.pop(), TAU_LABEL) - found:
                found.add(state)
                waiting.append(state)
                if len(found) > MANY:
                    raise LeftRange
        return frozenset(found)

    def first(self) -> frozenset[State]:
        return self.closed(frozenset({self.start}))

    def after_all(self, states: frozenset[State], label: Label) -> frozenset[State]:
        return self.closed(frozenset().union(*(self.after(state, label) for state in states)))

    def after_ignoring(self, states: frozenset[State], label: Label) -> frozenset[State]:
        """For an input: a stable state that does not specify it stays."""
        stays = {state for state in states if self.is_stable(state) and not self.after(state, label)}
        return self.after_all(states, label) | stays


def shortest_difference(model: Sts, other: Sts, depth: int) -> tuple[int | None, bool]:
    """The length of a shortest trace whose last output is not allowed, and whether everything was explored."""
    mine, yours = Concrete(model), Concrete(other)
    inputs = mine.labels(model.inputs)
    outputs = [*yours.labels(other.outputs), DELTA]
    first = mine.first(), yours.first()
    level, seen = {first}, {first}
    for length in range(1, depth + 1):
        following = set()
        for allowed, actual in level:
            for label in outputs:
                after = yours.after_all(actual, label)
                if after and not mine.after_all(allowed, label):
                    return length, True
                following.add((mine.after_all(allowed, label), after))
            for label in inputs:
                after = mine.after_all(allowed, label)
                if after:
                    following.add((after, yours.after_ignoring(actual, label)))
        level = {pair for pair in following - seen if pair[1]}
        seen |= level
        if not level:
            return None, True
    return None, False


def shows_difference(model: Sts, other: Sts, trace: list[Label], observed: Label) -> bool:
    """Whether the implementation can do the trace and what is observed, and the model the trace only."""
    mine, yours = Concrete(model), Concrete(other)
    names = {gate.name for gate in model.inputs}
    allowed, actual = mine.first(), yours.first()
    for label in trace:
        allowed = mine.after_all(allowed, label)
        actual = (yours.after_ignoring if label[0] in names else yours.after_all)(actual, label)
    return bool(allowed) and bool(yours.after_all(actual, observed)) and not mine.after_all(allowed, observed)
