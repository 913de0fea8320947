"""The order in which the tests of a hypothesis are run while a model is learnt: likely counterexamples first.

A hypothesis is wrong because a state is missing, which shows after some transition that was never taken before some
others. So tests come first that take most *windows*, sequences of ``extra + 1`` transitions, which no observation has
taken so far, for their cost. A suite has all windows in the end, whatever the order.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import cycle
from typing import Any

from fullproof.testing.observations import Node

Window = tuple[Any, ...]
Step = Callable[[int, Hashable], tuple[Any, int]]
"""The output and the next state of a hypothesis, by state and input; states have the numbers of their discovery."""


def seen_windows(step: Step, initial: int, root: Node, length: int) -> set[Window]:
    """The windows along all observations that agree with the hypothesis."""
    found: set[Window] = set()
    waiting: list[tuple[int, Node, tuple[Any, ...]]] = [(initial, root, ())]
    while waiting:
        state, node, past = waiting.pop()
        for symbol, (output, after) in node.items():
            said, target = step(state, symbol)
            if said != output:
                continue
            now = (*past, (state, symbol))[-length:]
            if len(now) == length:
                found.add(_window(now))
            waiting.append((target, after, now))
    return found


def likeliest_first(
    words: Iterable[Sequence[Hashable]], step: Step, initial: int, seen: set[Window], length: int
) -> Iterator[Sequence[Hashable]]:
    """All words, those with most new windows for their inputs and reset first; ``seen`` grows as words are taken.

    Two measures take turns, since neither is best for all systems: the windows of newer states count more, as less is
    known of them; and long tests with many new windows count more. Lazy: what a word is worth is looked at again when
    it is its turn, since it never grows.
    """
    listed = list(words)
    windows = [_windows(word, step, initial, length) for word in listed]

    def by_newest(number: int) -> float:
        return float(sum(1 + window[0] for window in windows[number] - seen)) / (len(listed[number]) + 1)

    def by_many(number: int) -> float:
        return len(windows[number] - seen) ** 2 / (len(listed[number]) + 1)

    queues = [(worth, [(-worth(number), number) for number in range(len(listed))]) for worth in (by_newest, by_many)]
    for _, queue in queues:
        heapq.heapify(queue)
    taken: set[int] = set()
    for worth, queue in cycle(queues):
        number = _best(worth, queue, taken)
        if number is None:
            return
        taken.add(number)
        seen |= windows[number]
        yield listed[number]


def _best(worth: Callable[[int], float], queue: list[tuple[float, int]], taken: set[int]) -> int | None:
    """Take the number that is worth most now, None where all are taken."""
    while queue:
        _, number = heapq.heappop(queue)
        if number in taken:
            continue
        now = -worth(number)
        if not queue or now <= queue[0][0]:
            return number
        heapq.heappush(queue, (now, number))
    return None


def _windows(word: Sequence[Hashable], step: Step, initial: int, length: int) -> set[Window]:
    state, found = initial, set[Window]()
    past: deque[Any] = deque(maxlen=length)
    for symbol in word:
        past.append((state, symbol))
        if len(past) == length:
            found.add(_window(past))
        _, state = step(state, symbol)
    return found


def _window(past: Sequence[Any]) -> Window:
    """The first state and all inputs: the states between follow from them."""
    return (past[0][0], *(symbol for _, symbol in past))
