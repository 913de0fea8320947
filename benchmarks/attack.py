"""Completeness attacked: does any faulty machine of the fault domain pass a suite of ours?

For random small machines, every method, 0 and 1 extra states: every suite is decided by ``certify``'s exact engines
alone. For partial and nondeterministic machines, a search through all observable machines of the domain
(tests/oracles/reduction_survivors.py) gives a second answer where it ends in time; the two have to agree. As a control,
each suite is attacked again without one test.
Arguments: how many machines (default 100), the number of the first one (default 0), parts (default: all), and
``--exact`` to leave the search out.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.oracles.reduction_survivors import Domain, SearchTooLong, survives
from tests.strategies.observable_machines import fsm_of as observable_fsm
from tests.strategies.observable_machines import observable_machine
from tests.strategies.specifications import specification
from tests.strategies.suites import fsm_of, machine_of

from fullproof.artefacts.request import Distinguish, Relation, SuiteRequest
from fullproof.certify import Complete, Incomplete, ProofEngine, certify
from fullproof.core.errors import UserError
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.generate.finite.preparation import prepare
from fullproof.generate.finite.suite import finite_suite
from fullproof.model import Fsm

Words = list[tuple[int, ...]]
Tally = Counter[str]


@dataclass(frozen=True)
class Part:
    """A relation, the kind of machines it is attacked on, and the options of the suite."""

    request: SuiteRequest
    complete: bool = False
    deterministic: bool = False


STRONG = Relation.STRONG_REDUCTION
PARTS = {
    "quasi-equivalence": Part(SuiteRequest(relation=Relation.EQUIVALENCE), deterministic=True),
    "equivalence, nondeterministic": Part(SuiteRequest(relation=Relation.EQUIVALENCE), complete=True),
    "reduction": Part(SuiteRequest(relation=Relation.REDUCTION), complete=True),
    "quasi-reduction": Part(SuiteRequest(relation=Relation.QUASI_REDUCTION)),
    "strong-reduction rd1": Part(SuiteRequest(relation=STRONG, distinguish=Distinguish.RD1)),
    "strong-reduction rd2": Part(SuiteRequest(relation=STRONG, distinguish=Distinguish.RD2)),
    "strong-reduction rd3": Part(SuiteRequest(relation=STRONG, distinguish=Distinguish.RD3)),
}
DETERMINISTIC = "equivalence"
GUESSES = 1_000
"""After which the search for a survivor gives up."""
MOST_SEARCHED = 150
"""Tests of a suite that is searched."""
SECONDS = 60.0
SIZES = ((1, 2, 2), (2, 1, 2), (2, 1, 3), (2, 2, 1), (2, 2, 2), (2, 2, 2), (3, 1, 2), (3, 2, 1), (3, 2, 2))
"""States, inputs, outputs of partial and nondeterministic machines."""


def main() -> None:
    """Attack part by part and print what was found."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    searched = "--exact" not in sys.argv
    names = [name for name in (DETERMINISTIC, *PARTS) if name in sys.argv[1:]] or [DETERMINISTIC, *PARTS]
    count, first = (*numbers, 100, 0)[:2] if len(numbers) != 1 else (numbers[0], 0)
    print(f"machines {first} to {first + count - 1}")
    print(
        f"{'relation, method':<34}{'extra':>6}{'suites':>8}{'survivors':>10}{'undecided':>10}{'too large':>10}", end=""
    )
    print(f"{'searched':>10}{'too long':>10}{'one test less':>15}{'noticed':>9}{'seconds':>9}")
    for name in names:
        began = time.perf_counter()
        tallies: dict[tuple[str, int], Tally] = defaultdict(Counter)
        for index in range(first, first + count):
            attack = deterministic(index) if name == DETERMINISTIC else other(name, index, searched=searched)
            for method, extra, found in attack:
                tallies[method, extra] += found
        seconds = time.perf_counter() - began
        for (method, extra), found in tallies.items():
            cells = (found["suites"], found["survivors"], found["undecided"], found["too large"])
            print(f"{method:<34}{extra:>6}{cells[0]:>8}{cells[1]:>10}{cells[2]:>10}{cells[3]:>10}", end="")
            print(f"{found['searched']:>10}{found['too long']:>10}", end="")
            print(f"{found['thinned']:>15}{found['noticed']:>9}{seconds:>9.0f}", flush=True)


