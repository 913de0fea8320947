"""Inputs that expose every wrong transition: docs/proofs/transition-witnesses.md.

A system of the fault domain has one answer to each input of each state, and each of its transitions is a *form*: a
guard and an output expression. A transition of that form, met where the model is in state s, is right iff the model
answers every input of the guard in the same way and goes to one and the same state. A set of inputs that has, for every
form that is not right there, an input that exposes it, is as good as all inputs. Such a set grows with the number of
forms, whereas classes grow with their combinations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fullproof.generate.symbolic.rows import Inputs, Rows
from fullproof.language.compile import compile_expression
from fullproof.language.shallow_trees import conjunction, disjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import TRUE, Comparison, Expression, Name, Unary
from fullproof.language.types import Value

_MOST_STEPS = 64
"""How many inputs farther out are searched for before a family is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardFamily:
    """Guards between two, by where one threshold lies: ``least`` implies each of them, each implies ``most``.

    As the threshold moves from one end to the other, values of ``variable`` are lost from below (``upwards``), or from
    above.
    """

    least: Expression
    most: Expression
    variable: str
    upwards: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """The possible transitions of a system: guards by number, outputs by number, the pairs of them, and families.

    ``outputs`` may refer to some of the outputs only: an answer is wrong where one of them is.
    """

    guards: tuple[Expression, ...]
    outputs: tuple[Expression, ...]
    pairs: frozenset[tuple[int, int]]
    families: tuple[tuple[int, GuardFamily], ...] = ()
    """Each with the number of its least guard, which is among the guards with the pairs of the whole family."""
    open: bool = False
    """Whether there are outputs beyond those listed, so that an answer may be right where no listed one is."""


@dataclass(frozen=True, slots=True)
class NotCovered:
    """Why no finite set of inputs was found."""

    reason: str


class WitnessPool:
    """Inputs with the values of every guard, state and output at them: one bit for each input."""

    def __init__(self, rows: Rows, forms: Forms) -> None:
        self.rows, self.forms = rows, forms
        self.points: list[Inputs] = []
        self.guards = [0] * len(forms.guards)
        self.answered = [[0] * len(forms.outputs) for _ in range(rows.states)]
        """For each state and output, the inputs that the state answers as the output has it."""
        self.targets: list[list[int]] = [[] for _ in range(rows.states)]
        self.answers: list[list[tuple[Value, ...]]] = [[] for _ in range(rows.states)]
        """For each state, where each input leads, and by which answer."""
        self._guards = [compile_expression(g, rows.whole) for g in forms.guards]
        self._wrong = [
            [compile_expression(rows.wrong(s, output), rows.whole) for output in forms.outputs]
            for s in range(rows.states)
        ]
        self._numbers: dict[tuple[Value, ...], int] = {}

    def add(self, inputs: Inputs) -> int:
        """Add inputs; returns their numbers."""
        model = self.rows.model
        key = tuple(inputs[v.name] for v in model.inputs)
        if key in self._numbers:
            return self._numbers[key]
        number = self._numbers[key] = len(self.points)
        self.points.append({v.name: value for v, value in zip(model.inputs, key, strict=True)})
        bit = 1 << number
        for k, holds in enumerate(self._guards):
            if holds(inputs):
                self.guards[k] |= bit
        for state in range(self.rows.states):
            answer, target = self.rows.respond(state, inputs)
            self.targets[state].append(target)
            self.answers[state].append(tuple(answer[v.name] for v in model.outputs))
            for k, wrong in enumerate(self._wrong[state]):
                if not wrong({**inputs, **answer}):
                    self.answered[state][k] |= bit
        return number

    def outside(self, state: int, block: Sequence[int], target: int) -> int:
        """The inputs that lead to another block than that of ``target``."""
        home = block[target]
        return sum(1 << k for k, after in enumerate(self.targets[state]) if block[after] != home)


