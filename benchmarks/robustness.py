"""What a suite still catches where the bound on states is wrong: faulty machines with 1, 2 and 4 states too many.

A cheap suite uses the bound to the full. For each method, suites for 0 extra states meet machines in which a chain of
copied states hides one fault; suites for 1 extra state meet machines of the k-A domain for 1 extra state, in which that
many states too many stand side by side, each entered from the state cover, and lead to each other or astray. The last
columns say how many of the machines are caught for each thousand inputs of the suite.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fullproof.analysis.covers import state_cover
from fullproof.analysis.table import Table
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.words import WordList
from fullproof.formats import read_model
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.generate.finite.preparation import prepare
from fullproof.model import Fsm

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "models"
MODELS = (
    "automata-wiki/TLS/OpenSSL_1.0.2_server_regular.dot",
    "random/rnd_n10_p5_q5_s1.dot",
    "automata-wiki/MQTT/mosquitto__two_client_will_retain.dot",
    "random/rnd_n30_p5_q5_s1.dot",
)
SURPLUS = (1, 2, 4)
MUTANTS = 300


Mutate = Callable[["Table", int, random.Random], "Faulty"]


@dataclass(frozen=True)
class Faulty:
    """Flat tables of a machine with a hidden fault."""

    target: list[int]
    output: list[int]


def main() -> None:
    """Print a table for each model."""
    if not SHARED.is_dir():
        print("skipped: the published machines (../shared/models) are not here")
        return
    for name in MODELS:
        model = read_model(SHARED / name)
        assert isinstance(model, Fsm)
        table = prepare(model).table
        show(Path(name).stem, table, "a chain hides the fault", 0, hidden_fault)
        show(Path(name).stem, table, "within k-A", 1, faults_side_by_side)


def show(name: str, table: Table, what: str, extra: int, mutate: Mutate) -> None:
    """Print one table: what suites for so many extra states catch."""
    mutants = {k: distinct(table, k, mutate) for k in SURPLUS}
    print(f"\n{name}: {table.states} states, {table.inputs} inputs; suites for {extra} extra states; {what}")
    head = "".join(f"{f'+{k} caught':>12}" for k in SURPLUS) + "".join(f"{f'+{k} per 1000':>14}" for k in SURPLUS)
    print(f"{'method':<8}{'tests':>8}{'inputs':>9}{head}")
    for method in EQUIVALENCE_METHODS.values():
        words = concatenated(method.source(table, SuiteRequest(), extra_states=extra).chunks())
        caught = [sum(catches(table, mutant, words) for mutant in mutants[k]) for k in SURPLUS]
        shares = "".join(f"{c / len(mutants[k]):>12.1%}" for c, k in zip(caught, SURPLUS, strict=True))
        rates = "".join(f"{c / (words.total / 1000):>14.1f}" for c in caught)
        print(f"{method.name:<8}{len(words):>8,}{words.total:>9,}{shares}{rates}", flush=True)


def distinct(table: Table, surplus: int, mutate: Mutate) -> list[Faulty]:
    """Faulty machines, the same for every method, none of them equivalent to the model."""
    found: list[Faulty] = []
    seed = 0
    while len(found) < MUTANTS:
        mutant = mutate(table, surplus, random.Random(f"{surplus}/{seed}"))
        seed += 1
        if differs(table, mutant):
            found.append(mutant)
    return found


def differs(table: Table, faulty: Faulty) -> bool:
    """Whether some word at all is answered differently."""
    p = table.inputs
    right, good = table.target.tolist(), table.output.tolist()
    queue = [(0, 0)]
    seen = set(queue)
    for s, t in queue:
        for i in range(p):
            if good[s * p + i] != faulty.output[t * p + i]:
                return True
            pair = (right[s * p + i], faulty.target[t * p + i])
            if pair not in seen:
                seen.add(pair)
                queue.append(pair)
    return False


def concatenated(pieces: object) -> WordList:
    """All words in one list."""
    listed = [word for piece in pieces for word in piece]  # type: ignore[attr-defined]
    offsets = np.cumsum([0, *map(len, listed)], dtype=np.int64)
    return WordList(np.concatenate(listed), offsets)


def hidden_fault(table: Table, surplus: int, rng: random.Random) -> Faulty:
    """Copy ``surplus`` states along a random path, each reached only from the one before; the last has one fault."""
    p = table.inputs
    target, output = table.target.tolist(), table.output.tolist()
    where = rng.randrange(table.states)
    for _ in range(surplus):
        symbol = rng.randrange(p)
        original = target[where * p + symbol]
        copy = len(target) // p
        target += target[original * p : original * p + p]
        output += output[original * p : original * p + p]
        target[where * p + symbol] = copy
        where = copy
    cell = where * p + rng.randrange(p)
    if table.outputs > 1 and rng.random() < 0.5:
        output[cell] = rng.choice([o for o in range(table.outputs) if o != output[cell]])
    else:
        target[cell] = rng.choice([s for s in range(table.states) if s != target[cell]])
    return Faulty(target, output)


def faults_side_by_side(table: Table, surplus: int, rng: random.Random) -> Faulty:
    """One state more than ``surplus``, each entered by a transition that is not one of the cover's.

    The copies lead to each other where their labels allow it, and the last of them leads astray: all states of the
    machine are at most one input away from those that the state cover reaches.
    """
    n, p = table.states, table.inputs
    target, output = table.target.tolist(), table.output.tolist()
    cover = state_cover(table)
    tree = {int(cover.parent[s]) * p + int(cover.symbol[s]) for s in range(1, n)}
    cells = rng.sample([c for c in range(n * p) if c not in tree], min(surplus + 1, n * p - len(tree)))
    copies = {cell: n + k for k, cell in enumerate(cells)}
    for cell in cells:
        original = int(table.target[cell])
        target += table.target[original * p : original * p + p].tolist()
        output += table.output[original * p : original * p + p].tolist()
        target[cell] = copies[cell]
    labels = {number: int(table.target[cell]) for cell, number in copies.items()}
    for copy in labels:
        for i in range(p):
            twins = [c for c, label in labels.items() if label == target[copy * p + i]]
            if twins and rng.random() < 0.7:
                target[copy * p + i] = rng.choice(twins)
    cell = (len(target) // p - 1) * p + rng.randrange(p)
    target[cell] = rng.choice([s for s in range(len(target) // p) if s != target[cell]])
    return Faulty(target, output)


def catches(table: Table, faulty: Faulty, words: WordList) -> bool:
    """Whether some test answers differently."""
    p, right, good = table.inputs, table.target.tolist(), table.output.tolist()
    wrong, bad = faulty.target, faulty.output
    for word in words:
        s = t = 0
        for symbol in word.tolist():
            if good[s * p + symbol] != bad[t * p + symbol]:
                return True
            s, t = right[s * p + symbol], wrong[t * p + symbol]
    return False


if __name__ == "__main__":
    main()
