"""Runs of systems that give some answers rarely, and what their verdicts may be, by the definition.

Paper 000, Definition 4, for a finite machine: a test passes iff each of its executions is one of the model, and every
sequence of answers of the model to its inputs was given by some execution. For a symbolic machine the answers are the
letters of a ``World``, the valuations that no expression of the fault domain tells apart.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from tests.oracles.symbolic_faults import Dfa, Machine, World, key
from tests.oracles.verdicts import answers

from fullproof.artefacts.execution import Columns, Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import Test, make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.judge import Summary
from fullproof.kinds import oracle_for
from fullproof.model import Fsm, Model

Run = list[tuple[Sequence, list[tuple]]]
"""For each test its inputs and the outputs of its executions."""
RARE = (1, 0.5, 0.2, 0.05, 0.02)


def verdict(model: Model, run: Run, *, repeat: int) -> Verdict:
    """What the judge says of a run; that a failing system contradicts itself is not asked here."""
    oracle = oracle_for(model, Relation.EQUIVALENCE)
    summary = Summary(oracle, repeat=repeat)
    for word, executions in run:
        test: Test = make_test(word)
        for number, outputs in enumerate(executions, 1):
            trace = Execution(test, Columns(test.inputs, list(outputs)), repetition=number)
            summary.add(trace, oracle.judge(trace))
    found = summary.result(seconds=0).verdict
    return Verdict.FAIL if found is Verdict.NONDETERMINISTIC else found


def right_verdict(model: Fsm, run: Run, *, repeat: int) -> Verdict:
    """The same by the definition. What is no pass is a fail where a place was tried often and hid an answer."""
    wanted = [answers(model, word) for word, _ in run]
    if any(not set(seen) <= right for (_, seen), right in zip(run, wanted, strict=True)):
        return Verdict.FAIL
    if _hidden([(tuple(word), seen) for word, seen in run], lambda word: answers(model, word), repeat):
        return Verdict.FAIL
    if all(right <= set(_shown(run, word)) for (word, _), right in zip(run, wanted, strict=True)):
        return Verdict.PASS
    return Verdict.INCONCLUSIVE


def _shown(run: Run, word: Sequence) -> list[tuple]:
    """What was answered to some inputs by whatever test begins with them."""
    return [out[: len(word)] for other, seen in run if list(other[: len(word)]) == list(word) for out in seen]


def _hidden(run: list[tuple[tuple, list[tuple]]], allowed, repeat: int) -> bool:
    """Whether some place was tried often and one of its answers was not seen.

    Often is K times; or six times for each answer, if an answer as rare as the rarest one at a place that was tried K
    times would have been missed by one run in twenty at most.
    """
    visits: Counter = Counter()
    shown: dict[tuple, Counter] = {}
    for word, seen in run:
        for outputs in seen:
            for k in range(len(outputs)):
                place = (word[: k + 1], outputs[:k])
                visits[place] += 1
                shown.setdefault(place, Counter())[outputs[k]] += 1
    rarest = min((min(shown[p].values()) / n for p, n in visits.items() if n >= repeat), default=0)
    for place, count in visits.items():
        right = {out[-1] for out in allowed(place[0]) if out[:-1] == place[1]}
        often = count >= repeat or (count >= 6 * len(right) and (1 - rarest) ** count <= 0.05 + 1e-12)
        if repeat > 1 and often and not right <= shown[place].keys():
            return True
    return False


def fsm_run(system: Fsm, words: Sequence[Sequence[str]], *, repeat: int, chance: random.Random) -> Run:
    """K executions of each test by a system that takes some of its transitions rarely."""
    weights = [chance.choice(RARE) for _ in system.transitions]

    def execute(word: Sequence[str]) -> tuple[str, ...]:
        state, outputs = system.initial, []
        for symbol in word:
            ways = [k for k, t in enumerate(system.transitions) if (t.source, t.input) == (state, symbol)]
            (taken,) = chance.choices(ways, [weights[k] for k in ways])
            outputs.append(system.transitions[taken].output)
            state = system.transitions[taken].target
        return tuple(outputs)

    return [(word, [execute(word) for _ in range(repeat)]) for word in words]


class Rare:
    """A machine of a fault domain that takes some of its transitions rarely, and some values, too."""

    def __init__(self, world: World, machine: Machine, chance: random.Random) -> None:
        self._world, self._machine, self._chance = world, machine, chance
        self._weights = [chance.choice(RARE) for _ in machine.transitions]
        self._values = [chance.choice((1, 1, 0.1)) for _ in range(5)]

    def execute(self, word: Sequence[Mapping]) -> tuple[Mapping, ...]:
        """One run; every input must have an answer."""
        state, outputs = 0, []
        for symbol in word:
            ways = [
                (y, target, self._weights[k] * self._values[y])
                for k, (source, guard, output, target) in enumerate(self._machine.transitions)
                if source == state
                for y in range(5)
                if self._world.letter({**symbol, "y": y}) in self._world.admits[guard, output]
            ]
            ((y, state, _),) = self._chance.choices(ways, [way[2] for way in ways])
            outputs.append({"y": y})
        return tuple(outputs)


def possible(dfa: Dfa, world: World, word: Sequence[Mapping]) -> set[tuple[int, ...]]:
    """All sequences of letters with which a machine may answer."""
    rows = [dict(row) for row in dfa]
    level: dict[tuple[int, ...], int] = {(): 0}
    for symbol in word:
        offered = world.offers[key(symbol)]
        level = {
            (*letters, letter): rows[state][letter]
            for letters, state in level.items()
            for letter in offered & rows[state].keys()
        }
    return set(level)


def hides_an_answer(dfa: Dfa, world: World, run: list[tuple[Sequence[Mapping], list[tuple]]], repeat: int) -> bool:
    """Whether some place was tried K times and a letter that the machine has there was not seen; runs of letters."""
    return _hidden(
        [(tuple(key(x) for x in word), seen) for word, seen in run],
        lambda word: possible(dfa, world, [dict(x) for x in word]),
        repeat,
    )
