"""Systems whose regions are wrong, alone or together, against suites by projection: every machine is played."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random

from tests.oracles.exhaustive import Rows
from tests.strategies.regions import counting_regions

from fullproof.analysis.projection import projection
from fullproof.analysis.regions import ChartRegions
from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE
from fullproof.formats import read_model_text
from fullproof.formats.charts.machine import flat_machine
from fullproof.kinds.statemachine.suite import suite_for
from fullproof.kinds.suite import GeneratedSuite
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent

Machine = tuple[Rows, Rows]


def circles(count: int, states: int, *, back: bool = True) -> StateMachine:
    """Regions that count in a circle."""
    model = read_model_text(counting_regions(count, states, back=back), "circles.yaml")
    assert isinstance(model, StateMachine)
    return model


def suite_of(model: StateMachine, regions: str, *, extra_states: int = 0) -> tuple[GeneratedSuite, list[list[int]]]:
    """A suite by projection, and its words as numbers of events in the order of ``events_of``."""
    request = SuiteRequest(regions=regions, extra_states=extra_states)
    suite = suite_for(model, request, "", NOWHERE)
    number = {event: k for k, event in enumerate(events_of(model))}
    return suite, [[number[event] for event in test.inputs] for test in suite.tests()]


def events_of(model: StateMachine) -> list[SignalEvent]:
    """All events of a model without inputs."""
    return [SignalEvent(signal, ()) for signal in (None, *model.signals_in)]


def seen_of(model: StateMachine, regions: Sequence[str]) -> Machine:
    """What is seen of some regions, as a table; an answer is a number."""
    assert model.chart is not None
    part = flat_machine(projection(ChartRegions(model.chart), regions).chart)
    machine, names = RunToCompletion(part), [v.name for v in part.outputs]
    number, waiting = {machine.start: 0}, [machine.start]
    targets, answers = [], []
    for here in waiting:
        runs = [machine.runs(here, event.signal, {})[0] for event in events_of(model)]
        for run in runs:
            if run.end not in number:
                number[run.end] = len(waiting)
                waiting.append(run.end)
        targets.append(tuple(number[run.end] for run in runs))
        answers.append(tuple(_code([machine.values(run.end)[name] for name in names]) for run in runs))
    return tuple(targets), tuple(answers)


def _code(values: Sequence[object]) -> int:
    return sum(int(str(value)) * 10**k for k, value in enumerate(values))


def changed(machine: Machine, *, cells: int, sample: int | None = None) -> Iterator[Machine]:
    """All machines, or some, that differ from a machine in the target or the answer of so many cells."""
    target, output = machine
    places = list(product(range(len(target)), range(len(target[0]))))
    changes = [(to, None) for to in range(len(target))] + [
        (None, one) for one in sorted({a for r in output for a in r})
    ]
    dice = Random(1)
    every = ((where, what) for where in combinations(places, cells) for what in product(changes, repeat=cells))
    some = ((dice.sample(places, cells), dice.choices(changes, k=cells)) for _ in range(sample or 0))
    for where, what in every if sample is None else some:
        moves, answers = [list(row) for row in target], [list(row) for row in output]
        for (s, i), (to, answer) in zip(where, what, strict=True):
            moves[s][i] = moves[s][i] if to is None else to
            answers[s][i] = answers[s][i] if answer is None else answer
        yield tuple(map(tuple, moves)), tuple(map(tuple, answers))
