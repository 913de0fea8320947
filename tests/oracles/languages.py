"""Whether two states have the same traces, by walking through pairs of sets of states."""

from collections.abc import Callable, Hashable, Iterable

Step = Callable[[Hashable], Iterable[tuple[Hashable, Hashable]]]


def same_language(step: Step, one: Hashable, other: Hashable) -> bool:
    """Whether the same labels can be followed; ``step`` gives (label, target) for a state."""

    def after(states: frozenset) -> dict:
        found: dict = {}
        for state in states:
            for label, target in step(state):
                found.setdefault(label, set()).add(target)
        return {label: frozenset(targets) for label, targets in found.items()}

    waiting = [(frozenset({one}), frozenset({other}))]
    seen = set(waiting)
    while waiting:
        left, right = (after(states) for states in waiting.pop())
        if left.keys() != right.keys():
            return False
        for label in left:
            pair = (left[label], right[label])
            if pair not in seen:
                seen.add(pair)
                waiting.append(pair)
    return True
