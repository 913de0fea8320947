"""Charts with timers survive conversions: what is written does the same, input by input and delay by delay."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.strategies.timed_charts import SIGNALS, random_timed_chart

from fullproof.analysis.delays import delays
from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats import read_model, read_model_text, write_model
from fullproof.kinds.statemachine.timed_comparison import TimedConformance
from fullproof.model import StateMachine

ROOT = Path(__file__).resolve().parents[2]


def random_models(seed: int, count: int, *, restarts: bool = False, periodic: bool = False) -> list[StateMachine]:
    """Machines of random charts, with few configurations."""
    dice, found = Random(seed), []
    while len(found) < count:
        text = json.dumps(random_timed_chart(dice, restarts=restarts, periodic=periodic))
        try:
            model = read_model_text(text, Path("m.json"))
        except UserError:
            continue
        assert isinstance(model, StateMachine)
        if len(model.states) < 100 and model.timers:
            found.append(model)
    return found


def answers(model: StateMachine, steps: list[str | Fraction]) -> list[object]:
    """What may be seen after each step, until a run goes wrong or there are too many."""
    machine = RunToCompletion(model)
    here = {machine.start}
    found: list[object] = []
    for step in steps:
        try:
            if isinstance(step, str):
                runs = [run for one in here for run in machine.runs(one, step, {})]
            else:
                runs = [run for one in here for run in delays(machine, one, step)]
        except RunGoesWrong:
            return [*found, "wrong"]
        found.append({(run.sent, tuple(sorted(machine.values(run.end).items()))) for run in runs})
        here = {run.end for run in runs}
        if len(here) > 20:
            break
    return found


def steps(dice: Random) -> list[str | Fraction]:
    """Inputs and delays."""
    times = [Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(4)]
    return [dice.choice([*SIGNALS, *times]) for _ in range(10)]


@pytest.mark.parametrize("ending", [".yaml", ".json"])
def test_model_files_keep_the_tree_and_its_timers(ending: str, tmp_path: Path) -> None:
    dice = Random(1)
    for model in random_models(1, 25, restarts=True, periodic=True):
        path = tmp_path / f"m{ending}"
        write_model(model, path)
        back = read_model(path)
        assert isinstance(back, StateMachine) and back.chart is not None and model.chart is not None
        assert {v.name: v.parent for v in back.chart.vertices} == {v.name: v.parent for v in model.chart.vertices}
        assert (set(back.timers), set(back.states)) == (set(model.timers), set(model.states))
        for _ in range(3):
            walk = steps(dice)
            assert answers(back, walk) == answers(model, walk), path.read_text()


@pytest.mark.parametrize(
    ("ending", "least"),
    [(".scxml", 16), (".puml", 9), (".mmd", 6), (".xstate.json", 7), (".uml", 6), (".sysml", 5)],
)
def test_what_a_format_can_say_of_time_does_the_same(ending: str, least: int, tmp_path: Path) -> None:
    """SCXML says all; the others refuse in one line what they cannot say, and never say something else."""
    if ending == ".sysml":
        pytest.importorskip("sysmlpy", reason="the extra 'sysml' is not installed")
    dice, written = Random(2), 0
    for model in [*random_models(3, 8), *random_models(6, 8, restarts=True, periodic=True)]:
        path = tmp_path / f"m{ending}"
        try:
            write_model(model, path)
        except UserError as error:
            assert " files cannot say " in error.message and "\n" not in error.message
            continue
        back = read_model(path)
        assert isinstance(back, StateMachine)
        written += 1
        for _ in range(3):
            walk = steps(dice)
            assert answers(back, walk) == answers(model, walk), path.read_text()
    assert written >= least


HEAD = "machine: statemachine\nname: m\nsignals: {in: [a, b], out: [s, t]}\n"
RESTARTED = (
    HEAD
    + """
initial: on
states:
  on: [{after: 3 s, to: off}, {trigger: a, send: s, kind: internal, restart: [on]}, {trigger: b, to: off}]
  off: [{every: 2 s, send: s, kind: internal}, {trigger: b, to: on}]
"""
)
SEVERAL = (
    HEAD
    + """
initial: on
states:
  on: [{after: 3 s, to: off}, {every: 1 s, send: t, kind: internal}, {trigger: a, send: s, kind: internal}]
  off: [{trigger: a, to: on}]
"""
)
OF_NO_STATE = (
    HEAD
    + """
timers: {silence: after 500 ms}
started: [silence]
initial: calm
states:
  calm: [{trigger: a, start: [silence], to: calm}, {trigger: silence, send: s, to: stopped}]
  stopped: [{trigger: b, start: [silence], to: calm}]
"""
)
NOT_SO = (
    HEAD
    + """
timers: {silence: after 500 ms}
initial: calm
states:
  calm: [{trigger: a, start: [silence], to: stopped}]
  stopped: [{trigger: b, to: calm}, {trigger: silence, send: s, to: calm}, {trigger: a, stop: [silence], to: stopped}]
"""
)
GUARDED = (
    HEAD
    + """
outputs: {x: int 0..9 = 3}
initial: on
states:
  on:
    - {trigger: a, do: x = (x + 1) % 10, kind: internal}
    - {every: 2 s, when: x > 4, send: s, kind: internal}
    - {every: 2 s, when: x < 2, send: t, to: on}
