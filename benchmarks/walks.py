"""``auto`` and window walks beside the best published methods (FSMlib's, as measured) and what no method can beat.

Cost is inputs plus tests; seconds are those of ``auto``, which tries all methods that it can afford. The bound
*windows* is n p^(a+1) + a + 1, *sinks* counts the tests that a sink demands (docs/proofs/window-walks.md, section 7).
"""

from __future__ import annotations

import csv
import math
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from fullproof.analysis.covers import state_cover
from fullproof.analysis.table import Table
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.words import WordSource
from fullproof.formats import read_model
from fullproof.generate.finite.auto import cheapest
from fullproof.generate.finite.preparation import prepare
from fullproof.model import Fsm

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
PEERS = ("s", "spy-st", "hsi-st", "spyh")
MOST_WINDOWS = 450_000


@dataclass(frozen=True)
class Row:
    """One machine and one number of extra states."""

    model: str
    extra: int
    cost: int
    bound: int
    peers: dict[str, int]

    def loses(self) -> bool:
        """Whether spy-st is cheaper."""
        return self.cost > self.peers.get("spy-st", self.cost)


def main() -> None:
    """Print the table, the geometric means and the sums."""
    if not SHARED.is_dir():
        print("skipped: the published machines and measurements (../shared) are not here")
        return
    head = (
        f"{'model':<34}{'n':>5}{'p':>4}{'a':>3}  {'auto':<6}{'tests':>9}{'inputs':>10}{'cost':>10}{'s':>7}{'walks':>10}"
    )
    print(head + "".join(f"{name:>10}" for name in PEERS) + f"{'/S':>7}{'/spy-st':>8}{'windows':>9}{'sinks':>10}")
    rows = list(measurements())
    print(f"\ndearer than spy-st: {[(row.model, row.extra) for row in rows if row.loses()] or 'never'}")
    for extra in sorted({row.extra for row in rows}):
        print(f"\n{extra} extra states")
        for peer in PEERS:
            both = [row for row in rows if row.extra == extra and peer in row.peers]
            if both:
                mean = math.exp(sum(math.log(row.cost / row.peers[peer]) for row in both) / len(both))
                ours, theirs = sum(row.cost for row in both), sum(row.peers[peer] for row in both)
                least = sum(row.bound for row in both)
                print(
                    f"  against {peer:<7} {len(both):>3} machines: geometric mean {mean:.3f}; "
                    f"sums {ours:,} / {theirs:,} = {ours / theirs:.3f} (none below {least / theirs:.3f})"
                )


def measurements() -> Iterator[Row]:
    """Generate for what the peers were measured on, as far as it is not too large."""
    tables: dict[str, Table] = {}
    for (model, extra), peers in measured().items():
        if model not in tables:
            tables[model] = load(model)
        table = tables[model]
        windows = table.states * table.inputs ** (extra + 1)
        sinks = sink_bound(table, extra)
        if windows > MOST_WINDOWS:
            continue
        began = time.perf_counter()
        method, words, notes = cheapest(table, SuiteRequest(), extra_states=extra)
        tests, inputs = size(words)
        seconds = time.perf_counter() - began
        row = Row(model, extra, tests + inputs, max(windows + extra + 1, sinks), peers)
        walked = re.search(r"walks ([\d,]+)", " ".join(notes))
        cells = (f"{method.name:<6}", f"{tests:>9}", f"{inputs:>10}", f"{row.cost:>10}", f"{seconds:>7.1f}")
        walks = walked[1].replace(",", "") if walked else ""
        show(row, table, "".join(cells) + f"{walks:>10}", (windows + extra + 1, sinks))
        yield row


def size(words: WordSource) -> tuple[int, int]:
    """Tests and inputs."""
    pieces = [(len(piece), piece.total) for piece in words.chunks()]
    return sum(tests for tests, _ in pieces), sum(inputs for _, inputs in pieces)


def show(row: Row, table: Table, found: str, bounds: tuple[int, int]) -> None:
    """Print one line."""
    ratios = [f"{row.cost / row.peers[peer]:.2f}" if peer in row.peers else "" for peer in ("s", "spy-st")]
    print(
        f"{row.model:<34}{table.states:>5}{table.inputs:>4}{row.extra:>3}  {found}"
        + "".join(f"{row.peers.get(peer, ''):>10}" for peer in PEERS)
        + f"{ratios[0]:>7}{ratios[1]:>8}{bounds[0]:>9}{bounds[1] or '':>10}",
        flush=True,
    )


def measured() -> dict[tuple[str, int], dict[str, int]]:
    """Costs of FSMlib's suites by machine and number of extra states."""
    found: dict[tuple[str, int], dict[str, int]] = {}
    with (SHARED / "peers" / "results.csv").open(encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            cell = found.setdefault((line["model"], int(line["a"])), {})
            if line["tool"] == "FSMlib" and line["method"] in PEERS and line["status"] == "ok":
                cell[line["method"]] = int(line["tests"]) + int(line["inputs"])
    return found


def load(name: str) -> Table:
    """Read a machine by the name of its file."""
    path = next(p for p in sorted((SHARED / "models").rglob("*.*")) if p.stem == name and p.suffix in (".dot", ".fsm"))
    model = read_model(path)
    assert isinstance(model, Fsm)
    return prepare(model).table


def sink_bound(table: Table, extra: int) -> int:
    """What every complete suite spends on transitions into a sink from outside; 0 without a sink."""
    n, p = table.states, table.inputs
    depth = state_cover(table).depth
    cost = 0
    for sink in range(n):
        if any(table.target[sink * p + i] != sink for i in range(p)):
            continue
        words = words_needed(table, sink) * p**extra
        entries = [s for s in range(n) for i in range(p) if s != sink and table.target[s * p + i] == sink]
        cost += sum(words * (int(depth[s]) + extra + 3) for s in entries)
    return cost


def words_needed(table: Table, sink: int) -> int:
    """Words needed to tell a sink from all other states: at least as many as states no two of which share one."""
    others = [s for s in range(table.states) if s != sink]
    if len(others) > 200:
        return 1
    conflicts: dict[int, set[int]] = {s: set() for s in others}
    for one, other in combinations(others, 2):
        if not share_a_word(table, sink, one, other):
            conflicts[one].add(other)
            conflicts[other].add(one)
    best = 1
    for first in others:
        clique = {first}
        for state in sorted(conflicts[first], key=lambda s: (-len(conflicts[s] & conflicts[first]), s)):
            if clique <= conflicts[state]:
                clique.add(state)
        best = max(best, len(clique))
    return best


def share_a_word(table: Table, sink: int, one: int, other: int) -> bool:
    """Does some word separate both states from the sink? (-1: separated already.)"""
    seen = {(one, other)}
    stack = [(one, other)]
    while stack:
        pair = stack.pop()
        for i in range(table.inputs):
            usual = int(table.output[sink * table.inputs + i])
            after = tuple(
                -1 if s < 0 or table.output[s * table.inputs + i] != usual else int(table.target[s * table.inputs + i])
                for s in pair
            )
            if after == (-1, -1):
                return True
            if after not in seen and sink not in after:
                seen.add((after[0], after[1]))
                stack.append((after[0], after[1]))
    return False


if __name__ == "__main__":
    main()
