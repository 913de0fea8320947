"""Model files of the four kinds: what they say, and what the reader says where they say it wrongly."""

from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest
from tests.shared import REFERENCE

from fullproof.core.errors import UserError
from fullproof.formats import read_model, read_model_text, write_model
from fullproof.language.parser import parse_expression, parse_formula
from fullproof.language.syntax import TRUE
from fullproof.language.types import EnumType, IntType, RealType, Variable
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts
from fullproof.model.common import Constant, Property
from fullproof.model.sts import Assignment, Gate


def yaml(text: str) -> Model:
    return read_model_text(text, Path("m.yaml"))


def complaint(text: str, ending: str = ".yaml") -> str:
    with pytest.raises(UserError) as caught:
        read_model_text(text, Path(f"m{ending}"))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_brake() -> None:
    model = read_model(REFERENCE / "brake" / "brake.yaml")
    assert isinstance(model, Sfsm)
    assert model.inputs == (Variable(name="x", type=RealType(Fraction(0), Fraction(400))),)
    assert model.outputs == (Variable(name="y", type=RealType(Fraction(0), None)),)
    assert Constant(name="B0", value=Fraction(9, 10)) in model.description.constants
    assert model.transitions[1].output == parse_expression("B0 <= y <= B1")
    assert model.description.fault_domain.extra_states == 1
    assert model.description.fault_domain.guards == (parse_expression("x <= vmax - delta"),)
    assert model.description.properties[0] == Property(name="R1", formula=parse_formula("(y <= B1) W (x > vmax)"))
    assert [r.name for r in model.description.requirements] == ["R1", "R2"]
    third = model.transitions[2]
    assert (third.at.line, third.at.column) == (12, 7)
    assert (third.guard.at.line, third.guard.at.column) == (12, 14)


def test_card_reader_with_ignored_inputs() -> None:
    model = read_model(REFERENCE / "card-reader" / "card-reader.yaml")
    assert isinstance(model, Fsm)
    assert len(model.transitions) == 24 + 18
    ignored = [t for t in model.transitions if t.output == "null"]
    assert len(ignored) == 18
    assert all(t.source == t.target and t.input in ("pr.a", "pr.A") for t in ignored)
    assert model.outputs[-1] == "null"
    assert model.lines[0] == 10


def test_example_sts() -> None:
    model = read_model(REFERENCE / "sts-example" / "example.yaml")
    assert isinstance(model, Sts)
    assert model.variables == (Variable(name="x", type=IntType(), initial=0),)
    assert model.outputs == (
        Gate(name="outX", parameters=(Variable(name="p", type=IntType()),)),
        Gate(name="done"),
    )
    first, second, third = model.transitions
    assert first.assignments == (Assignment(variable="x", expression=parse_expression("x + p")),)
    assert second.assignments == ()
    assert third.guard == parse_expression("p == x")


def test_figure_1() -> None:
    model = read_model(REFERENCE / "state-machine" / "figure1.yaml")
    assert isinstance(model, StateMachine)
    assert (model.choices, model.signals_in, model.signals_out) == (("l1",), ("start", "a"), ())
    assert model.transitions[0].guard == TRUE
    assert model.transitions[2].trigger is None
    assert model.transitions[1].actions == (Assignment(variable="m", expression=parse_expression("x / 2")),)


def test_scalars_are_kept_as_they_are_written() -> None:
    model = yaml(
        "machine: fsm\ninitial: 0\nstates:\n"
        "  0: [{when: 1.0, then: true, to: no}, {when: 0x1F, then: null, to: '0'}, {when: on, then: '', to: 0}]\n"
        "  no: []\n"
    )
    assert isinstance(model, Fsm)
    assert [t[:4] for t in model.transitions] == [
        ("0", "1.0", "true", "no"),
        ("0", "0x1F", "null", "0"),
        ("0", "on", "", "0"),
    ]
    assert model.name == "m"


def test_json_has_the_same_shape() -> None:
    text = (
        '\t{"machine": "sfsm",\r\n"constants": {"c": 0.9, "d": 2, "e": "20/3", "f": 2.0, "t": true},'
        '"inputs": {"x": "int"}, "outputs": {"y": "enum O, W"}, "initial": "s\\u0030",'
        '"states": {"s0": [{"when": "x < d", "then": "y == O", "to": "s0", "req": "R\\n1"}]}}\n'
    )
    model = read_model_text(text.replace("\r\n", "\n"), Path("m.json"))
    assert isinstance(model, Sfsm)
    values = {c.name: c.value for c in model.description.constants}
    assert values == {"c": Fraction(9, 10), "d": 2, "e": Fraction(20, 3), "f": 2, "t": True}
    assert [type(values[name]) for name in "cdeft"] == [Fraction, int, Fraction, Fraction, bool]
    assert model.transitions[0].requirements == ("R\n1",)
    assert model.outputs[0].type == EnumType(("O", "W"))


