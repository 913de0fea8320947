"""A shortest difference between two state machines: breadth first over pairs of control states with symbolic values.

A node holds what both machines may remember after a path, as expressions over inputs given on the way, and what is
known of those. Nodes are kept in a normal form, so that many paths are one node and the search may come to an end:
conditions on inputs that nothing remembers are dropped, and so are variables that neither machine will read again.
Each of these steps preserves exactly the differences that can follow. Outputs that both machines show and neither reads
are forgotten as well, which may report spurious differences; then the search starts again and keeps these outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.analysis.machine_pairs.concrete_play import Playing, ShownDifference, Word
from fullproof.analysis.machine_pairs.literals import parts_of
from fullproof.analysis.machine_pairs.pair_formulas import MachinePairing, PairedRun, RunsTooLong
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.language.elimination import eliminated
from fullproof.language.formulas import compared, conjunction, disjunction, negation
from fullproof.language.printer import to_text
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.substitute import substitute
from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import Variable
from fullproof.model.inputs import SignalEvent
from fullproof.smt import Answer, Sat, Solver, Unknown, Unsat, open_solver, pushed

_EACH = 5.0
_NODES = 20_000
_POOL = 8


@dataclass(frozen=True, slots=True)
class Exhausted:
    """All reachable pairs were examined: there is no difference."""

    nodes: int


@dataclass(frozen=True, slots=True)
class Nondeterministic:
    """The model has several runs for the last event of a word."""

    word: Word


@dataclass(frozen=True, slots=True)
class Searched:
    """No difference within this many events; why it ended there, and what stayed open on the way."""

    depth: int
    reason: str


Found: TypeAlias = ShownDifference | Exhausted | Nondeterministic | Searched


@dataclass(frozen=True, slots=True)
class _Step:
    """One event of a path: which signal, and the runs of both machines."""

    signal: str | None
    runs: tuple[PairedRun, PairedRun | None]


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    states: tuple[str, str]
    values: Mapping[str, Expression]
    known: tuple[Expression, ...]
    path: tuple[_Step, ...]

    def key(self) -> object:
        return self.states, tuple(sorted(self.values.items())), frozenset(self.known)


class _Forgot(Exception):
    """A forgotten output would have decided whether there is a difference."""


class _Over(Exception):
    """A difference was found, or there is no more time."""

    def __init__(self, found: Found) -> None:
        self.found = found


def search(pairing: MachinePairing, playing: Playing, *, depth: int, seconds: float | None) -> Found:
    """Look for a shortest difference of at most ``depth`` events. A difference has been played on both machines."""
    deadline = Deadline(seconds)
    try:
        try:
            return _Search(pairing, playing, deadline, forget=True).run(depth)
        except _Forgot:
            return _Search(pairing, playing, deadline, forget=False).run(depth)
    except UserError as error:  # an order between values of several enum types whose variables were eliminated
        return Searched(0, f"a condition has lost its meaning: {error.message}")


class _Search:
    def __init__(self, pairing: MachinePairing, playing: Playing, deadline: Deadline, *, forget: bool) -> None:
        """With ``forget`` outputs that neither machine reads have any value, the same in both.

        That is an over-approximation: a difference that is found must be confirmed; if none is found, there is none.
        """
        self._pairing = pairing
        self._playing = playing
        self._deadline = deadline
        self._forget = forget
        self._symbols = (*pairing.inputs, *pairing.model.model.outputs)
        self._types = {v.name: v for v in self._symbols}
        self._own = (*pairing.model.variables, *pairing.other.variables)
        self._doubts: dict[str, None] = {}
        self._pool = _POOL
        self._solver = self._open()
        self._clean = self._open()
        self._depth = 0

    def run(self, depth: int) -> Found:
        start = _Node(
            (self._pairing.model.model.initial, self._pairing.other.model.initial),
            {**self._pairing.model.start, **self._pairing.other.start},
            (),
            (),
        )
        layer, seen = [start], {start.key()}
        try:
            for self._depth in range(depth):
                following: list[_Node] = []
                for node in layer:
                    for child in self._expanded(node):
                        if (key := child.key()) not in seen:
                            seen.add(key)
                            following.append(child)
                    if len(seen) > _NODES:
                        return self._searched(f"there are more than {_NODES:,} pairs to look at")
                layer = following
                if not layer:
                    return Exhausted(len(seen)) if not self._doubts else self._searched(next(iter(self._doubts)))
        except _Over as over:
            return over.found
        self._depth = depth
        return self._searched(f"there may be differences after more than {depth} events")

    def _searched(self, reason: str) -> Searched:
        return Searched(self._depth, reason)

    def _open(self) -> Solver:
        pool = [Variable(name=f"{v.name}#{k}", type=v.type) for v in self._symbols for k in range(self._pool)]
        return open_solver(Scope((*self._pairing.inputs, *self._own, *pool)), timeout=_EACH)

    def _expanded(self, node: _Node) -> Iterator[_Node]:
        first = not node.path
        with pushed(self._solver):
            self._solver.add(*node.known)
            for signal in self._pairing.signals(node.states):
                try:
                    mine = self._pairing.model.runs(node.states[0], signal, first=first)
                except RunsTooLong as wrong:
                    self._doubts[f"the model: {wrong}"] = None
                    continue
                try:
                    theirs = self._pairing.other.runs(node.states[1], signal, first=first)
                except RunsTooLong as wrong:
                    self._doubts[f"the other machine: {wrong}"] = None
                    continue
                self._require_one(node, signal, mine)
                for run in mine:
                    yield from self._children(node, signal, run, theirs)

    def _require_one(self, node: _Node, signal: str | None, runs: list[PairedRun]) -> None:
        """The model is deterministic here."""
        forks = [conjunction([run.taken, negation(run.alone)]) for run in runs if run.alone != TRUE]
        if not forks or not self._may_hold(self._at(disjunction(forks), node), about="the model has one run"):
            return
        for run in runs:
            if isinstance(self._ask(self._at(run.taken, node), negation(self._at(run.alone, node))), Sat):
                fork = conjunction([run.taken, negation(run.alone)])
                word = self._word(node.path, _Step(signal, (run, None)), fork)
                if word is not None:
                    raise _Over(Nondeterministic(word))

    def _children(self, node: _Node, signal: str | None, mine: PairedRun, theirs: list[PairedRun]) -> Iterator[_Node]:
        with pushed(self._solver):
            self._solver.add(self._at(mine.fine, node))
            if not self._may_hold(about="a run of the model"):
                return
            left: list[Expression] = []
            for run in theirs:
                fine = self._at(run.fine, node)
                left.append(negation(fine))
                if self._may_hold(fine, about="a pair of runs"):
                    self._compare(node, signal, mine, run, fine)
                    yield self._child(node, _Step(signal, (mine, run)))
            if self._may_hold(*left, about="the other machine goes wrong"):
                wrong = conjunction(negation(run.fine) for run in theirs)
                self._difference(node, _Step(signal, (mine, None)), wrong)

    def _compare(self, node: _Node, signal: str | None, mine: PairedRun, run: PairedRun, fine: Expression) -> None:
        step = _Step(signal, (mine, run))
        if mine.sends != run.sends:
            self._difference(node, step, TRUE)
            return
        unequal = [
            compared(mine.values[one], "!=", run.values[other])
            for one, other in self._pairing.outputs
            if mine.values[one] != run.values[other]
        ]
        if not unequal:
            return
        differ = disjunction(unequal)
        if self._may_hold(fine, self._at(differ, node), about="the outputs are the same"):
            self._difference(node, step, differ)

    def _difference(self, node: _Node, step: _Step, condition: Expression) -> None:
        """End the search where the values of a difference are found and both machines really differ on them."""
        fine = [run.fine for run in step.runs if run is not None]
        word = self._word(node.path, step, conjunction([*fine, condition]))
        shown = None if word is None else self._playing.difference(word)
        if shown is not None:
            raise _Over(self._playing.simplified(shown))
        if self._forget:
            raise _Forgot
        self._doubts["the solver found no values for a difference that it could not exclude"] = None

    def _at(self, expression: Expression, node: _Node) -> Expression:
        return residual(substitute(expression, node.values), self._solver.scope, {})

    def _may_hold(self, *conditions: Expression, about: str) -> bool:
        answer = self._ask(*conditions)
        if isinstance(answer, Unknown):
            self._doubts[f"the solver could not decide whether {about}: {answer.reason}"] = None
        return not isinstance(answer, Unsat)

    def _ask(self, *conditions: Expression) -> Answer:
        if self._deadline.passed():
            raise _Over(self._searched(f"the {self._deadline.seconds:.3g} s for the search are over"))
        return self._solver.check_assuming(*conditions)

    def _child(self, node: _Node, step: _Step) -> _Node:
        mine, run = step.runs
        assert run is not None
        after = {**mine.values, **run.values}
        values = self._remembered(
            (mine.target, run.target), {name: self._at(value, node) for name, value in after.items()}
        )
        runs = (part for r in (mine, run) for part in parts_of(self._at(r.fine, node)))
        values, known = self._normal(values, (*node.known, *runs))
        return _Node((mine.target, run.target), values, known, (*node.path, step))

    def _remembered(self, states: tuple[str, str], values: dict[str, Expression]) -> dict[str, Expression]:
        """Forget variables that are not read again, and the value of an output that both show by now and neither
        reads.
        """
        model, other = self._pairing.model, self._pairing.other
        read = model.read[states[0]] | other.read[states[1]]
        start = {**model.start, **other.start}
        shown = {name for pair in self._pairing.outputs for name in pair}
        kept = {name: value if name in read else start[name] for name, value in values.items() if name not in shown}
        for one, twin in self._pairing.outputs:
            known = not self._forget or one in read or twin in read
            kept[one] = values[one] if known else Name(f"{one}#0")
            kept[twin] = values[twin] if known else Name(f"{one}#0")
        return kept

    def _normal(
        self, values: Mapping[str, Expression], conditions: Iterable[Expression]
    ) -> tuple[dict[str, Expression], tuple[Expression, ...]]:
        """Inputs numbered by their first occurrence; conditions on other inputs are satisfied already and stay
        satisfied.
        """
        order = {name: None for key in sorted(values) for name in self._given(values[key])}
        kept = self._needed([c for c in dict.fromkeys(conditions) if c != TRUE], frozenset(order))
        order.update({name: None for condition in kept for name in self._given(condition)})
        counts: dict[str, int] = {}
        renamed: dict[str, Expression] = {}
        for name in order:
            base = name.partition("#")[0]
            renamed[name] = Name(f"{base}#{counts.get(base, 0)}")
            counts[base] = counts.get(base, 0) + 1
        self._make_room(max(counts.values(), default=0))
        return (
            {name: substitute(value, renamed) for name, value in values.items()},
            tuple(substitute(condition, renamed) for condition in kept),
        )

    def _needed(self, conditions: list[Expression], remembered: frozenset[str]) -> list[Expression]:
        """The conditions on stored values; other inputs are eliminated, or stay where no rule fits."""
        scope = self._solver.scope
        related = _related(conditions, remembered, self._given)
        for name in sorted({name for c in related for name in self._given(c)} - remembered):
            mine = [c for c in related if name in self._given(c)]
            rest = eliminated([scope.variable(name)], conjunction(mine), scope)
            if rest is not None:
                folded = (residual(part, scope, {}) for part in parts_of(rest))
                others = [c for c in related if c not in mine]
                related = list(dict.fromkeys([*others, *(part for part in folded if part != TRUE)]))
        # An order that does not depend on the path makes the same conditions one node.
        kept = sorted(_related(related, remembered, self._given), key=to_text)
        place = 0
        with pushed(self._clean):
            while place < len(kept):
                others = [*kept[:place], *kept[place + 1 :]]
                implied = isinstance(self._clean.check_assuming(*others, negation(kept[place])), Unsat)
                kept = others if implied else kept
                place += 0 if implied else 1
        return kept

    def _given(self, expression: Expression) -> list[str]:
        return sorted(name for name in free_names(expression) if name.partition("#")[0] in self._types)

    def _make_room(self, needed: int) -> None:
        if needed > self._pool:
            raise _Over(self._searched(f"what is remembered depends on more than {self._pool} values of one input"))

    def _word(self, path: tuple[_Step, ...], last: _Step, condition: Expression) -> Word | None:
        """Values for all events of a path with one more step, on which a condition holds."""
        steps = (*path, last)
        inputs = [Variable(name=f"{v.name}@{k}", type=v.type) for k in range(len(steps)) for v in self._pairing.inputs]
        scope = Scope((*inputs, *self._own))
        solver = open_solver(scope, timeout=_EACH)
        values: dict[str, Expression] = {**self._pairing.model.start, **self._pairing.other.start}
        for k, step in enumerate(steps):
            now = {**values, **{v.name: Name(f"{v.name}@{k}") for v in self._pairing.inputs}}
            if k == len(path):
                solver.add(substitute(condition, now))
                break
            runs = [run for run in step.runs if run is not None]
            solver.add(*(substitute(run.fine, now) for run in runs))
            after = {name: value for run in runs for name, value in run.values.items()}
            values = {name: residual(substitute(value, now), scope, {}) for name, value in after.items()}
        answer = solver.check()
        if not isinstance(answer, Sat):
            return None
        return tuple(
            SignalEvent.of(step.signal, {v.name: answer.model[f"{v.name}@{k}"] for v in self._pairing.inputs})
            for k, step in enumerate(steps)
        )


def _related(
    conditions: list[Expression], remembered: frozenset[str], given: Callable[[Expression], list[str]]
) -> list[Expression]:
    """Those that refer to what is remembered, directly or through others."""
    names, kept, grown = set(remembered), dict[Expression, None](), True
    while grown:
        grown = False
        for condition in conditions:
            its = given(condition)
            if condition not in kept and names.intersection(its):
                kept[condition] = None
                names.update(its)
                grown = True
    return list(kept)