def witnesses(
    rows: Rows, forms: Forms, candidates: Iterable[Inputs]
) -> tuple[WitnessPool, list[int], list[int]] | NotCovered:
    """A pool, the numbers of chosen inputs in it, and for each state the block of states equivalent to it.

    Guarantee: the chosen inputs satisfy conditions 1 to 3 of docs/proofs/transition-witnesses.md, as far as the solver
    could decide; undecided formulas are in ``rows.undecided``. ``candidates`` save queries and do not affect the
    guarantee.
    """
    pool = WitnessPool(rows, forms)
    for inputs in candidates:
        pool.add(inputs)
    block = _blocks(pool)
    demands = _Demands(pool, block)
    failed = demands.collect()
    if failed is not None:
        return failed
    chosen = _cover(demands.demands, len(pool.points))
    return pool, _separating(pool, block, chosen), block


class _Demands:
    """For every form that would be wrong somewhere, the inputs of the pool that expose it."""

    def __init__(self, pool: WitnessPool, block: Sequence[int]) -> None:
        self._pool, self._rows, self._forms, self._block = pool, pool.rows, pool.forms, block
        self._asked: list[tuple[int, int, int]] = []
        self._single: list[int] = []
        self._met: list[int] = []
        self._homes = sorted(set(block))

    @property
    def demands(self) -> list[int]:
        """One number for each demand: a bit for each input that meets it."""
        found = dict.fromkeys(self._single)
        for guard in self._met:
            found[self._pool.guards[guard]] = None
        for state, guard, output in self._asked:
            found[self._hits(state, guard, output)] = None
        return list(found)

    def collect(self) -> NotCovered | None:
        """Ask the solver for inputs that the pool lacks."""
        forms = self._forms
        for guard, condition in enumerate(forms.guards):
            if self._pool.guards[guard] or self._take(condition):
                self._met.append(guard)
        used = set(self._met)
        by_guard: dict[int, list[int]] = {}
        for guard, output in sorted(forms.pairs):
            if guard in used:
                by_guard.setdefault(guard, []).append(output)
        families: dict[int, list[GuardFamily]] = {}
        for guard, family in forms.families:
            families.setdefault(guard, []).append(family)
        for state in range(self._rows.states):
            if state != self._block[state]:
                continue  # equivalent to another state
            for guard, outputs in by_guard.items():
                right = [o for o in outputs if not self._show(state, guard, o)]
                asked = self._homes if right or forms.open else []
                outside = [h for h in asked if not self._show(state, guard, ~h)]
                for family in families.get(guard, ()):
                    failed = self._widen(state, family, [*right, *(~h for h in outside)])
                    if failed is not None:
                        return failed
        return self._empty(families, used)

    def _empty(self, families: dict[int, list[GuardFamily]], used: set[int]) -> NotCovered | None:
        """Families whose least guard is unsatisfiable: the other guards still have to be covered, and every output may
        be wrong in them.
        """
        for guard in sorted(families.keys() - used):
            outputs = [output for number, output in sorted(self._forms.pairs) if number == guard]
            for family in families[guard]:
                for state in range(self._rows.states):
                    if state == self._block[state]:
                        failed = self._widen(state, family, [None, *outputs, *(~h for h in self._homes)])
                        if failed is not None:
                            return failed
        return None

    def _hits(self, state: int, guard: int, what: int) -> int:
        """Inputs of a guard whose answer is not an output (``what``), or which do not lead to a block (``~what``)."""
        pool = self._pool
        everything = (1 << len(pool.points)) - 1
        if what >= 0:
            return pool.guards[guard] & (everything ^ pool.answered[state][what])
        return pool.guards[guard] & pool.outside(state, self._block, ~what)

    def _condition(self, state: int, what: int | None) -> Expression:
        if what is None:
            return TRUE
        if what >= 0:
            return self._rows.wrong(state, self._forms.outputs[what])
        return self._rows.elsewhere(state, self._block, ~what)

    def _show(self, state: int, guard: int, what: int) -> bool:
        """Whether a form would be wrong; then it becomes a demand."""
        shown = self._hits(state, guard, what) != 0 or self._take(
            conjunction((self._forms.guards[guard], self._condition(state, what)))
        )
        if shown:
            self._asked.append((state, guard, what))
        return shown

    def _take(self, formula: Expression) -> bool:
        found = self._rows.find(formula)
        if found is not None:
            self._pool.add(found)
        return found is not None

    def _widen(self, state: int, family: GuardFamily, demanded: Sequence[int | None]) -> NotCovered | None:
        """A form that is right for the least guard of a family must be right for all its guards, or be exposed at the
        farthest wrong input.

        The input farthest out at which something is wrong lies in every guard of the family in which anything is.
        """
        for what in demanded:
            wrong = conjunction((family.most, Unary("not", family.least), self._condition(state, what)))
            last = farthest(self._rows, family, wrong)
            if isinstance(last, NotCovered):
                return last
            if last is not None:
                self._single.append(1 << self._pool.add(last))
        return None


