"""Is there a small observable machine that passes a suite and does not conform? By search, for every relation.

The unknown machine grows along the tests: a cell (state, input) gets its answers when a test first needs them, and a
state that is entered for the first time takes the next free number. Answers that the model does not allow fail at
once and are never tried. Verdicts are those of ``reductions.passes``: all behaviours are seen, and strong reduction
compares the enabled inputs in every state that is visited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from fullproof.analysis.responses import Responses
from fullproof.artefacts.request import Relation

Cell = tuple[int, int]
Answers = dict[int, int]
Tree = dict[int, "Tree"]


class SearchTooLong(Exception):
    """The search met its limit of guesses before it could tell."""


@dataclass(frozen=True)
class Domain:
    """Which machines are searched: so many states at most, outputs 0..outputs-1, what counts as conforming."""

    bound: int
    outputs: int
    relation: Relation
    deterministic: bool = False
    complete: bool = False


def survives(model: Responses, words: Iterable[Sequence[int]], domain: Domain, *, guesses: int = 100_000) -> bool:
    """Whether some machine of the domain passes all words, yet does not conform."""
    tree: Tree = {}
    executed = False
    for word in words:
        executed, node = True, tree
        for symbol in word:
            node = node.setdefault(int(symbol), {})
    return _Search(model, tree, domain, guesses, executed).extend(1)


@dataclass
class _Run:
    """What the tests meet: cells not yet known with the outputs that all who wait for them allow, enabled inputs."""

    waiting: Counter[Cell] = field(default_factory=Counter)
    allowed: dict[Cell, frozenset[int]] = field(default_factory=dict)
    enabled: dict[int, frozenset[int]] = field(default_factory=dict)
    seen: set[tuple[int, int, int]] = field(default_factory=set)

    def demand(self, cell: Cell, outputs: Collection[int]) -> frozenset[int] | None:
        """One more test waits for a cell; returns what was allowed before."""
        before = self.allowed.get(cell)
        self.waiting[cell] += 1
        self.allowed[cell] = frozenset(outputs) if before is None else before & frozenset(outputs)
        return before


@dataclass
class _Search:
    model: Responses
    tree: Tree
    domain: Domain
    guesses: int
    executed: bool
    """Whether there is a test: without one, nothing is seen of the machine."""
    answers: dict[Cell, Answers] = field(default_factory=dict)

    def extend(self, used: int) -> bool:
        """Give answers to the cell that most tests wait for; whether some survivor comes of it."""
        self.guesses -= 1
        if self.guesses < 0:
            raise SearchTooLong
        run = _Run()
        if not self._run(self.tree, 0, 0, run):
            return False
        if not run.waiting:
            verdict = self._explore(run.enabled)
            if isinstance(verdict, bool):
                return verdict
            run.demand(*verdict)
        cell = min(run.waiting, key=lambda cell: (-run.waiting[cell], cell))
        for choice, more in self._choices(run.allowed[cell], used):
            self.answers[cell] = choice
            found = self.extend(more)
            del self.answers[cell]
            if found:
                return True
        return False

    def _run(self, node: Tree, s: int, t: int, run: _Run) -> bool:
        """Apply the tests below a node as far as the machine is known; False where one fails."""
        if (id(node), s, t) in run.seen:
            return True
        run.seen.add((id(node), s, t))
        row = self.model.after[s]
        if self.domain.relation is Relation.STRONG_REDUCTION and self.executed:
            inputs = frozenset(row)
            if run.enabled.setdefault(t, inputs) != inputs:
                return False
        for symbol, below in node.items():
            if symbol not in row:
                continue
            known = self.answers.get((t, symbol))
            if known is None:
                before = run.demand((t, symbol), row[symbol].keys())
                if not run.allowed[t, symbol] or (before is not None and self._exact and before != row[symbol].keys()):
                    return False
                continue
            if not self._allowed(known, row[symbol]):
                return False
            if not all(self._run(below, row[symbol][y], target, run) for y, target in known.items()):
                return False
        return True

    @property
    def _exact(self) -> bool:
        """Whether all answers of the model have to be given."""
        return self.domain.relation is Relation.EQUIVALENCE

    def _allowed(self, given: Answers, demanded: Answers) -> bool:
        if self._exact:
            return given.keys() == demanded.keys()
        return given.keys() <= demanded.keys()

    def _choices(self, allowed: frozenset[int], used: int) -> Iterator[tuple[Answers, int]]:
        """All answers that the tests allow, with the number of states used afterwards."""
        demanded = sorted(allowed)
        sizes = [len(demanded)] if self._exact else range(1, len(demanded) + 1)
        for size in [1] if self.domain.deterministic else sizes:
            for outputs in combinations(demanded, size):
                for targets in product(range(min(used + size, self.domain.bound)), repeat=size):
                    more = used
                    for target in targets:
                        if target > more:
                            break  # a free number was left out
                        more = max(more, target + 1)
                    else:
                        yield dict(zip(outputs, targets, strict=True)), more

    def _explore(self, enabled: dict[int, frozenset[int]]) -> bool | tuple[Cell, Collection[int]]:
        """All tests pass. Whether what they leave open lets the machine be wrong; or a cell that has to be known."""
        pairs, queue = {(0, 0)}, [(0, 0)]
        undecided: tuple[Cell, Collection[int]] | None = None
        strong = self.domain.relation is Relation.STRONG_REDUCTION
        for s, t in queue:
            row = self.model.after[s]
            if strong and enabled.get(t) != frozenset(row):
                return True
            for symbol, demanded in row.items():
                known = self.answers.get((t, symbol))
                if known is None:
                    if self._can_be_wrong(demanded):
                        return True
                    undecided = undecided or ((t, symbol), demanded.keys())
                    continue
                if not self._allowed(known, demanded):
                    return True
                for y, target in known.items():
                    if (demanded[y], target) not in pairs:
                        pairs.add((demanded[y], target))
                        queue.append((demanded[y], target))
        return undecided or False

    def _can_be_wrong(self, demanded: Answers) -> bool:
        """Whether a cell that no test looks at has an answer that is not allowed."""
        relation = self.domain.relation
        if relation in (Relation.EQUIVALENCE, Relation.QUASI_REDUCTION) and not self.domain.complete:
            return True  # by refusing the input
        return self.domain.outputs > (1 if self._exact else len(demanded))
