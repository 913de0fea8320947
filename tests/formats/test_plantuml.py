"""PlantUML state diagrams: what is written reads back, what people draw is read, mistakes are one line."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.strategies.models import any_names, fsms, sfsms, statemachines, stss

from fullproof.core.errors import UserError
from fullproof.formats.mermaid.reader import read_mermaid
from fullproof.formats.plantuml.reader import read_plantuml
from fullproof.formats.plantuml.writer import plantuml_lines
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts

HEAD = "@startuml\n"
TYPED = HEAD + "' fullproof: inputs: {x: int}\n' fullproof: variables: {m: int = 0}\n"
TAIL = "@enduml\n"


def read(text: str) -> Model:
    return read_plantuml(text, Path("m.puml"))


def survives(model: Model) -> None:
    text = "".join(plantuml_lines(model))
    back = read(text)
    assert back == model and repr(back) == repr(model), text


@given(statemachines(names=any_names))
@settings(max_examples=60)
def test_a_statemachine_reads_back(model: StateMachine) -> None:
    survives(model)


@given(fsms(names=any_names))
@settings(max_examples=40)
def test_an_fsm_reads_back(model: Fsm) -> None:
    survives(model)


@given(sfsms(names=any_names))
@settings(max_examples=25)
def test_an_sfsm_reads_back(model: Sfsm) -> None:
    survives(model)


@given(stss(names=any_names))
@settings(max_examples=25)
def test_an_sts_reads_back(model: Sts) -> None:
    survives(model)


DRAWN = """\
    [*] {0} off
    off {0} on[H*] : power
    state on {{
        [*] {0} stopped
        stopped {0} playing : play [in(loud)] / send motor, raise spin
        playing {0} stopped : stop
        --
        [*] {0} loud
        loud {0} quiet : mute
        quiet {0} loud : mute
        loud {0} loud : spin / send click
    }}
    on {0} off : power
"""


@pytest.mark.parametrize("arrow", ["-->", "->", "-up->", "-[#red,dashed]->", "-left[bold]->", "---->"])
def test_arrows_of_all_forms_are_those_of_mermaid(arrow: str) -> None:
    expected = read_mermaid("stateDiagram-v2\n" + DRAWN.format("-->"), Path("m.mmd"))
    assert read(HEAD + DRAWN.format(arrow) + TAIL) == expected


def test_what_only_changes_the_picture_is_skipped() -> None:
    text = """\
@startuml player
!theme plain
skinparam state {
  BackgroundColor red
}
hide empty description
left to right direction
/' a --> b
   c --> d '/
' off --> nowhere
[*] --> off
state off #pink ##[dashed]green : a description
state "switched on" as on <<warm>>
off --> on : go
on -[hidden]-> off
off <-- on : back /' why '/
note left of off : [*] --> x
note right
  off --> x
end note
legend
  off --> x
end legend
@enduml
trailing words
"""
    model = read(text)
    assert isinstance(model, StateMachine)
    assert model.states == ("off", "switched on")
    assert [(t.source, t.trigger, t.target) for t in model.transitions] == [
        ("off", "go", "switched on"),
        ("switched on", "back", "off"),
    ]


def test_pseudostates() -> None:
    text = """\
@startuml
state begin <<start>>
begin --> idle
idle --> f : go
state f <<fork>>
state work {
  [*] --> a
  a --> b : x
  --
  [*] --> c
  c --> d : y
  state h <<history>>
}
f --> b
f --> d
b --> j
d --> j
state j <<join>>
j --> over
state over <<end>>
@enduml
"""
    model = read(text)
    assert isinstance(model, StateMachine)
    steps = {(t.source, t.trigger): t.target for t in model.transitions}
    assert steps["idle", "go"] == "b+d"
    assert steps["b+d", None] == "over"


MALFORMED = [
    ("a --> b\n", (1, 1), "expected @startuml, found 'a --> b'"),
    (HEAD + "[*] --> a\n", (3, 1), "the diagram is never closed, expected @enduml"),
    (HEAD + TAIL + HEAD + TAIL, (3, 1), "a second diagram, expected one in a file"),
    (HEAD + "/' never\n" + TAIL, (2, 1), "the comment is never closed, expected '/"),
    (HEAD + "note left of a\nx\n" + TAIL, (2, 1), "'note left of a' is never closed, expected end note"),
    (HEAD + "[*] --> a\na -- b\n" + TAIL, (3, 1), "expected an arrow with one head, as in a --> b"),
    (HEAD + "[*] --> a\na => b\n" + TAIL, (3, 1), "expected a statement such as a --> b, found 'a => b'"),
    (HEAD + "[*] --> a\na --> b c\n" + TAIL, (3, 9), "expected the end of the line, or ': text', found 'c'"),
    (HEAD + "!include other.puml\n" + TAIL, (2, 1), "'!include other.puml': preprocessing is not supported"),
    (HEAD + "[*] --> a\nstate c <<chioce>>\n" + TAIL, (3, 11), "unknown stereotype <<chioce>>; did you mean 'choice'?"),
    (HEAD + '[*] --> a\nstate "A b"\n' + TAIL, (3, 1), "a state with a text needs an identifier"),
    (HEAD + "[*] --> a\nstate a {\n[*] --> b\n" + TAIL, (3, 9), "the '{' of state 'a' is never closed, expected '}'"),
    (HEAD + "[*] --> a\n}\n" + TAIL, (3, 1), "'}' closes nothing"),
    (HEAD + "[*] --> a\n--\n" + TAIL, (3, 1), "'--' separates the regions of a composite state"),
    (HEAD + "[*] --> a\na --> a : at(5s)\n" + TAIL, (3, 11), "'at(5s)' is not a signal"),
    (HEAD + "[*] --> f\nstate f <<fork>>\n" + TAIL, (2, 9), "expected arrows from the fork 'f' to a state in each"),
    (
        HEAD + "[*] --> a\na --> j : x\nj --> a\nstate j <<join>>\n" + TAIL,
        (3, 7),
        "expected arrows to the join 'j' from",
    ),
    (TYPED + "[*] --> a\na --> b : go [x <U+003E> y]\n" + TAIL, (5, 26), "unknown name 'y'"),
    (TYPED + "[*] --> a\na --> b : go / k = 1\n" + TAIL, (5, 16), "unknown output or variable 'k'"),
    (TYPED + "[*] --> a\na : do / m = 1\n" + TAIL, (5, 5), "do activities are not supported"),
]


@pytest.mark.parametrize(("text", "place", "message"), MALFORMED)
def test_a_malformed_diagram_is_the_users_mistake(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(UserError) as caught:
        read(text)
    assert caught.value.message.startswith(message)
    assert (caught.value.at.line, caught.value.at.column) == place
    assert caught.value.at.file == "m.puml"


def test_a_fork_at_the_top_is_refused_with_its_line() -> None:
    text = "@startuml\nstate f <<fork>>\n\n[*] --> f\nf --> a\nf --> b\na --> b : x\n@enduml\n"
    with pytest.raises(UserError, match="the initial states 'a' and 'b' are never active together") as caught:
        read_plantuml(text, Path("m.puml"))
    assert caught.value.at.line == 4
