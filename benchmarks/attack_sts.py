"""Attack on runs of transition systems: conforming systems must never fail, mutants that differ must be found.

Random small models. Conforming systems are played by enumeration, straight from the definition and without any code
of the tool but the evaluation of expressions: outputs at random among those allowed, silence where that is allowed,
once in step with the tester and once with outputs and inputs crossing each other. Mutants have one change; whether
they differ, and in which shortest trace, is decided by enumeration as well. ``python -m benchmarks.attack_sts 100``
takes 100 models of each kind instead of 500.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from benchmarks.random_sts import Internal, drawn_model, random_mutant
from benchmarks.sts_sessions import hold
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.request import Criterion, RunRequest, SuiteRequest, Values
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import NothingToDo, Place
from fullproof.execute.reactive import ReactiveSut
from fullproof.kinds.sts.conduct import plan_for
from fullproof.kinds.sts.model_system import StsModelSut
from fullproof.language.evaluate import evaluate
from fullproof.language.scope import Scope
from fullproof.language.types import BoolType, Value
from fullproof.model.sts import TAU, Gate, Sts

Label = tuple[str, tuple[Value, ...]]
DELTA: Label = ("", ())
State = tuple[str, tuple[Value, ...]]


class Enumerated:
    """A model over small types, with values for everything."""

    def __init__(self, model: Sts) -> None:
        self.model = model
        self._gates = {gate.name: gate for gate in model.gates}
        self._known: dict[tuple[State, Label], frozenset[State]] = {}
        self.initial: State = model.initial, tuple(v.initial for v in model.variables)  # type: ignore[assignment]
        self.start: frozenset[State] = self._closed(frozenset({self.initial}))
        self.inputs = [label for gate in model.inputs for label in _labels(gate)]
        self.outputs = [label for gate in model.outputs for label in _labels(gate)]

    def after(self, states: frozenset[State], label: Label) -> frozenset[State]:
        """All states that a label may lead to; silence stays where no output and no internal step is possible."""
        if label == DELTA:
            shown = (*self.outputs, (TAU, ()))
            return frozenset(s for s in states if not any(self._after(s, label) for label in shown))
        return self._closed(frozenset().union(*(self._after(state, label) for state in states)))

    def _closed(self, states: frozenset[State]) -> frozenset[State]:
        while (more := states.union(*(self._after(state, (TAU, ())) for state in states))) != states:
            states = more
        return states

    def out(self, states: frozenset[State]) -> list[Label]:
        """All that may be observed."""
        return [label for label in (*self.outputs, DELTA) if self.after(states, label)]

    def _after(self, state: State, label: Label) -> frozenset[State]:
        if (state, label) not in self._known:
            self._known[state, label] = frozenset(target for _, target in self.steps(state, label))
        return self._known[state, label]

    def steps(self, state: State, label: Label) -> Iterator[tuple[int, State]]:
        """The switches that a label allows in a state, by number, each with where it leads."""
        parameters = self._gates[label[0]].parameters
        scope = Scope((*self.model.variables, *parameters))
        names = [v.name for v in self.model.variables]
        values = dict(zip([*names, *(p.name for p in parameters)], (*state[1], *label[1]), strict=True))
        for number, switch in enumerate(self.model.transitions):
            if (switch.source, switch.gate) == (state[0], label[0]) and evaluate(switch.guard, scope, values):
                new = {a.variable: evaluate(a.expression, scope, values) for a in switch.assignments}
                yield number, (switch.target, tuple(new.get(name, values[name]) for name in names))


def _labels(gate: Gate) -> list[Label]:
    ranges = [
        [False, True] if isinstance(p.type, BoolType) else range(p.type.low, p.type.high + 1) for p in gate.parameters
    ]  # type: ignore[union-attr,arg-type]
    return [(gate.name, tuple(values)) for values in product(*ranges)]


class Conforming:
    """A system that does anything its model allows, and ignores inputs that the model does not define."""

    in_process = False
    synchronous = True

    def __init__(self, model: Sts, random: Random) -> None:
        self._model = Enumerated(model)
        self._random = random
        self.reset()

    def reset(self) -> None:
        """Back to the beginning."""
        self._states = self._model.start

    def send(self, gate: str, values: tuple[Value, ...]) -> None:
        """Take an input."""
        self._states = self._model.after(self._states, (gate, values)) or self._states

    def receive(self, timeout: float) -> Label | None:
        """Something that is allowed."""
        label = self._random.choice(self._model.out(self._states))
        if timeout == 0 and (label == DELTA or self._random.random() < 0.5):
            return None
        self._states = self._model.after(self._states, label)
        return None if label == DELTA else label

    def discard(self) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class Crossing(Conforming):
    """The same behind two wires: inputs and outputs arrive in order, but some time after they were sent."""

    synchronous = False

    def reset(self) -> None:
        """Back to the beginning, with nothing under way."""
        super().reset()
        self._coming: deque[Label] = deque()
        self._going: deque[Label] = deque()

    def send(self, gate: str, values: tuple[Value, ...]) -> None:
        """Put an input on its way."""
        self._coming.append((gate, values))
        self._work()

    def receive(self, timeout: float) -> Label | None:
        """What has arrived; silence only where nothing is under way and nothing can follow."""
        self._work()
        if timeout == 0:
            return self._going.popleft() if self._going and self._random.random() < 0.7 else None
        while not self._going:
            if self._coming and self._random.random() < 0.7:
                super().send(*self._coming.popleft())
                continue
            before = self._states
            if (label := super().receive(1.0)) is not None:
                self._going.append(label)
            elif not self._coming:
                return None
            else:
                self._states = before  # nobody has seen this silence, so it decides nothing
        return self._going.popleft()

    def _work(self) -> None:
        for _ in range(self._random.randrange(3)):
            if self._coming and self._random.random() < 0.5:
                super().send(*self._coming.popleft())
            elif (label := super().receive(0)) is not None:
                self._going.append(label)


def shortest_difference(model: Sts, mutant: Sts, *, depth: int) -> tuple[Label, ...] | None:
    """A shortest trace of the model after which the mutant may show what the model does not allow."""
    one, two = Enumerated(model), Enumerated(mutant)
    queue: deque[tuple[frozenset[State], frozenset[State], tuple[Label, ...]]] = deque([(one.start, two.start, ())])
    seen = {(one.start, two.start)}
    while queue:
        mine, theirs, trace = queue.popleft()
        for label in two.out(theirs):
            if not one.after(mine, label):
                return (*trace, label)
        if len(trace) >= depth:
            continue
        for label in (*one.inputs, *one.outputs, DELTA):
            after, other = one.after(mine, label), two.after(theirs, label)
            if label in one.inputs:
                other = other or theirs  # an input that a system does not define is ignored
            if after and other and (after, other) not in seen:
                seen.add((after, other))
                queue.append((after, other, (*trace, label)))
    return None


@dataclass(frozen=True)
class Campaign:
    """Runs that together are a full run."""

    requests: tuple[RunRequest, ...]


def _request(criterion: Criterion, values: Values, *, repeat: int) -> RunRequest:
    return RunRequest(
        suite=SuiteRequest(coverage=criterion, method="tour"),
        sut="",
        values=values,
        repeat=repeat,
        retries=4,
        stop_on_failure=True,
    )


def _default(steps: int) -> RunRequest:
    return RunRequest(suite=SuiteRequest(), sut="", steps=steps, stop_on_failure=True)


QUICK = Campaign((_default(150),))
FULL = Campaign(
    (
        _request(Criterion.SWITCH, Values.RANDOM, repeat=10),
        _request(Criterion.SWITCH_PAIR, Values.RANDOM, repeat=10),
        _request(Criterion.BOUNDARY, Values.BOUNDARY, repeat=3),
        RunRequest(
            suite=SuiteRequest(method="random", max_length=40), sut="", repeat=50, retries=0, stop_on_failure=True
        ),
        _default(600),
    )
)


def run(model: Sts, system: ReactiveSut, campaign: Campaign, seed: int) -> Iterator[RunResult]:
    """The results of the campaign's runs."""
    semantics = StsSemantics(model)
    for request in campaign.requests:
        seeded = replace(request, suite=replace(request.suite, seed=seed))
        try:
            plan = plan_for(model, seeded, sha256="", at=Place())
        except NothingToDo:
            continue
        yield hold(semantics, plan, seeded, system).result