def test_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    text = (REFERENCE / "brake" / "brake.yaml").read_text()
    expected = read_model(REFERENCE / "brake" / "brake.yaml")
    for variant in ("\ufeff" + text, text.replace("\n", "\r\n"), text.replace("\n", "\r"), text.rstrip()):
        (tmp_path / "brake.yml").write_bytes(variant.encode())
        assert read_model(tmp_path / "brake.yml") == expected


def test_one_text_stands_for_a_list_of_one() -> None:
    model = yaml(
        "machine: statemachine\nsignals: {in: [a], out: [b]}\nvariables: {m: int = 0}\ninitial: s\nchoices: s\n"
        "states: {s: [{trigger: a, do: m = m + 1, send: b, req: R1, to: s}]}\n"
    )
    assert isinstance(model, StateMachine)
    (t,) = model.transitions
    assert (model.choices, t.sends, t.requirements, len(t.actions)) == (("s",), ("b",), ("R1",), 1)


def test_aliases_stand_for_what_they_name() -> None:
    model = yaml(
        "machine: fsm\ninitial: a\nstates:\n  a: &loops\n    - {when: x, then: y, to: a}\n  b: *loops\n"
        "requirements: {R1: &t text, R2: *t}\n"
    )
    assert isinstance(model, Fsm)
    assert [t[:4] for t in model.transitions] == [("a", "x", "y", "a"), ("b", "x", "y", "a")]


def test_texts_over_several_lines_have_the_line_they_start_on() -> None:
    start = "machine: sfsm\ninputs: {x: int}\noutputs: {y: int}\ninitial: s\nstates:\n  s:\n"
    folded = start + "    - when: x\n        + 1\n      then: y == 0\n      to: s\n"
    assert complaint(folded).startswith("m.yaml, line 7: x + 1 is int, expected a condition")
    block = start + "    - when: |\n        x > 0\n        and z\n      then: y == 0\n      to: s\n"
    assert "line 9" in complaint(block) and "unknown name 'z'" in complaint(block)
    quoted = start + '    - {when: "x \\u003e 0 and z", then: y == 0, to: s}\n'
    assert complaint(quoted).startswith("m.yaml, line 7: unknown name 'z'")
    single = start + "    - {when: 'x > 0 and z', then: y == 0, to: s}\n"
    assert complaint(single).startswith("m.yaml, line 7, column 25: unknown name 'z'")


BRAKE = (REFERENCE / "brake" / "brake.yaml").read_text()
EXAMPLE = (REFERENCE / "sts-example" / "example.yaml").read_text()
FIGURE = (REFERENCE / "state-machine" / "figure1.yaml").read_text()
CARD = (REFERENCE / "card-reader" / "card-reader.yaml").read_text()


