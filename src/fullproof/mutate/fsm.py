"""Mutants of finite machines: outputs, targets, missing and surplus transitions, states merged and split."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass

from fullproof.core.errors import UserError
from fullproof.model.fsm import Fsm
from fullproof.mutate.faults import KINDS, Fault, Kind, Operator

WITHIN_DETERMINISTIC = (Operator.OUTPUT, Operator.TRANSFER, Operator.MERGE, Operator.SPLIT)
"""Faults that keep a deterministic complete machine deterministic and complete."""

_MOST_TRANSITIONS = 50_000_000
"""Of all mutants together: beyond, they fit neither into memory nor onto the disk of most."""
_TRIES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A faulty machine; ``operator`` and ``where`` name its faults, several where the order is above one."""

    fsm: Fsm
    operator: str
    where: str


def mutants(
    fsm: Fsm, *, extra_states: int = 0, order: int = 1, sample: int | None = None, seed: int = 0
) -> list[Mutant]:
    """All mutants of an order, or a random sample of them; each machine once, and never the original.

    A machine that is deterministic and complete gets only faults that keep it so; with ``extra_states`` a state may be
    split, and one of its copies gets a fault. Splits that would exceed the extra states are left out. Where there are
    too many to be made one by one, that is a UserError.
    """
    bound = len(fsm.states) + extra_states
    kinds = _kinds(fsm, split=extra_states > 0)
    base = Mutant(fsm=fsm, operator="", where="")
    if not fsm.transitions and Operator.ADD not in kinds:
        return []
    if sample is None:
        count = sum(kind.count(fsm) for kind in kinds.values()) ** order
        if count * max(1, len(fsm.transitions)) > _MOST_TRANSITIONS:
            raise UserError(f"there may be {count:,} mutants; ask for some of them with --sample N")
        return _distinct(_exhaustive(base, kinds, order, bound), original=fsm)
    return _sampled(base, kinds, order=order, bound=bound, sample=sample, rng=random.Random(seed))


def _kinds(fsm: Fsm, *, split: bool) -> dict[Operator, Kind]:
    cells = {(t.source, t.input) for t in fsm.transitions}
    plain = len(cells) == len(fsm.transitions) == len(fsm.states) * len(fsm.inputs)
    kept = WITHIN_DETERMINISTIC if plain else tuple(Operator)
    return {
        operator: KINDS[operator]
        for operator in kept
        if (split or operator is not Operator.SPLIT) and KINDS[operator].count(fsm)
    }


def _exhaustive(base: Mutant, kinds: dict[Operator, Kind], order: int, bound: int) -> Iterator[Mutant]:
    for operator, kind in kinds.items():
        for fault in kind.each(base.fsm):
            mutant = _with(base, operator, fault)
            if len(mutant.fsm.states) > bound:
                continue
            if order > 1:
                yield from _exhaustive(mutant, kinds, order - 1, bound)
            else:
                yield mutant


def _sampled(
    base: Mutant, kinds: dict[Operator, Kind], *, order: int, bound: int, sample: int, rng: random.Random
) -> list[Mutant]:
    original = _identity(base.fsm)
    found: dict[bytes, Mutant] = {}
    for _ in range(_TRIES * sample):
        if len(found) >= sample or not kinds:
            break
        mutant: Mutant | None = base
        for _ in range(order):
            mutant = None if mutant is None else _at_random(mutant, kinds, bound, rng)
        if mutant is not None and (identity := _identity(mutant.fsm)) != original:
            found.setdefault(identity, mutant)
    return list(found.values())


def _at_random(base: Mutant, kinds: dict[Operator, Kind], bound: int, rng: random.Random) -> Mutant | None:
    operator = rng.choice(tuple(kinds))
    if not base.fsm.transitions and operator is not Operator.ADD:
        return None
    fault = kinds[operator].pick(base.fsm, rng)
    mutant = None if fault is None else _with(base, operator, fault)
    return mutant if mutant is not None and len(mutant.fsm.states) <= bound else None


def _with(base: Mutant, operator: Operator, fault: Fault) -> Mutant:
    join = "{} + {}" if base.operator else "{}{}"
    return Mutant(
        fsm=fault.make(),
        operator=join.format(base.operator, operator.value),
        where=join.format(base.where, fault.where),
    )


def _identity(fsm: Fsm) -> bytes:
    """The same for the same transitions, in whatever order."""
    lines = sorted(repr(t[:4]) for t in fsm.transitions)
    return hashlib.blake2b("\n".join([repr(fsm.initial), *lines]).encode(), digest_size=16).digest()


def _distinct(found: Iterator[Mutant], *, original: Fsm) -> list[Mutant]:
    """Each machine once: two faults may cancel out, or commute."""
    unique: dict[bytes, Mutant] = {}
    for mutant in found:
        unique.setdefault(_identity(mutant.fsm), mutant)
    unique.pop(_identity(original), None)
    return list(unique.values())
