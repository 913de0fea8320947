"""Shortest failing sequences: the search against an enumeration of all words, on models nobody tuned it for."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.shortest_failures import shortest_by_enumeration
from tests.strategies.small_fsms import INPUTS, deterministic_fsms, words

from fullproof.artefacts.execution import Columns, Execution
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import Relation, RunRequest, SuiteRequest
from fullproof.artefacts.suite import Test
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.core.deadline import Deadline
from fullproof.explain.shortest import TRIES, shortest_failure
from fullproof.explain.trials import Trials
from fullproof.formats import read_model
from fullproof.formats.suite import read_suite
from fullproof.kinds import oracle_for
from fullproof.model import Fsm
from fullproof.pipeline.live_trials import OracleGround
from fullproof.pipeline.runs import run_suite

EXAMPLES = Path(__file__).parent / "examples"


def player(machine: Fsm):
    """A deterministic machine as a system."""
    table = {(t.source, t.input): (t.output, t.target) for t in machine.transitions}

    def attempt(word) -> Execution:
        state, outputs = machine.initial, []
        for symbol in word:
            output, state = table[state, symbol]
            outputs.append(output)
        return Execution(Test(inputs=tuple(word)), Columns(tuple(word), outputs))

    return attempt


def ground_for(model: Fsm) -> OracleGround:
    return OracleGround(oracle_for(model), Judgement(test="", verdict=Verdict.FAIL), lambda _: ())


@given(deterministic_fsms(), deterministic_fsms(), words(max_size=8))
def test_the_search_finds_as_short_a_word_as_the_enumeration_of_all_words(model, system, word):
    attempt, ground = player(system), ground_for(model)
    length = ground.shows(attempt(word))
    if length is None:
        return
    trials = Trials(attempt, ground, steps=10**6, deadline=Deadline(None))
    found = shortest_failure(word[:length], trials, INPUTS)
    fewest = shortest_by_enumeration(attempt, lambda e: ground.shows(e) is not None, INPUTS, longest=length)
    assert found.is_minimal
    assert len(found.word) == fewest
    assert ground.shows(attempt(found.word)) == fewest


@given(deterministic_fsms(), deterministic_fsms(), words(max_size=8), st.integers(0, 60))
def test_however_small_the_budget_the_result_fails_and_is_no_longer(model, system, word, steps):
    attempt, ground = player(system), ground_for(model)
    length = ground.shows(attempt(word))
    if length is None:
        return
    trials = Trials(attempt, ground, steps=steps, deadline=Deadline(None))
    found = shortest_failure(word[:length], trials, INPUTS)
    assert len(found.word) <= length
    assert ground.shows(attempt(found.word)) is not None


def test_of_a_system_that_fails_now_and_then_it_is_said_how_often():
    cells = {("s", "a"): "0", ("s", "b"): "0"}
    model = Fsm(
        name="m", initial="s", states=("s",), inputs=("a", "b"), outputs=("0", "1"),
        transitions=tuple(t for (s, x), y in cells.items() for t in [_transition(s, x, y)]),
    )  # fmt: skip
    numbers = count()

    def attempt(word) -> Execution:
        flips = next(numbers) % 3 == 0
        outputs = ["1" if symbol == "b" and flips else "0" for symbol in word]
        return Execution(Test(inputs=tuple(word)), Columns(tuple(word), outputs))

    trials = Trials(attempt, ground_for(model), steps=10_000, deadline=Deadline(None))
    found = shortest_failure(("a", "a", "b"), trials, ("a", "b"))
    assert found.word == ("b",)
    assert (found.failed, found.of) in {(3, TRIES), (4, TRIES)}
    assert not found.is_minimal  # other words may fail, too, when they are run often enough


def _transition(source: str, symbol: str, output: str):
    from fullproof.model.fsm import FsmTransition

    return FsmTransition(source, symbol, output, source)


def module_of(name: str) -> ModuleType:
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "extra_states", "fewest"), [("microwave", 0, 7), ("thermostat", 1, 2), ("account", 1, 4)]
)
def test_the_shortest_sequence_of_each_example_is_found(name, extra_states, fewest, tmp_path):
    system = f"python:{EXAMPLES / name}.py:{name.capitalize()}"
    suite = SuiteRequest(extra_states=extra_states)
    request = RunRequest(suite=suite, sut=system, report=tmp_path, isolate=False, shrink_failures=600)
    outcome = run_suite(EXAMPLES / f"{name}.yaml", request, progress=unheard)
    (group,) = outcome.record.groups
    assert len(group.shortest) == fewest
    assert len(group.shortest) < max(len(row.steps) for row in outcome.record.tests)
    _, tests = read_suite(tmp_path / "failure-1.jsonl")
    (test,) = tests
    assert test.inputs == group.word
    assert [step.ok for step in group.steps] == [True] * (fewest - 1) + [False]
    failing = json.loads((tmp_path / "report.json").read_text())["failures"]
    assert all(failure["shortest"] == list(group.shortest) and failure["group"] == 1 for failure in failing)
    assert by_enumeration(module_of(name), name, group.word) == fewest


def by_enumeration(made: ModuleType, name: str, word) -> int | None:
    """The length of a shortest failing word, over the inputs of the model or of the word, where they are values."""
    model = read_model(EXAMPLES / f"{name}.yaml")
    system, oracle = getattr(made, name.capitalize())(), oracle_for(model, Relation.EQUIVALENCE)

    def attempt(given) -> Execution:
        system.reset()
        return Execution(Test(inputs=given), Columns(given, [_answer(system, symbol) for symbol in given]))

    alphabet = model.inputs if isinstance(model, Fsm) else word
    fails = lambda execution: oracle.judge(execution).verdict is Verdict.FAIL  # noqa: E731
    return shortest_by_enumeration(attempt, fails, alphabet, longest=len(word))


def _answer(system, symbol):
    return system.step(symbol) if isinstance(symbol, str) else {"heat": system.step(**symbol)}


def test_no_seconds_and_nothing_is_run_after_the_suite(tmp_path):
    counting = tmp_path / "counting.py"
    source = (EXAMPLES / "account.py").read_text()
    counting.write_text(
        source.replace("def reset(self):", f"def reset(self):\n        open({str(tmp_path / 'n')!r}, 'a').write('x')")
    )
    request = RunRequest(
        suite=SuiteRequest(extra_states=1), sut=f"python:{counting}:Account", isolate=False, shrink_failures=0
    )
    outcome = run_suite(EXAMPLES / "account.yaml", request, progress=unheard)
    assert len((tmp_path / "n").read_text()) == outcome.record.result.resets
    (group,) = outcome.record.groups
    assert len(group.shortest) == len(group.steps) == 12
