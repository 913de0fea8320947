"""Suites for partial deterministic machines attacked: does any faulty machine of the fault domain pass one?

Random machines with pairwise separable states, every method that takes them, 0 to 2 extra states. The search goes
through all complete machines that pass the suite (tests/oracles/survivors.py). As a control, each suite is attacked
again without one test. Argument: how many machines (default 300).
"""

from __future__ import annotations

import random
import sys
from collections import Counter

from tests.oracles.survivors import SearchTooLong, find_survivor
from tests.strategies.partial_machines import partial_machine

from fullproof.analysis.table import Table
from fullproof.artefacts.request import SuiteRequest
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS

_GUESSES = 30_000
_LARGEST = 54
"""States times words of three inputs of machines that are attacked with two extra states."""


def main() -> None:
    """Attack and print what was found."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    tally: Counter[tuple[str, int, str]] = Counter()
    for index in range(count):
        draw = random.Random(f"partial/{index}")
        sizes = draw.choice((1, 2, 2, 3, 3, 4, 5)), draw.choice((2, 2, 3)), draw.choice((2, 2, 3))
        gaps = draw.choice((0.15, 0.3, 0.5))
        table = partial_machine(draw, states=sizes[0], inputs=sizes[1], outputs=sizes[2], gaps=gaps)
        for extra in (0, 1, 2) if sizes[0] * sizes[1] ** 3 <= _LARGEST else (0, 1):
            for method in EQUIVALENCE_METHODS.values():
                if not method.partial:
                    continue
                source = method.source(table, SuiteRequest(method=method.name), extra_states=extra)
                words = [tuple(word.tolist()) for piece in source.chunks() for word in piece]
                lost = draw.randrange(len(words))
                tally[method.name, extra, "suites"] += 1
                tally[method.name, extra, _decided(table, words, extra)] += 1
                fewer = _decided(table, words[:lost] + words[lost + 1 :], extra)
                tally[method.name, extra, "noticed"] += fewer == "survivors"
    print(f"{count} machines")
    columns = ("suites", "survivors", "undecided", "noticed")
    print(f"{'method':<8}{'extra':>6}" + "".join(f"{column:>11}" for column in columns))
    for name, extra in sorted({key[:2] for key in tally}):
        print(f"{name:<8}{extra:>6}" + "".join(f"{tally[name, extra, column]:>11}" for column in columns))


def _decided(table: Table, words: list[tuple[int, ...]], extra: int) -> str:
    try:
        found = find_survivor(table, words, table.states + extra, guesses=_GUESSES)
    except SearchTooLong:
        return "undecided"
    return "complete" if found is None else "survivors"


if __name__ == "__main__":
    main()
