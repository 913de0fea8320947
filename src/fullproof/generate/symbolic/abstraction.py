"""The method of paper 004: a finite machine over representative inputs, its output abstraction, and HP suites."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from fullproof.analysis.state_preservation import Preserving, preservation
from fullproof.artefacts.abstraction import ClassMachine, IoClasses
from fullproof.artefacts.words import WordList
from fullproof.generate.symbolic.letters import LetterMachine, letter_machine, over_classes
from fullproof.generate.symbolic.tree import suite_tree

_MOST_SETS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FiniteAbstraction:
    """F(M'c) as a prime machine over ``inputs`` (positions of representatives), and the kinds of its states.

    States of one kind are one state of F(Msim), the prime machine of the output abstraction. ``preserving`` is False
    where the output abstraction does not preserve states; then all states are of different kinds. ``merged`` is how
    many states more the machine over all classes has: systems may have as many more, too.
    """

    machine: LetterMachine
    inputs: tuple[int, ...]
    kinds: tuple[int, ...]
    preserving: bool = True
    merged: int = 0


def hp(abstraction: FiniteAbstraction, *, extra_states: int) -> WordList:
    """The suite HP of section 3: V.A^(k+1), and words that distinguish the pairs of traces in D.

    Guarantee (Theorem 1): every system of at most k more states that shows the same traces as the model on each test
    has only computations that are witnesses of the simulation, so that it satisfies all LTL safety properties over the
    atomic propositions that the model satisfies. Where all states are of different kinds, it is equivalent on the
    inputs of the abstraction. Words are over ``abstraction.inputs``.
    Needs: complete testing.
    """
    extra = extra_states + abstraction.merged
    return suite_tree(abstraction.machine, extra_states=extra, kinds=abstraction.kinds).tests()


def for_properties(machine: ClassMachine) -> FiniteAbstraction:
    """Enough inputs for the properties whose propositions the classes carry, and F(Msim) by its kinds of states.

    Paper 004 takes from each input class enough inputs to distinguish output expressions, and claims that members of an
    input class satisfy the same propositions with the same output expression. They need not (``y == x`` with the
    proposition ``y >= 10``), so inputs are chosen such that, beside distinguishing expressions, every combination of
    input class, output expression and signs of the propositions that can occur occurs at one of them.
    """
    inputs = _enough_inputs(machine.classes)
    letters = _letters(machine.classes, inputs)
    after = [[row[c] for _, c in letters] for row in machine.after]
    whole = _machine(machine, letters, inputs)
    merged = over_classes(machine).states - whole.states
    image: list[Hashable] = [(i, machine.classes.classes[c].propositions) for i, c in letters]
    answer = preservation(machine.initial, after, image)
    if isinstance(answer, Preserving):
        kinds = tuple(answer.blocks[members] for members in whole.members)
        return FiniteAbstraction(machine=whole, inputs=inputs, kinds=kinds, merged=merged)
    apart = tuple(range(whole.states))
    return FiniteAbstraction(machine=whole, inputs=inputs, kinds=apart, preserving=False, merged=merged)


def for_equivalence(machine: ClassMachine) -> FiniteAbstraction:
    """All representatives, and all states distinguished: then equality on the representatives implies equality
    everywhere.

    Inputs that distinguish output expressions two by two would not be enough for nondeterministic systems: at each of
    them, two wrong expressions may yield together what two right ones yield together.
    """
    inputs = tuple(range(len(machine.classes.representatives)))
    whole = _machine(machine, _letters(machine.classes, inputs), inputs)
    return FiniteAbstraction(machine=whole, inputs=inputs, kinds=tuple(range(whole.states)))


def _letters(classes: IoClasses, inputs: Sequence[int]) -> list[tuple[int, int]]:
    """An input and a class that it covers: for an output-deterministic machine, an input and an output."""
    return [(i, c) for i, symbol in enumerate(inputs) for c in classes.representatives[symbol].covers]


def _machine(machine: ClassMachine, letters: Sequence[tuple[int, int]], inputs: Sequence[int]) -> LetterMachine:
    after = [[row[c] for _, c in letters] for row in machine.after]
    offered = [frozenset(k for k, (i, _) in enumerate(letters) if i == symbol) for symbol in range(len(inputs))]
    return letter_machine(machine.initial, after, offered)


def _enough_inputs(classes: IoClasses) -> tuple[int, ...]:
    """The fewest representatives that meet every demand of the method."""
    met = [_met(classes, number) for number in range(len(classes.representatives))]
    demands = set().union(*met)
    everything = range(len(met))
    for size in range(1, len(met)):
        if comb(len(met), size) > _MOST_SETS:
            break
        for chosen in combinations(everything, size):
            if demands <= set().union(*(met[k] for k in chosen)):
                return chosen
    return _irredundant(met, demands)


def _irredundant(met: Sequence[set[Hashable]], demands: set[Hashable]) -> tuple[int, ...]:
    kept = list(range(len(met)))
    for number in sorted(kept, key=lambda k: len(met[k])):
        rest = [k for k in kept if k != number]
        if rest and demands <= set().union(*(met[k] for k in rest)):
            kept = rest
    return tuple(kept)


def _met(classes: IoClasses, representative: int) -> set[Hashable]:
    """The demands that one representative meets: combinations of class, expression and propositions, and distinguished
    pairs of expressions.
    """
    found: set[Hashable] = set()
    for position in classes.representatives[representative].covers:
        c = classes.classes[position]
        holding = [k for k, sign in enumerate(c.outputs) if sign]
        failing = [k for k, sign in enumerate(c.outputs) if not sign]
        found |= {(c.guards, k, c.propositions) for k in holding}
        found |= {(c.guards, min(k, j), max(k, j)) for k in holding for j in failing}
    return found
