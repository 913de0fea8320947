"""Parallel and history states, internal events and inferred data in SCXML files, on charts small enough to see why."""

from pathlib import Path

import pytest

from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats.scxml.reader import read_scxml
from fullproof.language.types import BoolType, EnumType, IntType, RealType
from fullproof.model import StateMachine


def read(body: str, *, initial: str = "", data: str = "") -> StateMachine:
    attribute = f' initial="{initial}"' if initial else ""
    head = f'<scxml xmlns="http://www.w3.org/2005/07/scxml"{attribute}>'
    return read_scxml(f"{head}<datamodel>{data}</datamodel>{body}</scxml>", Path("m.scxml"))


def trace(model: StateMachine, *events: str) -> list[str]:
    """The active innermost states after each event."""
    runner, active = RunToCompletion(model), dict(model.active)
    here, found = runner.start, []
    for event in events:
        (run,) = runner.runs(here, event, {})
        here = run.end
        found.append("+".join(active.get(here.state, (here.state,))))
    return found


REGIONS = """<parallel id="p">
  <state id="a"><state id="a1"><transition event="x" target="a2"/></state>
    <state id="a2"><transition event="x" target="af"/></state><final id="af"/></state>
  <state id="b"><state id="b1"><transition event="y" target="bf"/></state><final id="bf"/></state>
  <transition event="out" target="off"/>
  <transition event="done.state.p" target="ready"/>
</parallel>
<state id="off"><transition event="back" target="h"/><transition event="new" target="p"/>
  <transition event="two" target="a2 bf"/></state>
<state id="ready"/>"""


def test_regions_move_together_and_complete_together() -> None:
    model = read(REGIONS.replace('target="h"', 'target="p"'))
    assert trace(model, "x", "y", "x") == ["a2+b1", "a2+bf", "ready"]
    assert trace(model, "x", "out", "new", "out", "two", "x") == ["a2+b1", "off", "a1+b1", "off", "a2+bf", "ready"]


@pytest.mark.parametrize(("depth", "again"), [("deep", "a2+b1"), ("shallow", "a1+b1")])
def test_history(depth: str, again: str) -> None:
    history = f'<parallel id="p"><history id="h" type="{depth}"><transition target="a1"/></history>'
    model = read(REGIONS.replace('<parallel id="p">', history), initial="off")
    assert trace(model, "back", "x", "out", "back") == ["a1+b1", "a2+b1", "off", again]


def test_an_internal_transition_to_history_leaves_what_history_says() -> None:
    body = """<state id="o" initial="m"><history id="h" type="deep"><transition target="m"/></history>
      <state id="m" initial="i"><onentry><assign location="n" expr="n + 1"/></onentry>
        <onexit><assign location="n" expr="n + 100"/></onexit>
        <transition event="x" type="internal" target="h"/><transition event="out" target="z"/><state id="i"/></state>
      </state>
      <state id="z"><transition event="back" target="h"/></state>"""
    runner = RunToCompletion(read(body, data='<data id="n" expr="0"/>'))
    here, found = runner.start, []
    for event in ("x", "out", "back", "x"):
        (run,) = runner.runs(here, event, {})
        here = run.end
        found.append(runner.values(here)["n"])
    # First h stands for m itself, which is left and entered; then for i, and m is entered again without being left.
    assert found == [102, 202, 203, 204]


def test_internal_events_wait_for_transitions_without_event() -> None:
    body = """<state id="a"><transition event="go" target="b"><raise event="s"/></transition></state>
      <state id="b" initial="b1"><state id="b1"><transition event="s" target="c"/><transition target="b2"/></state>
        <state id="b2"><transition event="s.*" target="d"/></state></state><state id="c"/><state id="d"/>"""
    model = read(body)
    assert model.signals_in == ("go",)
    assert model.states == ("a", "c", "d")
    assert trace(model, "go") == ["d"]


def test_conditional_actions_see_what_happened_before_them() -> None:
    body = """<state id="a"><transition event="go" target="b">
        <assign location="n" expr="n + 1"/>
        <if cond="n == 1"><raise event="one"/><assign location="n" expr="5"/><elseif cond="n == 6"/>
          <raise event="six"/><else/><raise event="none"/></if>
      </transition></state>
      <state id="b"><transition event="one" target="a"/><transition event="six" target="c"/></state>
      <state id="c"><transition event="go" cond="In('c') &amp;&amp; n == 6" target="a"/></state>"""
    assert trace(read(body, data='<data id="n" expr="0"/>'), "go", "go", "go") == ["a", "c", "a"]


def test_transitions_of_the_document_and_of_the_inner_state() -> None:
    body = """<transition event="x" target="b"/>
      <state id="a"><transition event="x" cond="n == 0"><script>n = 1; n += 2; n--</script></transition></state>
      <state id="b"/>"""
    assert trace(read(body, data='<data id="n" expr="0"/>'), "x", "x", "x") == ["a", "b", "b"]


def test_types_of_data_without_declared_ones() -> None:
    body = """<state id="a"><transition event="x" target="b" cond="mode == 'slow'">
      <assign location="mode" expr="last"/><assign location="last" expr="'fast'"/><assign location="late" expr="n / 2"/>
      <assign location="n" expr="n + 1"/><assign location="on" expr="!on"/></transition></state>
      <state id="b"><transition event="x" cond="late > 1" target="a"/></state>"""
    data = """<data id="mode" expr="'slow'"/><data id="last" expr="'off'"/><data id="late"/><data id="n" expr="1"/>
      <data id="on" expr="true"/>"""
    texts = EnumType(("fast", "off", "slow"))
    types = {variable.name: variable.type for variable in read(body, data=data).variables}
    assert types == {"mode": texts, "last": texts, "late": RealType(), "n": IntType(), "on": BoolType()}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            '<state id="a"><transition event="x" cond="n == 1" target="b"><assign location="n" expr="1"/></transition>'
            '</state><state id="b"/>',
            "'n' may be read before it has a value",
        ),
        (
            '<parallel id="p"><onentry><assign location="n" expr="0"/></onentry><state id="a">'
            '<transition event="x" target="a"/></state><state id="b"/></parallel>',
            "by the recommendation, but not in all interpreters",
        ),
        (
            '<state id="a"><onentry><assign location="n" expr="0"/></onentry>'
            '<transition event="e x" target="a"><raise event="e"/><raise event="e"/></transition></state>',
            "more than 8 internal events may wait at a time",
        ),
    ],
)
def test_refused(body: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        read(body, data='<data id="n"/>')
    assert message in caught.value.message
    assert caught.value.at.line == 1


def test_a_livelock_is_found_when_it_is_run() -> None:
    model = read('<state id="a"><transition event="e x" target="a"><raise event="e"/></transition></state>')
    runner = RunToCompletion(model)
    with pytest.raises(RunGoesWrong, match="livelock"):
        runner.runs(runner.start, "x", {})
