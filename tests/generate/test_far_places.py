"""Guards on values that grow without end are met on both sides of their boundaries, and guards on inputs with them."""

from itertools import product

import pytest

from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE
from fullproof.formats import read_model_text
from fullproof.generate.statemachine.value_gaps import gap_of
from fullproof.kinds.statemachine.suite import suite_for
from fullproof.kinds.suite import GeneratedSuite
from fullproof.language.evaluate import evaluate
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.types import BoolType, IntType, Variable
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent

CROSSING = """
machine: statemachine
name: crossing
signals: {in: [enter, leave, weigh], out: [alarm]}
inputs: {speed: int 0..300}
outputs: {bar: 'enum up, down = up'}
variables: {count: int = 0, total: int = 0}
initial: open
choices: [decide]
states:
  open:
    - {trigger: enter, do: [count = count + 1, total = total + speed], to: decide}
    - {trigger: weigh, when: total > 1000, send: [alarm], to: open}
  decide:
    - {when: speed > 100, do: [bar = down], send: [alarm], to: closed}
    - {when: speed <= 100, do: [bar = down], to: closed}
  closed:
    - {trigger: leave, do: [bar = up], to: open}
    - {trigger: weigh, when: count > 9, do: [count = 0, bar = up], to: open}
"""


def model_of(text: str) -> StateMachine:
    model = read_model_text(text, "crossing.yaml")
    assert isinstance(model, StateMachine)
    return model


@pytest.fixture(scope="module")
def suite() -> GeneratedSuite:
    return suite_for(model_of(CROSSING), SuiteRequest(), "", NOWHERE)


def answers(model: StateMachine, word: list[SignalEvent]) -> list[object]:
    runner = RunToCompletion(model)
    here, found = runner.start, list[object]()
    for event in word:
        (run,) = runner.runs(here, event.signal, event.values)
        here = run.end
        found.append((run.sent, runner.values(here)["bar"]))
    return found


def words_of(suite: GeneratedSuite) -> list[list[SignalEvent]]:
    return [[event for event in test.inputs if isinstance(event, SignalEvent)] for test in suite.tests()]


def test_every_transition_is_exercised(suite: GeneratedSuite) -> None:
    runner, taken = RunToCompletion(model_of(CROSSING)), set[int]()
    for word in words_of(suite):
        here = runner.start
        for event in word:
            (run,) = runner.runs(here, event.signal, event.values)
            here = run.end
            taken |= set(run.transitions)
    assert len(taken) == 6


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("speed > 100, ", "speed >= 100, "),
        ("speed > 100, ", "speed > 101, "),
        ("count > 9,", "count >= 9,"),
        ("count > 9,", "count > 10,"),
        ("total > 1000,", "total >= 1000,"),
        ("total > 1000,", "total > 1001,"),
    ],
)
def test_guards_that_are_off_by_one(suite: GeneratedSuite, right: str, wrong: str) -> None:
    text = CROSSING.replace(right, wrong)
    if "speed" in right:
        text = text.replace("speed <= 100,", "speed < 100," if ">=" in wrong else "speed <= 101,")
    model, other = model_of(CROSSING), model_of(text)
    assert any(answers(model, word) != answers(other, word) for word in words_of(suite))


@pytest.mark.parametrize(
    "condition",
    [
        "x < y",
        "not (x < y or b)",
        "x == 2 and y >= 3",
        "not (x == 1 and b)",
        "0 <= x <= 1",
        "not (0 <= x <= y)",
        "b -> x != y",
        "x > 1 or not b",
    ],
)
def test_a_gap_is_zero_where_the_condition_holds(condition: str) -> None:
    whole = IntType(0, 3)
    scope = Scope((Variable(name="x", type=whole), Variable(name="y", type=whole), Variable(name="b", type=BoolType())))
    expression = parse_expression(condition)
    gap = gap_of(expression, scope)
    for x, y, b in product(range(4), range(4), (False, True)):
        values = {"x": x, "y": y, "b": b}
        assert (gap(values) == 0) == evaluate(expression, scope, values), values
        assert gap(values) >= 0