HERE = "¦"
"""Stands before the character that a complaint should point at."""


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        (BRAKE, "y == 0", "y ¦= 0", "unexpected '='; did you mean ==?"),
        (BRAKE, "x <= vmax,", "¦z <= vmax,", "unknown name 'z'"),
        (BRAKE, "when: x <= vmax,", "when: x > 0 and ¦y < 1,", "'y' is an output, a guard may only refer to inputs"),
        (BRAKE, "to: s1}", "to: ¦s9}", "unknown state 's9'; expected one of s0, s1, s2"),
        (BRAKE, "initial: s0", "initial: ¦S0", "unknown initial state 'S0'; did you mean 's0'?"),
        (BRAKE, "initial:", "¦intial:", "unknown key 'intial' in a model of kind sfsm; did you mean 'initial'?"),
        (BRAKE, "when: x <= vmax,", "¦wen: x <= vmax,", "unknown key 'wen' in a transition; did you mean 'when'?"),
        (BRAKE, "when: x <= vmax,", "¦when:x <= vmax,", "a blank is missing after the ':' of 'when:x <= vmax'"),
        (BRAKE, "then: y == 0,", "then: ¦y,", "y is real, expected a condition (bool)"),
        (BRAKE, "y == 0,", "¦y == min(0, x),", "a text with a comma is quoted here: then: 'y == min(0, x)'"),
        (BRAKE, "[x <= vmax - delta]", "[¦x <= min(1, 2)]", "the text 'x <= min(1' ends at a comma"),
        (BRAKE, "extra_states: 1", "extra_states: ¦-1", "extra_states should be a whole number from 0, found '-1'"),
        (BRAKE, "extra_states: 1", "extra_states: ¦[1]", "extra_states should be a whole number from 0, found a list"),
        (BRAKE, "c: 100}\ninputs: {", "c: 100, x: 3}\ninputs: {¦", "'x' is a variable and also a constant"),
        (BRAKE, "B0: 0.9", "B0: ¦abc", "constant 'B0' should be a number, a duration, true or false, found 'abc'"),
        (BRAKE, "B0: 0.9", "B0: ¦[1]", "constant 'B0' should be a number, a duration, true or false, found a list"),
        (BRAKE, "B0: 0.9", "B0: ¦1e9999", "a number has more than 1000 digits"),
        (BRAKE, "B0: 0.9", "¦and: 0.9", "'and' is a word of the language"),
        (BRAKE, "x: real 0..400", "¦x: real 0..400 = 3", "an input such as 'x' cannot have an initial value"),
        (BRAKE, "x: real 0..400", "x: ¦reel", "unknown type 'reel'; did you mean 'real'?"),
        (BRAKE, "x: real 0..400", "¦x: ", "'x' has no type, expected for example x: int 0..10"),
        (BRAKE, "x: real 0..400", "¦x:", "a blank is missing after the ':' of 'x:'"),
        (BRAKE, "x: real 0..400", "x: ¦enum A, B", "a text with a comma is quoted here: x: 'enum A, B'"),
        (BRAKE, "R1: (y <= B1) W", "R1: (¦z <= B1) W", "unknown name 'z'"),
        (BRAKE, "R1: (y <= B1) W (x > vmax)", "R1: ¦(y <= B1", "'(' is never closed"),
        (BRAKE, "machine: sfsm", "machine: ¦sfms", "unknown machine 'sfms'; did you mean 'sfsm'?"),
        (BRAKE, "machine: sfsm", "¦machin: sfsm", "the key 'machine' is missing (here is 'machin')"),
        (
            BRAKE,
            "name: BRAKE",
            "¦variables: {}",
            "'variables' is not a key of machine: sfsm, only of sts and statemachine",
        ),
        (BRAKE, "name: BRAKE", "name: ¦[BRAKE]", "name should be a text, found a list"),
        (BRAKE, "to: s0}", "to: s0, req: ¦R3}", "unknown requirement 'R3'; expected one of R1, R2"),
        (BRAKE, "to: s0}", "to: s0, ¦to: s0}", "key 'to' occurs twice, first on line 10"),
        (BRAKE, "  s1:\n", "  ¦s0:\n", "key 's0' occurs twice, first on line 9"),
        (BRAKE, "inputs: {x: real 0..400}\n", "", "the key 'inputs' is missing"),
        (EXAMPLE, "x: int = 0", "¦x: int", "variable 'x' needs an initial value, for example x: int = 0"),
        (EXAMPLE, "gate: inX", "gate: ¦inx", "unknown gate 'inx'; did you mean 'inX'?"),
        (EXAMPLE, "x: x + p", "x: ¦x > p", "x > p is bool, but x is int"),
        (EXAMPLE, "x: x + p", "¦y: x + p", "unknown variable 'y'; expected one of x"),
        (EXAMPLE, "when: x > 15", "when: ¦p > 15", "unknown name 'p'"),
        (EXAMPLE, "{inX: {p: int}}", "{inX: {¦x: int}}", "'x' is a variable and also another variable"),
        (EXAMPLE, "{inX: {p: int}}", "{inX: {¦p: int = 1}}", "a parameter such as 'p' cannot have an initial value"),
        (EXAMPLE, "{inX: {p: int}}", "{¦inX: }", "gate 'inX' lacks its parameters, expected for example inX: {}"),
        (EXAMPLE, "done: {}", "¦inX: {}", "gate 'inX' is defined twice"),
        (EXAMPLE, "l2: []", "¦l2:", "state 'l2' has no list of transitions, expected l2: []"),
        (EXAMPLE, "l2: []", "l2: ¦{}", "the transitions of state 'l2' should be a list, found keys with values"),
        (EXAMPLE, "l2: []", "l2: []\nproperties: ¦{P: x > 0}", "properties refer to input and output variables"),
        (EXAMPLE, "l2: []", "l2: []\nfault_domain: {guards: ¦[x > 0]}", "this kind of machine has no 'guards'"),
        (FIGURE, "trigger: start", "trigger: ¦strat", "unknown input signal 'strat'; did you mean 'start'?"),
        (FIGURE, "[m = x / 2]", "[m ¦== x / 2]", "=="),
        (FIGURE, "[m = x / 2]", "[¦x = x / 2]", "'x' is an input, only outputs and variables are assigned"),
        (FIGURE, "[m = x / 2]", "[m = ¦x > 2]", "x > 2 is bool, but m is real"),
        (FIGURE, "[m = x / 2]", "[¦m = min(x, 2)]", "ends at a comma"),
        (FIGURE, "choices: [l1]", "choices: [¦l9]", "unknown choice point 'l9'"),
        (FIGURE, "y: real = 0", "¦y: real", "output 'y' needs an initial value"),
        (FIGURE, "out: []", "out: [¦a]", "signal 'a' goes both in and out"),
        (FIGURE, "do: [m = x / 2]", "send: [¦ack]", "unknown output signal 'ack'"),
        (CARD, "when: pr.A,", "when: ¦pr.B,", "unknown input 'pr.B'; did you mean"),
        (CARD, "then: ts.out.ic,", "then: ¦ts.out.i,", "unknown output 'ts.out.i'; did you mean"),
        (CARD, "[pr.A, pr.a], output", "[pr.A, ¦pr.x], output", "unknown input 'pr.x'"),
        (CARD, "output: 'null'}", "¦outputs: x}", "unknown key 'outputs' in ignore; did you mean 'output'?"),
        (CARD, "ci.r, ts.in.ok", "ci.r, ¦ci.r", "input 'ci.r' is listed twice"),
        (CARD, "{when: pr.a, then: ts.out.ic, to: card0}", "¦{when: pr.A, then: ts.out.ic, to: card1}", "listed twice"),
        (CARD, "initial: init", "¦initial: ~", "initial state should be a text, found nothing"),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, old: str, new: str, expected: str) -> None:
    assert old in text
    marked = text.replace(old, new, 1)
    found = complaint(marked.replace(HERE, ""))
    assert expected in found
    if HERE in marked:
        before = marked[: marked.index(HERE)]
        place = f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}: "
        assert found.startswith(f"m.yaml, {place}")


