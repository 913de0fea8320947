"""Regions, history, internal events and in(...) in model files: the same charts as in SCXML, mistakes in one line."""

from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.formats import read_model, read_model_text, write_model
from fullproof.language.printer import to_text
from fullproof.model import StateMachine

PLAYER = """\
machine: statemachine
initial: off
signals: {in: [power, play, stop, mute], out: [motor, click]}
states:
  off: [{trigger: power, to: h}]
  on:
    transitions: [{trigger: power, to: off}]
    parallel:
      drive:
        initial: stopped
        states:
          stopped: [{trigger: play, when: in(loud), send: motor, raise: spin, to: playing}]
          playing: [{trigger: stop, to: stopped}]
      sound:
        initial: loud
        states:
          loud: [{trigger: mute, to: quiet}, {trigger: spin, send: click, to: loud}]
          quiet: [{trigger: mute, to: loud}]
      h: {history: deep, initial: [playing, quiet]}
"""
SCXML = """\
<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:fp="urn:fullproof:scxml" initial="off" name="m"
       fp:in="power play stop mute" fp:out="motor click">
<state id="off"><transition event="power" target="h"/></state>
<parallel id="on"><transition event="power" target="off"/>
  <state id="drive"><state id="stopped">
      <transition event="play" cond="In('loud')" target="playing"><send event="motor"/><raise event="spin"/>
      </transition>
    </state><state id="playing"><transition event="stop" target="stopped"/></state></state>
  <state id="sound"><state id="loud"><transition event="mute" target="quiet"/>
      <transition event="spin" target="loud"><send event="click"/></transition></state>
    <state id="quiet"><transition event="mute" target="loud"/></state></state>
  <history id="h" type="deep"><transition target="playing quiet"/></history>
</parallel></scxml>
"""


def yaml(text: str) -> StateMachine:
    model = read_model_text(text, Path("m.yaml"))
    assert isinstance(model, StateMachine)
    return model


def test_a_model_file_says_what_scxml_says(tmp_path: Path) -> None:
    (tmp_path / "m.scxml").write_text(SCXML)
    assert yaml(PLAYER) == read_model(tmp_path / "m.scxml")


def test_states_are_configurations() -> None:
    model = yaml(PLAYER)
    assert model.initial == "off"
    assert "off [h: stopped+loud]" in model.states
    assert dict(model.active)["off [h: stopped+loud]"] == ("off",)
    (step,) = (t for t in model.transitions if t.source == "stopped+loud" and t.trigger == "play")
    assert (step.sends, step.target) == (("motor", "click"), "playing+loud")
    assert not [t for t in model.transitions if t.source == "stopped+quiet" and t.trigger == "play"]


@pytest.mark.parametrize("ending", ["yaml", "json", "scxml", "mmd"])
def test_conversions_are_equivalent(ending: str, tmp_path: Path) -> None:
    model = yaml(PLAYER)
    write_model(model, tmp_path / f"m.{ending}")
    assert read_model(tmp_path / f"m.{ending}") == model


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("in(loud)", "in(lout)", "m.yaml, line 12, column 43: unknown name 'in(lout)'; did you mean 'in(loud)'?"),
        ("history: deep", "history: long", "line 19, column 20: unknown depth of history 'long'"),
        ("[playing, quiet]", "[playing, stopped]", "line 19, column 7: the defaults of history state 'h'"),
        ("{trigger: spin,", "{trigger: spun,", "line 17, column 56: unknown input signal 'spun'; did you mean 'spin'?"),
        ("raise: spin", "raise: []", "line 17, column 56: unknown input signal 'spin'"),
        ("    parallel:", "    states: {x: []}\\n    parallel:", "has both states and parallel regions"),
    ],
)
def test_mistakes(old: str, new: str, message: str) -> None:
    assert PLAYER.count(old) == 1
    with pytest.raises(UserError) as caught:
        yaml(PLAYER.replace(old, new.replace("\\n", "\n")))
    assert message in str(caught.value)


