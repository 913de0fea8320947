"""What a suite still catches where the bound on states is wrong: faulty machines with 1, 2 and 4 states too many.

A cheap suite uses the bound to the full. For each method, suites for 0 extra states meet machines in which a chain of
copied states hides one fault; the last columns relate what is caught to what the suite costs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fullproof.analysis.table import Table
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.words import WordList
from fullproof.formats import read_model
from fullproof.generate.catalogue import EQUIVALENCE_METHODS
from fullproof.generate.prepare import prepare
from fullproof.model import Fsm

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "models"
MODELS = (
    "automata-wiki/TLS/OpenSSL_1.0.2_server_regular.dot",
    "random/rnd_n10_p5_q5_s1.dot",
    "automata-wiki/MQTT/mosquitto__two_client_will_retain.dot",
    "random/rnd_n30_p5_q5_s1.dot",
)
SURPLUS = (1, 2, 4)
MUTANTS = 400


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
        mutants = {
            k: [hidden_fault(table, k, random.Random(f"{k}/{seed}")) for seed in range(MUTANTS)] for k in SURPLUS
        }
        print(f"\n{Path(name).stem}: {table.states} states, {table.inputs} inputs, {MUTANTS} machines a column")
        head = "".join(f"{f'+{k} states':>12}" for k in SURPLUS) + "".join(f"{f'+{k} per 1000':>14}" for k in SURPLUS)
        print(f"{'method':<8}{'tests':>8}{'inputs':>9}{head}")
        for method in EQUIVALENCE_METHODS.values():
            words = concatenated(method.source(table, SuiteRequest(), extra_states=0).chunks())
            caught = [sum(catches(table, mutant, words) for mutant in mutants[k]) / MUTANTS for k in SURPLUS]
            shares = "".join(f"{share:>12.1%}" for share in caught)
            rates = "".join(f"{100 * share / (words.total / 1000):>13.1f}%" for share in caught)
            print(f"{method.name:<8}{len(words):>8,}{words.total:>9,}{shares}{rates}")


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
