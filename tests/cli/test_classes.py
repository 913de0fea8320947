"""fullproof classes: the numbers of the papers, the fields of the contract, a table that fits."""

import json
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE

BRAKE = REFERENCE / "brake/brake.yaml"
CUBES = """\
machine: sfsm
name: cubes
inputs: {a: int, b: int, c: int}
outputs: {y: int 0..1}
initial: s
states:
  s:
    - {when: 'true', then: y == 1, to: s}
    - {when: a > 0 and b > 0 and a * a * a + b * b * b == c * c * c, then: y == 0, to: s}
"""


@pytest.mark.parametrize(
    ("words", "size"), [((), (27, 8)), (("--property", "R1", "--property", "R2"), (38, 9))], ids=["plain", "R1 R2"]
)
def test_the_papers_numbers(fullproof: Shell, words: tuple[str, ...], size: tuple[int, int]) -> None:
    ended = fullproof("classes", BRAKE, *words, "--json")
    assert ended.code == 0
    found = ended.json
    assert set(found) == {"classes", "representatives", "smallest", "undecided"}
    assert (len(found["classes"]), len(found["representatives"])) == size
    for c in found["classes"]:
        assert set(c) == {"id", "guards", "outputs", "propositions", "formula", "witness"}
        assert bool(c["propositions"]) <= bool(words)
    assert {i for r in found["representatives"] for i in r["covers"]} == {c["id"] for c in found["classes"]}
    assert found["smallest"] is True
    assert found["undecided"] == []


def test_a_class_says_what_holds_in_it(fullproof: Shell) -> None:
    found = fullproof("classes", BRAKE, "--property", "R1", "--json").json
    (c,) = [c for c in found["classes"] if c["formula"] == "x == 201 and y == 2.01"]
    assert c["guards"] == ["x > vmax", "x >= vmax - delta"]
    assert c["outputs"] == ["y == B2 + (x - vmax) / c", "y == B2 + (x - vmax) ** 2 / c"]
    assert c["propositions"] == ["x > vmax"]
    assert c["witness"] == {"x": 201, "y": 2.01}
    assert {"x": 201} in [r["input"] for r in found["representatives"]]


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_fits(fullproof: Shell, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    ended = fullproof("classes", BRAKE, "--property", "R1", "--property", "R2")
    lines = ended.out.splitlines()
    assert max(map(len, lines)) <= width
    assert lines[0] == "BRAKE: 38 classes over 7 guards, 4 output expressions, 4 atomic propositions"
    assert sum(line.startswith("io") for line in lines) == 38
    assert "9 inputs cover all classes, the fewest that do:" in lines


def test_quiet(fullproof: Shell) -> None:
    ended = fullproof("classes", BRAKE, "--quiet")
    assert (ended.code, ended.out, ended.err) == (0, "", "")


@pytest.mark.parametrize("name", ["m-ex/m-ex", "brp/brp"])
def test_other_kinds_have_no_classes(fullproof: Shell, name: str) -> None:
    ended = fullproof("classes", REFERENCE / f"{name}.yaml")
    assert ended.code == 4
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert "classes is not for" in ended.err


def test_an_unknown_property_gets_a_suggestion(fullproof: Shell) -> None:
    ended = fullproof("classes", BRAKE, "--property", "R3")
    assert ended.code == 4
    assert "unknown property 'R3'" in ended.err
    assert "R1" in ended.err


def test_a_model_without_properties_says_so(fullproof: Shell) -> None:
    ended = fullproof("classes", REFERENCE / "brake/ibrake.yaml", "--property", "R1")
    assert ended.code == 4
    assert "the model has none" in ended.err


def test_what_stays_open_is_said(fullproof: Shell, tmp_path: Path) -> None:
    model = tmp_path / "cubes.yaml"
    model.write_text(CUBES)
    ended = fullproof("classes", model, "--timeout", "1")
    assert ended.code == 6
    assert "cubes: 2 classes over 2 guards, 2 output expressions" in ended.out
    assert "undecided: there may be further classes where" in ended.out


def test_one_state_without_inputs(fullproof: Shell, tmp_path: Path) -> None:
    model = tmp_path / "clock.yaml"
    model.write_text(
        "machine: sfsm\nname: Uhr [täglich]\ninputs: {}\noutputs: {zeiger: int 1..12}\ninitial: läuft\n"
        "states:\n  läuft:\n    - {when: 'true', then: zeiger <= 12, to: läuft}\n"
    )
    ended = fullproof("classes", model)
    assert ended.code == 0
    assert ended.out.splitlines()[0] == "Uhr [täglich]: 1 class over 1 guard, 1 output expression"
    assert "1 input covers all classes, the fewest that do:" in ended.out
    assert fullproof("classes", model, "--json").json["representatives"] == [{"input": {}, "covers": ["io1"]}]


def test_a_statemachine_has_state_and_trigger_classes(fullproof: Shell) -> None:
    ended = fullproof("classes", REFERENCE / "state-machine/figure1.yaml", "--json")
    assert ended.code == 0
    found = json.loads(ended.out)
    assert found["after_switch_on"] == {"state_classes": 8, "trigger_classes": 88, "nominal": 648}
    assert found["definition_1"]["holds"] is True
    assert found["definition_1"]["pairs"] == sum(found["definition_1"]["cases"].values()) == 9 * 132
    assert {"id": "s8", "state": "l4", "condition": "m >= 10 and x + y >= 0"} in found["states"]


def test_a_model_that_goes_wrong_is_no_partition(fullproof: Shell, tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(
        "machine: statemachine\nname: m\nsignals: {in: [go]}\ninputs: {x: int 0..9}\noutputs: {y: int 0..5 = 0}\n"
        "initial: s\nstates:\n  s:\n    - {trigger: go, do: [y = y + 1], to: s}\n"
    )
    ended = fullproof("classes", path)
    assert ended.code == 1
    assert "Definition 1 does not hold" in ended.out


ENDLESS = """\
machine: statemachine
name: endless
signals: {in: [go]}
outputs: {y: int = 0}
initial: s
states:
  s:
    - {do: [y = y + 1], to: r}
  r:
    - {do: [y = y - 1], to: s}
"""


def test_a_machine_whose_runs_never_end_has_no_classes_and_the_answer_is_no(fullproof: Shell, tmp_path: Path) -> None:
    path = tmp_path / "endless.yaml"
    path.write_text(ENDLESS)
    ended = fullproof("classes", path)
    assert ended.code == 1
    assert "its runs never end" in ended.out


def test_classes_that_split_for_ever_are_inconclusive_and_have_all_guards(fullproof: Shell, tmp_path: Path) -> None:
    path = tmp_path / "halves.yaml"
    path.write_text(
        "machine: statemachine\nname: halves\nsignals: {in: [go]}\ninputs: {x: real}\noutputs: {y: real = 0}\n"
        "variables: {m: real = 1}\ninitial: s\nstates:\n  s:\n"
        "    - {trigger: go, when: m > 1, do: [m = m / 2], to: s}\n"
        "    - {trigger: go, when: m <= 1 and x > 5, do: [m = x], to: s}\n"
    )
    ended = fullproof("classes", path, "--json")
    assert ended.code == 6
    assert any("split" in doubt for doubt in ended.json["doubts"])
    assert any("x" in trigger["condition"] for trigger in ended.json["triggers"])