CONDITIONS = """\
machine: statemachine
name: c
signals: {in: [a, b, stop], out: [s, t]}
outputs: {y: int 0..9 = 0}
initial: on
transitions:
  - {trigger: stop, when: y > 3, send: [t], to: off}
  - {trigger: b, kind: internal, do: {if: y > 2, send: [s], else: {if: y == 1, do: [y = 2], else: {raise: [e]}}}}
states:
  on:
    - {trigger: a, do: [y = (y + 1) % 10, {if: y > 5, send: [s]}, {send: [t]}], to: on}
    - {trigger: e, do: [y = 7], to: off}
  off:
    entry: [{if: y > 5, do: [y = 0]}]
    transitions: [{trigger: a, to: on}]
"""
CONDITIONS_SCXML = """\
<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:fp="urn:fullproof:scxml" name="c" initial="on"
       fp:semantics="fullproof" fp:in="a b stop" fp:out="s t">
<datamodel><data id="y" expr="0" fp:role="output" fp:type="int 0..9"/></datamodel>
<transition event="stop" cond="y > 3" target="off"><send event="t"/></transition>
<transition event="b">
  <if cond="y > 2"><send event="s"/><elseif cond="y == 1"/><assign location="y" expr="2"/><else/><raise event="e"/></if>
</transition>
<state id="on">
  <transition event="a" target="on">
    <assign location="y" expr="(y + 1) % 10"/><if cond="y > 5"><send event="s"/></if><send event="t"/>
  </transition>
  <transition event="e" target="off"><assign location="y" expr="7"/></transition>
</state>
<state id="off">
  <onentry><if cond="y > 5"><assign location="y" expr="0"/></if></onentry><transition event="a" target="on"/>
</state></scxml>
"""


@pytest.mark.parametrize("ending", ["yaml", "json", "scxml"])
def test_actions_under_conditions_and_transitions_of_the_chart(ending: str, tmp_path: Path) -> None:
    """What is written keeps them, and means what SCXML means by them."""
    model, path = yaml(CONDITIONS), tmp_path / f"m.{ending}"
    (tmp_path / "n.scxml").write_text(CONDITIONS_SCXML)
    write_model(read_model(tmp_path / "n.scxml"), path)
    text, back = path.read_text(), read_model(path)
    assert isinstance(back, StateMachine)
    same = [(t.source, t.trigger, to_text(t.guard), t.actions, t.sends, t.target) for t in model.transitions]
    assert [(t.source, t.trigger, to_text(t.guard), t.actions, t.sends, t.target) for t in back.transitions] == same
    assert {"yaml": "\ntransitions:\n  - ", "json": '"else"', "scxml": "<elseif"}[ending] in text, text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("else: {raise: [e]}", "else: {raise: [e], else: {}}", "'else' belongs to an 'if', which is missing"),
        ("{send: [t]}]", "{send: [t], else: {}}]", "'else' belongs to an 'if', which is missing"),
        ("{if: y > 5, send", "{if: z > 5, send", "unknown name 'z'"),
        ("{if: y > 5, do:", "{when: y > 5, do:", "unknown key 'when' in actions"),
        ("trigger: stop, when", "after: 3 s, when", "a time needs a state that it is counted from"),
        ("kind: internal", "kind: completion, to: off", "the chart itself is never complete"),
        ("kind: internal", "kind: internal, to: off", "an internal transition of the chart leads nowhere"),
        ("send: [t], to: off}", "send: [t]}", "the transition lacks the key 'to'"),
    ],
)
def test_mistakes_in_conditions(old: str, new: str, message: str) -> None:
    assert old in CONDITIONS
    with pytest.raises(UserError, match=message) as caught:
        yaml(CONDITIONS.replace(old, new, 1))
    assert caught.value.at.line is not None


def test_deep_conditions_are_refused() -> None:
    item = "{if: y > 5, do: [" * 300 + "y = 1" + "]}" * 300
    chain = "{if: y > 5, do: [y = 1], else: " * 300 + "{}" + "}" * 300
    for deep in (item, chain):
        with pytest.raises(UserError, match="deep"):
            yaml(CONDITIONS.replace("{if: y > 5, do: [y = 0]}", deep))


def test_keys_that_a_diagram_says_itself_are_refused_beside_it() -> None:
    for key in ("transitions: []", "timers: {a: after 3 s}", "started: [a]", "initial: x"):
        text = f"stateDiagram-v2\n%% fullproof: {key}\n[*] --> x\nx --> x : a\n"
        with pytest.raises(UserError, match=r"is not declared: the (chart|diagram) says it") as caught:
            read_model_text(text, Path("m.mmd"))
        assert caught.value.at.line == 2
