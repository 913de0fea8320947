"""SysML files that are wrong, or more than is read, end in one line with the right position."""

from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.formats.sysml.reader import read_sysml

pytest.importorskip("sysmlpy")


def machine(body: str = "", *, attributes: str = "in attribute x : Real; attribute m : Integer := 0;") -> str:
    return f"state def M {{\n{attributes}\nentry; then a; state a; state b;\n{body}\n}}\n"


MALFORMED = [
    ("package P {}\n", (1, 1), "there is no state machine, expected state def and a body"),
    ("hello\n", (2, 1), "unexpected end of the file"),
    ("state def M {\n entry; then a\n state a;\n}\n", (3, 2), "expected ';', found 'state'"),
    ("state def M {\n entry; then a;\n state a;\n", (4, 1), "unexpected end of the file"),
    (
        "state def M {\n entry; then a;\n state a;\n}\nstate def N { entry; then b; state b; }\n",
        (5, 1),
        "expected one state machine in the file, found 'M' and 'N'",
    ),
    ("state def M;\n", (1, 1), "there is no state machine, expected state def and a body"),
    ("state def M {\n}\n", (1, 1), "there are no states, expected for example state off;"),
    ("state def M {\n state a;\n}\n", (1, 1), "'M' does not say which state is initial, expected entry; the"),
    ("state def M {\n entry; then b;\n state a;\n}\n", (2, 14), "unknown state 'b'; expected one of a"),
    (
        "state def M {\n entry; then a; entry; then a;\n state a;\n}\n",
        (2, 17),
        "a state has one entry action, this is a second one",
    ),
    ("state def M {\n entry; then a;\n state a; state a;\n}\n", (3, 11), "state 'a' is defined twice"),
    (
        "state def M parallel {\n state a; state b;\n}\n",
        (1, 1),
        "the outermost state is parallel, expected a parallel state in",
    ),
    (
        machine("state c parallel { entry; then d; state d; }"),
        (4, 32),
        "a parallel state enters all its regions, none of th",
    ),
    (
        machine("state c { entry; then d; state d; #history state h; }"),
        (4, 35),
        "expected a transition from the history st",
    ),
    (machine("state c : Other;"), (4, 7), "a state of a type is not supported, expected its body"),
    (machine("state c { attribute k : Real := 0; }"), (4, 11), "an attribute belongs to the outermost state"),
    (machine("state c { state d; }"), (4, 1), "'c' does not say which state is initial, expected entry; the"),
    (machine("then state c;"), (4, 1), "'then' before a state is not supported, expected a transitio"),
    (machine("#final state c;"), (4, 2), "unknown keyword #final, expected one of #choice, #h"),
    (machine("transition first a accept Go then c;"), (4, 35), "unknown state 'c'; expected one of a, b"),
    (machine("transition first q accept Go then b;"), (4, 18), "unknown state 'q'; expected one of a, b"),
    (
        machine("transition first a accept after 5 then b;"),
        (4, 27),
        "expected a duration such as 'accept after 5 [s]', found 'aft",
    ),
    (
        machine("transition first a accept at 5 then b;"),
        (4, 27),
        "'accept at' is not supported, expected an input attribute fo",
    ),
    (
        machine("transition first a accept when x > 3 then b;"),
        (4, 27),
        "'accept when' is not supported, expected a guard with 'if'",
    ),
    (
        machine("transition first a accept Go if x > y then b;"),
        (4, 37),
        "unknown name 'y'; expected one of false, m, true, x",
    ),
    (machine("transition first a accept Go if x + 1 then b;"), (4, 33), "x + 1 is real, expected a condition (bool)"),
    (machine("transition first a accept Go if not x > 3 then b;"), (4, 37), "x is real, expected a condition (bool)"),
    (
        machine("transition first a accept Go if 0 <= x <= 3 then b;"),
        (4, 33),
        "0 <= x is bool, cannot be compared with int 3",
    ),
    (
        machine("transition first a accept Go if sqrt(x) > 3 then b;"),
        (4, 33),
        "unknown function 'sqrt'; expected one of abs, floor, max, mi",
    ),
    (
        machine("transition first a accept Go if x > 3 [SI::kg] then b;"),
        (4, 37),
        "'3[SI::kg]' is not supported, expected an expression of name",
    ),
    (
        machine("transition first a accept Go if x ?? 3 then b;"),
        (4, 35),
        "'??' is not supported, expected an operator such as + - * / ",
    ),
    (
        machine("transition first a accept Go if x == null then b;"),
        (4, 38),
        "'null' is not supported, expected an expression of names, nu",
    ),
    (
        machine("transition first a accept Go if s.x > 3 then b;"),
        (4, 33),
        "'s.x' is not supported, expected an expression of names, num",
    ),
    (
        machine('transition first a accept Go if "text" == x then b;'),
        (4, 33),
        "'\"text\"' is not supported, expected an expression of names, ",
    ),
    (
        machine("transition first a accept Go do assign x := 1 then b;"),
        (4, 40),
        "'x' is an input, only outputs and variables are assigned",
    ),
    (
        machine("transition first a accept Go do assign k := 1 then b;", attributes="attribute k : Integer = 1;"),
        (4, 40),
        "'k' is bound with '=', so it cannot change; expected ':=' wh",
    ),
    (
        machine("transition first a accept Go do assign q := 1 then b;"),
        (4, 40),
        "unknown output or variable 'q'; expected one of m",
    ),
    (
        machine("transition first a accept Go do assign m := 1.5 then b;"),
        (4, 45),
        "1.5 is real, but m is int; use floor(...)",
    ),
    (
        machine("transition first a accept Go do assign p.m := 1 then b;"),
        (4, 33),
        "expected an attribute and a value, as in assign x := x + 1",
    ),
    (
        machine("transition first a accept Go do beep then b;"),
        (4, 33),
        "'beep' is not supported in an action, expected assign or sen",
    ),
    (
        machine("transition first a accept Go do action { if x > 3 { assign m := 1; } } then b;"),
        (4, 42),
        "'if x > 3 { assign m := 1 ; }' is not supported in an action",
    ),
    (
        machine("transition first a accept Go do action { accept Stop; } then b;"),
        (4, 42),
        "'accept Stop ;' is not supported in an action, expected assi",
    ),
    (
        machine("transition first a accept Go do send new Beep(x) then b;"),
        (4, 46),
        "a signal carries no values, expected an out attribute for th",
    ),
    (
        machine("transition first a accept Go do send x + 1 then b;"),
        (4, 38),
        "expected a signal after 'send', found 'x + 1'",
    ),
    (machine("transition first a accept Go then;"), (4, 34), "unexpected ';'"),
    (machine(attributes="attribute k;"), (2, 11), "attribute 'k' has no type, expected for example k : Real"),
    (machine(attributes="attribute k := 1;"), (2, 11), "attribute 'k' has no type, expected for example k : Real"),
    (machine(attributes="attribute k : Reel := 1;"), (2, 15), "unknown type 'Reel'; did you mean 'Real'?"),
    (
        machine(attributes="attribute k : String := 1;"),
        (2, 15),
        "unknown type 'String'; expected one of Boolean, Integer, Nat",
    ),
    (machine(attributes="attribute k : Real;"), (2, 11), "attribute 'k' needs an initial value, for example := 0"),
    (
        machine(attributes="attribute k : Real [2] := 1;"),
        (2, 11),
        "attribute 'k': expected a type and a value, nothing more",
    ),
    (machine(attributes="attribute k : Real := z;"), (2, 23), "unknown name 'z'; expected one of false, true"),
    (machine(attributes="attribute k : Integer := 0.5;"), (2, 26), "0.5 is real, but k is int; use floor(...)"),
    (machine(attributes="attribute k : Natural := -1;"), (2, 26), "initial value -1 lies outside int 0.."),
    (
        machine(attributes="in attribute k : Real := 1;"),
        (2, 14),
        "input 'k' cannot have a value, its environment gives it",
    ),
    (
        machine(attributes="out attribute k : Real = 1;"),
        (2, 15),
        "output 'k' is bound with '=', expected an initial value with",
    ),
    (machine(attributes="inout attribute k : Real := 1;"), (2, 17), "'k' is inout, expected in, out or neither"),
    (
        machine(attributes="attribute k : Real := 1; attribute k : Real := 1;"),
        (2, 36),
        "attribute 'k' is defined twice",
    ),
    (
        machine(attributes="attribute 'a b' : Real := 1;"),
        (2, 11),
        "'a b' is not a name; expected a letter, then letters, digits",
    ),
    (machine(attributes="attribute 'if' : Real := 1;"), (2, 11), "'if' is a word of the language and cannot be a name"),
    (
        machine(attributes="in attribute k : Real; assert constraint { k > 3 }"),
        (2, 44),
        "only bounds of attributes can be asserted, expected for exam",
    ),
    (
        machine(attributes="in attribute k : Real; assert constraint { k >= 3 and k >= 4 }"),
        (2, 55),
        "'k' has this bound already",
    ),
    (
        machine(attributes="in attribute k : Real; assert constraint { j >= 3 }"),
        (2, 49),
        "unknown attribute 'j'; expected one of k",
    ),
    (
        machine(attributes="in attribute k : Boolean; assert constraint { k >= 3 }"),
        (2, 14),
        "'k' is not a number and has no bounds",
    ),
    (
        machine(attributes="in attribute k : Real; assert constraint { k >= 3 and k <= 2 }"),
        (2, 49),
        "the range 3..2 is empty",
    ),
    (
        machine(attributes="in attribute k : Real; assert not constraint { k >= 3 }"),
        (2, 24),
        "only bounds of attributes can be asserted, expected for exam",
    ),
    (machine("exit assign m := 1;"), (4, 1), "the outermost state is never left, so its exit action never "),
    (machine("entry assign m := floor(x);"), (4, 1), "a state has one entry action, this is a second one"),
    (machine("entry send new Beep();"), (4, 1), "a state has one entry action, this is a second one"),
    (
        machine("// fullproof: signals: {in: [Go], out: []}\ntransition first a accept Og then b;"),
        (5, 27),
        "unknown input signal 'Og'; expected one of Go",
    ),
    (
        machine("// fullproof: inputs: {z: int}\n"),
        (4, 15),
        "unknown key 'inputs'; expected one of signals, fault_domain,",
    ),
    (machine("// fullproof: req: [R1]\n"), (4, 20), "'req' is followed by no transition"),
    (
        machine("// fullproof: fault_domain: {extra: 1}\n"),
        (4, 30),
        "unknown key 'extra' in fault_domain; expected one of",
    ),
    (
        machine("  // fullproof: fault_domain:\n// fullproof:   extra_states: -1\n"),
        (5, 31),
        "extra_states should be a whole number from 0, found '-1'",
    ),
    (
        machine("state c { entry; then d; state d; }\ntransition first c then b;"),
        (5, 1),
        "state 'c' is never complete, as there is no final state dire",
    ),
    (
        "enum def E { }\nstate def M { attribute e : E := E::a; entry; then a; state a; }\n",
        (1, 1),
        "the enumeration has no values",
    ),
    (
        machine(attributes="attribute k : Real := " + "(" * 150 + "1" + ")" * 150 + ";"),
        (2, 122),
        "nested more than 100",
    ),
    (machine("transition first a if " + "not " * 160 + "true then b;"), (4, 23), "nested more than 150"),
    (machine("first a then b;"), (4, 1), "'first a then b ;' is not supported in a state"),
    (machine("bind m = x;"), (4, 1), "'bind m = x ;' is not supported in a state"),
    (machine("perform action q;"), (4, 1), "'perform action q ;' is not supported in a state"),
    (machine("state c { assert constraint { x >= 0 } }"), (4, 11), "'assert constraint { x >= 0 }' is not supported"),
    (machine("transition first a accept G do action q : Q then b;"), (4, 41), "': Q' is not supported in an action"),
    ("state def M :> B { entry; then a; state a; }", (1, 13), "a state machine that specialises another"),
    ("part def P { exhibit state s : T { entry; then a; state a; } }", (1, 30), "a state machine that specialises"),
]


@pytest.mark.parametrize(("text", "place", "message"), MALFORMED)
def test_a_malformed_file_is_the_users_mistake(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(UserError) as caught:
        read_sysml(text, Path("m.sysml"))
    error = caught.value
    assert error.message.startswith(message)
    assert (error.at.file, error.at.line, error.at.column) == ("m.sysml", *place)
    assert len(str(error).splitlines()) == 1 and len(error.message) <= 300
