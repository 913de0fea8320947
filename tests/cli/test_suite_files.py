"""Suite files that are not what was generated: no guarantee for them, and no blame on us."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import ROOT

DOOR = ROOT / "src/fullproof/cli/demo_data/model.yaml"
MISFIT = "the digest in its header does not fit its tests and its claim"
NO_DIGEST = "its header has no digest of the tests and the claim, as older or other tools leave it"
Lines = list[str]


@pytest.fixture
def whole(fullproof: Shell, tmp_path: Path) -> Path:
    path = tmp_path / "whole.jsonl"
    assert fullproof("generate", DOOR, "--method", "w", "--extra-states", 1, "-o", path).code == 0
    return path


def changed(whole: Path, change: Callable[[Lines], Lines]) -> Path:
    path = whole.with_name("changed.jsonl")
    path.write_text("".join(line + "\n" for line in change(whole.read_text().splitlines())))
    return path


def header(lines: Lines, **fields: object) -> Lines:
    return [json.dumps(json.loads(lines[0]) | fields), *lines[1:]]


def other_inputs(lines: Lines) -> Lines:
    """The first test gets other inputs, as many of them, and keeps its id."""
    first = json.loads(lines[1])
    return [lines[0], json.dumps(first | {"inputs": ["beam"] * len(first["inputs"])}), *lines[2:]]


def named(line: str) -> str:
    return json.dumps(json.loads(line) | {"id": "mine"})


def covering(line: str) -> str:
    return json.dumps(json.loads(line) | {"covers": ["R1"]})


def recounted(lines: Lines) -> Lines:
    """A test is missing, and the header says so."""
    tests = [json.loads(line) for line in lines[1:]]
    return header(lines, tests=len(tests), inputs=sum(len(test["inputs"]) for test in tests))


def test_a_whole_suite_says_how_large_it_is_and_earns_its_guarantee(fullproof: Shell, whole: Path) -> None:
    first, *tests = [json.loads(line) for line in whole.read_text().splitlines()]
    assert first["tests"] == len(tests)
    assert first["inputs"] == sum(len(test["inputs"]) for test in tests)
    fields = fullproof("run", DOOR, "--sut", f"model:{DOOR}", "--suite", whole, "--json").json
    assert fields["verdict"] == "pass"
    assert fields["guarantee"] == first["guarantee"]
    assert fields["notes"] == []


@pytest.mark.parametrize(
    ("change", "doubt"),
    [
        (lambda lines: lines[:-1], "tests, and the file holds"),
        (other_inputs, "was changed after it was generated"),
        (lambda lines: header(lines, model_sha256="0"), "another version of the model"),
        (lambda lines: header(lines, extra_states=7), MISFIT),
        (lambda lines: header(lines, guarantee="Every system is right."), MISFIT),
        (lambda lines: header(lines, anything=1), MISFIT),
        (lambda lines: header(lines, method="spy"), MISFIT),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], MISFIT),
        (lambda lines: [*lines[:2], named(lines[2]), *lines[3:]], MISFIT),
        (lambda lines: [*lines[:2], covering(lines[2]), *lines[3:]], MISFIT),
        (lambda lines: recounted(lines[:-1]), MISFIT),
        (lambda lines: header(lines, digest="0" * 64), MISFIT),
        (lambda lines: header(lines, digest=None), "has no digest"),
        (lambda lines: header(lines, digest=5), "the header's 'digest' should be a text"),
    ],
    ids=[
        "lost",
        "edited",
        "model",
        "bound",
        "claim",
        "field",
        "method",
        "order",
        "id",
        "covers",
        "recounted",
        "digest",
        "none",
        "number",
    ],
)
def test_a_suite_that_was_changed_guarantees_nothing(
    fullproof: Shell, whole: Path, tmp_path: Path, change: Callable[[Lines], Lines], doubt: str
) -> None:
    path = changed(whole, change)
    words = ("run", DOOR, "--sut", f"model:{DOOR}", "--suite", path)
    ended = fullproof(*words, "--json", "--report", tmp_path / "out")
    if "should be" in doubt:
        assert (ended.code, ended.out) == (4, "") and doubt in ended.err
        return
    assert ended.code == 0
    assert ended.json["guarantee"].startswith("No guarantee: ")
    assert doubt in ended.json["guarantee"]
    assert doubt in ended.err
    assert "Every system" not in (tmp_path / "out" / "report.html").read_text()
    assert "No guarantee: " in fullproof(*words).out


@pytest.mark.parametrize("change", ["replaced", "added", "id"])
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_a_test_that_stands_there_twice_is_refused(fullproof: Shell, whole: Path, change: str, ending: str) -> None:
    """A test that kills a mutant replaced by a copy of another: as many tests, one kill less."""
    path = whole.with_name(f"twice.{ending}")
    fullproof("generate", DOOR, "--method", "w", "--extra-states", 1, "-o", path)
    lines = path.read_text().splitlines()
    if change == "id":
        lines[-1] = lines[-1].replace(lines[-1].split('"' if ending == "jsonl" else ",")[3 * (ending == "jsonl")], "x")
        lines[-2] = lines[-2].replace(lines[-2].split('"' if ending == "jsonl" else ",")[3 * (ending == "jsonl")], "x")
    else:
        lines[-1:] = [lines[-2]] if change == "replaced" else [lines[-1], lines[-2]]
    path.write_text("\n".join(lines) + "\n")
    ended = fullproof("run", DOOR, "--sut", f"model:{DOOR}", "--suite", path)
    first = len(lines) - (2 if change == "added" else 1)
    assert (ended.code, ended.out) == (4, "")
    what = "id" if change == "id" else "inputs"
    assert f"{path}, line {len(lines)}: a test with the same {what} is in line {first}" in ended.err


def test_what_says_the_same_otherwise_keeps_the_guarantee(fullproof: Shell, whole: Path) -> None:
    """Blanks, line ends, a mark at the beginning and the order of the header's fields are no part of what is said."""
    first, *tests = [json.loads(line) for line in whole.read_text().splitlines()]
    path = whole.with_name("spaced.jsonl")
    lines = [json.dumps(dict(sorted(first.items()))), "", *(json.dumps(test) for test in tests)]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    fields = fullproof("run", DOOR, "--sut", f"model:{DOOR}", "--suite", path, "--json").json
    assert (fields["guarantee"], fields["notes"]) == (first["guarantee"], [])


