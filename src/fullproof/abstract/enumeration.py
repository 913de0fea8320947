"""All sign vectors of a list of expressions that some valuation has, at a cost that grows with their number.

A node of the search tree is a conjunction of literals. Where two of the valuations known so far lie in it and differ,
it is split at an expression by which they differ, and no solver is asked. Where one does, one question decides: is
there a valuation in the node that differs from this one in any expression? If so the node is split, else the node is a
single sign vector. Both children of a split have a valuation, so that a tree with n leaves costs at most 2n - 1
questions, however many expressions there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from fullproof.abstract.budget import Asking, Budget
from fullproof.language.compile import compile_expression
from fullproof.language.joining import conjunction, disjunction
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression, Unary
from fullproof.language.types import Value
from fullproof.smt import Sat, Unknown, Unsat

Signs: TypeAlias = tuple[bool, ...]
Valuation: TypeAlias = Mapping[str, Value]

PATIENCE = 32
"""How many nodes that the solver cannot decide are split further, in the hope that it can decide their parts."""


@dataclass(slots=True)
class SignVectors:
    """The vectors found, each with a valuation that has it, and the conjunctions behind which there may be more."""

    found: dict[Signs, Valuation] = field(default_factory=dict)
    undecided: list[tuple[Expression, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Node:
    fixed: Mapping[int, bool]
    path: tuple[Expression, ...]
    members: tuple[Signs, ...]
    """The known vectors that lie in the node."""


def sign_vectors(
    expressions: Sequence[Expression], scope: Scope, budget: Budget, *, seeds: Iterable[Valuation] = ()
) -> SignVectors:
    """All satisfiable sign vectors of ``expressions`` over the valuations of the scope.

    ``seeds`` are valuations to begin with; they save questions, and decide nothing. Needs: the expressions are
    conditions over the scope, no two of them equal.
    """
    return _Search(expressions, scope, budget).run(seeds)


class _Search:
    def __init__(self, expressions: Sequence[Expression], scope: Scope, budget: Budget) -> None:
        self._literals = [(Unary("not", e), e) for e in expressions]
        self._holds = [compile_expression(e, scope) for e in expressions]
        self._asking = Asking(scope, budget)
        self._patience = PATIENCE
        self._result = SignVectors()

    def run(self, seeds: Iterable[Valuation]) -> SignVectors:
        for valuation in seeds:
            self._note(valuation)
        stack = [_Node({}, (), tuple(self._result.found))]
        while stack:
            stack += reversed(self._visit(stack.pop()))
        return self._result

    def _note(self, valuation: Valuation) -> Signs:
        signs = tuple(bool(holds(valuation)) for holds in self._holds)
        self._result.found.setdefault(signs, valuation)
        return signs

    def _visit(self, node: _Node) -> list[_Node]:
        """What is left to visit of a node."""
        if not node.members:
            return self._explore(node)
        if len(node.members) > 1:
            return self._split(node)
        (signs,) = node.members
        open_ = [k for k in range(len(signs)) if k not in node.fixed]
        if not open_:
            return []
        self._asking.move(node.path)
        answer = self._asking.check(disjunction(self._literals[k][not signs[k]] for k in open_))
        match answer:
            case Sat(model):
                return self._split(_with(node, self._note(model)))
            case Unsat():
                return []
            case Unknown():
                return self._one_by_one(node, signs, open_)

    def _split(self, node: _Node) -> list[_Node]:
        """Two children, both with members, by the first expression in which members differ."""
        first, *others = node.members
        at = next(k for k, sign in enumerate(first) if any(other[k] is not sign for other in others))
        return [self._child(node, at, sign) for sign in (True, False)]

    def _child(self, node: _Node, at: int, sign: bool) -> _Node:
        members = tuple(signs for signs in node.members if signs[at] is sign)
        return _Node({**node.fixed, at: sign}, (*node.path, self._literals[at][sign]), members)

    def _one_by_one(self, node: _Node, signs: Signs, open_: Sequence[int]) -> list[_Node]:
        """Ask for each expression by itself whether the only known vector can be left there.

        Parts that stay open are put aside, disjoint from each other, to be looked at later.
        """
        aside: list[_Node] = []
        for k in open_:
            self._asking.move(node.path)
            match self._asking.check(self._literals[k][not signs[k]]):
                case Sat(model):
                    return [*self._split(_with(node, self._note(model))), *aside]
                case Unknown():
                    aside.append(self._child(node, k, not signs[k]))
            node = self._child(node, k, signs[k])
        return aside

    def _explore(self, node: _Node) -> list[_Node]:
        """Look for a first valuation."""
        self._asking.move(node.path)
        answer = self._asking.check()
        match answer:
            case Sat(model):
                return [_with(node, self._note(model))]
            case Unsat():
                return []
            case Unknown(reason):
                at = next((k for k in range(len(self._literals)) if k not in node.fixed), None)
                if at is None or not self._patience or self._asking.budget.is_spent:
                    self._result.undecided.append((conjunction(node.path), reason))
                    return []
                self._patience -= 1
                return [self._child(node, at, sign) for sign in (True, False)]


def _with(node: _Node, signs: Signs) -> _Node:
    return _Node(node.fixed, node.path, (*node.members, signs))
