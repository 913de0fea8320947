"""Words that a suite proves to converge, by merging classes of words until nothing changes (Simao et al. 2012)."""

from collections.abc import Iterable
from itertools import product

from tests.oracles.machines import run
from tests.oracles.suites import Word, access_words

from fullproof.analysis.table import Table


class Classes:
    """Prefixes of tests; those known to converge are one class."""

    def __init__(self, table: Table, tests: Iterable[Word]) -> None:
        self.table = table
        self.boss = {word[:k]: word[:k] for word in tests for k in range(len(word) + 1)} | {(): ()}
        self.state = {word: run(table, word)[1] for word in self.boss}
        self.cover = dict(enumerate(_by_state(table)))
        self.after: dict[Word, dict[int, Word]] = {word: {} for word in self.boss}
        for word in self.boss:
            if word:
                self.after[word[:-1]][word[-1]] = word

    def find(self, word: Word) -> Word:
        while self.boss[word] != word:
            word = self.boss[word]
        return word

    def step(self, word: Word | None, letters: Iterable[int]) -> Word | None:
        for letter in letters:
            if word is None:
                return None
            word = self.after[self.find(word)].get(letter)
        return None if word is None else self.find(word)

    def merge(self, one: Word, other: Word) -> None:
        one, other = self.find(one), self.find(other)
        if one == other:
            return
        self.boss[other] = one
        for letter, word in self.after[other].items():
            if letter in self.after[one]:
                self.merge(self.after[one][letter], word)
            else:
                self.after[one][letter] = word

    def apart(self, one: Word, other: Word) -> bool:
        """Some word below both is answered differently."""
        pairs = [(self.find(one), self.find(other))]
        for x, y in pairs:
            for letter in self.after[x].keys() & self.after[y].keys():
                cells = [self.state[word] * self.table.inputs + letter for word in (x, y)]
                if self.table.output[cells[0]] != self.table.output[cells[1]]:
                    return True
                following = (self.find(self.after[x][letter]), self.find(self.after[y][letter]))
                if following not in pairs:
                    pairs.append(following)
        return False

    def converge(self, one: Word, other: Word, extra: int) -> bool:
        """The premises of the lemma in ``fullproof.generate.finite.spy``."""
        for y in product(range(self.table.inputs), repeat=extra):
            words = [*self.cover.values()]
            for start in (one, other):
                for k in range(extra + 1):
                    word = self.step(start, y[:k])
                    if word is None:
                        return False
                    words.append(word)
            for x in words:
                if any(self.state[x] != self.state[z] and not self.apart(x, z) for z in words):
                    return False
        return True


def unproved(table: Table, tests: Iterable[Word], extra: int) -> str | None:
    """A transition that the suite does not prove to lead where it should; None where there is none."""
    classes = Classes(table, tests)
    missing = [word for word in classes.cover.values() if word not in classes.boss]
    if missing:
        return f"{missing[0]} is not observed"
    waiting = set(range(table.states * table.inputs))
    while waiting:
        known = set()
        for cell in waiting:
            there = classes.step(classes.cover[cell // table.inputs], (cell % table.inputs,))
            target = classes.cover[int(table.target[cell])]
            if there is not None and classes.converge(there, target, extra):
                classes.merge(target, there)
                known.add(cell)
        if not known:
            return f"transition {divmod(min(waiting), table.inputs)} cannot be proved"
        waiting -= known
    return None


def _by_state(table: Table) -> list[Word]:
    words = access_words(table)
    return [words[state] for state in range(table.states)]
