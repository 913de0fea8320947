"""Bad prefixes by their definition, as far as words can be listed."""

from collections.abc import Iterator, Sequence
from itertools import product

from tests.oracles.ltl import Letter, holds

from fullproof.language.monitor import Monitor
from fullproof.language.syntax import Expression, Name


def letters_over(names: Sequence[str]) -> list[Letter]:
    signs = product((False, True), repeat=len(names))
    return [frozenset(n for n, s in zip(names, row, strict=True) if s) for row in signs]


def valuation(monitor: Monitor, letter: Letter) -> tuple[bool, ...]:
    return tuple(isinstance(atom, Name) and atom.name in letter for atom in monitor.atoms)


def continuations(letters: Sequence[Letter], longest: int) -> Iterator[tuple[list[Letter], list[Letter]]]:
    """Stems and loops of up to so many letters each."""
    for stem in range(longest + 1):
        for loop in range(1, longest + 1):
            for word in product(letters, repeat=stem + loop):
                yield list(word[:stem]), list(word[stem:])


def has_continuation(formula: Expression, word: Sequence[Letter], letters: Sequence[Letter], longest: int) -> bool:
    """Whether a short lasso after the word satisfies the formula; then the word is no bad prefix."""
    return any(holds(formula, [*word, *stem], loop) for stem, loop in continuations(letters, longest))


def surviving_lasso(monitor: Monitor, state: int, letters: Sequence[Letter]) -> tuple[list[Letter], list[Letter]]:
    """Stem and loop that keep a monitor from the state of violation, first letters first."""
    seen: dict[int, int] = {}
    word: list[Letter] = []
    while state not in seen:
        seen[state] = len(word)
        letter = next(x for x in letters if monitor.step(state, valuation(monitor, x)) != monitor.violated)
        word.append(letter)
        state = monitor.step(state, valuation(monitor, letter))
    return word[: seen[state]], word[seen[state] :]


def distinct_futures(monitor: Monitor, letters: Sequence[Letter]) -> int:
    """How many of the reachable states differ in what is a bad prefix from there: Myhill and Nerode, by tables."""
    reached = [monitor.initial]
    for state in reached:
        for letter in letters:
            target = monitor.step(state, valuation(monitor, letter))
            if target not in reached:
                reached.append(target)
    block = {state: int(state == monitor.violated) for state in reached}
    while True:
        rows = {
            s: (block[s], *(block[monitor.step(s, valuation(monitor, letter))] for letter in letters)) for s in reached
        }
        names = {row: k for k, row in enumerate(dict.fromkeys(rows.values()))}
        refined = {state: names[rows[state]] for state in reached}
        if len(names) == len(set(block.values())):
            return len(names)
        block = refined
