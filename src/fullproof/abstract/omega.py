"""The propositional abstraction omega, and more atomic propositions where it does not preserve states."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from itertools import combinations

from fullproof.analysis.state_preservation import Preserving, TooLarge, preservation
from fullproof.artefacts.abstraction import ClassMachine
from fullproof.artefacts.omega import Confusion, Omega
from fullproof.core.errors import UserError

MOST_TRIALS = 2_000


def omega(machine: ClassMachine) -> tuple[tuple[bool, ...], ...]:
    """The image of each class: which atomic propositions hold in it."""
    return tuple(class_.propositions for class_ in machine.classes.classes)


def omega_machine(machine: ClassMachine) -> tuple[dict[tuple[bool, ...], tuple[int, ...]], ...]:
    """The omega-abstraction as a transition table: for each state, where each set of propositions may lead.

    Paper 000, Table 2.7. Nondeterministic in general, even where the machine is observable.
    """
    images = omega(machine)
    rows = []
    for row in machine.after:
        targets: dict[tuple[bool, ...], set[int]] = {}
        for image, after in zip(images, row, strict=True):
            if after:
                targets.setdefault(image, set()).update(after)
        rows.append({image: tuple(sorted(found)) for image, found in targets.items()})
    return tuple(rows)


def preserves_states(machine: ClassMachine) -> Preserving | Confusion | TooLarge:
    """Decide whether omega preserves the states of the machine: paper 000, section 5.3."""
    return preservation(machine.initial, machine.after, omega(machine))


def preserving_omega(machine: ClassMachine, *, trials: int = MOST_TRIALS) -> Omega:
    """Omega as it is where it preserves states, else with guards and outputs of the alphabet as further propositions.

    The fewest additions are made, and of those with as many the one whose abstraction distinguishes the fewest states,
    since only what it distinguishes has to be tested for. Guarantee: the result preserves states; further propositions
    only add to what ``omega(L(M'))`` within ``omega(L(M))`` says, so Theorem 3 covers the properties asked for.
    Such additions always exist: with all of Sigma, omega is one-to-one on the classes. Where more than ``trials`` sets
    would have to be tried, propositions are taken away one by one from all of Sigma instead, as long as states stay
    preserved; ``Omega.smallest`` says so.
    """
    found = preserves_states(machine)
    if isinstance(found, Preserving):
        return Omega(machine=machine, blocks=found.blocks)
    candidates = _candidates(machine)
    best, smallest = _smallest(machine, candidates, trials)
    if best is None:
        best = _irreducible(machine, candidates)
    confusion = found if isinstance(found, Confusion) else None
    richer, blocks = best
    added = richer.classes.alphabet.propositions[len(machine.classes.alphabet.propositions) :]
    return Omega(machine=richer, blocks=blocks.blocks, added=added, smallest=smallest, confusion=confusion)


def with_propositions(machine: ClassMachine, positions: Sequence[int]) -> ClassMachine:
    """The same machine with some guards and outputs, by their position in Sigma, as further atomic propositions.

    The classes stay what they are, since Sigma does.
    """
    classes, alphabet = machine.classes, machine.classes.alphabet
    added = tuple(alphabet.expressions[position] for position in positions)
    return dataclasses.replace(
        machine,
        classes=dataclasses.replace(
            classes,
            alphabet=dataclasses.replace(alphabet, propositions=alphabet.propositions + added),
            classes=tuple(
                dataclasses.replace(
                    class_, propositions=class_.propositions + tuple(class_.signs[p] for p in positions)
                )
                for class_ in classes.classes
            ),
        ),
    )


_Trial = tuple[ClassMachine, Preserving]


def _candidates(machine: ClassMachine) -> list[int]:
    """Guards and outputs that distinguish classes of the machine, each partition of them once."""
    classes, alphabet = machine.classes.classes, machine.classes.alphabet
    alive = [number for number in range(len(classes)) if any(row[number] for row in machine.after)]
    known: set[tuple[bool, ...]] = set()
    for position in range(len(alphabet.propositions)):
        known |= set(_column([classes[number].propositions[position] for number in alive]))
    found = []
    for position in range(len(alphabet.guards) + len(alphabet.outputs)):
        column = [classes[number].signs[position] for number in alive]
        ways = set(_column(column))
        if len(set(column)) > 1 and not ways & known:
            found.append(position)
            known |= ways
    return found


def _column(signs: Sequence[bool]) -> Iterator[tuple[bool, ...]]:
    """A column and its complement, which distinguishes the same classes."""
    yield tuple(signs)
    yield tuple(not sign for sign in signs)


def _smallest(machine: ClassMachine, candidates: Sequence[int], trials: int) -> tuple[_Trial | None, bool]:
    for size in range(1, len(candidates) + 1):
        found: list[_Trial] = []
        for positions in combinations(candidates, size):
            trials -= 1
            if trials < 0 and not found:
                return None, False
            if trials < 0:
                break
            trial = _trial(machine, positions)
            if trial is not None:
                found.append(trial)
        if found:
            return min(found, key=lambda trial: len(set(trial[1].blocks.values()))), True
    return None, False


def _irreducible(machine: ClassMachine, candidates: Sequence[int]) -> _Trial:
    kept = tuple(candidates)
    best = _trial(machine, kept)
    if best is None:
        raise UserError("the machine is too large to find atomic propositions that preserve its states")
    while True:
        before = kept
        for position in before:
            fewer = tuple(other for other in kept if other != position)
            trial = _trial(machine, fewer)
            if trial is not None:
                kept, best = fewer, trial
        if kept == before:  # a proposition that was needed at first may become redundant once others are removed
            return best


def _trial(machine: ClassMachine, positions: Sequence[int]) -> _Trial | None:
    richer = with_propositions(machine, positions)
    answer = preserves_states(richer)
    return (richer, answer) if isinstance(answer, Preserving) else None
