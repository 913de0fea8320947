"""Whether an abstraction of letters preserves the states of a machine (paper 000, section 5.3; paper 004, section 2).

A machine is read as an acceptor of what it can do: letters are input/output classes of a symbolic machine, or pairs of
input and output of a finite one. An abstraction gives each letter an image, and different letters may share one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.artefacts.omega import Confusion

Subset: TypeAlias = frozenset[int]
Word: TypeAlias = tuple[int, ...]

MOST_PAIRS = 50_000


@dataclass(frozen=True, slots=True)
class Preserving:
    """Words that lead to states of the same language have abstractions of the same language.

    ``blocks`` gives each set of states that some word leads to the number of the language of its abstractions.
    """

    blocks: Mapping[Subset, int]


@dataclass(frozen=True, slots=True)
class TooLarge:
    """The subset construction was given up after this many pairs."""

    pairs: int


def preservation(
    initial: int, after: Sequence[Sequence[Sequence[int]]], image: Sequence[Hashable], *, most: int = MOST_PAIRS
) -> Preserving | Confusion | TooLarge:
    """Decide: for all words alpha, beta of the machine, does Delta(alpha, beta) = {} imply Delta(image(alpha),
    image(beta)) = {}?

    ``after[s][a]`` are the states that letter ``a`` may lead to from state ``s``. Delta(alpha, beta) are the words that
    can follow one of alpha and beta, but not the other; the image of a word can be followed by what can follow *any*
    word of the same image, so that both sides are subset constructions. Any machine will do, nondeterministic, partial
    and not observable ones as well. Not monotone: a finer image may cease to preserve states.
    """
    letters = _letters(after, image)
    labels = {label: [after_ for _, after_, other in letters if other == label] for _, _, label in letters}
    start = (frozenset((initial,)), frozenset((initial,)))
    words: dict[tuple[Subset, Subset], Word] = {start: ()}
    own: dict[Subset, dict[Hashable, Subset]] = {}
    abstract: dict[Subset, dict[Hashable, Subset]] = {}
    queue = [start]
    for states, merged in queue:  # grows while it is read
        if merged not in abstract:
            abstract[merged] = {label: to for label, columns in labels.items() if (to := _union(columns, merged))}
        steps = own.setdefault(states, {})
        for letter, column, label in letters:
            target = _union((column,), states)
            if not target:
                continue
            steps[letter] = target
            pair = (target, abstract[merged][label])
            if pair not in words:
                words[pair] = (*words[states, merged], letter)
                queue.append(pair)
        if len(queue) > most:
            return TooLarge(len(queue))
    return _compare(words, languages(own), abstract, {label: letter for letter, _, label in reversed(letters)})


def languages(steps: Mapping[Subset, Mapping[Hashable, Subset]]) -> dict[Subset, int]:
    """Number the languages of the nodes of a deterministic graph, in the order of their first nodes.

    Every node accepts; a missing letter rejects. Moore's refinement.
    """
    block = dict.fromkeys(steps, 0)
    count = 1
    while True:
        numbers: dict[Hashable, int] = {}
        refined = {}
        for node, targets in steps.items():
            signature = (block[node], frozenset((letter, block[to]) for letter, to in targets.items()))
            refined[node] = numbers.setdefault(signature, len(numbers))
        block = refined
        if len(numbers) == count:
            return block
        count = len(numbers)


def _letters(
    after: Sequence[Sequence[Sequence[int]]], image: Sequence[Hashable]
) -> list[tuple[int, tuple[Sequence[int], ...], Hashable]]:
    """Letters with their columns and images; of those that do the same everywhere under one image, only the first."""
    seen: dict[Hashable, tuple[int, tuple[Sequence[int], ...], Hashable]] = {}
    for letter, label in enumerate(image):
        column = tuple(tuple(row[letter]) for row in after)
        if any(column):
            seen.setdefault((column, label), (letter, column, label))
    return list(seen.values())


def _union(columns: Sequence[Sequence[Sequence[int]]], states: Subset) -> Subset:
    return frozenset(target for column in columns for state in states for target in column[state])


def _compare(
    words: Mapping[tuple[Subset, Subset], Word],
    own: Mapping[Subset, int],
    abstract: Mapping[Subset, Mapping[Hashable, Subset]],
    letter_of: Mapping[Hashable, int],
) -> Preserving | Confusion:
    coarse = languages(abstract)
    first: dict[int, tuple[Subset, Subset]] = {}
    for states, merged in words:  # shortest words first
        known = first.setdefault(own[states], (states, merged))
        if coarse[known[1]] != coarse[merged]:
            suffix, swapped = _telling(abstract, known[1], merged)
            pair = (words[known], words[states, merged])
            one, other = reversed(pair) if swapped else pair
            return Confusion(first=one, second=other, suffix=tuple(letter_of[label] for label in suffix))
    return Preserving({states: coarse[merged] for states, merged in words})


def _telling(
    abstract: Mapping[Subset, Mapping[Hashable, Subset]], first: Subset, second: Subset
) -> tuple[tuple[Hashable, ...], bool]:
    """A shortest word that one of two nodes of different languages rejects, and whether it is the first."""
    queue = [(first, second)]
    words: dict[tuple[Subset, Subset], tuple[Hashable, ...]] = {(first, second): ()}
    for pair in queue:  # grows while it is read
        for label, one, other in _steps(abstract, *pair):
            word = (*words[pair], label)
            if one is None or other is None:
                return word, one is None
            if (one, other) not in words:
                words[one, other] = word
                queue.append((one, other))
    raise AssertionError("the nodes have the same language")


def _steps(
    abstract: Mapping[Subset, Mapping[Hashable, Subset]], first: Subset, second: Subset
) -> Iterator[tuple[Hashable, Subset | None, Subset | None]]:
    mine, theirs = abstract[first], abstract[second]
    for label in dict.fromkeys((*mine, *theirs)):
        yield label, mine.get(label), theirs.get(label)
