"""SCXML as people write it."""

from fractions import Fraction
from pathlib import Path

import pytest
from tests.shared import ROOT

from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats import read_model, write_model
from fullproof.formats.labels import transition_label
from fullproof.formats.scxml.reader import read_scxml
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Variable
from fullproof.model import StateMachine

FOLDER = ROOT / "tests" / "data" / "scxml"
MICROWAVE = ROOT / "examples" / "statemachines" / "microwave.scxml"


def read(path: Path) -> StateMachine:
    model = read_model(path)
    assert isinstance(model, StateMachine)
    return model


def body(text: str, *, data: str = "", root: str = "") -> StateMachine:
    head = '<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:fp="urn:fullproof:scxml" version="1.0"'
    return read_scxml(f"{head} {root}><datamodel>{data}</datamodel>{text}</scxml>", Path("m.scxml"))


def lines(model: StateMachine) -> list[str]:
    return [f"{t.source} -> {t.target}: {transition_label(model, t)}".rstrip() for t in model.transitions]


def play(
    model: StateMachine, *events: tuple[str, dict[str, object]]
) -> list[tuple[str, dict[str, object], tuple[str, ...]]]:
    """The state, the outputs and what was sent after each event."""
    runner = RunToCompletion(model)
    here, seen = runner.start, []
    for trigger, inputs in events:
        (run,) = runner.runs(here, trigger or None, inputs)  # type: ignore[arg-type]
        here = run.end
        values = runner.values(here)
        seen.append((here.state, {v.name: values[v.name] for v in model.outputs}, run.sent))
    return seen


def test_traffic_light() -> None:
    model = read(FOLDER / "traffic-light.scxml")
    assert (model.name, model.initial, model.signals_in) == ("traffic-light", "red", ("tick",))
    assert model.outputs == (Variable(name="lamp", type=EnumType(("R", "RY", "G", "Y")), initial="R"),)
    assert model.inputs == (Variable(name="car", type=BoolType()),)
    assert lines(model) == [
        "red -> red-yellow: tick [car or ticks >= 2] / lamp = RY",
        "red -> red: tick [not (car or ticks >= 2)] / ticks = ticks + 1",
        "red-yellow -> green: tick / lamp = G",
        "green -> yellow: tick [not car] / lamp = Y",
        "yellow -> red: tick / lamp = R; ticks = 0",
    ]
    waiting = [("tick", {"car": False})] * 3
    assert [state for state, _, _ in play(model, *waiting)] == ["red", "red", "red-yellow"]


def test_microwave() -> None:
    model = read(MICROWAVE)
    assert play(
        model,
        ("turn.on", {"wanted": 2}),
        ("minute", {}),
        ("door.open", {}),
        ("minute", {}),
        ("door.close", {}),
        ("minute", {}),
        ("minute", {}),
    ) == [
        ("cooking", {"magnetron": True, "left": 2}, ()),
        ("cooking", {"magnetron": True, "left": 1}, ()),
        ("waiting", {"magnetron": False, "left": 1}, ()),
        ("waiting", {"magnetron": False, "left": 1}, ()),
        ("cooking", {"magnetron": True, "left": 1}, ()),
        ("off", {"magnetron": False, "left": 0}, ("ready",)),
        ("off", {"magnetron": False, "left": 0}, ()),
    ]


def test_stopwatch() -> None:
    model = read(FOLDER / "stopwatch.scxml")
    assert (model.name, model.initial) == ("stopwatch", "ready")
    assert model.states == ("ready", "running", "paused", "over", "final1")
    assert model.signals_in == ("reset", "start", "tick", "stop", "reset.soft")
    assert model.signals_out == ("alarm",)
    assert lines(model) == [
        "ready -> running: start",
        "ready -> ready: reset / shown = limit - 3",
        "ready -> ready: reset.soft / shown = limit - 3",
        "running -> running: tick [shown < limit] / shown = shown + 1",
        "running -> paused: stop",
        "running -> paused: reset.soft",
        "running -> over: tick [shown >= limit] / send alarm",
        "running -> ready: reset / shown = limit - 3",
        *[f"paused -> running: {event}" for event in model.signals_in],
    ]


def test_what_is_not_said_has_a_default() -> None:
    model = body(
        '<state><transition event="e" target="t"/></state><state id="t"/>',
        data='<data id="b" expr="1 &lt; 2"/><data id="i" expr="-3"/><data id="r" expr="k / 3"/>'
        '<data id="k" expr="2" fp:role="constant"/><data id="x" fp:type="real 0..k ~ 0.1"/>',
    )
    assert (model.name, model.initial, model.states) == ("m", "state1", ("state1", "t"))
    assert model.variables == (
        Variable(name="b", type=BoolType(), initial=True),
        Variable(name="i", type=IntType(), initial=-3),
        Variable(name="r", type=RealType(), initial=Fraction(2, 3)),
    )
    assert model.inputs == (Variable(name="x", type=RealType(Fraction(0), Fraction(2)), tolerance=Fraction(1, 10)),)


