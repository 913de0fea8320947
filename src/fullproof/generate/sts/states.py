"""Symbolic states in a normal form: equal normal forms represent the same sets of values.

A symbolic state of paper 001 is (location, terms of the variables, path condition). What can happen next depends only
on the set of values that the variables may have, so terms and condition are rewritten without changing that set:
variables that no later guard depends on are dropped, parameters that occur in no term are eliminated where a rule
fits, conditions that refer to none of the rest are dropped once they are known to be satisfiable, and what remains of
the parameters is numbered in the order in which the terms name them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.language.elimination import eliminated
from fullproof.language.formulas import conjunction, conjuncts
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import Expression, Name, SyntaxNode
from fullproof.language.traversal import free_names
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, StringType, Type, Value, Variable

Term: TypeAlias = Value | Expression


@dataclass(frozen=True, slots=True)
class SymbolicState:
    """A location, the live variables' terms over numbered parameters, and what these satisfy.

    ``doubtful`` where a solver could not decide whether the state can be reached.
    """

    location: str
    terms: tuple[tuple[str, Term], ...]
    condition: tuple[Expression, ...] = ()
    doubtful: bool = False

    def constants(self) -> dict[str, Value]:
        """The variables that have one value."""
        return {name: term for name, term in self.terms if not isinstance(term, SyntaxNode)}

    def open_terms(self) -> dict[str, Expression]:
        """The variables whose value depends on parameters."""
        return {name: term for name, term in self.terms if isinstance(term, SyntaxNode)}

    def parameters(self) -> frozenset[str]:
        """The numbered parameters that occur."""
        names: set[str] = set()
        for expression in (*self.open_terms().values(), *self.condition):
            names |= {name for name in free_names(expression) if "@" in name}
        return frozenset(names)


class ParameterPool:
    """Numbered parameters of each kind: ``int@0``, ``real@3``. Ranges are conditions, so kinds are few."""

    def __init__(self, constants: Mapping[str, Value]) -> None:
        self._constants = constants
        self._enums: list[EnumType] = []
        self._variables: dict[str, Variable] = {}
        self.scope = Scope((), constants)

    def fresh(self, type_: Type, taken: Iterable[str]) -> Variable:
        """The first parameter of the kind that is not taken."""
        kind, taken = self._kind(type_), set(taken)
        number = 0
        while f"{kind}@{number}" in taken:
            number += 1
        return self._named(f"{kind}@{number}", type_)

    def kind_of(self, name: str) -> Variable:
        """The parameter of that name."""
        return self._variables[name]

    def variables(self, names: Iterable[str]) -> list[Variable]:
        """The parameters of these names, in order."""
        return [self._variables[name] for name in sorted(names)]

    def _kind(self, type_: Type) -> str:
        match type_:
            case BoolType():
                return "bool"
            case StringType():
                return "string"
            case IntType():
                return "int"
            case RealType():
                return "real"
            case EnumType():
                if type_ not in self._enums:
                    self._enums.append(type_)
                return f"enum{self._enums.index(type_)}"
            case ListType():
                return f"list{type_.most}of{self._kind(type_.element)}"

    def _named(self, name: str, type_: Type) -> Variable:
        if name not in self._variables:
            self._variables[name] = Variable(name=name, type=_wide(type_))
            self.scope = Scope(tuple(self._variables.values()), self._constants)
        return self._variables[name]


def _wide(type_: Type) -> Type:
    """The type without bounds: those are part of the condition."""
    match type_:
        case StringType():
            return type_
        case IntType():
            return IntType()
        case RealType():
            return RealType()
        case ListType(element=IntType() as element) if not isinstance(element, StringType):
            return ListType(IntType(), type_.most)
        case _:
            return type_


def simplified(terms: Mapping[str, Term], condition: Iterable[Expression], pool: ParameterPool) -> list[Expression]:
    """Conditions without the parameters that occur in no term, as far as the rules of elimination go."""
    kept = _names_in(term for term in terms.values() if isinstance(term, SyntaxNode))
    parts = list(dict.fromkeys(condition))
    for name in sorted(_names_in(parts) - kept):
        mine = [part for part in parts if name in free_names(part)]
        rest = eliminated([pool.kind_of(name)], conjunction(mine), pool.scope)
        if rest is not None:
            others = [part for part in parts if name not in free_names(part)]
            parts = list(dict.fromkeys([*others, *conjuncts(rest)]))
    return parts


def relevant(terms: Mapping[str, Term], condition: list[Expression]) -> list[Expression]:
    """The conditions that are connected with a term by common parameters. Needs: the others are satisfiable."""
    known = _names_in(term for term in terms.values() if isinstance(term, SyntaxNode))
    left, kept = list(condition), list[Expression]()
    while found := [part for part in left if _names_in([part]) & known]:
        kept += found
        known |= _names_in(found)
        left = [part for part in left if part not in found]
    return [part for part in condition if part in kept]


def numbered(
    location: str, terms: Mapping[str, Term], condition: list[Expression], pool: ParameterPool, *, doubtful: bool
) -> SymbolicState:
    """The normal form: parameters numbered as the terms name them, then as the conditions do."""
    order = list[str]()
    for term in terms.values():
        if isinstance(term, SyntaxNode):
            order += [name for name in _in_order(term) if name not in order]
    masked = {name: Name("@") for name in _names_in(condition) - set(order)}
    for part in sorted(condition, key=lambda part: to_text(substitute(part, masked))):
        order += [name for name in _in_order(part) if name not in order]
    new: dict[str, Expression] = {}
    taken: list[str] = []
    for name in order:
        variable = pool.fresh(pool.kind_of(name).type, taken)
        taken.append(variable.name)
        new[name] = Name(variable.name)
    renamed = {v: substitute(term, new) if isinstance(term, SyntaxNode) else term for v, term in terms.items()}
    parts = sorted({substitute(part, new) for part in condition}, key=to_text)
    return SymbolicState(location, tuple(renamed.items()), tuple(parts), doubtful)


def as_expression(term: Term) -> Expression:
    """A term as an expression."""
    return term if isinstance(term, SyntaxNode) else literal(term)


def _names_in(expressions: Iterable[Expression]) -> set[str]:
    return {name for expression in expressions for name in free_names(expression) if "@" in name}


def _in_order(expression: Expression) -> list[str]:
    from fullproof.language.traversal import nodes

    return [node.name for node in nodes(expression) if isinstance(node, Name) and "@" in node.name]
