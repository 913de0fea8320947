"""Delayed events of SCXML files, against the interpreter of the recommendation with a clock."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.oracles.scxml import Interpreter

from fullproof.core.errors import UserError
from fullproof.formats import read_model_text
from fullproof.kinds.statemachine.player import StateMachinePlayer
from fullproof.model import StateMachine
from fullproof.model.inputs import Advance, SignalEvent

HEAD = '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" initial="a">'

LIGHT = """<state id="a"><onentry><send event="go" delay="5s" id="g"/></onentry>
  <transition event="go" target="b"><send event="lamp"/></transition>
  <transition event="hold"><cancel sendid="g"/><send event="go" delay="5s" id="g"/></transition>
  <transition event="off" target="c"/><onexit><cancel sendid="g"/></onexit></state>
<state id="b"><onentry><send event="back.soon" delay="1500ms"/></onentry>
  <transition event="back.soon" target="a"/></state>
<state id="c"><transition event="off" target="a"/></state>"""
REGIONS = """<parallel id="a">
 <state id="l" initial="l0"><state id="l0"><onentry><send event="tick" delay="2s"/></onentry>
  <transition event="tick" target="l0"><send event="lamp"/></transition></state></state>
 <state id="r" initial="r0"><state id="r0"><transition event="tick" target="r1"/></state>
  <state id="r1"><onentry><send event="late" delay="3s" id="x"/></onentry>
   <transition event="late" target="r0"><send event="bell"/></transition>
   <transition event="off" target="r0"><cancel sendid="x"/></transition></state></state>
 </parallel>"""
SURVIVES = """<state id="a"><transition event="hold" target="b"><send event="s" delay="4s" id="s"/></transition></state>
<state id="b"><transition event="off" target="c"/>
<transition event="s" target="a"><send event="bell"/></transition></state>
<state id="c"><transition event="off" target="b"/><transition event="*" target="a"><send event="lamp"/>
<cancel sendid="s"/></transition></state>"""


def read(body: str) -> StateMachine:
    model = read_model_text(f"{HEAD}{body}</scxml>", Path("m.scxml"))
    assert isinstance(model, StateMachine)
    return model


@pytest.mark.parametrize("body", [LIGHT, REGIONS, SURVIVES])
def test_they_come_when_the_interpreter_says(body: str) -> None:
    model, dice = read(body), Random(5)
    times = [Fraction(n, 4) for n in range(1, 30)]
    for _ in range(60):
        player, twin = StateMachinePlayer(model, Random(0)), Interpreter(f"{HEAD}{body}</scxml>")
        for _ in range(8):
            twin.sent.clear()
            if dice.random() < 0.5:
                one = dice.choice(times) + Fraction(1, 1000 * dice.randint(7, 99))  # no two events at one instant
                answer, _ = player.step(Advance(one)), twin.advance(one)
            else:
                signal = dice.choice(model.signals_in) if model.signals_in else None
                answer = player.step(SignalEvent(signal))
                twin.event(signal or "none")
            assert list(player.active) == twin.active
            assert answer.get("send", []) == twin.sent


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (LIGHT.replace('sendid="g"', 'sendid="h"'), "no delayed <send> has the id 'h'"),
        (LIGHT.replace("1500ms", "soon"), "'soon' is not a duration"),
        (LIGHT.replace("1500ms", "0s"), "a delay of 0 s is not supported"),
        (LIGHT.replace('delay="1500ms"', 'delayexpr="d"'), "a delay that is computed"),
        (LIGHT.replace('<onexit><cancel sendid="g"/></onexit>', ""), "may be sent again while it is still to come"),
        (LIGHT.replace('delay="1500ms"', 'delay="1500ms" target="#_scxml_1"'), "a delayed event to others"),
    ],
)
def test_what_is_refused(body: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        read(body)
    assert message in caught.value.message
    assert caught.value.at.line is not None