def farthest(rows: Rows, family: GuardFamily, wrong: Expression) -> Inputs | NotCovered | None:
    """The input farthest out that satisfies a condition: every guard of the family with such an input has this one."""
    last: Inputs | None = None
    for _ in range(_MOST_STEPS):
        formula = wrong
        if last is not None:
            beyond = Comparison(
                (Name(family.variable), literal(last[family.variable])), (">" if family.upwards else "<",)
            )
            formula = conjunction((wrong, beyond))
        found = rows.find(formula)
        if found is None:
            return last
        last = found
    return NotCovered(
        f"of the inputs at which a moved threshold of {family.variable!r} would be seen, none is the farthest out; "
        "guards and outputs must depend on it by thresholds and polynomials"
    )


def _blocks(pool: WitnessPool) -> list[int]:
    """For each state the first one that is equivalent to it; the pool distinguishes all others."""
    rows = pool.rows
    while True:
        block = refined(pool, range(len(pool.points)))
        found = None
        for one in range(rows.states):
            other = block[one]
            if other == one:
                continue
            found = rows.find(_row_difference(rows, block, one, other))
            if found is not None:
                break
        if found is None:
            return block
        pool.add(found)


def _row_difference(rows: Rows, block: Sequence[int], one: int, other: int) -> Expression:
    parts = []
    for a in rows.rows[one]:
        for b in rows.rows[other]:
            apart = Unary("not", b.output) if block[a.target] == block[b.target] else TRUE
            parts.append(conjunction((a.guard, b.guard, a.output, apart)))
    return disjunction(parts)


def refined(pool: WitnessPool, numbers: Iterable[int]) -> list[int]:
    """For each state the first one that no word over these inputs distinguishes from it."""
    listed = list(numbers)
    block = [0] * pool.rows.states
    while True:
        first: dict[object, int] = {}
        after = [
            first.setdefault((block[s], tuple((pool.answers[s][k], block[pool.targets[s][k]]) for k in listed)), s)
            for s in range(pool.rows.states)
        ]
        if after == block:
            return block
        block = after


def _cover(demands: Sequence[int], points: int) -> list[int]:
    """Few inputs that meet all demands: greedily, then those that turn out superfluous are dropped."""
    left = [d for d in dict.fromkeys(demands) if d]
    left = [d for d in left if not any(e != d and e & d == e for e in left)] if len(left) < 3000 else left
    chosen: list[int] = []
    open_ = list(left)
    while open_:
        counts = [0] * points
        for demand in open_:
            rest = demand
            while rest:
                low = rest & -rest
                counts[low.bit_length() - 1] += 1
                rest ^= low
        best = max(range(points), key=lambda k: (counts[k], -k))
        chosen.append(best)
        open_ = [d for d in open_ if not d >> best & 1]
    for number in reversed(chosen[:]):
        mask = sum(1 << k for k in chosen if k != number)
        if all(d & mask for d in left):
            chosen.remove(number)
    return sorted(chosen)


def _separating(pool: WitnessPool, block: Sequence[int], chosen: Sequence[int]) -> list[int]:
    """Add inputs until the chosen ones distinguish all states that differ."""
    found = list(chosen)
    while True:
        coarse = refined(pool, found)
        if all(block[a] == block[b] for b in range(len(block)) for a in (coarse[b],)):
            return sorted(found)
        found.append(
            next(
                k
                for k in range(len(pool.points))
                if any(
                    (pool.answers[s][k], coarse[pool.targets[s][k]])
                    != (pool.answers[coarse[s]][k], coarse[pool.targets[coarse[s]][k]])
                    for s in range(pool.rows.states)
                )
            )
        )
