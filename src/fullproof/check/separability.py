"""States of a partial machine that no test can distinguish, with the reason and what would help."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

from fullproof.analysis.minimise import prime
from fullproof.analysis.separation import separation
from fullproof.analysis.table import Numbering, RelationTable, Table, deterministic_table, is_deterministic
from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import LISTED, note, some_of, warning

_MOST = 5_000
"""States up to which all pairs are looked at."""
_STEPS = 10_000
"""Pairs of states that the search for a difference in defined inputs may visit: for each pair that is spelt out, and
for all together.
"""
_LISTED_PAIRS = 5_000
"""Inseparable pairs that the witness of the last finding lists."""


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
    pairs = words.inseparable_pairs(_LISTED_PAIRS)
    yield from (_finding(table, (states, names.inputs), pair) for pair in pairs[:LISTED])
    if len(pairs) > LISTED:
        yield _rest(table, (states, names.inputs), pairs, words.inseparable)


def _rest(table: Table, names: tuple[list[str], tuple[str, ...]], pairs: list[tuple[int, int]], total: int) -> Finding:
    """How many pairs there are beside those that were spelt out, all of them as witness, and what helps the most."""
    states, inputs = names
    steps = _STEPS
    helped: Counter[str] = Counter()
    looked = 0
    for pair in pairs:
        if steps <= 0:
            break
        word, visited = _offered(table, pair, steps)
        steps -= visited
        if steps > 0 or word:
            looked += 1
            helped.update(inputs[symbol] for symbol in word[-1:])
    message = f"... and {total - LISTED:,} more (--json lists {'them' if len(pairs) == total else f'{len(pairs):,}'})"
    if helped:
        ranked = [f"{name} ({count:,})" for name, count in helped.most_common()]
        of = f"all {total:,} pairs" if looked == total else f"{looked:,} of {total:,} pairs"
        message += (
            f"; a shortest sequence that only one state of a pair offers ends, for {of}, with {some_of(ranked)}: "
            "`ignore` with a new output for these inputs, or `unavailable: SYMBOL`, distinguishes such pairs"
        )
    listed = [[states[one], states[other]] for one, other in pairs]
    return warning("inseparable-states", "", message, witness={"pairs": listed, "unavailable": dict(helped)})


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
    word, _ = _offered(table, pair, _STEPS)
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


def _offered(table: Table, pair: tuple[int, int], steps: int) -> tuple[tuple[int, ...], int]:
    """A shortest word that is defined in one state of a pair and, but for its last input, in both, () if not found;
    and how many pairs were visited.
    """
    queue: deque[tuple[tuple[int, int], tuple[int, ...]]] = deque([(pair, ())])
    seen = {pair}
    while queue and len(seen) < steps:
        (one, other), word = queue.popleft()
        for symbol in range(table.inputs):
            after = (int(table.target[one * table.inputs + symbol]), int(table.target[other * table.inputs + symbol]))
            if (after[0] < 0) != (after[1] < 0):
                return (*word, symbol), len(seen)
            if after[0] >= 0 and after[0] != after[1] and after not in seen:
                seen.add(after)
                queue.append((after, (*word, symbol)))
    return (), len(seen)
