"""What a picture says: parallel transitions together, long lists cut with a count."""

import dataclasses

import pytest
from tests.report.machines import machine
from tests.shared import REFERENCE

from fullproof.formats import read_model
from fullproof.model import Model
from fullproof.report.drawing.picture import Detail, Highlight, Line, Mark, Picture, Shape, picture_of


def picture(model: Model, *, detail: Detail = Detail.WIDE, highlight: Highlight = Highlight()) -> Picture:  # noqa: B008
    return picture_of(model, detail=detail, highlight=highlight)


def texts(lines: tuple[Line, ...]) -> list[str]:
    return [f"{line.stimulus} {line.response}".strip() for line in lines]


def test_parallel_transitions_become_one_arrow_with_a_line_for_each_output() -> None:
    steps = [("p", "a", "0", "q"), ("p", "b", "1", "q"), ("p", "c", "0", "q"), ("q", "a", "0", "p")]
    drawn = picture(machine(["p", "q"], steps))
    assert [(a.source, a.target, texts(a.lines)) for a in drawn.arrows] == [
        (0, 1, ["a, c / 0", "b / 1"]),
        (1, 0, ["a / 0"]),
    ]
    assert drawn.arrows[0].story == "p → q\na / 0\nb / 1\nc / 0"


def test_transitions_that_stay_are_listed_inside_the_state() -> None:
    drawn = picture(machine(["p", "q"], [("p", "a", "0", "p"), ("p", "b", "0", "p"), ("p", "c", "1", "q")]))
    assert texts(drawn.nodes[0].loops) == ["↻ a, b / 0"]
    assert drawn.nodes[0].story == "p\n↻ a / 0\n↻ b / 0"
    assert len(drawn.arrows) == 1


def test_long_lists_of_inputs_end_with_a_count() -> None:
    steps = [("p", f"i{n}", "0", "q") for n in range(20)] + [("q", "i0", "0", "p")]
    narrow = picture(machine(["p", "q"], steps), detail=Detail.SHORT).arrows[1]
    assert texts(narrow.lines) == ["i0 / 0"]
    partial = [("p", f"i{n}", "0", "q") for n in range(20)] + [("q", "j", "0", "p")]
    (listed,) = texts(picture(machine(["p", "q"], partial), detail=Detail.SHORT).arrows[0].lines)
    assert listed == "i0, i1, i2, … 17 more / 0"


def test_long_lists_of_outputs_end_with_a_count() -> None:
    steps = [("p", f"i{n}", f"o{n}", "q") for n in range(20)]
    lines = texts(picture(machine(["p", "q"], steps)).arrows[0].lines)
    assert lines == [*(f"i{n} / o{n}" for n in range(8)), "… 12 more"]


def test_a_complete_state_may_speak_of_its_other_inputs() -> None:
    to_sink = [("p", f"i{n}", "error", "q") for n in range(1, 8)]
    sink = [("q", f"i{n}", "dead", "q") for n in range(8)]
    drawn = picture(machine(["p", "q"], [("p", "i0", "ok", "q"), *to_sink, *sink]))
    assert texts(drawn.arrows[0].lines) == ["i0 / ok", "7 other inputs / error"]
    assert texts(drawn.nodes[1].loops) == ["↻ all 8 inputs / dead"]


def test_an_incomplete_or_nondeterministic_state_never_speaks_of_its_other_inputs() -> None:
    steps = [("p", f"i{n}", "error", "q") for n in range(7)]
    incomplete = picture(machine(["p", "q"], [*steps, ("q", "i7", "ok", "q")])).arrows[0]
    both = picture(machine(["p", "q"], [*steps, ("p", "i0", "ok", "q")])).arrows[0]
    for arrow in (incomplete, both):
        assert texts(arrow.lines)[0].startswith("i0, i1")


def test_marked_transitions_come_first_and_are_never_cut() -> None:
    steps = [("p", f"i{n}", f"o{n}", "q") for n in range(30)]
    drawn = picture(machine(["p", "q"], steps), highlight=Highlight(states={"q"}, transitions={29}))
    (arrow,) = drawn.arrows
    assert arrow.mark is Mark.PATH and arrow.lines[0] == Line("i29", "/ o29", mark=Mark.PATH, of=(29,))
    assert [line.mark for line in arrow.lines[1:]] == [None] * (len(arrow.lines) - 1)
    assert [node.marked for node in drawn.nodes] == [False, True]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("brake/brake.yaml", Line("x == vmax", "/ B0 <= y <= B1")),
        ("brp/brp.yaml", Line("OFRAME! [n == 0 and b1 == 1 and b2 == 0")),
        ("state-machine/figure1.yaml", Line("a [x > 0]", "/ m = x / 2")),
        ("card-reader/card-reader.yaml", Line("ci.in.v, ci.in.i", "/ ci.out")),
    ],
)
def test_labels_of_every_kind_part_stimulus_from_response(file: str, expected: Line) -> None:
    lines = [line for arrow in picture(read_model(REFERENCE / file)).arrows for line in arrow.lines]
    assert expected in [dataclasses.replace(line, of=()) for line in lines]


def test_choice_points_are_diamonds() -> None:
    model = read_model(REFERENCE / "state-machine/figure1.yaml")
    shapes = {node.story: node.shape for node in picture(model).nodes}
    assert {name for name, shape in shapes.items() if shape is Shape.CHOICE} == {"l1"}


def test_without_detail_an_arrow_has_its_story_only() -> None:
    (arrow,) = picture(machine(["p", "q"], [("p", "a", "0", "q")]), detail=Detail.NONE).arrows
    assert (arrow.lines, arrow.story) == ((), "p → q\na / 0")
