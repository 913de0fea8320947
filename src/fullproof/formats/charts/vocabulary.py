"""The names that guards and actions of a state machine may refer to."""

from __future__ import annotations

from dataclasses import dataclass, field

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.parser import parse_assignment, parse_expression
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.type_inference import expect_boolean, expect_type
from fullproof.language.types import BoolType, Type, Variable
from fullproof.model.chart import is_active
from fullproof.model.sts import Assignment


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The attributes and signals of a machine whose states are not known yet."""

    signals_in: tuple[str, ...]
    signals_out: tuple[str, ...]
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    scope: Scope
    states: tuple[str, ...] = ()
    """Those that conditions may ask for by ``in(...)``."""
    writable: dict[str, Type] = field(init=False)
    asking: Scope = field(init=False)
    """The scope with the states."""

    def __post_init__(self) -> None:
        asked = [Variable(name=is_active(state), type=BoolType()) for state in self.states]
        object.__setattr__(self, "asking", self.scope.with_variables(asked) if asked else self.scope)
        object.__setattr__(self, "writable", {v.name: v.type for v in self.outputs + self.variables})

    def guard(self, text: str, at: Place) -> Expression:
        """A condition."""
        return self.checked_guard(parse_expression(text, at=at))

    def checked_guard(self, expression: Expression) -> Expression:
        """A condition that is parsed already."""
        expect_boolean(expression, self.asking)
        return expression

    def assignment(self, text: str, at: Place) -> Assignment:
        """``m = x / 2``"""
        name, expression = parse_assignment(text, at=at)
        return self.checked_assignment(name, expression, at)

    def checked_assignment(self, name: str, expression: Expression, at: Place) -> Assignment:
        """An assignment that is parsed already: to an output or a variable, of its type."""
        if name not in self.writable:
            if any(name == variable.name for variable in self.inputs):
                raise UserError(f"{name!r} is an input, only outputs and variables are assigned", at=at)
            raise UserError(f"unknown output or variable {name[:60]!r}{did_you_mean(name[:60], self.writable)}", at=at)
        expect_type(expression, self.asking, self.writable[name], what=name)
        return Assignment(variable=name, expression=expression)

    def received(self, name: str, at: Place) -> str:
        """An input signal."""
        return _known(name, self.signals_in, "input signal", at)

    def sent(self, name: str, at: Place) -> str:
        """An output signal."""
        return _known(name, self.signals_out, "output signal", at)


def _known(name: str, known: tuple[str, ...], what: str, at: Place) -> str:
    if name not in known:
        raise UserError(f"unknown {what} {name[:60]!r}{did_you_mean(name[:60], known)}", at=at)
    return name
