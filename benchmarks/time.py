"""Suites for machines with timers: what they cost, and attacks on their claims.

Run: python -m benchmarks.time [MUTANTS [MACHINES]]

1. The cost of suites for ten models, in inputs, delays and resets, with proof; and the same model a thousand times
   slower.
2. MUTANTS mutants (by default 100,000) of the timers of these models, with one to four faults: none inside the domain
   may pass the suite and differ. Then as many of the domain of all faults (transfer, output, duration, start), with one
   or two of them.
3. MACHINES random machines (by default 60): all members of their domains, executed tick by tick.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from fractions import Fraction
from random import Random

from tests.oracles.timed_members import all_members, may_be_same, slow_answers, slow_difference, slow_machine
from tests.strategies.timed_machines import random_timed_domain, random_timed_machine
from tests.timed_models import lamp, sensor

from fullproof.certify.mutation_machine import size_text
from fullproof.certify.timed_domain import TimedDomain, timed_domain
from fullproof.certify.timed_member import choices_of, own_choice
from fullproof.certify.timed_oracle import TimedOracle
from fullproof.certify.timed_product import DifferenceSearch, ProductStart, TimedDifference
from fullproof.certify.timed_suite import TimedSuite, timed_suite
from fullproof.model.named_faults import FaultName, NamedFaults
from fullproof.model.timed import TimedMachine

TIMERS = (FaultName.DURATION, FaultName.START)
ALL = (FaultName.TRANSFER, FaultName.OUTPUT, *TIMERS)
_TICK = Fraction(1, 12)
_SECONDS: float | None = None


def models() -> dict[str, TimedMachine]:
    """Ten models: two written ones, and eight random ones that need their timers."""
    found = {"lamp": lamp(), "sensor": sensor()}
    seed = 0
    while len(found) < 10:
        machine = random_timed_machine(Random(seed), most_locations=4)
        seed += 1
        if len(machine.locations) > 2 and sum(map(len, machine.running)) > 2:
            found[f"random {seed - 1}"] = machine
    return found


def cost(suite: TimedSuite) -> int:
    """Inputs, delays and resets."""
    return sum(len(word) + 1 for word in suite.words)


def slower(machine: TimedMachine, factor: int) -> TimedMachine:
    """The same with longer times."""
    timers = tuple(type(t)(t.name, t.duration * factor, t.periodic) for t in machine.timers)
    fields = {name: getattr(machine, name) for name in machine.__dataclass_fields__}
    return TimedMachine(**{**fields, "timers": timers})


def costs() -> list[list[tuple[TimedDomain, TimedSuite]]]:
    """Print the table of costs, and return the suites for faults of timers in any number, and for all faults."""
    print("| model | locations | timers | domain | timers only | seconds | all, at most 2 | seconds | times 1,000 |")
    print("|---|---|---|---|---|---|---|---|---|")
    made: list[list[tuple[TimedDomain, TimedSuite]]] = [[], []]
    for name, machine in models().items():
        row = []
        for faults in (NamedFaults(names=TIMERS), NamedFaults(names=ALL, at_most=2)):
            domain = timed_domain(machine, faults)
            begin = time.perf_counter()
            suite = timed_suite(domain, seconds=_SECONDS)
            row.append((domain, suite, time.perf_counter() - begin))
        for suites, (domain, suite, _) in zip(made, row, strict=True):
            suites.append((domain, suite))
        long = timed_suite(timed_domain(slower(machine, 1000), NamedFaults(names=TIMERS)), seconds=_SECONDS)
        texts = [f"{cost(suite)}{' (not complete)' * bool(suite.undecided)} | {s:.1f}" for _, suite, s in row]
        alike = "the same" if long.words == row[0][1].words else "another suite"
        sizes = f"{len(machine.locations)} | {len(machine.timers)} | {size_text(row[0][0].size())}"
        print(f"| {name} | {sizes} | {' | '.join(texts)} | {alike} |", flush=True)
    return made


def mutants(what: str, made: Sequence[tuple[TimedDomain, TimedSuite]], count: int, *, most: int) -> None:
    """Kill mutants, and look at each that survives."""
    dice, killed, equivalent, survivors = Random(1), 0, 0, 0
    begin = time.perf_counter()
    usable = [(domain, suite) for domain, suite in made if domain.decisions and not suite.undecided]
    oracles = [(TimedOracle(domain), suite.words) for domain, suite in usable]
    known: dict[tuple[int, tuple[tuple[int, int], ...]], str] = {}
    for k in range(count):
        number = k % len(oracles)
        oracle, words = oracles[number]
        member = _mutant(oracle.domain, dice, most)
        key = number, tuple(sorted(member.items()))
        if key not in known:
            known[key] = _fate(oracle, words, member)
        killed += known[key] == "killed"
        equivalent += known[key] == "equivalent"
        survivors += known[key] == "survivor"
    print(
        f"{count:,} mutants ({len(known):,} different) of {what} of {len(oracles)} models: {killed:,} killed, "
        f"{equivalent:,} equivalent, {survivors} survive and differ; {time.perf_counter() - begin:.0f} s"
    )


def _mutant(domain: TimedDomain, dice: Random, most: int) -> dict[int, int]:
    chosen = dice.sample(range(len(domain.decisions)), min(dice.randint(1, most), len(domain.decisions)))
    return {k: dice.randrange(1, len(domain.decisions[k].values)) for k in chosen}


def _fate(oracle: TimedOracle, words: tuple[tuple[int, ...], ...], member: dict[int, int]) -> str:
    if not all(oracle.passes(member, word) for word in words):
        return "killed"
    choose = choices_of(member)
    start = ProductStart(oracle.runs.begin(choose), oracle.runs.begin(own_choice), 0.0)
    found = DifferenceSearch(oracle.runs, choose).find([start])
    return "survivor" if isinstance(found, TimedDifference) else "equivalent"


def enumerated(count: int) -> None:
    """All members of the domains of small machines, executed by the slow twin."""
    begin, machines, members, passing, survivors, seed = time.perf_counter(), 0, 0, 0, 0, 1000
    while machines < count:
        seed += 1
        domain = random_timed_domain(Random(seed), most_locations=3)
        if domain.size() > 2.7 or not domain.decisions:
            continue
        suite = timed_suite(domain, seconds=_SECONDS)
        if suite.undecided:
            print(f"seed {seed}: {suite.undecided}")
            continue
        machines += 1
        delays = [-symbol * domain.unit for word in suite.words for symbol in word if symbol < 0]
        tick = Fraction(1, max((delay.denominator for delay in delays), default=2) * 2)
        model = slow_machine(domain, {}, tick)
        expected = [slow_answers(model, word, domain.unit, tick) for word in suite.words]
        for member in all_members(domain):
            members += 1
            slow = slow_machine(domain, member, tick)
            if all(
                may_be_same(slow_answers(slow, word, domain.unit, tick), right)
                for word, right in zip(suite.words, expected, strict=True)
            ):
                passing += 1
                one, other = (slow_machine(domain, some, _TICK) for some in ({}, member))
                survivors += slow_difference(one, other, int(domain.margin * domain.unit / _TICK))
    print(
        f"{machines} random machines, all {members:,} members: {passing:,} pass their suite, {survivors} of them "
        f"differ tick by tick; {time.perf_counter() - begin:.0f} s"
    )


def main() -> None:
    """Print the costs and both attacks."""
    given = [int(text) for text in sys.argv[1:]]
    made = costs()
    count = given[0] if given else 100_000
    mutants("timers", made[0], count, most=4)
    mutants("moves, outputs and timers", made[1], count, most=2)
    enumerated(given[1] if len(given) > 1 else 60)


if __name__ == "__main__":
    main()