def test_the_order_of_the_file_decides() -> None:
    text = """
      <state id="s">
        <transition event="a" cond="n == 0" target="s"/>
        <transition event="a" cond="n > 0 &amp;&amp; n != 3" target="s"/>
        <transition event="a" target="t"/>
        <transition event="b a" target="s"/>
        <transition cond="n >= 9" target="t"/>
      </state><state id="t"/>"""
    data = '<data id="n" expr="0"/>'
    assert lines(body(text, data=data)) == [
        "s -> s: a [n == 0]",
        "s -> s: a [n > 0 and n != 3 and n < 9]",
        "s -> t: a [n != 0 and n < 9 and not (n > 0 and n != 3)]",
        "s -> s: b [n < 9]",
        "s -> t: [n >= 9]",
    ]
    assert lines(body(text, data=data, root='fp:semantics="fullproof"'))[2:4] == ["s -> t: a", "s -> s: b"]


def test_choice_points_and_requirements() -> None:
    model = body(
        '<state id="s"><transition event="a" target="c" fp:req="R1 R2"/></state>'
        '<state id="c" fp:choice="true"><transition cond="n > 0" target="s"/><transition target="t"/></state>'
        '<state id="t" fp:name="the end"/>'
        '<fp:requirement name="R1" text="one"/><fp:requirement name="R2" text="two"/>'
        '<fp:fault-domain extra-states="1"><fp:guard when="0 &lt; n &lt; 5"/></fp:fault-domain>'
        '<fp:property name="P" formula="G(n >= 0)"/>',
        data='<data id="n" expr="0" fp:role="output"/>',
    )
    assert (model.states, model.choices) == (("s", "c", "the end"), ("c",))
    assert lines(model) == ["s -> c: a", "c -> s: [n > 0]", "c -> the end: [n <= 0]"]
    assert model.transitions[0].requirements == ("R1", "R2")
    assert model.description.fault_domain.extra_states == 1
    assert [p.name for p in model.description.properties] == ["P"]


def test_internal_and_external() -> None:
    inner = (
        '<onentry><assign location="n" expr="1"/></onentry><state id="i"/><state id="j"/>'
        '<transition event="a" target="j"/><transition event="b" type="internal" target="j"/>'
        '<transition event="c" type="internal" target="o"/><transition event="d"/>'
    )
    model = body(f'<state id="o">{inner}</state>', data='<data id="n" expr="0"/>')
    assert model.variables[0].initial == 1
    assert lines(model)[:4] == ["i -> j: a / n = 1", "i -> j: b", "i -> i: c / n = 1", "i -> i: d"]


def test_what_needs_no_input_happens_at_the_start() -> None:
    text = (
        '<state id="s"><transition target="c"/></state>'
        '<state id="c" fp:choice="true"><transition cond="n > 5" target="t"/><transition target="u">'
        '<assign location="n" expr="n + 1"/></transition></state>'
        '<state id="t"/><state id="u"><transition cond="x > 0" target="t"/><transition event="a" target="s"/></state>'
    )
    data = '<data id="n" expr="3"/><data id="x" fp:type="int"/>'
    model = body(text, data=data)
    assert (model.initial, model.variables[0].initial) == ("u", 4)
    ours = body(text, data=data, root='fp:semantics="fullproof"')
    assert (ours.initial, ours.variables[0].initial) == ("s", 3)
    with pytest.raises(UserError, match="livelock before the first input"):
        body('<state id="s"><transition target="s"/></state>')
    sent = body('<state id="s"><transition target="t"><send event="e"/></transition></state><state id="t"/>')
    assert (sent.initial, sent.greeting) == ("t", ("e",))


def test_places_are_those_of_the_file() -> None:
    model = read(FOLDER / "traffic-light.scxml")
    first = model.transitions[0]
    assert (first.at.line, first.at.column) == (11, 5)
    assert (first.guard.at.line, first.guard.at.column) == (11, 36)


def test_only_state_machines(tmp_path: Path) -> None:
    other = read_model(ROOT / "examples" / "brake" / "brake.yaml")
    with pytest.raises(UserError, match=r"a \.scxml file cannot hold a model of kind sfsm, only of kind statemachine"):
        write_model(other, tmp_path / "m.scxml")
    assert not list(tmp_path.iterdir())
