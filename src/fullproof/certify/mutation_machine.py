"""Mutation machines: a machine in which each transition has the alternatives that are feared.

The fault domain is every deterministic complete machine that takes one alternative for each transition, perhaps with a
bound on how many differ from the model (Petrenko and Yevtushenko, "Test suite generation from a FSM with a given type
of implementation errors", 1992).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import log10

from fullproof.certify.machine import FlatMachine, tabulate
from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.model.fsm import Fsm
from fullproof.model.named_faults import OF_TIMERS, FaultName, NamedFaults

Choices = Mapping[int, frozenset[int]]
"""For each possible target the outputs that may come with it."""
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MutationMachine:
    """``model`` has the states as they are written. Extra states follow them; their transitions are free.

    ``choices`` lists the transitions that may be wrong, each with the model's own way among its choices. An output with
    the number ``other`` is one that the model does not have.
    """

    model: FlatMachine
    choices: Mapping[Cell, Choices]
    extra: int
    at_most: int | None
    other: int

    @property
    def states(self) -> int:
        """How many states a machine of the domain has, used or not."""
        return self.model.states + self.extra

    def choices_of(self, state: int, symbol: int) -> Choices:
        """What the transition may do."""
        if state >= self.model.states:
            return dict.fromkeys(range(self.states), frozenset(range(self.other + 1)))
        found = self.choices.get((state, symbol))
        if found is None:
            return {self.model.target[state][symbol]: frozenset({self.model.output[state][symbol]})}
        return found

    def own(self, state: int, symbol: int) -> tuple[int, int]:
        """Target and output in the model. Needs: a state of the model."""
        return self.model.target[state][symbol], self.model.output[state][symbol]

    def holds(self, machine: FlatMachine) -> bool:
        """Whether a machine with all its states belongs to the domain."""
        wrong = 0
        for s in range(self.states):
            for i in range(self.model.inputs):
                way = machine.target[s][i], machine.output[s][i]
                if way[1] not in self.choices_of(s, i).get(way[0], ()):
                    return False
                wrong += s < self.model.states and way != self.own(s, i)
        return self.at_most is None or wrong <= self.at_most

    def size(self) -> float:
        """The decimal logarithm of the number of machines, extra states with all their transitions included."""
        counts = [sum(map(len, choices.values())) - 1 for choices in self.choices.values()]
        free = self.extra * self.model.inputs * log10(self.states * (self.other + 1)) if self.extra else 0.0
        if self.at_most is None or self.at_most >= len(counts):
            return sum(log10(count + 1) for count in counts) + free
        # The elementary symmetric polynomials of the counts: ways to choose k transitions and a fault of each.
        ways = [1] + [0] * self.at_most
        for count in counts:
            for k in range(self.at_most, 0, -1):
                ways[k] += ways[k - 1] * count
        return log10(sum(ways)) + free

    def single_faults(self) -> Iterator[tuple[Cell, int, int]]:
        """A transition with a wrong target or output, each once; without those that need an extra state."""
        for cell, choices in self.choices.items():
            for target, outputs in choices.items():
                for output in sorted(outputs):
                    if target < self.model.states and (target, output) != self.own(*cell):
                        yield cell, target, output

    def with_fault(self, cell: Cell, target: int, output: int) -> FlatMachine:
        """The model with one transition changed."""
        s, i = cell
        targets, outputs = list(self.model.target), list(self.model.output)
        targets[s] = (*targets[s][:i], target, *targets[s][i + 1 :])
        outputs[s] = (*outputs[s][:i], output, *outputs[s][i + 1 :])
        return FlatMachine(tuple(targets), tuple(outputs))


def size_text(logarithm: float) -> str:
    """The size of a domain: a number, or a power of ten."""
    if logarithm >= 6:
        return f"about 10^{logarithm:.0f} machines"
    number = round(10**logarithm)
    return f"{number:,} machine{'' if number == 1 else 's'}"


def mutation_machine(fsm: Fsm, faults: NamedFaults, *, extra: int) -> MutationMachine:
    """The domain over a model. Needs: a complete deterministic model; names that it lacks are a UserError."""
    timed = [name.value for name in faults.names if name in OF_TIMERS]
    if timed or faults.margin is not None or faults.tolerance is not None:
        what = timed[0] if timed else "a margin or tolerance"
        raise UserError(f"{what} is for models with timers, and a finite machine has none")
    model = tabulate(fsm)
    names = (fsm.initial, *(s for s in fsm.states if s != fsm.initial))
    state = {name: k for k, name in enumerate(names)}
    symbol = {name: k for k, name in enumerate(fsm.inputs)}
    output = {name: k for k, name in enumerate(fsm.outputs)}
    other = len(fsm.outputs)
    sites = _sites(faults, state, symbol)
    domain = _Named(model, faults.names, model.states + extra, other)
    choices = {
        cell: domain.choices(*cell) for cell in product(range(model.states), range(model.inputs)) if cell in sites
    }
    for listed in faults.alternatives:
        s, i = _number(state, listed.source, "state"), _number(symbol, listed.input, "input")
        own_target, own_output = model.target[s][i], model.output[s][i]
        targets = [_number(state, name, "state") for name in listed.targets] or [own_target]
        outputs = frozenset(_number(output, name, "output") for name in listed.outputs) or frozenset({own_output})
        found = {t: set(o) for t, o in choices.get((s, i), {own_target: frozenset({own_output})}).items()}
        for target in targets:
            found.setdefault(target, set()).update(outputs)
        choices[s, i] = {t: frozenset(o) for t, o in found.items()}
    real = {cell: ways for cell, ways in choices.items() if sum(map(len, ways.values())) > 1}
    return MutationMachine(model, real, extra, faults.at_most, other)


def _sites(faults: NamedFaults, state: Mapping[str, int], symbol: Mapping[str, int]) -> set[Cell]:
    """The transitions that faults by name concern."""
    states = [_number(state, name, "state") for name in faults.states] or list(state.values())
    inputs = [_number(symbol, name, "input") for name in faults.inputs] or list(symbol.values())
    sites = set(product(states, inputs))
    if faults.transitions is not None:
        sites &= {(state[s], symbol[i]) for s, i in faults.transitions if s in state and i in symbol}
    return sites if faults.names else set()


def _number(known: Mapping[str, int], name: str, what: str) -> int:
    if name not in known:
        raise UserError(f"the fault domain names an unknown {what} {name!r}{did_you_mean(name, known)}")
    return known[name]


class _Named:
    """The choices that names give to a transition."""

    def __init__(self, model: FlatMachine, names: tuple[FaultName, ...], states: int, other: int) -> None:
        self._model, self._names = model, set(names)
        self._targets = range(states)
        self._outputs = frozenset(range(other + 1))
        rows = enumerate(zip(model.target, model.output, strict=True))
        quiet = {o for s, (to, out) in rows for t, o in zip(to, out, strict=True) if t == s}
        self._quiet = frozenset({*quiet, other})

    def choices(self, s: int, i: int) -> Choices:
        own, output = self._model.target[s][i], self._model.output[s][i]
        anything = self._outputs if FaultName.OUTPUT in self._names else frozenset({output})
        found: dict[int, frozenset[int]] = {own: anything}
        if FaultName.TRANSFER in self._names:
            found = dict.fromkeys(self._targets, anything)
        elif FaultName.STUCK in self._names:
            found[s] = anything
        if FaultName.MISSING in self._names:
            found[s] = found.get(s, frozenset()) | self._quiet
        if FaultName.SWAPPED in self._names:
            for j in range(self._model.inputs):
                target = self._model.target[s][j]
                found[target] = found.get(target, frozenset()) | {self._model.output[s][j]}
        return found
