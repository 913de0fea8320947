"""Mutation machines: a machine in which each transition has the alternatives that are feared.

The fault domain is every deterministic complete machine that takes one alternative for each transition, perhaps with a
bound on how many differ from the model (Petrenko and Yevtushenko, "Test suite generation from a FSM with a given type
of implementation errors", 1992).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import log10, prod

from fullproof.certify.machine import FlatMachine, tabulate
from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.model.fsm import Fsm, FsmTransition
from fullproof.model.named_faults import OF_TIMERS, Alternative, FaultName, NamedFaults

Choices = Mapping[int, frozenset[int]]
"""For each possible target the outputs that may come with it."""
Cell = tuple[int, int]
Shown = Sequence[Mapping[int, int]]
"""For each input the outputs that it may have, and as which one each is seen: several may be the same there."""
Said = Sequence[Sequence[frozenset[int]]]
"""For each state and input the outputs that the model has there, as they are written."""


@dataclass(frozen=True, slots=True)
class MutationMachine:
    """``model`` has the states as they are written. Extra states follow them; their transitions are free.

    ``choices`` lists the transitions that may be wrong, each with the model's own way among its choices. An output with
    the number ``other`` is one that the model does not have. ``answers`` are the outputs that each input may have.
    Cells with the same number in ``parts`` are one transition, which is wrong where some of them are.
    """

    model: FlatMachine
    choices: Mapping[Cell, Choices]
    extra: int
    at_most: int | None
    other: int
    answers: tuple[frozenset[int], ...]
    parts: Mapping[Cell, int] = field(default_factory=dict)

    @property
    def states(self) -> int:
        """How many states a machine of the domain has, used or not."""
        return self.model.states + self.extra

    def choices_of(self, state: int, symbol: int) -> Choices:
        """What the transition may do."""
        if state >= self.model.states:
            return dict.fromkeys(range(self.states), self.answers[symbol])
        found = self.choices.get((state, symbol))
        if found is None:
            return {self.model.target[state][symbol]: frozenset({self.model.output[state][symbol]})}
        return found

    def own(self, state: int, symbol: int) -> tuple[int, int]:
        """Target and output in the model. Needs: a state of the model."""
        return self.model.target[state][symbol], self.model.output[state][symbol]

    @property
    def is_everything(self) -> bool:
        """Whether the domain has every machine with so many states over all outputs."""
        all_cells = product(range(self.model.states), range(self.model.inputs))
        every = self.states * (self.other + 1)
        return self.at_most is None and all(
            sum(map(len, self.choices_of(*cell).values())) == every for cell in all_cells
        )

    def part(self, cell: Cell) -> int | Cell:
        """The transition that a cell belongs to."""
        return self.parts.get(cell, cell)

    def holds(self, machine: FlatMachine) -> bool:
        """Whether a machine with all its states belongs to the domain."""
        wrong = set()
        for s in range(self.states):
            for i in range(self.model.inputs):
                way = machine.target[s][i], machine.output[s][i]
                if way[1] not in self.choices_of(s, i).get(way[0], ()):
                    return False
                if s < self.model.states and way != self.own(s, i):
                    wrong.add(self.part((s, i)))
        return self.at_most is None or len(wrong) <= self.at_most

    def size(self) -> float:
        """The decimal logarithm of the number of machines, extra states with all their transitions included."""
        ways_of: dict[int | Cell, list[int]] = {}
        for cell, choices in self.choices.items():
            ways_of.setdefault(self.part(cell), []).append(sum(map(len, choices.values())))
        counts = [prod(some) - 1 for some in ways_of.values()]
        free = self.extra * sum(log10(self.states * len(outputs)) for outputs in self.answers) if self.extra else 0.0
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


def mutation_machine(
    fsm: Fsm,
    faults: NamedFaults,
    *,
    extra: int,
    shown: Shown | None = None,
    said: Said | None = None,
    parts: Mapping[Cell, int] | None = None,
) -> MutationMachine:
    """The domain over a model. Needs: a complete deterministic model; names that it lacks are a UserError.

    A transition that may be wrong may also lead to an extra state. ``shown`` and ``said``: where inputs do not
    have all outputs, and several may be the same for an input; ``parts``: where several cells are one transition.
    """
    _refuse_timers(faults)
    own_states = len(fsm.states)
    fsm = with_former_states(fsm, faults)
    model = tabulate(fsm)
    names = _Names(fsm, faults)
    other = len(fsm.outputs)
    seen = [{k: k for k in range(other + 1)}] * model.inputs if shown is None else shown
    written = [[frozenset({o}) for o in row] for row in model.output]
    if said is not None:
        written[:own_states] = map(list, said)
    named = _Named(model, faults.names, seen, written, other, own_states)
    choices = {cell: named.choices(*cell) for cell in names.sites()}
    for listed in faults.alternatives:
        cell, targets, outputs = names.listed(listed, model, seen)
        own_target, own_output = model.target[cell[0]][cell[1]], model.output[cell[0]][cell[1]]
        ways = {t: set(o) for t, o in choices.get(cell, {own_target: frozenset({own_output})}).items()}
        for target in targets:
            ways.setdefault(target, set()).update(outputs)
        choices[cell] = {t: frozenset(o) for t, o in ways.items()}
    further = range(model.states, model.states + extra)
    wide = {(s, i): {**ways, **dict.fromkeys(further, ways[model.target[s][i]])} for (s, i), ways in choices.items()}
    real = {cell: ways for cell, ways in wide.items() if sum(map(len, ways.values())) > 1}
    answers = tuple(frozenset(row.values()) for row in seen)
    return MutationMachine(model, real, extra, faults.at_most, other, answers, parts or {})


def _refuse_timers(faults: NamedFaults) -> None:
    for name in faults.names:
        if name in OF_TIMERS:
            what = f"{name.value} is a fault of models with timers, and this model has none"
            raise UserError(what, at=faults.at("fault", name.value))
    for key, value in (("margin", faults.margin), ("tolerance", faults.tolerance)):
        if value is not None:
            raise UserError(f"a {key} is for models with timers, and this model has none", at=faults.at("key", key))


def with_former_states(fsm: Fsm, faults: NamedFaults) -> Fsm:
    """The machine beside the states that only an older model has, to which none of its own transitions leads.

    Needs: a complete machine; it is complete again. Former states that make no such machine are a UserError.
    """
    if not faults.former:
        return fsm
    states = dict.fromkeys(t.source for t in faults.former)
    outputs = dict.fromkeys((*fsm.outputs, *(t.output for t in faults.former)))
    rows = tuple(FsmTransition(*t) for t in faults.former)
    known, at = {*states, *fsm.states}, faults.at("state", faults.former[0].source)
    wanted = set(product(states, fsm.inputs))
    cells = [(t.source, t.input) for t in rows]
    if not states.keys().isdisjoint(fsm.states) or set(cells) != wanted or len(cells) != len(wanted):
        raise UserError("former states must not be the model's, and need one transition for each input", at=at)
    if not known.issuperset(t.target for t in rows):
        raise UserError("transitions of former states must lead to states of the model, or to former ones", at=at)
    return replace(
        fsm,
        states=(*fsm.states, *states),
        outputs=tuple(outputs),
        transitions=(*fsm.transitions, *rows),
        lines=(),
    )


class _Names:
    """The numbers of what faults name; a name that the model lacks is an error where it stands."""

    def __init__(self, fsm: Fsm, faults: NamedFaults) -> None:
        self._faults = faults
        states = (fsm.initial, *(s for s in fsm.states if s != fsm.initial))
        kinds = {"state": states, "input": fsm.inputs, "output": fsm.outputs}
        self._known = {what: {name: k for k, name in enumerate(names)} for what, names in kinds.items()}

    def sites(self) -> list[Cell]:
        """The transitions that faults by name concern."""
        faults = self._faults
        if not faults.names:
            return []
        states = [self._number("state", name) for name in faults.states] or list(self._known["state"].values())
        inputs = [self._number("input", name) for name in faults.inputs] or list(self._known["input"].values())
        found = set(product(states, inputs))
        if faults.transitions is not None:
            found &= {(self._number("state", s), self._number("input", i)) for s, i in faults.transitions}
        return sorted(found)

    def listed(self, one: Alternative, model: FlatMachine, shown: Shown) -> tuple[Cell, list[int], frozenset[int]]:
        """A transition, and the targets and outputs that it may have instead."""
        s, i = self._number("state", one.source), self._number("input", one.input)
        targets = [self._number("state", name) for name in one.targets] or [model.target[s][i]]
        outputs = [self._number("output", name) for name in one.outputs] or [model.output[s][i]]
        return (s, i), targets, frozenset(shown[i][output] for output in outputs if output in shown[i])

    def _number(self, what: str, name: str) -> int:
        known = self._known[what]
        if name not in known:
            raise UserError(
                f"the fault domain names an unknown {what} {name!r}{did_you_mean(name, known)}",
                at=self._faults.at(what, name),
            )
        return known[name]


class _Named:
    """The choices that names give to a transition."""

    def __init__(
        self, model: FlatMachine, names: tuple[FaultName, ...], shown: Shown, said: Said, other: int, states: int
    ) -> None:
        self._model, self._names, self._shown, self._said = model, set(names), shown, said
        own = enumerate(model.target[:states])
        loops = [(s, i) for s, row in own for i, target in enumerate(row) if target == s]
        self._quiet = frozenset({other}).union(*(said[s][i] for s, i in loops))

    def choices(self, s: int, i: int) -> Choices:
        own, output, shown = self._model.target[s][i], self._model.output[s][i], self._shown[i]
        anything = frozenset(shown.values()) if FaultName.OUTPUT in self._names else frozenset({output})
        found: dict[int, frozenset[int]] = {own: anything}
        if FaultName.TRANSFER in self._names:
            found = dict.fromkeys(range(self._model.states), anything)
        elif FaultName.STUCK in self._names:
            found[s] = anything
        if FaultName.MISSING in self._names:
            found[s] = found.get(s, frozenset()) | {shown[o] for o in self._quiet if o in shown}
        if FaultName.SWAPPED in self._names:
            for j in range(self._model.inputs):
                outputs = {shown[o] for o in self._said[s][j] if o in shown}
                if outputs:
                    target = self._model.target[s][j]
                    found[target] = found.get(target, frozenset()) | outputs
        return found
