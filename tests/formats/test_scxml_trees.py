"""Charts are written to SCXML as trees, also what other formats have other words for."""

from pathlib import Path

import pytest
from tests.formats.test_chart_conversions import answers, require_same_answers

from fullproof.formats import read_model_text
from fullproof.formats.charts.written import tree_of
from fullproof.formats.scxml.reader import read_scxml
from fullproof.formats.scxml.writer import scxml_lines
from fullproof.model import StateMachine

HEAD = """
machine: statemachine
name: m
signals: {in: [a, b], out: [s]}
outputs: {y: int 0..99 = 0}
initial: %s
states:
"""
DONE = """
  on:
    transitions: [{kind: completion, when: y < 50, do: [y = y + 7], to: 'over there'}]
    parallel:
      left: {initial: l0, states: {l0: [{trigger: a, to: l1}], l1: {final: true}}}
      right: {initial: r0, states: {r0: [{trigger: b, do: [y = 1], to: 'r end'}], 'r end': {final: true}}}
  over there: [{trigger: a, send: [s], to: on}]
"""
LOCAL = """
  on:
    initial: x0
    entry: [y = 1]
    transitions: [{trigger: b, kind: local, do: [y = y + 1], to: on}]
    states: {x0: {exit: [y = y + 20], transitions: [{trigger: a, to: x1}]}, x1: [{trigger: a, to: x0}]}
"""
STAYS = """
  on:
    initial: x0
    transitions: [{trigger: a, kind: internal, do: [y = 3]}, {trigger: b, kind: local, to: x1}]
    states:
      x0: [{trigger: b, kind: local, do: [y = 4], to: x0}]
      x1: [{trigger: b, when: in(x1), raise: [e], to: x1}, {trigger: e, to: h}]
      h: {history: shallow, initial: x0}
"""
BEGINS = """
  on:
    initial: {to: x0, do: [y = y + 1]}
    transitions: [{trigger: b, kind: local, to: on}]
    states: {x0: [{trigger: a, to: x1}], x1: [{trigger: a, to: x0}]}
"""


@pytest.mark.parametrize(("states", "is_tree"), [(DONE, True), (LOCAL, True), (STAYS, True), (BEGINS, False)])
def test_a_tree_reads_back(states: str, is_tree: bool) -> None:
    model = read_model_text(HEAD % "on" + states, "m.yaml")
    assert isinstance(model, StateMachine)
    text = "".join(scxml_lines(model))
    back = read_scxml(text, Path("m.scxml"))
    assert (tree_of(back, lambda _: True) is not None) is is_tree, text
    require_same_answers(back, model, 8, text)


def test_what_the_arrow_to_the_first_state_does_becomes_initial_values() -> None:
    text = "stateDiagram-v2\n[*] --> on : / y = 4; y = y + 1\nstate on {\n[*] --> x\nx --> x : a / y = y + 1\n}\n"
    model = read_model_text(text.replace("v2\n", "v2\n%% fullproof: outputs: {y: int = 0}\n"), "m.mmd")
    assert isinstance(model, StateMachine)
    written = "".join(scxml_lines(model))
    assert '<data id="y" expr="5"' in written and '<state id="on" initial="x">' in written
    assert answers(read_scxml(written, Path("m.scxml")), ["a"]) == answers(model, ["a"])


def test_data_without_a_value_stays_without_one() -> None:
    """It is assigned before it is read, which is checked, so that no value is made up."""
    text = """<scxml xmlns="http://www.w3.org/2005/07/scxml" initial="on"><datamodel><data id="y"/></datamodel>
<state id="on"><onentry><assign location="y" expr="4"/></onentry><state id="x">
<transition event="a" cond="y == 4" target="x"><send event="s"/></transition></state></state></scxml>"""
    model = read_scxml(text, Path("m.scxml"))
    written = "".join(scxml_lines(model))
    assert '<data id="y" fp:type="int"/>' in written and '<state id="on" initial="x">' in written
    assert answers(read_scxml(written, Path("m.scxml")), ["a", "a"]) == answers(model, ["a", "a"])
