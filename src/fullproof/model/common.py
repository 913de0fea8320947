"""What the four kinds of models share."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.syntax import Expression
from fullproof.language.types import Value
from fullproof.model.named_faults import NamedFaults


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A named value, of type bool, int or real."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Paving:
    """Intervals of equal width between two bounds: faults of a statemachine are at least this wide (paper 003, FH4)."""

    variable: str
    width: Fraction
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """Thresholds of a variable in a system are those of the model, or at least ``distance`` away from all of them."""

    variable: str
    distance: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcludedPair:
    """No system answers inputs that satisfy the guard by the output expression (paper 000, sections 8.6 and 11.5)."""

    guard: Expression
    output: Expression


class Pairs(Enum):
    """With which outputs a guard may occur: with all, or only with those of its own transitions, even where both are
    faulty.
    """

    ALL = "all"
    OWN = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultDomain:
    """The faults that an implementation may have: more states than the model, other guards, other outputs.

    ``extra_states`` is None where the model leaves that to the default (``artefacts.written_states``).
    ``degree`` is that of polynomials which it may compute. ``paving`` is for a statemachine; ``thresholds``,
    ``excluded`` and ``pairs`` are for an sfsm.
    """

    extra_states: int | None = None
    guards: tuple[Expression, ...] = ()
    outputs: tuple[Expression, ...] = ()
    paving: tuple[Paving, ...] = ()
    degree: int | None = None
    thresholds: tuple[Threshold, ...] = ()
    excluded: tuple[ExcludedPair, ...] = ()
    pairs: Pairs = Pairs.ALL
    faults: NamedFaults | None = None
    """For an fsm: a mutation machine by name, instead of all machines with so many states."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A named LTL formula over the inputs and outputs of the model."""

    name: str
    formula: Expression
    at: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A named sentence that transitions (``req: [R1]``) and properties of the same name realise."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """The keys that every kind of model may carry beside its machine."""

    constants: tuple[Constant, ...] = ()
    fault_domain: FaultDomain = FaultDomain()
    properties: tuple[Property, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    unobserved: object | None = field(default=None, compare=False, repr=False)
    """The model before its state became an output (``model.state_output``); None where the state is not observed."""


def require_known(name: str, known: Collection[str], *, what: str, at: Place = NOWHERE) -> None:
    """Raise a UserError with the nearest known name where ``name`` is not among ``known``."""
    if name not in known:
        raise UserError(f"unknown {what} {name!r}{did_you_mean(name, known)}", at=at)


def require_distinct(names: Iterable[str], *, what: str) -> None:
    """Raise a UserError naming the first repetition."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise UserError(f"{what} {name!r} is defined twice")
        seen.add(name)
