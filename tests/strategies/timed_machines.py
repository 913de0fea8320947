"""Random small machines with timers, and fault domains over them."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from fullproof.certify.timed_domain import TimedDomain, timed_domain
from fullproof.model.named_faults import FaultName, NamedFaults
from fullproof.model.timed import TimedMachine, TimedMove, Timer

_OUTPUTS = ((), ("a",), ("b",))


def random_timed_machine(dice: Random, *, most_locations: int = 3, most_timers: int = 2) -> TimedMachine:
    """A machine with any moves between few locations; times are 2, 3 or 5 seconds."""
    locations, inputs = dice.randint(1, most_locations), dice.randint(1, 2)
    timers = tuple(
        Timer(f"t{k}", Fraction(dice.choice((2, 3, 5))), periodic=dice.random() < 0.4)
        for k in range(dice.randint(1, most_timers))
    )
    running = tuple(frozenset(k for k in range(len(timers)) if dice.random() < 0.6) for _ in range(locations))

    def move(place: int, expired: int | None = None) -> TimedMove:
        target = dice.randrange(locations)
        there = running[target]
        starts = {k for k in there if k not in running[place] or dice.random() < 0.4}
        if expired is not None and expired in there and timers[expired].periodic:
            starts.add(expired)
        return TimedMove(target, dice.choice(_OUTPUTS), frozenset(starts))

    return TimedMachine(
        locations=tuple(f"L{k}" for k in range(locations)),
        inputs=tuple("xy"[:inputs]),
        timers=timers,
        initial=0,
        running=running,
        moves={(place, symbol): move(place) for place in range(locations) for symbol in range(inputs)},
        timeouts={(place, k): move(place, k) for place in range(locations) for k in running[place]},
        shown=tuple(dice.choice("pq") for _ in range(locations)) if dice.random() < 0.3 else (),
    )


_DOMAINS = (
    (FaultName.DURATION,),
    (FaultName.START,),
    (FaultName.DURATION, FaultName.START),
    (FaultName.STUCK, FaultName.DURATION),
    (FaultName.OUTPUT,),
    (FaultName.OUTPUT, FaultName.DURATION),
    (FaultName.TRANSFER, FaultName.OUTPUT, FaultName.DURATION, FaultName.START),
)


def random_timed_domain(dice: Random, *, most_locations: int = 3, most_timers: int = 2) -> TimedDomain:
    """A domain over such a machine, with times that a grid of half seconds has."""
    machine = random_timed_machine(dice, most_locations=most_locations, most_timers=most_timers)
    names = dice.choice(_DOMAINS)
    most = 1 if FaultName.TRANSFER in names else dice.choice((None, 2))
    faults = NamedFaults(names=names, at_most=most)
    return timed_domain(machine, faults, margin=Fraction(1, 2), tolerance=Fraction(1))


timed_domains = st.builds(lambda seed: random_timed_domain(Random(seed)), st.integers(0, 10**6))
