"""Models of components on the command line."""

from pathlib import Path

import pytest
from tests.cli.harness import Shell

from fullproof.core.errors import UserError
from fullproof.formats import model_sha256, read_model
from fullproof.model import Model
from fullproof.pipeline.score import Score, _packed, _scored

SENDER = """\
variables: {bit: int 0..1 = 0, msg: int 0..3 = 0}
inputs: {send: {m: int 0..3}, ack: {b: int 0..1}}
outputs: {frame: {b: int 0..1, m: int 0..3}}
initial: idle
states:
  idle:
    - {gate: send, set: {msg: m}, to: ready, req: [R1]}
  ready:
    - {gate: frame, when: b == bit and m == msg, to: wait}
  wait:
    - {gate: ack, when: b == bit, set: {bit: 1 - bit}, to: idle}
    - {gate: ack, when: b != bit, to: ready}
"""
RECEIVER = """\
machine: sts
variables: {bit: int 0..1 = 0, got: int 0..3 = 0}
inputs: {frame: {b: int 0..1, m: int 0..3}}
outputs: {ack: {b: int 0..1}, deliver: {m: int 0..3}}
initial: listen
states:
  listen:
    - {gate: frame, when: b == bit, set: {got: m}, to: full}
  full:
    - {gate: deliver, when: m == got, to: done}
  done:
    - {gate: ack, when: b == bit, set: {bit: 1 - bit}, to: listen}
"""


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


@pytest.fixture
def link(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "receiver.yaml").write_text(RECEIVER)
    path = tmp_path / "link.yaml"
    components = f"components:\n  sender:\n{indented(SENDER)}  receiver: parts/receiver.yaml\n"
    path.write_text(f"machine: sts\nname: link\n{components}hide: [frame, ack]\n")
    return path


def test_a_mutant_travels_with_its_components(link: Path) -> None:
    """What is scored on another machine has the files of its components there, and errors name those here."""
    packed = _packed(link)
    seen: list[Model] = []

    def score(path: Path) -> Score:
        seen.append(read_model(path))
        return Score(file=str(path), killed_by=None, conforms=True, inside=False)

    assert _scored(score, packed).file == str(link)
    assert seen == [read_model(link)]
    broken = link.parent / "parts" / "receiver.yaml"
    broken.write_text(RECEIVER.replace("gate: deliver", "gate: delivers"))
    with pytest.raises(UserError) as caught:
        _scored(score, _packed(link))
    assert caught.value.at.file == str(broken) and caught.value.at.line == 10


def test_the_whole_pipeline(fullproof: Shell, link: Path, tmp_path: Path) -> None:
    flat = tmp_path / "flat.yaml"
    assert fullproof("convert", link, flat, "--quiet").code == 0
    assert read_model(flat) == read_model(link)
    profile = fullproof("check", link, "--json").json
    assert (profile["kind"], profile["states"], profile["name"]) == ("sts", 4, "link")
    assert fullproof("compare", link, flat).out == "flat.yaml conforms to link.yaml (ioco): no difference\n"
    suite = tmp_path / "suite.jsonl"
    assert fullproof("generate", link, "-o", suite, "--quiet").code == 0
    assert '"idle|listen:send"' in suite.read_text()
    done = fullproof("run", link, "--sut", f"model:{link}", "--suite", suite, "--json")
    assert (done.code, done.json["coverage"]["transitions"]) == (0, 4)
    assert fullproof("draw", link, "-o", tmp_path / "link.dot", "--quiet").code == 0


