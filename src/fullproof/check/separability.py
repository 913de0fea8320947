"""States of a partial machine that no test can distinguish, with the reason and what would help."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from fullproof.analysis.minimise import prime
from fullproof.analysis.separation import Separation, separation
from fullproof.analysis.table import Numbering, RelationTable, Table, deterministic_table, is_deterministic
from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import LISTED, note, some_of, warning

_MOST = 5_000
"""States up to which all pairs are looked at."""
_STEPS = 10_000
"""Pairs of states that the search for a difference in defined inputs may visit."""


def inseparable_states(relation: RelationTable, names: Numbering) -> Iterator[Finding]:
    """Findings where a deterministic partial machine has states without a common defined word of different outputs.

    Equivalent states count as one: they have a finding of their own.
    """
    smallest = prime(relation)
    if not is_deterministic(smallest.relation):
        return
    table = deterministic_table(smallest.relation)
    if not bool((table.target < 0).any()):
        return
    if table.states > _MOST:
        yield note("separability-unknown", "machine", f"pairs of states are looked at up to {_MOST:,} states")
        return
    words = separation(table)
    states = [names.states[state] for state in smallest.representative]
    pairs = words.inseparable_pairs(LISTED + 1)
    found = [_finding(table, (states, names.inputs), pair) for pair in pairs[:LISTED]]
    yield from found
    yield from _more(words, found)


def _more(words: Separation, found: list[Finding]) -> Iterator[Finding]:
    if words.inseparable > len(found):
        yield warning("inseparable-states", "", f"... and {words.inseparable - len(found):,} more")


def _finding(table: Table, names: tuple[list[str], tuple[str, ...]], pair: tuple[int, int]) -> Finding:
    states, inputs = names
    rows = [
        {symbol for symbol in range(table.inputs) if table.target[state * table.inputs + symbol] >= 0} for state in pair
    ]
    common = [inputs[symbol] for symbol in sorted(rows[0] & rows[1])]
    if common:
        reason = f"no sequence of inputs that both define leads to different outputs (both define {some_of(common)})"
    else:
        reason = "no input is defined in both"
    helping = ["an input with an output that distinguishes them"]
    word = _offered(table, pair)
    if word:
        text = " ".join(inputs[symbol] for symbol in word[:-1])
        last = inputs[word[-1]]
        only = f"{last} after {text}" if text else last
        helping.append(f"`ignore` with a new output or `unavailable: SYMBOL` for {only}, which one of them lacks")
    return warning(
        "inseparable-states",
        f"states {states[pair[0]]} and {states[pair[1]]}",
        f"{reason}, so a system may confuse them and suites become large; what helps: {', or '.join(helping)}",
        witness={
            "states": [states[state] for state in pair],
            "common_inputs": common,
            "unavailable": [inputs[symbol] for symbol in word],
        },
    )


def _offered(table: Table, pair: tuple[int, int]) -> tuple[int, ...]:
    """A shortest word that is defined in one state of a pair and, but for its last input, in both; () if not found."""
    queue: deque[tuple[tuple[int, int], tuple[int, ...]]] = deque([(pair, ())])
    seen = {pair}
    while queue and len(seen) < _STEPS:
        (one, other), word = queue.popleft()
        for symbol in range(table.inputs):
            after = (int(table.target[one * table.inputs + symbol]), int(table.target[other * table.inputs + symbol]))
            if (after[0] < 0) != (after[1] < 0):
                return (*word, symbol)
            if after[0] >= 0 and after[0] != after[1] and after not in seen:
                seen.add(after)
                queue.append((after, (*word, symbol)))
    return ()
