"""What the names of an expression stand for: variables, constants and enum values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.syntax import Expression
from fullproof.language.types import EnumType, ListType, Value, Variable


@dataclass(frozen=True, slots=True)
class ConstantValue:
    """A name that stands for a bool, an int or a rational."""

    value: Value


@dataclass(frozen=True, slots=True)
class EnumValue:
    """A name that is a value of one or more enum types; the other operand says which is meant."""

    value: str
    types: tuple[EnumType, ...]


Meaning: TypeAlias = Variable | ConstantValue | EnumValue


@dataclass(frozen=True, eq=False)
class Scope:
    """The variables and constants an expression may refer to, and the values of their enum types.

    Names may be any strings (``x@1``), not only those the grammar can read. No name has two meanings, except that one
    value may belong to several enum types.

    ``assumptions`` are conditions that restrict the values, as the types of the variables do: every solver over the
    scope asserts them, and code that makes values without a solver uses ``language.assumptions``.
    """

    variables: tuple[Variable, ...] = ()
    constants: Mapping[str, Value] = field(default_factory=dict)
    assumptions: tuple[Expression, ...] = ()
    _meanings: Mapping[str, Meaning] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", tuple(self.variables))
        object.__setattr__(self, "constants", MappingProxyType(dict(self.constants)))
        object.__setattr__(self, "_meanings", check_scope(self.variables, self.constants))

    def _key(self) -> tuple[object, ...]:
        # 1, True and Fraction(1) are equal in Python, but are constants of three types.
        constants = frozenset((name, type(value), value) for name, value in self.constants.items())
        return self.variables, constants, self.assumptions

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scope) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __contains__(self, name: object) -> bool:
        return name in self._meanings

    def __reduce__(self) -> tuple[object, ...]:
        return Scope, (self.variables, dict(self.constants), self.assumptions)

    def lookup(self, name: str, *, at: Place = NOWHERE) -> Meaning:
        """Return what ``name`` stands for; an unknown name is an error that suggests the nearest known one."""
        meaning = self._meanings.get(name)
        if meaning is None:
            raise UserError(f"unknown name {name!r}{did_you_mean(name, [*self._meanings, 'true', 'false'])}", at=at)
        return meaning

    def variable(self, name: str, *, at: Place = NOWHERE) -> Variable:
        """Return the variable of that name, an error where it is none."""
        meaning = self.lookup(name, at=at)
        if not isinstance(meaning, Variable):
            raise UserError(f"{name!r} is not a variable", at=at)
        return meaning

    def with_variables(self, variables: Iterable[Variable]) -> Scope:
        """Return a scope with the same constants and assumptions and more variables."""
        return Scope((*self.variables, *variables), self.constants, self.assumptions)


def check_scope(variables: Iterable[Variable], constants: Mapping[str, Value]) -> Mapping[str, Meaning]:
    """Return the meaning of every name, or an error for one that would have two."""
    meanings: dict[str, Meaning] = {}
    for name, value in constants.items():
        if not isinstance(value, bool | int | Fraction):
            raise UserError(f"constant {name!r} must be a bool, an int or a real")
        meanings[name] = ConstantValue(value)
    variables = tuple(variables)
    for variable in variables:
        if variable.name in meanings:
            other = "constant" if isinstance(meanings[variable.name], ConstantValue) else "variable"
            raise UserError(f"{variable.name!r} is a variable and also another {other}".replace("another c", "a c"))
        meanings[variable.name] = variable
    for variable in variables:
        type_ = variable.type.element if isinstance(variable.type, ListType) else variable.type
        if isinstance(type_, EnumType):
            _add_values(meanings, type_, variable.name)
    return meanings


def _add_values(meanings: dict[str, Meaning], type_: EnumType, variable: str) -> None:
    for value in type_.values:
        known = meanings.get(value)
        match known:
            case None:
                meanings[value] = EnumValue(value, (type_,))
            case EnumValue(types=types):
                if type_ not in types:
                    meanings[value] = EnumValue(value, (*types, type_))
            case ConstantValue():
                raise UserError(f"{value!r} is a value of {variable!r} and also a constant")
            case Variable():
                raise UserError(f"{value!r} is a value of {variable!r} and also a variable")
