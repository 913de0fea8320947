"""All sign vectors of a list of expressions that some valuation has, at a cost that grows with their number.

A node of the search tree is a conjunction of literals. Where two of the vectors known so far lie in it, it is split at
an expression by which they differ, and no solver is asked. Where exactly one vector does, one query decides whether a
valuation in the node differs from it in any expression. If not, the node is that vector and nothing else; if so, the
node is split. Every leaf costs one query and every new vector costs one, so that n vectors cost at most 2n queries,
regardless of the number of expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fullproof.abstract.budget import PathSolver, SolverBudget
from fullproof.abstract.literals import has_no_rational_solution
from fullproof.abstract.signature import ExpressionSigns, Signs, Valuation
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction, disjunction
from fullproof.language.syntax import Expression
from fullproof.smt import Sat, Unknown, Unsat

PATIENCE = 32
"""How many nodes that the solver cannot decide are split further, in the hope that it can decide their parts."""


@dataclass(slots=True)
class SignVectors:
    """The vectors found, each with a valuation that has it, and the undecided conjunctions that may contain more."""

    found: dict[Signs, Valuation] = field(default_factory=dict)
    undecided: list[tuple[Expression, str]] = field(default_factory=list)
    open: list[Mapping[int, bool]] = field(default_factory=list)
    """The signs that each of ``undecided`` fixes."""


def sign_vectors(
    signature: ExpressionSigns,
    scope: Scope,
    budget: SolverBudget,
    *,
    seeds: Iterable[Valuation] = (),
    beside: Callable[[Valuation], Iterable[Valuation]] = lambda _: (),
    where: tuple[Expression, ...] = (),
) -> SignVectors:
    """All satisfiable sign vectors of the signature's expressions over the valuations of the scope.

    ``seeds`` are valuations to begin with, ``beside`` gives some to be tried for each that the solver finds; they save
    queries and do not affect the result. ``where`` restricts the valuations; seeds must satisfy it. Needs: the
    expressions are conditions over the scope, no two of them equal.
    """
    search = _Search(signature, scope, budget)
    for valuation in seeds:
        search.note(valuation)
    return search.run(beside, where)


@dataclass(slots=True)
class _Node:
    fixed: Mapping[int, bool]
    path: tuple[Expression, ...]
    members: list[Signs]
    """The known vectors that lie in the node."""

    def __contains__(self, signs: Signs) -> bool:
        return all(signs[k] is sign for k, sign in self.fixed.items())


class _Search:
    def __init__(self, signature: ExpressionSigns, scope: Scope, budget: SolverBudget) -> None:
        self._literals = signature.literals
        self._signature = signature
        self._scope = scope
        self._asking = PathSolver(scope, budget)
        self._patience = PATIENCE
        self._result = SignVectors()
        self._models: list[Valuation] = []
        self._hard: set[int] = set()
        """Expressions that the solver once gave up on; they are queried last."""
        self._later: list[_Node] = []

    def run(self, beside: Callable[[Valuation], Iterable[Valuation]], where: tuple[Expression, ...]) -> SignVectors:
        stack = [_Node({}, where, list(self._result.found))]
        while stack or self._later:
            if not stack:
                stack, self._later = self._later[::-1], []
            stack += reversed(self._visit(stack.pop()))
            while self._models:
                model = self._models.pop()
                for valuation in (*beside(model), model):
                    signs = self.note(valuation)
                    if signs is not None:
                        _place(signs, [*self._later, *stack])
        return self._result

    def note(self, valuation: Valuation) -> Signs | None:
        """The signs of a valuation where they are new."""
        signs = self._signature(valuation)
        if signs in self._result.found:
            return None
        self._result.found[signs] = valuation
        return signs

    def _visit(self, node: _Node) -> list[_Node]:
        """The nodes that remain to be visited below a node."""
        if not node.members:
            return self._explore(node)
        if len(node.members) > 1:
            return self._split(node)
        (signs,) = node.members
        easy = [k for k in range(len(signs)) if k not in node.fixed and k not in self._hard]
        if easy:
            self._asking.move(node.path)
            match self._asking.check(disjunction(self._literals[k][not signs[k]] for k in easy)):
                case Sat(model):
                    self._models.append(model)
                    return [node]
                case Unknown():
                    return self._one_by_one(node, signs, easy)
                case Unsat():
                    pass
        self._put_off(node, signs)
        return []

    def _put_off(self, node: _Node, signs: Signs) -> None:
        """Postpone the queries on hard expressions of a node with one known vector; the parts are disjoint."""
        for k in sorted(self._hard - node.fixed.keys()):
            self._later.append(self._child(node, k, not signs[k]))
            node = self._child(node, k, signs[k])

    def _split(self, node: _Node) -> list[_Node]:
        """Two children, both with known vectors, by the first expression in which these differ."""
        first, *others = node.members
        at = next(k for k, sign in enumerate(first) if any(other[k] is not sign for other in others))
        return [self._child(node, at, sign) for sign in (True, False)]

    def _child(self, node: _Node, at: int, sign: bool) -> _Node:
        members = [signs for signs in node.members if signs[at] is sign]
        return _Node({**node.fixed, at: sign}, (*node.path, self._literals[at][sign]), members)

    def _one_by_one(self, node: _Node, signs: Signs, easy: Sequence[int]) -> list[_Node]:
        """Find the expressions for which the solver cannot decide whether they can differ from the only known
        vector.
        """
        for k in easy:
            self._asking.move(node.path)
            match self._asking.check(self._literals[k][not signs[k]]):
                case Sat(model):
                    self._models.append(model)
                    return [node]
                case Unknown():
                    self._hard.add(k)
                case Unsat():
                    node = self._child(node, k, signs[k])
        self._put_off(node, signs)
        return []

    def _explore(self, node: _Node) -> list[_Node]:
        """Look for a first valuation."""
        self._asking.move(node.path)
        match self._asking.check():
            case Sat(model):
                self._models.append(model)
                return [node]
            case Unsat():
                return []
            case Unknown(reason):
                if has_no_rational_solution(node.path, self._scope):
                    return []
                at = next((k for k in range(len(self._literals)) if k not in node.fixed), None)
                if at is None or not self._patience or self._asking.budget.is_over:
                    self._result.undecided.append((conjunction(node.path), reason))
                    self._result.open.append(node.fixed)
                    return []
                self._patience -= 1
                return [self._child(node, at, sign) for sign in (True, False)]


def _place(signs: Signs, nodes: Sequence[_Node]) -> None:
    """Make a new vector a member of the node where it lies, if any is left to visit; nodes are disjoint."""
    home = next((node for node in reversed(nodes) if signs in node), None)
    if home is not None:
        home.members.append(signs)