def test_a_suite_by_hand_runs_and_guarantees_nothing(fullproof: Shell, whole: Path) -> None:
    def by_hand(lines: Lines) -> Lines:
        plain = {key: value for key, value in json.loads(lines[0]).items() if key not in ("tests", "inputs", "digest")}
        return [json.dumps(plain | {"guarantee": "What I say."}), '{"id": "mine", "inputs": ["press"]}']

    model = whole.with_name("lamp.yaml")
    model.write_text("machine: fsm\ninitial: a\nstates: {a: [{when: press, then: on, to: a}]}\n")
    from fullproof.formats import model_sha256

    path = changed(whole, lambda lines: header(by_hand(lines), model_sha256=model_sha256(model)))
    fields = fullproof("run", model, "--sut", f"model:{model}", "--suite", path, "--json").json
    assert fields["verdict"] == "pass"
    assert fields["guarantee"] == f"No guarantee: {NO_DIGEST}."
    assert fields["notes"] == [f"{path}: {NO_DIGEST}: its guarantee does not apply"]


def test_options_that_come_too_late_are_noted(fullproof: Shell, whole: Path) -> None:
    words = ("--extra-states", 3, "--method", "hsi", "--relation", "reduction")
    ended = fullproof("run", DOOR, "--sut", f"model:{DOOR}", "--suite", whole, *words, "--json")
    assert ended.json["guarantee"].startswith("No guarantee: the suite was generated for equivalence, and the run was")
    assert "--extra-states 3 has no effect: the suite was generated for 1" in ended.err
    assert "--method hsi has no effect: the suite was generated by w" in ended.err


@pytest.mark.parametrize("command", ["run", "score"])
def test_a_test_of_another_model_is_refused_before_it_is_run(fullproof: Shell, whole: Path, command: str) -> None:
    path = changed(whole, lambda lines: [*lines, '{"id": "alien", "inputs": ["pres"]}'])
    (whole.parent / "mutants").mkdir()
    (whole.parent / "mutants" / "one.yaml").write_text(DOOR.read_text())
    more = ("--sut", f"model:{DOOR}") if command == "run" else ("--mutants", whole.parent / "mutants")
    ended = fullproof(command, DOOR, "--suite", path, *more)
    assert ended.code == 4
    assert f"{path}: test alien has the input 'pres', which the model does not know" in ended.err


@pytest.mark.parametrize(
    ("value", "complaint"), [("500", "not a value of real 0..400"), ('"a"', "not a value of real 0..400")]
)
def test_values_out_of_range_name_their_test(fullproof: Shell, tmp_path: Path, value: str, complaint: str) -> None:
    model, path = tmp_path / "m.yaml", tmp_path / "s.jsonl"
    model.write_text(
        "machine: sfsm\ninputs: {x: real 0..400}\noutputs: {y: real}\ninitial: s\n"
        "states: {s: [{when: x >= 0, then: y == x, to: s}]}\n"
    )
    first = {"fullproof": "suite/1", "model": "m", "model_sha256": "", "kind": "sfsm", "relation": "equivalence"}
    first |= {"method": "hand", "extra_states": 0, "tool": "", "guarantee": ""}
    path.write_text(f'{json.dumps(first)}\n{{"id": "far", "inputs": [{{"x": {value}}}]}}\n')
    ended = fullproof("run", model, "--sut", f"model:{model}", "--suite", path)
    assert ended.code == 4
    assert f"{path}: test far has x = " in ended.err
    assert complaint in ended.err


