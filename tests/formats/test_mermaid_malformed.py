"""Mermaid files that are wrong in every way we could think of end in one line with the right position."""

from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.formats.mermaid.reader import read_mermaid

HEAD = "stateDiagram-v2\n"
TYPED = HEAD + "%% fullproof: inputs: {x: int}\n%% fullproof: variables: {m: int = 0}\n"

MALFORMED = [
    ("flowchart TD\nA --> B\n", (1, 1), "expected stateDiagram-v2, found 'flowchart TD'"),
    ("%% only a comment\n", (2, 1), "expected stateDiagram-v2, found the end of the fil"),
    ("---\ntitle: x\nstateDiagram-v2\n", (1, 1), "the front matter is never closed, expected a secon"),
    ("---\ntitle:\n---\nstateDiagram-v2\n[*] --> a\n", (2, 1), "expected a title, found none"),
    ("---\ntitle: [\n---\nstateDiagram-v2\n[*] --> a\n", (2, 9), "not YAML: while parsing a flow node, expected the "),
    (HEAD, (1, 1), "there are no states, expected for example [*] --> "),
    (HEAD + "a --> b : x / y\n", (1, 1), "there is no initial state, expected for example [*"),
    (HEAD + "[*] --> a\na -> b\n", (3, 3), "expected --> and a state, found '-> b'"),
    (HEAD + "[*] --> a\na --> \n", (3, 3), "expected --> and a state, found '-->'"),
    (HEAD + "[*] --> a\na --> b c\n", (3, 9), "expected the end of the line, or ': label', found "),
    (HEAD + "[*] --> a\n[*] --> b\n", (3, 1), "a second initial state, the first is on line 2"),
    (HEAD + "[*] --> [*]\n", (2, 1), "an arrow from [*] to [*] says nothing"),
    (HEAD + "[*] --> a\nstate a {\n[*] --> b\n", (3, 9), "the '{' of state 'a' is never closed, expected '}'"),
    (HEAD + "[*] --> a\n}\n", (3, 1), "'}' closes nothing"),
    (HEAD + "[*] --> a\nstate f <<fork>>\n", (3, 7), "expected arrows from the fork 'f' to a state in each"),
    (HEAD + "[*] --> a\nstate f <<chioce>>\n", (3, 8), "<<chioce>> is not supported: expected <<choice>>"),
    (HEAD + "[*] --> a\n--\n[*] --> c\n", (3, 3), "'--' separates the regions of a composite state, b"),
    (HEAD + "[*] --> a\nstate a {\n[*] --> b\n--\nc --> d : x\n}\n", (5, 3), "a region has states inside it, expected"),
    (HEAD + "[*] --> a\na --> [H] : x\n", (3, 7), "the diagram itself is never left, so it has no hist"),
    (HEAD + "[*] --> a\nstate a {\nb --> c : go\n}\n", (2, 9), "state 'a' has states inside it, expected [*] --> a"),
    (HEAD + '[*] --> a\nstate "A" as a\nstate "A" as b\n', (4, 14), "state 'A' is defined twice, first on line 2"),
    (HEAD + '[*] --> a\nstate "A" as a\nstate "B" as a\n', (4, 8), "state 'a' is called 'A' before"),
    (HEAD + "[*] --> a\nnote right of a\n text\n", (3, 1), "the note is never closed, expected end note"),
    (HEAD + "%%{init: {\n[*] --> a\n", (2, 1), "the directive is never closed, expected }%%"),
    (TYPED + "[*] --> a\na --> b : go [x > 0\n", (5, 14), "the guard is never closed, expected ']'"),
    (TYPED + "[*] --> a\na --> b : go [x > 0] m = 1\n", (5, 22), "expected '/' and actions after the guard, found 'm"),
    (TYPED + "[*] --> a\na --> b : go [x #62; y]\n", (5, 22), "unknown name 'y'"),
    (TYPED + "[*] --> a\na --> b : go [x = 3]\n", (5, 17), "unexpected '='"),
    (TYPED + "[*] --> a\na --> b : go [x #38;#38; true] / m = 1\n", (5, 17), "unexpected '&&'"),
    (TYPED + "[*] --> a\na --> b : go [ ]\n", (5, 14), "the guard is empty, expected [condition]"),
    (TYPED + "[*] --> a\na --> b : go / x = 1\n", (5, 16), "'x' is an input, only outputs and variables are as"),
    (TYPED + "[*] --> a\na --> b : go / k = 1\n", (5, 16), "unknown output or variable 'k'"),
    (TYPED + "[*] --> a\na --> b : go / m = #43; * 2\n", (5, 20), "unexpected '+'"),
    (TYPED + "[*] --> a\na --> b : go / open()\n", (5, 16), "'open()' is not an action"),
    (TYPED + "[*] --> a\na --> b : go(x) / m = 1\n", (5, 11), "'go(x)': a signal carries no values"),
    (TYPED + "[*] --> a\na --> b : x #62; 3\n", (5, 11), "'x > 3' is not a signal; expected [guard] or / action"),
    (TYPED + "[*] --> a\na --> b : m = 1\n", (5, 11), "'m = 1' is not a signal; expected [guard] or / action"),
    (TYPED + "[*] --> a\na --> b : when 5s\n", (5, 11), "'when 5s' is not a signal"),
    (TYPED + "[*] --> a\na --> b : go / send\n", (5, 16), "expected a signal after 'send'"),
    (TYPED + "[*] --> a\na --> b : , go\n", (5, 11), "expected a signal before or after ','"),
    (TYPED + '[*] --> a\na --> b : "go\n', (5, 11), "expected a name between quotes, as in JSON, found "),
    (TYPED + "[*] --> a\na : do / m = 1\n", (5, 5), "do activities are not supported"),
    (TYPED + "[*] --> a\na : / m = 1\n", (5, 5), "an internal transition needs a trigger"),
    (TYPED + "[*] --> a : go\n", (4, 13), "the arrow from [*] has neither trigger nor guard"),
    (
        HEAD + "%% fullproof: signals: {in: [go], out: []}\n[*] --> a\na --> b : og\n",
        (4, 11),
        "unknown input signal 'og'",
    ),
    (
        HEAD + "%% fullproof: signals: {in: [go], out: []}\n[*] --> a\na --> b : go / send x\n",
        (4, 21),
        "unknown output signal 'x'",
    ),
    (HEAD + "%% fullproof: inputs: {x: intt}\n[*] --> a\n", (2, 27), "unknown type 'intt'"),
    (
        HEAD + "   %% fullproof: inputs: {x: int}\n%% fullproof: outputs: {y: int}\n[*] --> a\n",
        (3, 25),
        "output 'y' needs an initial value, for example y: ",
    ),
    (HEAD + "%% fullproof: inputs: {x\n[*] --> a\n", (2, 25), "not YAML: while parsing a flow mapping, expected '"),
    (HEAD + "%% fullproof: statse: {x}\n[*] --> a\n", (2, 15), "unknown key 'statse' in a model of kind statemachi"),
    (
        HEAD + "%% fullproof: states: {x: []}\n[*] --> a\n",
        (2, 15),
        "the key 'states' is not declared: the diagram says",
    ),
    (HEAD + "%% fullproof: name: x\n[*] --> a\n", (2, 15), "the key 'name' is not declared: its title says it"),
    (HEAD + "%% fullproof: hello\n[*] --> a\n", (2, 15), "expected keys with values after 'fullproof:'"),
    (HEAD + "%% fullproof: machine: smf\n[*] --> a\n", (2, 24), "unknown machine 'smf'"),
    (HEAD + "%% fullproof: machine: fsm\n[*] --> a\na --> b : x\n", (4, 11), "expected input / output, found 'x'"),
    (
        HEAD + "%% fullproof: machine: fsm\n[*] --> a\na --> b\n",
        (4, 1),
        "the arrow has no label, expected for example : inp",
    ),
    (
        HEAD + "%% fullproof: {machine: sfsm, inputs: {x: int}, outputs: {y: int}}\n[*] --> a\na --> b : x #62; 3\n",
        (4, 11),
        "expected guard / output expression, found 'x > 3'",
    ),
    (
        HEAD + "%% fullproof: {machine: sts, inputs: {g: {}}, outputs: {}}\n[*] --> a\na --> b : g? x = 3\n",
        (4, 14),
        "expected an update such as x := x + 1, found 'x = ",
    ),
    (HEAD + "[*] --> a\n%% fullproof: req: [R1]\n", (3, 20), "'req' is followed by no arrow"),
    (
        TYPED + "%% fullproof: requirements: {R1: text}\n[*] --> a\n%% fullproof: req: [R2]\na --> b : go\n",
        (6, 21),
        "unknown requirement 'R2'",
    ),
    (TYPED + "[*] --> a\n%% fullproof: req:\na --> b : go\n", (5, 19), "expected requirements such as [R1]"),
    (
        TYPED + "[*] --> a\na --> b : go\nstate a {\n[*] --> c\n}\na --> b\n",
        (9, 1),
        "an arrow without trigger leaves 'a' when that is c",
    ),
    (TYPED + "[*] --> a\nstate a {\nstate a {\n}\n}\n", (6, 9), "state 'a' lies inside itself"),
    (
        TYPED + "[*] --> a\na --> c : go\nstate c <<choice>>\nc : entry / m = 1\n",
        (5, 7),
        "choice point 'c' cannot have entry or exit actions",
    ),
    (TYPED + "[*] --> a\na --> H[H] : go\n", (5, 7), "state 'H' has no states inside it, so it has no his"),
    (TYPED + "[*] --> a\na : entry / m = x\n", (5, 17), "entering the initial state reads 'x', which has no"),
    (TYPED + "[*] --> a-b\n", (4, 10), "expected the end of the line, or ': label', found "),
    (TYPED + '[*] --> a\nstate "" as b\n', (5, 8), "the name of a state is empty"),
    (TYPED + "[*] --> a\nstate a\nend\n", (6, 1), "expected a statement such as a --> b, found 'end'"),
    (HEAD + "[*] --> a\na --> b : in / out / m = 1; x\n", (3, 20), "unexpected '/'"),
]


@pytest.mark.parametrize(("text", "place", "message"), MALFORMED)
def test_a_malformed_diagram_is_the_users_mistake(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(UserError) as caught:
        read_mermaid(text, Path("m.mmd"))
    error = caught.value
    assert error.message.startswith(message)
    assert (error.at.file, error.at.line, error.at.column) == ("m.mmd", *place)
    assert len(str(error).splitlines()) == 1 and len(error.message) <= 300
