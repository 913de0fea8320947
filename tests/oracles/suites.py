"""Slow, obvious answers about test suites of complete deterministic machines."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product

from tests.oracles.machines import run

from fullproof.analysis.table import Table

Word = tuple[int, ...]


def maximal(words: Iterable[Word]) -> list[Word]:
    """The words that are not a proper prefix of another one, sorted."""
    unique = set(words)
    inner = {word[:k] for word in unique for k in range(len(word))}
    return sorted(word for word in unique if word and word not in inner)


def access_words(table: Table) -> dict[int, Word]:
    """The first shortest word to each state, inputs tried in order."""
    found: dict[int, Word] = {0: ()}
    queue = [0]
    for state in queue:
        for i in range(table.inputs):
            target = int(table.target[state * table.inputs + i])
            if target not in found:
                found[target] = (*found[state], i)
                queue.append(target)
    return found


def traversal(table: Table, extra: int) -> dict[Word, int]:
    """All words v.x, |x| <= extra + 1, with their level: 0 in the cover, else how far from it; leaves are extra + 1."""
    cover = set(access_words(table).values())
    levels: dict[Word, int] = {}
    for v in cover:
        for length in range(extra + 2):
            for x in product(range(table.inputs), repeat=length):
                word = (*v, *x)
                known = max(k for k in range(len(word) + 1) if word[:k] in cover)
                levels[word] = len(word) - known
    return {word: level for word, level in levels.items() if level <= extra + 1}


def survivor(table: Table, tests: Sequence[Word], states: int) -> str | None:
    """A machine of at most ``states`` states that passes all tests and is not equivalent; None where there is none.

    Grows a machine along the tests: of the undefined transitions that tests wait for, the one most of them wait for
    gets the expected output and every target in turn, unused states in the order of their numbers. A machine that
    answers some test wrongly is given up.
    """
    target: dict[tuple[int, int], int] = {}
    output: dict[tuple[int, int], int] = {}
    expected = [run(table, word)[0] for word in tests]

    def grow(used: int) -> str | None:
        waiting: Counter[tuple[int, int]] = Counter()
        wanted: dict[tuple[int, int], set[int]] = {}
        for word, answers in zip(tests, expected, strict=True):
            here = 0
            for symbol, answer in zip(word, answers, strict=True):
                cell = (here, symbol)
                if cell not in target:
                    waiting[cell] += 1
                    wanted.setdefault(cell, set()).add(answer)
                    break
                if output[cell] != answer:
                    return None
                here = target[cell]
        if any(len(answers) > 1 for answers in wanted.values()):
            return None
        if not waiting:
            return difference(used)
        cell = waiting.most_common(1)[0][0]
        output[cell] = wanted[cell].pop()
        for choice in range(min(used + 1, states)):
            target[cell] = choice
            found = grow(max(used, choice + 1))
            if found is not None:
                return found
        del target[cell], output[cell]
        return None

    def difference(used: int) -> str | None:
        queue = [(0, 0)]
        for here, there in queue:
            for i in range(table.inputs):
                cell = there * table.inputs + i
                if (here, i) not in target:
                    return f"{used} states, input {i} of state {here} never seen: {target} {output}"
                if output[here, i] != table.output[cell]:
                    return f"{used} states: {target} {output}"
                following = (target[here, i], int(table.target[cell]))
                if following not in queue:
                    queue.append(following)
        return None

    return grow(1)


def apart_below(table: Table, tests: Sequence[Word]) -> Callable[[Word, Word], bool]:
    """Tell whether a word that the tests contain after both of two words gives different outputs."""
    nodes = {word[:k] for word in tests for k in range(len(word) + 1)} | {()}
    label = {node: run(table, node)[1] for node in nodes}

    def apart(one: Word, other: Word) -> bool:
        queue = [(one, other)]
        for q, r in queue:
            for i in range(table.inputs):
                a, b = (*q, i), (*r, i)
                if a in nodes and b in nodes:
                    if table.output[label[q] * table.inputs + i] != table.output[label[r] * table.inputs + i]:
                        return True
                    queue.append((a, b))
        return False

    return apart


def k_a_complete(table: Table, tests: Sequence[Word], extra: int) -> str | None:
    """Why the sufficient condition of k-A-completeness fails (Vaandrager and Melse 2025); None where it holds."""
    nodes = {word[:k] for word in tests for k in range(len(word) + 1)} | {()}
    apart = apart_below(table, tests)
    cover = list(access_words(table).values())
    level = traversal(table, extra)
    if any(b not in nodes for b in cover):
        return "a state is not reached"
    if any(q != r and not apart(q, r) for q in cover for r in cover):
        return "states of the cover are not pairwise apart"
    for node, depth in level.items():
        if depth <= extra and any((*node, i) not in nodes for i in range(table.inputs)):
            return f"an input is missing at {node}"
    candidates = {
        node: frozenset(b for b in cover if b != node and not apart(node, b)) | ({node} & set(cover)) for node in level
    }
    frontier = [node for node, depth in level.items() if depth == extra + 1]
    inside = [node for node, depth in level.items() if 0 < depth <= extra]
    for q in frontier:
        if len(candidates[q]) != 1:
            return f"{q} is not identified: {set(candidates[q])}"
        for r in inside:
            if candidates[q] != candidates[r] and not apart(q, r):
                return f"{q} and {r} are neither apart nor identified alike"
    return None