"""
)


@pytest.mark.parametrize(
    ("text", "ending", "said"),
    [
        (RESTARTED, ".mmd", "on --> on : a / send s"),
        (RESTARTED, ".puml", "off : every(2 s) / send s"),
        (RESTARTED, ".uml", 'value="3 s"'),
        (RESTARTED, ".xstate.json", '"3000"'),
        (RESTARTED, ".scxml", '<send event="on_after_3_s" delay="3s" id="on_after_3_s"/>'),
        (RESTARTED, ".dot", 'label="a / s" resets=a'),
        (SEVERAL, ".dot", 'on [timers="a=3,b=1"]'),
        (SEVERAL, ".uml", "that a timer expires again and again (on every 1 s)"),
        (SEVERAL, ".puml", "on : a / send s"),
        (OF_NO_STATE, ".mmd", "calm --> calm : a"),
        (OF_NO_STATE, ".scxml", "<onentry>"),
        (OF_NO_STATE, ".dot", 'calm [timers="silence=0.5"]'),
        (NOT_SO, ".scxml", '<cancel sendid="silence"/>'),
        (NOT_SO, ".puml", "PlantUML files cannot say that the timer 'silence' belongs to no state alone"),
        (NOT_SO, ".dot", "cannot hold the timer 'silence', which belongs to no location"),
        (GUARDED, ".xstate.json", '"guard": "x <= 4 and x >= 2"'),
        (GUARDED, ".dot", "cannot hold data (x)"),
    ],
)
def test_timers_of_machines_by_hand(text: str, ending: str, said: str, tmp_path: Path) -> None:
    """What is written, or why not; it has no difference to the model over all real delays."""
    model, path = read_model_text(text, Path("m.yaml")), tmp_path / f"m{ending}"
    assert isinstance(model, StateMachine)
    try:
        write_model(model, path)
    except UserError as error:
        assert said in error.message
        assert "cannot" in said or "that a" in said
        return
    assert said in path.read_text(), path.read_text()
    assert TimedConformance(model).conforms(read_statemachine(path)) is True


def test_events_that_look_like_times_are_refused_beside_timers(tmp_path: Path) -> None:
    text = RESTARTED.replace("in: [a, b]", "in: [a, b, after(3 s)]")
    with pytest.raises(UserError, match="looks like a time"):
        write_model(read_model_text(text, Path("m.yaml")), tmp_path / "m.mmd")


def read_statemachine(path: Path) -> StateMachine:
    """The machine of a file."""
    model = read_model(path)
    assert isinstance(model, StateMachine)
    return model


@pytest.mark.parametrize("name", ["recursive_decomp", "sensor_collector", "syntax_demo"])
def test_machines_of_others_with_local_timers_are_written(name: str, tmp_path: Path) -> None:
    source = ROOT.parent / "shared" / "models" / "mmlt" / f"{name}.dot"
    if not source.exists():
        pytest.skip("the machines with local timers are not here")
    model = read_statemachine(source)
    for ending in (".dot", ".scxml"):
        path = tmp_path / f"{name}{ending}"
        write_model(model, path)
        assert TimedConformance(model).conforms(read_statemachine(path)) is True


def test_a_region_that_history_may_lead_back_to_is_no_plain_box(tmp_path: Path) -> None:
    """From a region to what was active last, which may be that region: it leaves the state around, not a box in it."""
    text = """
machine: statemachine
name: m
signals: {in: [a, b], out: [s]}
initial: on
states:
  on:
    initial: both
    states:
      both: {exit: {send: [s]}, parallel: {one: [{trigger: a, to: last}]}, transitions: [{trigger: b, to: other}]}
      other: [{trigger: b, to: both}]
      last: {history: deep, initial: other}
"""
    model = read_model_text(text, Path("m.yaml"))
    assert isinstance(model, StateMachine)
    for ending in (".puml", ".mmd", ".uml"):
        write_model(model, tmp_path / f"m{ending}")
        back = read_statemachine(tmp_path / f"m{ending}")
        for word in (["a"], ["b", "a", "b", "a", "a"], ["a", "b", "b", "a"]):
            assert answers(back, list(word)) == answers(model, list(word)), (ending, word)


def test_timers_without_a_timeout_make_no_difference(tmp_path: Path) -> None:
    """Files leave them out, and machines are compared without them, also where no timer is left."""
    edges = 'a -> b [label="x / y"]; b -> a [label="z / w"]; a -> a [label="v / w" resets="t,q"];'
    for timeout in ('a -> b [label="to[q] / y"];', ""):
        graph = f'digraph {{ a [timers="t=1,q=3"]; b [timers="r=5"]; {edges} {timeout} }}'
        model = read_model_text(graph, Path("m.dot"))
        assert isinstance(model, StateMachine)
        for ending in (".dot", ".scxml", ".mmd", ".uml"):
            write_model(model, tmp_path / f"m{ending}")
            back = read_statemachine(tmp_path / f"m{ending}")
            assert len(back.timers) == bool(timeout) < len(model.timers) == 3
            assert TimedConformance(model).conforms(back) is True
        other = read_model_text(graph.replace("x / y", "x / w").replace("z / w", "z / y"), Path("n.dot"))
        assert isinstance(other, StateMachine)
        assert TimedConformance(model).conforms(other) is False
