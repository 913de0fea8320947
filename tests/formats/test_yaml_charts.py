"""Regions, history, internal events and in(...) in model files: the same charts as in SCXML, mistakes in one line."""

from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.formats import read_model, read_model_text, write_model
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
