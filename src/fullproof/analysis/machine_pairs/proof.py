"""A proof that two state machines are equivalent: a bisimulation found by weakening candidate invariants.

For each pair of control states that the machines may be in together there is a set of facts: equalities between what
they remember, and conditions of their guards. Each set begins with all facts that hold at its first visit, and loses
those that another run does not establish, until every run from every pair keeps all facts (the Houdini scheme). The
proof is one if besides, under those facts, every event that the model answers is answered alike by the other machine.
Nothing is claimed where that fails: facts of another form might suffice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from fullproof.analysis.machine_pairs.pair_formulas import OLD, MachinePairing, PairedRun, RunsTooLong, Side
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import atoms, compared, conjunction, disjunction, has_values, negation
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import TRUE, Binary, Decimal, Expression, Integer, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import EnumType, IntType, RealType, Variable
from fullproof.language.values import coerce
from fullproof.smt import Answer, Sat, Solver, Unknown, Unsat, open_solver, pushed

_EACH = 2.0
_FACTS = 400
_ROUNDS = 2_000
_FEW = 9
_SHIFTS = 6

Facts: TypeAlias = frozenset[int]
Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Proven:
    """The machines are equivalent; how many pairs of control states and facts the bisimulation has."""

    pairs: int
    facts: int


@dataclass(frozen=True, slots=True)
class Unproven:
    """No proof of this form was found; that implies nothing about the machines."""

    reason: str


class _NoProof(Exception):
    pass


def prove(pairing: MachinePairing, *, seconds: float | None) -> Proven | Unproven:
    """Try to prove that every event that the model answers, the other machine answers alike."""
    try:
        return _Proof(pairing, seconds).proven()
    except (_NoProof, RunsTooLong, UserError) as reason:  # values of several enum types have no common order
        return Unproven(str(reason))


class _Proof:
    def __init__(self, pairing: MachinePairing, seconds: float | None) -> None:
        self._pairing = pairing
        self._deadline = Deadline(seconds)
        variables = (*pairing.model.variables, *pairing.other.variables)
        old = tuple(Variable(name=v.name + OLD, type=v.type) for v in pairing.inputs)
        self._scope = Scope((*pairing.inputs, *variables, *old))
        self._solver: Solver = open_solver(self._scope, timeout=_EACH)
        self._facts = list(dict.fromkeys(_candidates(pairing)))[:_FACTS]
        self._known: dict[Pair, Facts] = {}
        self._waiting: deque[Pair] = deque()

    def proven(self) -> Proven:
        model, other = self._pairing.model, self._pairing.other
        initial = has_values(
            (v.name, coerce(v.initial, v.type)) for v in (*model.variables, *other.variables) if v.initial is not None
        )
        self._follow((model.model.initial, other.model.initial), [initial], first=True)
        for _ in range(_ROUNDS):
            if not self._waiting:
                return Proven(len(self._known), sum(map(len, self._known.values())))
            pair = self._waiting.popleft()
            assumed = [self._facts[k] for k in sorted(self._known[pair])]
            resting = [model.quiescent(pair[0]), other.quiescent(pair[1])]
            self._follow(pair, [*assumed, *resting], first=False)
        raise _NoProof("the facts did not settle")

    def _follow(self, pair: Pair, assumed: Sequence[Expression], *, first: bool) -> None:
        with pushed(self._solver):
            self._solver.add(*assumed)
            for signal in self._pairing.signals(pair):
                mine = self._pairing.model.runs(pair[0], signal, first=first)
                theirs = self._pairing.other.runs(pair[1], signal, first=first)
                forks = [conjunction([run.taken, negation(run.alone)]) for run in mine if run.alone != TRUE]
                if forks:
                    self._exclude("the model has several runs", disjunction(forks))
                for run in mine:
                    with pushed(self._solver):
                        self._solver.add(run.fine)
                        if not isinstance(self._ask(), Unsat):
                            self._run(run, theirs)

    def _run(self, mine: PairedRun, theirs: list[PairedRun]) -> None:
        left = []
        for run in theirs:
            left.append(negation(run.fine))
            with pushed(self._solver):
                self._solver.add(run.fine)
                if not isinstance(self._ask(), Unsat):
                    self._pair_of_runs(mine, run)
        self._exclude("the other machine goes wrong", *left)

    def _pair_of_runs(self, mine: PairedRun, run: PairedRun) -> None:
        if mine.sends != run.sends:
            raise _NoProof("the signals sent may differ")
        unequal = [
            compared(mine.values[one], "!=", run.values[other])
            for one, other in self._pairing.outputs
            if mine.values[one] != run.values[other]
        ]
        if unequal:
            self._exclude("the outputs differ", disjunction(unequal))
        target = mine.target, run.target
        before = self._known.get(target)
        values = {**mine.values, **run.values}
        wanted = range(len(self._facts)) if before is None else sorted(before)
        kept = self._implied({k: substitute(self._facts[k], values) for k in wanted})
        if before is None or kept != before:
            self._known[target] = kept
            if target not in self._waiting:
                self._waiting.append(target)

    def _implied(self, facts: dict[int, Expression]) -> Facts:
        """The facts that the solver's assertions imply: each counterexample removes all facts that it violates at
        once.
        """
        left = dict(facts)
        while left:
            match self._ask(negation(conjunction(left.values()))):
                case Unsat():
                    break
                case Sat(model):
                    holds = {k: compile_expression(fact, self._scope)(model) for k, fact in left.items()}
                    left = {k: fact for k, fact in left.items() if holds[k]}
                case Unknown():
                    left = {k: fact for k, fact in left.items() if isinstance(self._ask(negation(fact)), Unsat)}
        return frozenset(left)

    def _exclude(self, what: str, *conditions: Expression) -> None:
        if not isinstance(self._ask(*conditions), Unsat):
            raise _NoProof(f"it is not excluded that {what}")

    def _ask(self, *conditions: Expression) -> Answer:
        if self._deadline.passed():
            raise _NoProof("the time for a proof is over")
        return self._solver.check_assuming(*conditions) if conditions else self._solver.check()


def _candidates(pairing: MachinePairing) -> Iterator[Expression]:
    """Equalities first: variables of the same name, then others of the same kind, then conditions on one machine.

    Numbers may also differ by a constant: by one, or by as much as what the two machines assign to them differs.
    """
    model, other = pairing.model, pairing.other
    pairs = [(u, w) for u, w in product(model.variables, other.variables) if _are_comparable(u, w)]
    pairs.sort(key=lambda pair: not _same_name(pairing, *pair))
    yield from (compared(Name(u.name), "==", Name(w.name)) for u, w in pairs)
    for u, w in pairs if len(pairs) <= _FEW else [pair for pair in pairs if _same_name(pairing, *pair)]:
        yield from _shifted(u, w, model, other)
    for side in (model, other):
        for v in side.variables:
            if v.initial is not None:
                yield compared(Name(v.name), "==", literal(coerce(v.initial, v.type)))
        yield from _conditions(side)


def _same_name(pairing: MachinePairing, one: Variable, other: Variable) -> bool:
    return one.name.removesuffix(pairing.model.mark) == other.name.removesuffix(pairing.other.mark)


def _shifted(one: Variable, other: Variable, model: Side, its: Side) -> Iterator[Expression]:
    if not isinstance(one.type, IntType | RealType):
        return
    gaps = {b - a for a, b in product(_assigned(one, model), _assigned(other, its))} | {Fraction(1), Fraction(-1)}
    for gap in sorted(gaps - {Fraction(0)}, key=lambda gap: (abs(gap), gap))[:_SHIFTS]:
        step = literal(int(gap) if gap.denominator == 1 else gap)
        yield compared(Name(other.name), "==", Binary("+", Name(one.name), step))


def _assigned(variable: Variable, side: Side) -> set[Fraction]:
    """The numbers that a machine gives to a variable, as they stand in the model."""
    actions = (a.expression for t in side.model.transitions for a in t.actions if a.variable == variable.name)
    found = {Fraction(e.value) for e in actions if isinstance(e, Integer | Decimal)}
    return found | ({Fraction(variable.initial)} if isinstance(variable.initial, int | Fraction) else set())


def _are_comparable(one: Variable, other: Variable) -> bool:
    return one.type == other.type if isinstance(one.type, EnumType) else type(one.type) is type(other.type)


def _conditions(side: Side) -> Iterator[Expression]:
    inputs = {v.name for v in side.model.inputs}
    for t in side.model.transitions:
        for atom in atoms(t.guard):
            if not free_names(atom) & inputs:
                yield atom
                yield negation(atom)
