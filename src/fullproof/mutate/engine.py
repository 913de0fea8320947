"""From single faults to mutants: all of an order, or a random sample; one engine for every kind of model."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from fullproof.core.counted import counted
from fullproof.core.errors import UserError

_TRIES = 40
"""Attempts for each mutant of a sample."""
MOST = 200_000
"""The limit for mutants that are made one by one, where a model is small."""

M = TypeVar("M")


class Fault(NamedTuple, Generic[M]):
    """A fault: its description, its place, and a function that makes the faulty model, or None where there is none."""

    operator: str
    where: str
    make: Callable[[], M | None]
    replaced: tuple[str, str] | None = None
    """The faulty and the original expression, where one replaces the other."""


class Faults(Protocol[M]):
    """The single faults of models. Large machines have billions: a faulty model is made on demand."""

    def most(self, model: M) -> int:
        """How many mutants of such a model may be made one by one."""

    def count(self, model: M) -> int:
        """An upper bound on the number of faults."""

    def each(self, model: M) -> Iterable[Fault[M]]:
        """All of them."""

    def pick(self, model: M, dice: random.Random) -> Fault[M] | None:
        """A random fault, with equal probability for each operator; None where it finds none."""

    def identity(self, model: M) -> Hashable:
        """A key that is equal for models with the same transitions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant(Generic[M]):
    """A faulty model; ``operator`` and ``where`` name its faults, several where the order is above one."""

    model: M
    operator: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutants(Generic[M]):
    """Mutants in a fixed order, and the number of faults left out because no model has them."""

    mutants: tuple[Mutant[M], ...]
    left_out: int


def mutants_of(model: M, faults: Faults[M], *, order: int = 1, sample: int | None = None, seed: int = 0) -> Mutants[M]:
    """All mutants of an order, or a random sample of them; each model once, and never the original.

    Raises a UserError where there are too many to be made one by one.
    """
    making = _Making(faults)
    base = Mutant(model=model, operator="", where="")
    if sample is None:
        count = faults.count(model) ** order
        if count > faults.most(model):
            raise UserError(f"there may be {counted(count, 'mutant')}; ask for some of them with --sample N")
        made = making.all(base, order)
    else:
        made = making.some(base, order, random.Random(seed), tries=_TRIES * sample)
    original = faults.identity(model)
    unique: dict[Hashable, Mutant[M]] = {}
    for mutant in made:
        identity = faults.identity(mutant.model)
        if identity != original:  # two faults may cancel out, or commute
            unique.setdefault(identity, mutant)
        if len(unique) == sample:
            break
    return Mutants(mutants=tuple(unique.values()), left_out=len(making.gone))


class _Making(Generic[M]):
    def __init__(self, faults: Faults[M]) -> None:
        self._faults = faults
        self.gone: set[str] = set()

    def all(self, base: Mutant[M], order: int) -> Iterator[Mutant[M]]:
        for fault in self._faults.each(base.model):
            mutant = self._with(base, fault)
            if mutant is not None and order > 1:
                yield from self.all(mutant, order - 1)
            elif mutant is not None:
                yield mutant

    def some(self, base: Mutant[M], order: int, dice: random.Random, *, tries: int) -> Iterator[Mutant[M]]:
        for _ in range(tries):
            mutant: Mutant[M] | None = base
            for _ in range(order):
                fault = None if mutant is None else self._faults.pick(mutant.model, dice)
                mutant = None if mutant is None or fault is None else self._with(mutant, fault)
            if mutant is not None:
                yield mutant

    def _with(self, base: Mutant[M], fault: Fault[M]) -> Mutant[M] | None:
        join = "{} + {}" if base.operator else "{}{}"
        where = join.format(base.where, fault.where)
        made = None if where in self.gone else fault.make()
        if made is None:
            self.gone.add(where)
            return None
        return Mutant(model=made, operator=join.format(base.operator, fault.operator), where=where)


def name_of_copy(state: str, taken: tuple[str, ...]) -> str:
    """A name for a copy of a state."""
    copy = state + "'"
    while copy in taken:
        copy += "'"
    return copy


class ListedFaults(Generic[M]):
    """Faults that can be listed. The list of the first model is cached, since a sample uses it repeatedly."""

    def __init__(
        self,
        each: Callable[[M], Iterable[Fault[M]]],
        identity: Callable[[M], Hashable],
        count: Callable[[M], int] | None = None,
    ) -> None:
        self._each = each
        self._count = count
        self.identity = identity
        self._first: tuple[M, _Listed[M]] | None = None

    def most(self, _model: M) -> int:
        """How many mutants may be made one by one."""
        return MOST

    def count(self, model: M) -> int:
        """How many faults there are."""
        return len(self._listed(model).all) if self._count is None else self._count(model)

    def each(self, model: M) -> Iterable[Fault[M]]:
        """All of them."""
        return self._listed(model).all

    def pick(self, model: M, dice: random.Random) -> Fault[M] | None:
        """One at random."""
        listed = self._listed(model)
        return dice.choice(dice.choice(listed.by_operator)) if listed.all else None

    def _listed(self, model: M) -> _Listed[M]:
        if self._first is not None and model is self._first[0]:
            return self._first[1]
        listed = _Listed(list(self._each(model)))
        self._first = self._first or (model, listed)
        return listed


class _Listed(Generic[M]):
    def __init__(self, faults: list[Fault[M]]) -> None:
        self.all = faults
        kinds: dict[str, list[Fault[M]]] = {}
        for fault in faults:
            kinds.setdefault(fault.operator, []).append(fault)
        self.by_operator = list(kinds.values())
