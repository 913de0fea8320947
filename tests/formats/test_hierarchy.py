"""States inside states: the flat machine does what the chart does, and its guards stay short."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles.charts import Player, Stuck
from tests.strategies.charts import INNER, INPUTS, SCOPE, SIGNALS, Drawn, charts, effect

from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.core.errors import Place, UserError
from fullproof.formats.charts import hierarchy
from fullproof.formats.charts.hierarchy import Flat, flat_names
from fullproof.formats.charts.start import initial_values
from fullproof.language.parser import parse_expression
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.types import IntType, Variable
from fullproof.model import StateMachine
from fullproof.model.chart import Chart, ChartTransition, ExitsAndEntries, Vertex
from fullproof.model.chart_model import TransitionRank
from fullproof.model.common import Constant, Description

EVENTS = st.lists(
    st.tuples(st.sampled_from([*SIGNALS, None]), st.integers(-2, 2), st.sampled_from(["L", "M", "H"])), max_size=6
)


def flatten(
    vertices: Iterable[Vertex],
    arrows: Iterable[ChartTransition],
    *,
    initial: str,
    order: TransitionRank = TransitionRank.NONE,
    scope: Scope | None = None,
) -> Flat:
    """The flat machine of a tree of these states."""
    listed = tuple(arrows)
    return hierarchy.flatten(Chart(tuple(vertices), listed, initial), listed, order=order, scope=scope)


def machine(flat: Flat, inner: tuple[Variable, ...]) -> StateMachine:
    return StateMachine(
        name="m",
        initial=flat.initial,
        states=flat.states,
        choices=flat.choices,
        signals_in=SIGNALS,
        signals_out=tuple(sorted({signal for t in flat.transitions for signal in t.sends})),
        inputs=INPUTS,
        outputs=(),
        variables=inner,
        transitions=flat.transitions,
        description=Description(constants=(Constant(name="c", value=1),)),
    )


@given(charts(), EVENTS, st.sampled_from(TransitionRank), st.booleans())
@settings(max_examples=120, deadline=None)
def test_the_flat_machine_does_what_the_chart_does(
    chart: Drawn, events: list[tuple[str | None, int, str]], order: TransitionRank, informed: bool
) -> None:
    player = Player(list(chart.vertices), list(chart.arrows), chart.initial, order=order, scope=SCOPE)
    flat = flatten(chart.vertices, chart.arrows, initial=chart.initial, order=order, scope=SCOPE if informed else None)
    begun = player.start({v.name: v.initial for v in INNER if v.initial is not None})
    assert flat.start.sends == begun.sent
    inner = initial_values(replace(flat.start, sends=()), INNER, SCOPE)
    assert {v.name: v.initial for v in inner} == dict(begun.values)
    runner = RunToCompletion(machine(flat, inner))
    pairs = {(begun, runner.start)}
    assert player.leaf(begun) == runner.start.state
    for trigger, x, mode in events:
        following = set()
        for moment, configuration in pairs:
            now = replace(moment, values=tuple({**dict(moment.values), "x": x, "e": mode}.items()), sent=())
            try:
                expected = player.runs(now, trigger)
            except Stuck:
                with pytest.raises(RunGoesWrong):
                    runner.runs(configuration, trigger, {"x": x, "e": mode})
                continue
            if player.vertices[player.leaf(moment)].choice:  # a machine that starts in a choice point
                continue
            try:
                found = runner.runs(configuration, trigger, {"x": x, "e": mode})
            except RunGoesWrong as error:
                assume("different runs" not in str(error))
                raise
            mine = {(player.leaf(m), tuple(sorted(m.values)), m.sent): m for m in expected}
            flats = {(r.end.state, tuple(sorted(runner.values(r.end).items())), r.sent): r.end for r in found}
            assert mine.keys() == flats.keys()
            following |= {(mine[key], flats[key]) for key in mine}
        pairs = following


def arrows_of(flat: Flat) -> list[str]:
    return [
        f"{t.source} {t.trigger} [{to_text(t.guard)}] "
        + "; ".join(to_text(a.expression) for a in t.actions)
        + f" -> {t.target}"
        for t in flat.transitions
    ]


NESTED = (
    Vertex(name="on", initial="low", entry=effect("h = 1"), exit=effect("h = 2"), initial_effect=effect("h = 3")),
    Vertex(name="low", parent="on", exit=effect("h = 4")),
    Vertex(name="high", parent="on", entry=effect("h = 5")),
    Vertex(name="off"),
)


def test_exit_then_action_then_entry() -> None:
    flat = flatten(
        NESTED,
        [
            ChartTransition(source="off", trigger="a", target="on"),
            ChartTransition(source="off", trigger="b", target="high"),
            ChartTransition(source="on", trigger="a", target="off", effect=effect("h = 9")),
            ChartTransition(source="on", trigger="b", target="on"),
        ],
        initial="off",
    )
    assert (flat.initial, flat.states) == ("off", ("low", "high", "off"))
    assert arrows_of(flat) == [
        "low a [true] 4; 2; 9 -> off",
        "low b [true] 4; 2; 1; 3 -> low",
        "high a [true] 2; 9 -> off",
        "high b [true] 2; 1; 3 -> low",
        "off a [true] 1; 3 -> low",
        "off b [true] 1; 5 -> high",
    ]


def guards(*inner: str, outer: str) -> list[str]:
    flat = flatten(
        [Vertex(name="o", initial="i"), Vertex(name="i", parent="o")],
        [
            *(ChartTransition(source="i", trigger="a", guard=parse_expression(text), target="i") for text in inner),
            ChartTransition(source="o", trigger="a", guard=parse_expression(outer), target="o"),
        ],
        initial="o",
        scope=SCOPE,
    )
    return [to_text(t.guard) for t in flat.transitions][len(inner) :]


@pytest.mark.parametrize(
    ("inner", "outer", "expected"),
    [
        (["x > 0"], "true", ["x <= 0"]),
        (["x > 0"], "x <= 0", ["x <= 0"]),
        (["x > 0"], "0 >= x", ["0 >= x"]),
        (["x > 1"], "x < 1", ["x < 1"]),
        (["x > 1"], "x <= 1", ["x <= 1"]),
        (["x >= 1"], "x <= c", ["x <= c and x < 1"]),
        (["x > c"], "x == 1", ["x == 1"]),
        (["e == L"], "e == M", ["e == M"]),
        (["e == L"], "e > L", ["e > L"]),
        (["e <= M"], "e != H", ["e != H and e > M"]),
        (["x > 0 and n >= 2"], "x > 0", ["x > 0 and n < 2"]),
        (["x > 0 and n >= 2"], "n < 2 and x == 2", ["n < 2 and x == 2"]),
        (["x > 0"], "x > 0 and n >= 2", []),
        (["true"], "x > 0", []),
        (["false"], "x > 0", ["x > 0"]),
        (["-1 <= x <= 1"], "n >= 2", ["n >= 2 and not -1 <= x <= 1"]),
        (["x > 0", "x < n"], "0 <= x <= 2", ["0 <= x <= 2 and x <= 0 and x >= n"]),
        (["x > 0", "x > 0"], "true", ["x <= 0"]),
        (["not (x < n)"], "n >= 2", ["n >= 2 and x < n"]),
    ],
)
def test_outer_guards_say_only_what_is_needed(inner: list[str], outer: str, expected: list[str]) -> None:
    assert guards(*inner, outer=outer) == expected


def test_a_transition_without_trigger_comes_first() -> None:
    flat = flatten(
        [Vertex(name="o", initial="i"), Vertex(name="i", parent="o"), Vertex(name="p")],
        [
            ChartTransition(source="i", trigger="a", target="i"),
            ChartTransition(source="o", guard=parse_expression("x > 0"), target="p"),
            ChartTransition(source="o", trigger="b", target="p"),
        ],
        initial="o",
    )
    assert arrows_of(flat) == ["i a [x <= 0]  -> i", "i None [x > 0]  -> p", "i b [true]  -> p"]


def test_order_of_the_document() -> None:
    arrows = [
        ChartTransition(source="s", trigger="a", guard=parse_expression("x > 0"), target="s"),
        ChartTransition(source="s", trigger="a", target="t"),
        ChartTransition(source="s", trigger="a", target="s"),
        ChartTransition(source="s", guard=parse_expression("n >= 2"), target="t"),
    ]
    states = [Vertex(name="s"), Vertex(name="t")]
    assert arrows_of(flatten(states, arrows, initial="s", order=TransitionRank.DOCUMENT)) == [
        "s a [x > 0 and n < 2]  -> s",
        "s a [x <= 0 and n < 2]  -> t",
        "s None [n >= 2]  -> t",
    ]
    as_listed = flatten(states, arrows, initial="s")
    assert [(t.trigger, t.guard) for t in as_listed.transitions] == [(a.trigger, a.guard) for a in arrows]


def test_completion() -> None:
    flat = flatten(
        [
            Vertex(name="o", initial="i"),
            Vertex(name="i", parent="o"),
            Vertex(name="f", parent="o", final=True),
            Vertex(name="p"),
        ],
        [
            ChartTransition(source="i", trigger="a", target="f"),
            ChartTransition(source="o", completion=True, guard=parse_expression("x > 0"), target="p"),
            ChartTransition(source="o", trigger="a", target="o"),
        ],
        initial="o",
    )
    assert arrows_of(flat) == ["i a [true]  -> f", "f None [x > 0]  -> p", "f a [x <= 0]  -> i"]


def test_names() -> None:
    paths = [("a",), ("b",), ("b", "a"), ("b", "c"), ("d", "c"), ("d",), ("b.c",), ("x", "b", "c"), ("x", "b"), ("x",)]
    names = flat_names(paths)
    assert [names[path] for path in paths] == [
        "a", "b", "b.a", "b.c", "d.c", "d", "b.c_", "x.b.c", "x.b", "x",
    ]  # fmt: skip
    assert flat_names([("p", "q"), ("p",)]) == {("p", "q"): "q", ("p",): "p"}


A, B = Vertex(name="a"), Vertex(name="b", at=Place(file="m", line=3))


@pytest.mark.parametrize(
    ("vertices", "arrows", "message"),
    [
        ([A, A], [], "state 'a' is defined twice"),
        ([B], [], "unknown initial state 'a'; expected one of b"),
        ([A, replace(B, parent="c")], [], "m, line 3: unknown state 'c'"),
        ([A, replace(B, parent="b")], [], "m, line 3: state 'b' lies inside itself"),
        ([A, replace(B, parent="c"), Vertex(name="c", parent="b")], [], "lies inside itself"),
        ([A, B, Vertex(name="c", parent="b")], [], "m, line 3: state 'b' has states inside it, but does not say"),
        ([A, replace(B, initial="a")], [], "m, line 3: state 'b' has an initial state, but no states inside it"),
        ([A, replace(B, initial="a"), Vertex(name="c", parent="b")], [], "the initial state 'a' of 'b' is not inside"),
        ([A, replace(B, initial="b"), Vertex(name="c", parent="b")], [], "is not inside it; expected one of c"),
        ([A, replace(B, choice=True, final=True)], [], "both a choice point and final"),
        ([A, replace(B, choice=True, entry=effect("h = 1"))], [], "choice point 'b' cannot have entry or exit"),
        (
            [A, replace(B, final=True, initial="c"), Vertex(name="c", parent="b")],
            [],
            "final state 'b' cannot have states",
        ),
        ([A], [ChartTransition(source="a", target="q")], "unknown state 'q'; expected one of a"),
        (
            [A, replace(B, final=True)],
            [ChartTransition(source="b", target="a")],
            "a transition leaves the final state 'b'",
        ),
        (
            [A, B],
            [ChartTransition(source="a", target="b", way=ExitsAndEntries.INTERNAL)],
            "an internal transition of 'a' stays",
        ),
        (
            [A, B],
            [ChartTransition(source="a", target="b", way=ExitsAndEntries.LOCAL)],
            "a local transition of 'a' leads to a state inside it",
        ),
        ([A], [ChartTransition(source="a", target="a", completion=True)], "state 'a' is never complete"),
        ([A], [ChartTransition(source="a", target="a", trigger="a", completion=True)], "cannot have a trigger"),
    ],
)
def test_charts_that_are_none(vertices: list[Vertex], arrows: list[ChartTransition], message: str) -> None:
    with pytest.raises(UserError) as caught:
        flatten(vertices, arrows, initial="a")
    assert message in str(caught.value)


def test_no_input_is_read_before_the_first_one() -> None:
    with pytest.raises(UserError) as caught:
        initial_values(effect("h = x"), INNER, SCOPE, at=Place(file="m", line=2))
    assert "reads 'x', which has no value yet" in str(caught.value)
    assert str(caught.value).startswith("m, line 2")


def test_initial_entry_leaves_a_range() -> None:
    small = (Variable(name="k", type=IntType(0, 3), initial=0),)
    with pytest.raises(UserError, match=r"k = 4 leaves int 0\.\.3"):
        initial_values(effect("k = k + 2", "k = k + 2"), small, Scope(small))
    assert initial_values(effect("k = k + 1", "k = 2 * k"), small, Scope(small))[0].initial == 2


def test_states_around_a_choice_point_do_not_act_for_it() -> None:
    flat = flatten(
        [Vertex(name="o", initial="i"), Vertex(name="i", parent="o"), Vertex(name="c", parent="o", choice=True)],
        [
            ChartTransition(source="i", trigger="a", target="c"),
            ChartTransition(source="c", guard=parse_expression("x > 0"), target="i"),
            ChartTransition(source="c", guard=parse_expression("x < 0"), target="o"),
            ChartTransition(source="o", guard=parse_expression("n >= 2"), target="o"),
        ],
        initial="o",
    )
    assert flat.choices == ("c",)
    assert arrows_of(flat) == [
        "i a [n < 2]  -> c",
        "i None [n >= 2]  -> i",
        "c None [x > 0]  -> i",
        "c None [x < 0]  -> i",
    ]