def test_requirements_need_not_be_listed_where_none_are() -> None:
    assert isinstance(yaml(CARD.replace("to: card1}", "to: card1, req: [any thing]}")), Fsm)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\n--- \nb: 2\n", "line 2, column 1: expected one document, a second one begins here"),
        ("# nothing\n", "line 1: the file holds no model, only comments"),
        ("machine: !!python/object:os.system fsm\n", "line 1, column 10: YAML tags such as !!python/object:os.system"),
        ("machine: !secret fsm\n", "YAML tags such as !secret are not supported"),
        ("base: &b {x: y}\nmachine: fsm\n<<: *b\n", "line 3, column 1: merge keys '<<' are not supported"),
        ("machine: *nothing\n", "line 1, column 10: alias *nothing has no anchor before it"),
        ("states: &s {a: *s}\n", "alias *s has no anchor before it"),
        (BOMB, "aliases stand for more than 100,000 values"),
        ("[" * 100_000, "nested more than 40 deep"),
        ("a: [b\n", "not YAML: while parsing a flow sequence"),
        ("a: b: c\n", "line 1, column 5: not YAML: mapping values are not allowed here (quote"),
        ("a: @b\n", "(quote a text that begins with it)"),
        ("a: '\n", "not YAML: while scanning a quoted scalar"),
        ("\ta: b\n", "line 1, column 1: not YAML: a tab is no indentation, expected blanks"),
        ("a: \x00\n", "line 1, column 4: not YAML: the character U+0000 is not allowed"),
        ("a: 1\na: 2\n", "line 2, column 1: key 'a' occurs twice, first on line 1"),
        ("? [a]\n: b\n", "expected a text as key"),
        ("- a\n", "line 1, column 1: a model should be keys with values, found a list"),
        ("just words\n", "a model should be keys with values, found 'just words'"),
        ("{}\n", "the key 'machine' is missing"),
        ("'': b\n", "an empty key in a model"),
        ("machine: fsm\nstates: {}\ninitial: a\n", "line 2, column 9: there are no states"),
        ("machine: fsm\ninitial: a\n", "the key 'states' is missing"),
        ("machine: fsm\ninitial: a\nstates: {a: [{when: '', then: b, to: a}]}\n", "input is empty"),
        ("machine: fsm\ninitial: a\nstates: {a: [b]}\n", "a transition should be keys with values, found 'b'"),
        ("machine: fsm\ninitial: a\nstates: {a: [{when: b, to: a}]}\n", "the transition lacks the key 'then'"),
    ],
)  # fmt: skip
def test_yaml_that_is_no_model(text: str, expected: str) -> None:
    assert expected in complaint(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "line 1, column 2: the file ends too early: expected a key between double quotes"),
        ('{"a": 1,}', "line 1, column 9: a comma before '}' is not JSON"),
        ('{"a" 1}', "line 1, column 6: expected ':' after the key"),
        ('{"a": 1\n "b": 2}', "line 2, column 2: expected ',' or '}'"),
        ("{'a': 1}", "line 1, column 2: expected a key between double quotes"),
        ('{"a": "\\x"}', "line 1, column 8: invalid \\escape"),
        ('{"a": "tab\t"}', "invalid control character"),
        ('{"a": "\\ud800"}', "half of a surrogate pair is not a character"),
        ('{"a": 01}', "'01' is not JSON"),
        ('{"a": NaN}', "'NaN' is not JSON"),
        ('{"a": "b}', "line 1, column 7: this quote is never closed"),
        ('{"a": 1} x', "line 1, column 10: expected the end of the file"),
        ('{"a": 1, "a": 2}', "line 1, column 10: key 'a' occurs twice, first on line 1"),
        ("[" * 100_000, "nested more than 40 deep"),
        ('{"machine": null}', "line 1, column 13: machine should be a text, found nothing"),
        ('{"machine": "fsm", "initial": "a", "states": {"a": null}}', "state 'a' has no list of transitions"),
    ],
)
def test_json_that_is_no_model(text: str, expected: str) -> None:
    assert expected in complaint(text, ".json")