def attack_soundness(count: int, *, internal: Internal = Internal.NONE) -> Counter[str]:
    """Verdicts on conforming systems; a fail is a bug of ours, and its seed is printed."""
    verdicts: Counter[str] = Counter()
    for seed in range(count):
        model = drawn_model(Random(f"model {seed}"), internal)
        for kind in (Conforming, Crossing):
            for result in run(model, kind(model, Random(f"system {seed}")), QUICK if seed % 5 else FULL, seed):
                verdicts[f"{kind.__name__} {result.verdict.value}"] += 1
                if result.verdict in (Verdict.FAIL, Verdict.ERROR):
                    print(f"  {kind.__name__} {seed}: {result.failures[0]}")
    return verdicts


def attack_mutants(count: int, *, depth: int, internal: Internal = Internal.NONE) -> tuple[int, list[str]]:
    """How many mutants that differ were found, and an explanation for each one that was not."""
    found, missed, seed = 0, list[str](), 0
    while found + len(missed) < count:
        seed += 1
        random = Random(f"mutant {seed}")
        model = drawn_model(random, internal)
        mutant = random_mutant(random, model)
        difference = shortest_difference(model, mutant, depth=depth)
        if difference is None:
            continue
        results = run(model, StsModelSut(mutant, Random(seed)), FULL, seed)
        if any(result.verdict is Verdict.FAIL for result in results):
            found += 1
        else:
            reason = explanation(model, mutant, difference)
            missed.append(f"seed {seed}: shows after {' '.join(map(_text, difference))}; {reason}")
    return found, missed


def explanation(model: Sts, mutant: Sts, trace: tuple[Label, ...]) -> str:
    """Why a difference is hard to see: choices of the system, and inputs that must come before a possible output."""
    one, two = Enumerated(model), Enumerated(mutant)
    theirs = two.start
    choices, races = 1, 0
    for label in trace:
        outputs = two.out(theirs)
        if label in one.inputs:
            races += outputs != [DELTA]
            theirs = two.after(theirs, label) or theirs
        else:
            choices *= len(outputs)
            theirs = two.after(theirs, label)
    return f"the system must choose one of {choices} ways, and {races} inputs must come while an output is possible"


def _text(label: Label) -> str:
    return "silence" if label == DELTA else f"{label[0]}({', '.join(map(str, label[1]))})"


def main(count: int = 500) -> None:
    """Attack with so many models each, with and without internal steps."""
    for internal in Internal:
        print(f"{internal.value} internal steps")
        print(f"conforming systems of {count} models: {dict(attack_soundness(count, internal=internal))}")
        found, missed = attack_mutants(count, depth=8, internal=internal)
        print(f"mutants that differ: {found} of {count} found")
        print("\n".join(f"  {line}" for line in missed))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
