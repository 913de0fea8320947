"""Symbolic machines on the command line: compare, mutate, score."""

from tests.cli.harness import Shell
from tests.shared import REFERENCE

BRAKE, ALARM = REFERENCE / "brake", REFERENCE / "alarm"


def test_compare_says_where_symbolic_machines_differ(fullproof: Shell) -> None:
    ended = fullproof("compare", BRAKE / "brake.yaml", BRAKE / "ibrake1.yaml")
    assert ended.code == 1
    assert ended.out.splitlines()[1:] == [
        "inputs:   x = 201; x = 190; x = 200",
        "outputs:  y = 2.01; y = 1.9; y = 1.1",
        "allowed at the last input: y == 2.0",
    ]


def test_compare_as_json(fullproof: Shell) -> None:
    found = fullproof("compare", ALARM / "alarm.yaml", ALARM / "eager-warning.yaml", "--json").json
    assert found["conforms"] is False
    assert found["counterexample"]["inputs"] == [{"x": 100}, {"x": 100}]
    assert found["counterexample"]["missing"] == {"y": "O"}
    found = fullproof(
        "compare", ALARM / "alarm.yaml", ALARM / "eager-warning.yaml", "--relation", "reduction", "--json"
    )
    assert (found.code, found.json["conforms"], found.json["counterexample"]) == (0, True, None)


def test_compare_needs_machines_of_one_kind(fullproof: Shell) -> None:
    ended = fullproof("compare", ALARM / "alarm.yaml", REFERENCE / "card-reader/card-reader.yaml")
    assert ended.code == 4
    assert "only machines of one kind are compared" in ended.err
    assert len(ended.err.splitlines()) == 1


def test_compare_is_inconclusive_where_the_solver_is(fullproof: Shell, tmp_path) -> None:
    head = "machine: sfsm\ninputs: {x: int 1..}\noutputs: {y: int 0..}\ninitial: s\nstates:\n  s:\n"
    plain = "    - {when: x > 0, then: y == 0, to: s}\n"
    fermat = "    - {when: x > 0, then: y > 0 and x ** 3 + (x + 1) ** 3 == y ** 3, to: s}\n"
    (tmp_path / "model.yaml").write_text(head + plain)
    (tmp_path / "other.yaml").write_text(head + plain + fermat)
    ended = fullproof("compare", tmp_path / "model.yaml", tmp_path / "other.yaml", "--timeout", "0.2", "--json")
    assert ended.code == 6
    assert ended.json["conforms"] is None
    assert "x ** 3" in ended.json["undecided"]
