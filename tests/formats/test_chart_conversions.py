"""Charts survive conversions: what is written reads back as an equal machine, in every format."""

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from tests.strategies.models import any_names, statemachines
from tests.strategies.scxml import random_document

from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats import read_model, write_model
from fullproof.formats.scxml.reader import read_scxml
from fullproof.formats.table import read_model_text
from fullproof.formats.xmi.reader import read_xmi
from fullproof.formats.xmi.writer import xmi_lines
from fullproof.formats.xstate.writer import xstate_lines
from fullproof.language.formulas import conjuncts
from fullproof.model import StateMachine
from fullproof.model.unflattened import UnflattenedMachine

ENDINGS = (".yaml", ".json", ".xstate.json", ".uml", ".scxml")


@given(statemachines(names=any_names))
@settings(max_examples=40)
def test_a_statemachine_reads_back_from_xstate(model: StateMachine) -> None:
    try:
        text = "".join(xstate_lines(model))
    except UserError as error:
        assert "cannot hold the" in error.message
        return
    back = read_model_text(text, Path("m.json"))
    assert isinstance(back, StateMachine)
    assert same_steps(back, model), text
    assert (back.choices, back.description, back.signals_in) == (model.choices, model.description, model.signals_in)


@given(statemachines(names=any_names))
@settings(max_examples=40)
def test_a_statemachine_reads_back_from_xmi(model: StateMachine) -> None:
    try:
        text = "".join(xmi_lines(model))
    except UserError as error:
        assert "XML has no character" in error.message
        return
    back = read_xmi(text, Path("m.uml"))
    assert back == model and repr(back) == repr(model), text


def charts(seed: int, count: int) -> list[StateMachine]:
    """Machines of random SCXML documents with regions, history and internal events."""
    dice, found = Random(seed), []
    while len(found) < count:
        text = random_document(dice)
        try:
            model = read_scxml(text, Path("m.scxml"))
        except UserError:
            continue
        if len(model.states) < 200:
            found.append(model)
    return found


def answers(model: StateMachine, events: list[str]) -> list[object]:
    """What a machine sends and the values that it has, event by event, until a run has no end."""
    runner = RunToCompletion(model)
    here = runner.start
    found: list[object] = [runner.values(here)]
    for event in events:
        try:
            (run,) = runner.runs(here, event, {})
        except RunGoesWrong:
            return [*found, "wrong"]
        here = run.end
        found.append((runner.values(here), run.sent))
    return found


def require_same_answers(back: object, model: StateMachine, length: int, text: str) -> None:
    """All sequences of so many signals have the same answers, from what was read back and from the model."""
    assert isinstance(back, StateMachine)
    for word in product(model.signals_in, repeat=length):
        assert answers(back, list(word)) == answers(model, list(word)), text


@pytest.mark.parametrize("ending", [".puml", ".mmd"])
def test_random_charts_do_the_same_in_diagrams(ending: str, tmp_path: Path) -> None:
    """Regions and history states have no names there, so configurations have other names."""
    dice, trees = Random(6), 0
    for model in charts(6, 25):
        path = tmp_path / f"m{ending}"
        write_model(model, path)
        back = read_model(path)
        assert isinstance(back, StateMachine)
        for _ in range(3):
            events = [dice.choice(model.signals_in) for _ in range(8)]
            assert answers(back, events) == answers(model, events), path.read_text()
        trees += " {" in path.read_text().replace(": {", "")
    assert trees > (3 if ending == ".puml" else 0)


@pytest.mark.parametrize("ending", ENDINGS)
def test_random_charts_survive(ending: str, tmp_path: Path) -> None:
    for model in charts(5, 25):
        path = tmp_path / f"m{ending}"
        write_model(model, path)
        assert same_steps(read_model(path), model), path.read_text()


def same_steps(left: object, right: StateMachine) -> bool:
    """Whether two machines are one up to the order of transitions and conditions."""
    assert isinstance(left, StateMachine)
    return _parts(left) == _parts(right)


def _parts(model: StateMachine) -> tuple[object, ...]:
    steps = {
        (t.source, t.trigger, frozenset(map(repr, conjuncts(t.guard))), repr(t.actions), t.sends, t.target)
        for t in model.transitions
    }
    return model.states, model.initial, model.outputs, model.variables, steps


@pytest.mark.parametrize("ending", [".puml", ".mmd", ".sysml", *ENDINGS])
def test_a_chart_with_many_configurations_is_converted_as_it_is(ending: str, tmp_path: Path) -> None:
    """Eight regions of five states have 390,625 configurations, none of which a conversion needs."""
    if ending == ".sysml":
        pytest.importorskip("sysmlpy")
    regions = {
        f"r{r}": {
            "initial": f"s{r}0",
            "states": {f"s{r}{s}": [{"trigger": f"e{r}", "to": f"s{r}{(s + 1) % 5}"}] for s in range(5)},
        }
        for r in range(8)
    }
    keys = {"signals": {"in": [f"e{r}" for r in range(8)], "out": []}, "initial": "all"}
    text = json.dumps({"machine": "statemachine", **keys, "states": {"all": {"parallel": regions}}})
    model = read_model_text(text, Path("m.json"))
    write_model(model, tmp_path / f"m{ending}")
    back = read_model(tmp_path / f"m{ending}")
    assert isinstance(back, UnflattenedMachine) and back.chart is not None
    assert [vertex.parallel for vertex in back.chart.vertices].count(True) == 1
    assert len(back.chart.vertices) == 49


RANKED = """
machine: statemachine
name: ranked
semantics: scxml
signals: {in: [a]}
outputs: {x: int 0..9 = 0}
initial: on
states:
  on:
    initial: low
    states:
      low:
        - {trigger: a, when: x < 2, do: [x = x + 1], kind: internal}
        - {trigger: a, do: [x = 9], to: high}
      high: [{trigger: a, do: [x = 5], to: low}]
"""
INTO_ITSELF = """
machine: statemachine
name: again
signals: {in: [a, b]}
outputs: {x: int 0..9 = 0, y: int 0..9 = 0}
initial: on
states:
  on:
    parallel:
      first:
        initial: {to: low, do: [x = 1]}
        states:
          low: [{trigger: a, do: [x = 2], to: high}]
          high: []
      second:
        initial: low
        entry: [y = 1]
        states:
          low: [{trigger: b, do: [y = 2], to: low}, {trigger: a, to: high}]
          high: [{trigger: b, do: [y = 3], to: second}]
"""


@pytest.mark.parametrize("ending", [*ENDINGS, ".puml", ".mmd", ".sysml", ".scxml"])
@pytest.mark.parametrize("text", [RANKED, INTO_ITSELF])
def test_charts_that_notations_nearly_say(text: str, ending: str, tmp_path: Path) -> None:
    """A transition inside a state that ranks first, and one from inside a region to it, which leaves all regions."""
    model = read_model_text(text, Path("m.yaml"))
    assert isinstance(model, StateMachine)
    write_model(model, tmp_path / f"m{ending}")
    back = read_model(tmp_path / f"m{ending}")
    assert isinstance(back, StateMachine)
    events = list("aabaabbab") if "b" in model.signals_in else list("aaaaaa")
    assert answers(back, events) == answers(model, events)