def test_two_escapes_in_yaml_make_one_character_as_in_json() -> None:
    model = yaml('machine: fsm\nname: "\\ud83d\\ude80"\ninitial: a\nstates: {a: []}\n')
    assert model.name == "\N{ROCKET}"


def test_a_tab_between_words_is_not_called_indentation() -> None:
    assert (
        complaint("machine:\tfsm\n") == "m.yaml, line 1, column 9: not YAML: a tab cannot stand here, expected a blank"
    )
    assert complaint("a:\n\tb: c\n").endswith("line 2, column 1: not YAML: a tab is no indentation, expected blanks")


def test_an_initial_value_after_the_tolerance_is_told_its_place() -> None:
    text = (
        "machine: statemachine\nsignals: {in: [a], out: []}\noutputs: {y: real ~ 1 = 5}\ninitial: s\nstates: {s: []}\n"
    )
    assert "line 3, column 23: an initial value stands before the tolerance" in complaint(text)


DIALOG = """
    machine: fsm
    name: dialog
    initial: closed
    unavailable: not offered
    states:
      closed:
        - {when: open, then: shown, to: opened}
      opened:
        - {when: cancel, then: hidden, to: closed}
        - {when: ok, then: saved, to: closed}
"""


def test_inputs_that_are_not_offered_become_self_loops(tmp_path: Path) -> None:
    path = tmp_path / "dialog.yaml"
    path.write_text(dedent(DIALOG))
    model = read_model(path)
    assert isinstance(model, Fsm)
    assert model.unavailable == model.interface.unavailable == "not offered"
    loops = {(t.source, t.input, t.target) for t in model.transitions if t.output == "not offered"}
    assert loops == {("closed", "cancel", "closed"), ("closed", "ok", "closed"), ("opened", "open", "opened")}
    assert not model.is_partial
    for ending in ("yaml", "json"):
        again = tmp_path / f"again.{ending}"
        write_model(model, again)
        assert read_model(again) == model
    path.write_text(dedent(DIALOG).replace("unavailable:", "outputs: [shown, hidden, saved]\nunavailable:"))
    with pytest.raises(UserError, match="unknown output 'not offered'"):
        read_model(path)
    path.write_text(dedent(DIALOG).replace("unavailable:", "ignore: {inputs: [ok], output: quiet}\nunavailable:"))
    model = read_model(path)
    assert isinstance(model, Fsm)
    assert {t.output for t in model.transitions if t.input == "ok"} == {"quiet", "saved"}