def test_survivors_of_a_suite_that_lost_tests_are_no_bug_of_ours(fullproof: Shell, whole: Path) -> None:
    folder = whole.parent / "mutants"
    assert fullproof("mutate", DOOR, "-o", folder, "--sample", 20).code == 0
    assert fullproof("score", DOOR, "--suite", whole, "--mutants", folder).code == 0
    ended = fullproof("score", DOOR, "--suite", changed(whole, lambda lines: lines[:2]), "--mutants", folder)
    assert ended.code == 1
    assert "bug" not in ended.err
    assert "and the file holds 1" in ended.err


@pytest.mark.parametrize("relation", ["ioco", "property", "nonsense"])
def test_a_relation_that_is_none_for_scoring(fullproof: Shell, whole: Path, relation: str) -> None:
    (whole.parent / "mutants").mkdir()
    (whole.parent / "mutants" / "one.yaml").write_text(DOOR.read_text())
    path = changed(whole, lambda lines: header(lines, relation=relation))
    ended = fullproof("score", DOOR, "--suite", path, "--mutants", whole.parent / "mutants")
    assert ended.code == 4
    assert relation in ended.err


def test_mutants_of_two_runs_never_mix(fullproof: Shell, tmp_path: Path) -> None:
    words = ("mutate", DOOR, "-o", tmp_path / "mutants", "--sample")
    assert fullproof(*words, 9).code == 0
    assert fullproof(*words, 9).code == 0
    ended = fullproof(*words, 5)
    assert ended.code == 4
    assert "holds mutants of an earlier run, such as mutant-0006.yaml" in ended.err


def test_a_folder_that_is_not_there_is_said_to_be_missing(fullproof: Shell, whole: Path) -> None:
    words = ("score", DOOR, "--suite", whole, "--mutants")
    assert "no such folder" in fullproof(*words, whole.parent / "missing").err
    assert "is a file, expected a folder" in fullproof(*words, whole).err


def test_certify_knows_a_suite_whatever_the_order_of_its_keys(fullproof: Shell, whole: Path) -> None:
    def reverse(lines: Lines) -> Lines:
        return [json.dumps(dict(reversed(json.loads(lines[0]).items()))), *lines[1:]]

    ended = fullproof("certify", DOOR, changed(whole, reverse), "--json")
    assert ended.code == 0
    assert ended.json["complete"] is True


def test_certify_names_the_file_of_a_test_that_does_not_fit(fullproof: Shell, whole: Path) -> None:
    path = changed(whole, lambda lines: [*lines, '{"id": "alien", "inputs": ["pres"]}'])
    assert f"{path}: test alien has the input 'pres'" in fullproof("certify", DOOR, path).err


def test_certify_looks_at_its_target_before_it_works(fullproof: Shell, whole: Path, tmp_path: Path) -> None:
    assert "unknown file ending '.exe'" in fullproof("certify", DOOR, whole, "-o", tmp_path / "x.exe").err
    assert "no such folder" in fullproof("certify", DOOR, whole, "-o", tmp_path / "missing" / "x.yaml").err


PARTIAL = """machine: sfsm
inputs: {x: real 0..10}
outputs: {y: real}
initial: s
states:
  s:
    - {when: x < 5, then: y == x, to: s}
"""
CRASHES = """class System:
    def step(self, x):
        if x >= 5:
            raise RuntimeError("no such input")
        return x
"""


@pytest.mark.parametrize("relation", ["equivalence", "quasi-reduction"])
def test_what_a_partial_sfsm_leaves_open_is_not_held_against_a_system(
    fullproof: Shell, tmp_path: Path, relation: str
) -> None:
    model, path, system = tmp_path / "m.yaml", tmp_path / "s.jsonl", tmp_path / "system.py"
    model.write_text(PARTIAL)
    system.write_text(CRASHES)
    first = {"fullproof": "suite/1", "model": "m", "model_sha256": "", "kind": "sfsm", "relation": relation}
    first |= {"method": "hand", "extra_states": 0, "tool": "", "guarantee": ""}
    path.write_text(f'{json.dumps(first)}\n{{"id": "a", "inputs": [{{"x": 1}}, {{"x": "20/3"}}, {{"x": 2}}]}}\n')
    for sut in (f"model:{model}", f"python:{system}:System"):
        fields = fullproof("run", model, "--sut", sut, "--suite", path, "--json").json
        assert (fields["verdict"], fields["steps"]) == ("pass", 1)


@pytest.mark.parametrize("options", [(), ("--method", "wp", "--extra-states", "1"), ("--faults", "transfer")])
def test_the_hash_of_a_suite_that_was_made_for_a_run_is_that_of_its_file(
    options: tuple[str, ...], fullproof: Shell, tmp_path: Path
) -> None:
    path, system = tmp_path / "suite.jsonl", ("--sut", f"model:{DOOR}", "--json")
    assert fullproof("generate", DOOR, *options, "-o", path).code == 0
    made = fullproof("run", DOOR, *options, *system).json["hashes"]["suite"]
    assert made == hashlib.sha256(path.read_bytes()).hexdigest()
    assert made == fullproof("run", DOOR, "--suite", path, *system).json["hashes"]["suite"]
