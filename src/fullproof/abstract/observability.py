"""The observability transformation of symbolic machines, which paper 000 leaves out (section 3.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from fullproof.abstract.alphabet import scope_of
from fullproof.abstract.budget import PathSolver, SolverBudget
from fullproof.abstract.sign_cases import literals, possible_signs
from fullproof.language.shallow_trees import conjunction
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.smt import Unsat

_States = frozenset[str]


def observable(model: Sfsm, *, timeout: float | None = 60.0) -> Sfsm:
    """An observable machine with the same language; the model itself where nothing has to be changed.

    States are sets of states: those in which the model may be after what was seen. Consider a set S and all transitions
    that leave its members. Two of them overlap if some input and output fit both; groups are what overlaps directly or
    through others. A group whose transitions share their target stays as it is. Any other is split: by the signs of
    its guards, and under each of those by the signs of the output expressions of the guards that hold. Each part in
    which guard and output expression of some transition hold becomes one transition, whose guard and output expression
    say just these signs, to the set of the targets of all transitions that hold there.

    *Observable.* An input and an output fit transitions of one group at most, since those of different groups do not
    overlap; within a group that is split they have one vector of signs; within one that is not, all lead to one target.

    *Same language.* Say that S admits a step to T if the step fits some transition that leaves a member of S, and T is
    the set of the targets of all that it fits. By the above, exactly these are the steps of the new machine: the signs
    of a step are those of the part that admits it. By induction over traces, the new machine admits a trace and is in T
    afterwards iff T is not empty and holds exactly the states in which the model may be. So both have the same traces.
    States that cannot be reached are left out.

    Where the solver cannot decide whether two transitions overlap they are treated as overlapping, and a part that it
    cannot prove empty is kept: neither changes the argument.
    """
    construction = _Construction(model, SolverBudget(timeout))
    return construction.machine()


class _Construction:
    def __init__(self, model: Sfsm, budget: SolverBudget) -> None:
        self._model = model
        self._budget = budget
        self._scope = scope_of(model)
        self._asking = PathSolver(self._scope, budget)
        self._overlaps: dict[tuple[int, int], bool] = {}
        self._leaving: dict[str, list[int]] = {state: [] for state in model.states}
        for k, t in enumerate(model.transitions):
            self._leaving[t.source].append(k)

    def machine(self) -> Sfsm:
        start = frozenset({self._model.initial})
        names = {start: self._model.initial}
        taken = set(self._model.states)
        transitions: list[SfsmTransition] = []
        queue = [start]
        for states in queue:
            for t, targets in self._steps(states):
                if targets not in names:
                    names[targets] = _name(targets, self._model.states, taken)
                    queue.append(targets)
                transitions.append(replace(t, source=names[states], target=names[targets]))
        if set(names.values()) == set(self._model.states) and set(transitions) == set(self._model.transitions):
            return self._model
        return replace(self._model, states=tuple(names.values()), transitions=tuple(transitions))

    def _steps(self, states: _States) -> Iterator[tuple[SfsmTransition, _States]]:
        for group in self._groups([k for state in self._model.states if state in states for k in self._leaving[state]]):
            members = [self._model.transitions[k] for k in group]
            if len({t.target for t in members}) == 1:
                yield from ((t, frozenset({t.target})) for t in members)
            else:
                yield from self._parts(members)

    def _groups(self, numbers: Sequence[int]) -> list[list[int]]:
        """The transitions in groups that do not overlap each other."""
        groups: list[list[int]] = []
        for k in numbers:
            touched = [group for group in groups if any(self._overlap(k, other) for other in group)]
            groups = [group for group in groups if group not in touched]
            groups.append(sorted([k, *(other for group in touched for other in group)]))
        return sorted(groups)

    def _overlap(self, one: int, other: int) -> bool:
        pair = (min(one, other), max(one, other))
        if pair not in self._overlaps:
            first, second = (self._model.transitions[k] for k in pair)
            answer = self._asking.check(first.guard, first.output, second.guard, second.output)
            self._overlaps[pair] = not isinstance(answer, Unsat)
        return self._overlaps[pair]

    def _parts(self, members: Sequence[SfsmTransition]) -> Iterator[tuple[SfsmTransition, _States]]:
        guards = _distinct(t.guard for t in members)
        for inputs in possible_signs(guards, self._scope, self._budget):
            holding = {guard for guard, sign in zip(guards, inputs, strict=True) if sign}
            enabled = [t for t in members if t.guard in holding]
            outputs = _distinct(t.output for t in enabled)
            here = tuple(literals(guards, inputs))
            if not outputs:
                continue
            for shown in possible_signs(outputs, self._scope, self._budget, where=here):
                seen = {output for output, sign in zip(outputs, shown, strict=True) if sign}
                fitting = [t for t in enabled if t.output in seen]
                if not fitting:
                    continue
                yield (
                    replace(
                        fitting[0],
                        guard=conjunction(here),
                        output=conjunction(literals(outputs, shown)),
                        requirements=tuple(dict.fromkeys(name for t in fitting for name in t.requirements)),
                    ),
                    frozenset(t.target for t in fitting),
                )


def _distinct(expressions: Iterable[Expression]) -> list[Expression]:
    return list(dict.fromkeys(expressions))


def _name(states: _States, order: Sequence[str], taken: set[str]) -> str:
    """``{s0, s1}``, with as many primes as it takes to be new; a single state keeps its name."""
    if len(states) == 1:
        return next(iter(states))
    name = f"{{{', '.join(state for state in order if state in states)}}}"
    while name in taken:
        name += "'"
    taken.add(name)
    return name
