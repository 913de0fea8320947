"""Pictures of charts: boxes lie inside each other, regions beside each other, and coverage is seen."""

import re
from pathlib import Path

import pytest
from tests.shared import ROOT

from fullproof.formats import read_model, read_model_text
from fullproof.formats.labels import transition_label
from fullproof.model import StateMachine
from fullproof.report.diagram import Highlight, draw, drawn_parts, svg
from fullproof.report.drawing.chart_picture import Pseudo, chart_picture, has_boxes

PLAYER = ROOT / "examples/charts/media-player.yaml"


@pytest.fixture(scope="module")
def player() -> StateMachine:
    model = read_model(PLAYER)
    assert isinstance(model, StateMachine)
    return model


def _boxes(text: str) -> dict[str, tuple[float, float, float, float]]:
    found = re.findall(r'<g class="fp-box"><title>([^<\n]*)[^<]*</title><rect[^>]* x="(\S+)" y="(\S+)" '
                       r'width="(\S+)" height="(\S+)"', text)  # fmt: skip
    return {name: (float(x), float(y), float(x) + float(w), float(y) + float(h)) for name, x, y, w, h in found}


def test_boxes_and_regions(player: StateMachine) -> None:
    boxes = _boxes(svg(player))
    outer, left, right = boxes["on"], boxes["transport"], boxes["sound"]
    for inner in (left, right):
        assert outer[0] < inner[0] and outer[1] < inner[1] and inner[2] < outer[2] and inner[3] < outer[3]
    assert left[2] < right[0] or right[2] < left[0]


def test_what_stands_in_the_picture(player: StateMachine) -> None:
    text = svg(player)
    for words in ("exit / lamp = false; motor = still; volume = 0", "entry / motor = turning", "H*", "skip"):
        assert words in text
    assert " id=" not in text
    pseudo = [node.pseudo for node in chart_picture(player, Highlight()).nodes if node.pseudo is not None]
    assert sorted(one.value for one in pseudo) == ["", "", "", Pseudo.DEEP.value]
    states, arrows = drawn_parts(player)
    assert len(states) == text.count('class="fp-state') + text.count('class="fp-box')
    assert len(arrows) == text.count('class="fp-arrow')


def test_times_stand_at_arrows_and_not_in_states() -> None:
    """A state does not say that it starts and stops its timers; what starts one again does."""
    picture = chart_picture(read_model(ROOT / "examples/time/lift-door.yaml"), Highlight())
    stories = {drawn.name: drawn.node.story for drawn in (*picture.boxes, *picture.nodes)}
    assert (stories["opened"], stories["calm"]) == ("opened", "calm")
    lines = {line.stimulus for arrow in picture.arrows for line in arrow.arrow.lines}
    assert {"after 20 s", "after patience"} <= lines
    loops = {node.name: [(line.stimulus, line.response) for line in node.node.loops] for node in picture.nodes}
    assert loops["warning"] == [("every 4 s", "/ send beep")]
    (opened,) = picture.boxes
    assert [(line.stimulus, line.response) for line in opened.node.loops] == [
        ("hold", "/ restart opened after patience")
    ]


def test_conditions_are_read_from_left_to_right() -> None:
    text = """
machine: statemachine
signals: {in: [a], out: [s, t]}
outputs: {y: int 0..9 = 0}
initial: on
states:
  on:
    initial: x
    states:
      x: [{trigger: a, to: y, do: [{if: y > 5, send: s, else: {if: y > 3, else: {do: y = 1}}}]}]
      y: []
"""
    picture = chart_picture(read_model_text(text, Path("m.yaml")), Highlight())
    shown = " ".join(f"{one.stimulus} {one.response}" for arrow in picture.arrows for one in arrow.arrow.lines)
    assert " ".join(shown.split()) == "a / if y > 5: send s else if y > 3: nothing else: y = 1"


def test_a_name_with_its_time_does_not_say_it_twice() -> None:
    model = read_model(ROOT / "examples/time/watchdog.yaml")
    assert isinstance(model, StateMachine)
    assert transition_label(model, model.transitions[0]) == "start / start calm after 500 ms"


def test_coverage_is_that_of_the_chart(player: StateMachine) -> None:
    skips = [k for k, t in enumerate(player.transitions) if t.trigger == "skip"]
    marked = chart_picture(player, Highlight(covered=frozenset(skips[:1])))
    covered = [a for a in marked.arrows if a.arrow.mark is not None and a.arrow.mark.value == "covered"]
    assert [(arrow.source, arrow.target) for arrow in covered] == [("playing", "searching")]


def test_files(player: StateMachine, tmp_path: Path) -> None:
    assert has_boxes(player)
    draw(player, tmp_path / "m.dot")
    assert "subgraph cluster_0" in (tmp_path / "m.dot").read_text()
