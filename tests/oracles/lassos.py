"""All lassos of a small graph: paths that end where they have been before."""

from tests.oracles.ltl import Letter

Graph = tuple[tuple[tuple[Letter, int], ...], ...]
"""For each state its steps: the names that hold, and the target."""


def lassos(graph: Graph, longest: int, *, start: int = 0) -> list[tuple[list[Letter], list[Letter]]]:
    """Stem and loop of every path of up to so many steps whose last step closes a loop."""
    found = []
    paths: list[list[tuple[int, Letter, int]]] = [[]]
    for _ in range(longest):
        longer = []
        for path in paths:
            state = path[-1][2] if path else start
            longer += [[*path, (state, letter, target)] for letter, target in graph[state]]
        paths = longer
        for path in paths:
            starts = [k for k, step in enumerate(path) if step[0] == path[-1][2]]
            found += [([s[1] for s in path[:k]], [s[1] for s in path[k:]]) for k in starts]
    return found