def test_a_fault_in_a_component_is_found(fullproof: Shell, link: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(link.read_text().replace("m == msg", "m == (if msg == 2 then 3 else msg)"))
    found = fullproof("compare", link, wrong, "--json").json["counterexample"]
    assert (found["trace"], found["observed"]) == ([{"send": ["send", [2]]}], {"emit": ["deliver", [3]]})
    assert fullproof("run", link, "--sut", f"model:{wrong}", "--repeat", "20").code == 1


def test_visible_gates_stay_outputs(link: Path) -> None:
    link.write_text(link.read_text().replace("hide: [frame, ack]", "hide: ack"))
    model = read_model(link)
    assert [gate.name for gate in model.outputs] == ["frame", "deliver"]
    assert [gate.name for gate in model.inputs] == ["send"]


def test_a_change_of_a_file_changes_the_fingerprint(link: Path) -> None:
    before = model_sha256(link)
    receiver = link.parent / "parts" / "receiver.yaml"
    receiver.write_text(RECEIVER + "# changed\n")
    assert model_sha256(link) != before


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("hide: [frame, ack]", "hide: [frames]", 18, "hide: no component has a gate 'frames'; did you mean 'frame'?"),
        ("hide: [frame, ack]", "hide: [send]", 18, "hide: 'send' is an input of all components that have it"),
        ("hide: [frame, ack]", "sync: [deliver]", 18, "sync: only component 'receiver' has the gate 'deliver'"),
        ("hide: [frame, ack]", "sync: []", 4, "is an input of one component and an output of another"),
        ("hide: [frame, ack]", "hide: [ack, ack]", 18, "gate 'ack' is listed twice"),
        ("hide: [frame, ack]", "states: {}", 18, "unknown key 'states' in a model of components"),
        ("parts/receiver.yaml", "../receiver.yaml", 17, "expected a file in the folder of this one or below it"),
        ("parts/receiver.yaml", "/etc/passwd", 17, "expected a file in the folder of this one or below it"),
        ("parts/receiver.yaml", "link.yaml", None, "components lead back to a file they are in"),
        ("parts/receiver.yaml", "nothing.yaml", None, "no such file"),
        ("parts/receiver.yaml", "[1]", 17, "component 'receiver' should be a text, found a list"),
        ("b: int 0..1, m: int 0..3", "b: bool, m: int 0..3", None, "cannot be compared"),
        ("b: int 0..1, m: int 0..3", "b: int 0..1", None, "unknown name 'm'"),
        ("machine: sts\n", "machine: fsm\n", 3, "unknown key 'components'"),
    ],
)
def test_mistakes_are_one_line(
    fullproof: Shell, link: Path, old: str, new: str, line: int | None, message: str
) -> None:
    text = link.read_text()
    assert old in text
    link.write_text(text.replace(old, new, 1))
    ended = fullproof("check", link)
    assert ended.code == 4
    assert ended.err.count("\n") == 1
    assert message in ended.err
    assert line is None or f"link.yaml, line {line}, column" in ended.err


def test_gates_that_carry_something_else(fullproof: Shell, link: Path) -> None:
    receiver = link.parent / "parts" / "receiver.yaml"
    receiver.write_text(RECEIVER.replace("ack: {b: int 0..1}", "ack: {b: real}"))
    ended = fullproof("check", link)
    assert (ended.code, "gate 'ack' carries int 0..1 in one component and real in another" in ended.err) == (4, True)
    receiver.write_text("machine: fsm\ninitial: s\nstates:\n  s: [{when: a, then: b, to: s}]\n")
    ended = fullproof("check", link)
    assert (ended.code, "component 'receiver' is a model of kind fsm, expected an sts" in ended.err) == (4, True)


def test_values_that_nothing_determines_cannot_be_hidden(fullproof: Shell, tmp_path: Path) -> None:
    path = tmp_path / "loose.yaml"
    giving = "{outputs: {g: {p: int}}, inputs: {}, initial: l, states: {l: [{gate: g, when: p > 0, to: l}]}}"
    taking = (
        "{variables: {x: int = 0}, inputs: {g: {p: int}}, outputs: {}, initial: l,"
        " states: {l: [{gate: g, set: {x: p}, to: l}]}}"
    )
    path.write_text(f"machine: sts\ncomponents:\n  one: {giving}\n  two: {taking}\nhide: g\n")
    ended = fullproof("check", path)
    assert (ended.code, "gate g cannot be hidden: no equation says what p is" in ended.err) == (4, True)


def test_too_many_locations_are_refused(fullproof: Shell, tmp_path: Path) -> None:
    ring = ", ".join(f"s{k}: [{{gate: GATE, to: s{(k + 1) % 20}}}]" for k in range(20))
    parts = [
        f"  c{n}: {{inputs: {{g{n}: {{}}}}, outputs: {{}}, initial: s0, states: {{{ring.replace('GATE', f'g{n}')}}}}}\n"
        for n in range(4)
    ]
    path = tmp_path / "rings.yaml"
    path.write_text("machine: sts\ncomponents:\n" + "".join(parts))
    ended = fullproof("check", path)
    assert (ended.code, "the components together have more than 5,000 locations" in ended.err) == (4, True)
