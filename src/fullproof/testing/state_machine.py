"""A Hypothesis state machine that drives a system beside its model: random words, shrunk where they fail.

It gives no guarantee as a suite does; it is for users of Hypothesis, and for faults beyond the bound of a suite.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.execute.sut import Sut, SutError
from fullproof.formats import read_model
from fullproof.judge.semantics import Outcome
from fullproof.kinds import oracle_for
from fullproof.kinds.systems import open_sut
from fullproof.language.assumptions import Assumptions
from fullproof.language.lists import listed
from fullproof.language.printer import value_to_text
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, Type, Value
from fullproof.model import Fsm, Model, Sfsm
from fullproof.testing.systems import as_system, resettable

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_FAR = 1_000
"""The distance from zero or from its only bound up to which an unbounded number is tried."""


def as_state_machine(
    model: str | Path | Model, *, sut: Any, relation: str = "equivalence"
) -> type[RuleBasedStateMachine]:
    """Make a state machine whose one rule applies an input and compares the output with the model.

    ``TestBrake = fullproof.as_state_machine("brake.yaml", sut=Brake).TestCase`` in a test module runs it.
    """
    known = read_model(Path(model)) if isinstance(model, str | Path) else model
    if not isinstance(known, Fsm | Sfsm):
        raise UserError(f"a state machine can be made of an fsm or sfsm; this is a model of kind {known.kind}")
    asked = Relation(relation)
    semantics = oracle_for(known, asked).semantics
    system = resettable(as_system(sut), "fullproof.as_state_machine")
    inputs = _symbols(known) if isinstance(known, Fsm) else _valuations(known)

    class Conforms(RuleBasedStateMachine):
        """One run of the system beside its model."""

        def __init__(self) -> None:
            super().__init__()
            self._system: Sut = open_sut(system, known)
            self._system.reset()
            self._node = 0

        @rule(symbol=inputs)
        def step(self, symbol: TestInput) -> None:
            """Apply one input for which the model specifies the output."""
            if self._node < 0 or not semantics.wants(self._node, symbol):
                return
            try:
                output = self._system.step(symbol)
            except SutError as error:
                raise AssertionError(f"{_text(symbol)}: {error.reason}") from error
            move = semantics.move(self._node, symbol, output)
            if move.node == Outcome.REJECTED:
                allowed = " or ".join(semantics.allowed(self._node, symbol)) or "nothing"
                raise AssertionError(f"{_text(symbol)}: observed {_text(output)}, the model allows {allowed}")
            self._node = move.node

        def teardown(self) -> None:
            """Close the system."""
            self._system.close()

    Conforms.__name__ = Conforms.__qualname__ = f"{known.name} conforms"
    return Conforms


def _symbols(model: Fsm) -> SearchStrategy[str]:
    defined = {(t.source, t.input) for t in model.transitions}
    if len(defined) < len(model.states) * len(model.inputs):
        raise UserError(
            "the machine is partial, and a random word would leave what it specifies; use fullproof.suite, or an "
            "'ignore' of the inputs that do nothing"
        )
    return st.sampled_from(model.inputs)


def _valuations(model: Sfsm) -> SearchStrategy[Mapping[str, Value]]:
    """Any values, and those inputs that distinguish the model's guards and outputs."""
    from fullproof.abstract.alphabet import alphabet_of
    from fullproof.abstract.classes import io_classes

    anything = st.fixed_dictionaries({v.name: _values(v.type) for v in model.inputs})
    if model.assumptions:
        anything = anything.filter(Assumptions(model.input_scope).keep)
    classes = io_classes(model, alphabet_of(model), timeout=10.0)
    names = [v.name for v in model.inputs]
    telling = [dict(r.input) for r in classes.representatives]
    telling += [{name: c.witness[name] for name in names} for c in classes.classes]
    return st.sampled_from(telling) | anything if telling else anything


def _values(type_: Type) -> SearchStrategy[Any]:
    match type_:
        case BoolType():
            return st.booleans()
        case EnumType():
            return st.sampled_from(type_.values)
        case IntType():
            return st.integers(*_ends(type_.low, type_.high))
        case RealType():
            low, high = _ends(type_.low, type_.high)
            return st.integers(0, 1000).map(lambda n: Fraction(low) + (Fraction(high) - Fraction(low)) * n / 1000)
        case ListType():
            return st.lists(_values(type_.element), max_size=type_.most).map(listed)


def _ends(low: Any, high: Any) -> tuple[Any, Any]:
    if low is None:
        low = -_FAR if high is None else high - _FAR
    return low, low + _FAR if high is None else high


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {value_to_text(part)}" for name, part in value.items())
    return str(value)