def deterministic(index: int) -> Iterator[tuple[str, int, Tally]]:
    """One complete deterministic machine of one of seven kinds, every method, by the exact engine."""
    draw = random.Random(f"deterministic/{index}")
    sizes = draw.choice((1, 2, 3, 3, 4, 4, 5)), draw.choice((1, 2, 2, 3)), draw.choice((2, 2, 3))
    table = specification(draw, index, states=sizes[0], inputs=sizes[1], outputs=sizes[2])
    fsm = fsm_of(machine_of(table))
    table = prepare(fsm).table
    for extra in (0, 1):
        decided: dict[tuple[tuple[int, ...], ...], str] = {}

        def decide(words: Words, extra: int = extra, decided: dict[tuple[tuple[int, ...], ...], str] = decided) -> str:
            key = tuple(words)
            if key not in decided:
                decided[key] = by_engine(fsm, words, extra, Relation.EQUIVALENCE)
            return decided[key]

        for name, method in EQUIVALENCE_METHODS.items():
            source = method.source(table, SuiteRequest(method=name), extra_states=extra)
            words = [tuple(word.tolist()) for piece in source.chunks() for word in piece]
            found = Counter({"suites": 1, decide(words): 1})
            fewer = thinned(draw, words)
            found += Counter({"thinned": 1, "noticed": decide(fewer) == "survivors"})
            yield f"{DETERMINISTIC}, {name}", extra, found


def other(name: str, index: int, *, searched: bool = True) -> Iterator[tuple[str, int, Tally]]:
    """One partial or nondeterministic machine, by the exact engine, and by a search through its fault domain."""
    part = PARTS[name]
    draw = random.Random(f"{name}/{index}")
    states, inputs, outputs = draw.choice(SIZES)
    model = observable_machine(
        draw,
        states=states,
        inputs=inputs,
        outputs=outputs,
        complete=part.complete,
        deterministic=part.deterministic,
    )
    fsm, relation = observable_fsm(model, outputs=outputs), part.request.relation
    assert relation is not None
    for extra in (0, 1):
        try:
            suite = finite_suite(fsm, part.request, extra_states=extra)
        except UserError:  # too many traces
            yield name, extra, Counter({"too large": 1})
            continue
        words = [tuple(word.tolist()) for piece in suite.words.chunks() for word in piece]
        domain = Domain(suite.states + extra, outputs + 1, relation, deterministic=part.deterministic)

        def decide(words: Words, extra: int = extra, domain: Domain = domain) -> tuple[str, str]:
            exact = by_engine(fsm, words, extra, domain.relation)
            if not searched or len(words) > MOST_SEARCHED:
                return exact, "too long"
            try:
                second = "survivors" if survives(model, words, domain, guesses=GUESSES) else "complete"
            except SearchTooLong:
                return exact, "too long"
            assert exact in ("undecided", second), (name, index, extra, exact, second)
            return exact, "searched"

        found = Counter({"suites": 1})
        found.update(decide(words))
        if words:
            found += Counter({"thinned": 1, "noticed": decide(thinned(draw, words))[0] == "survivors"})
        yield name, extra, found


def by_engine(fsm: Fsm, words: Words, extra: int, relation: Relation) -> str:
    """What the exact engine says."""
    named = [[fsm.inputs[symbol] for symbol in word] for word in words]
    answer = certify(fsm, named, extra_states=extra, timeout=SECONDS, methods=[ProofEngine.EXACT], relation=relation)
    sound = "survivors" if isinstance(answer, Incomplete) else "undecided"
    return "complete" if isinstance(answer, Complete) else sound


def thinned(draw: random.Random, words: Sequence[tuple[int, ...]]) -> Words:
    """The suite without one of its tests."""
    lost = draw.randrange(len(words))
    return [word for k, word in enumerate(words) if k != lost]


if __name__ == "__main__":
    main()
