"""Symbolic machines on the command line: compare, mutate, score."""

from fractions import Fraction
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE

from fullproof.artefacts.guarantee import stated
from fullproof.artefacts.suite import SuiteDomain, SuiteHeader, make_test
from fullproof.formats import model_sha256, read_model
from fullproof.formats.suite import write_suite
from fullproof.language.printer import to_text

BRAKE, ALARM = REFERENCE / "brake", REFERENCE / "alarm"


def _domain_of(path: Path) -> SuiteDomain:
    """The guards and outputs of a model, and nothing else."""
    model = read_model(path)
    return SuiteDomain(
        guards=tuple(dict.fromkeys(to_text(t.guard) for t in model.transitions)),
        outputs=tuple(dict.fromkeys(to_text(t.output) for t in model.transitions)),
        propositions=(),
        properties=(),
        states=len(model.states),
        single=False,
        undecided=(),
    )


def test_compare_says_where_symbolic_machines_differ(fullproof: Shell) -> None:
    ended = fullproof("compare", BRAKE / "brake.yaml", BRAKE / "ibrake1.yaml")
    assert ended.code == 1
    inputs, outputs, allowed = ended.out.splitlines()[1:]
    assert inputs == "inputs:   x = 201; x = 190; x = 200"
    assert outputs.startswith("outputs:  y = 2.01; y = 1.9; y = ")  # and something from 0.9 to 1.1
    assert allowed == "allowed at the last input: y == 2.0"


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


def test_machines_with_other_variables_are_named(fullproof: Shell) -> None:
    ended = fullproof("compare", ALARM / "alarm.yaml", ALARM / "alarm5.yaml")
    assert ended.code == 4
    assert ended.err.startswith(
        f"fullproof: {ALARM / 'alarm5.yaml'}: output y is enum O, W, A in the model and enum O, W"
    )


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


def test_compare_for_a_property(fullproof: Shell) -> None:
    ended = fullproof("compare", BRAKE / "brake.yaml", BRAKE / "ibrake.yaml", "--property", "R2")
    assert ended.code == 1
    assert ended.out.splitlines()[1:] == ["inputs:   x = 201; x = 190", "outputs:  y = 2.01; y = 0"]
    assert fullproof("compare", BRAKE / "brake.yaml", BRAKE / "ibrake.yaml", "--property", "R1").code == 0
    ended = fullproof("compare", BRAKE / "brake.yaml", BRAKE / "ibrake.yaml", "--property", "R3")
    where = BRAKE / "brake.yaml"
    assert (ended.code, ended.err) == (4, f"fullproof: {where}: unknown property 'R3'; expected one of R1, R2\n")


def test_no_mutant_in_the_fault_domain_survives(fullproof: Shell, tmp_path: Path) -> None:
    suite, mutants = tmp_path / "suite.jsonl", tmp_path / "mutants"
    made = fullproof("mutate", BRAKE / "brake.yaml", "-o", mutants, "--sample", 40, "--order", 2, "--json").json
    assert {mutant["conforms"] for mutant in made["mutants"]} <= {True, False}
    assert fullproof("generate", BRAKE / "brake.yaml", "-o", suite, "--method", "separable").code == 0
    scored = fullproof("score", BRAKE / "brake.yaml", "--suite", suite, "--mutants", mutants, "--json")
    assert scored.code == 0
    conforming = sum(mutant["conforms"] for mutant in made["mutants"])
    assert (scored.json["mutants"], scored.json["killed"], scored.json["conforming"]) == (
        40,
        40 - conforming,
        conforming,
    )


def test_a_survivor_inside_the_domain_is_our_bug_and_one_outside_is_not(fullproof: Shell, tmp_path: Path) -> None:
    """A suite that claims more than it does: one test under the header of a complete suite."""
    model = tmp_path / "alarm.yaml"
    model.write_bytes((ALARM / "alarm.yaml").read_bytes())
    suite = tmp_path / "suite.jsonl"
    guarantee = "Every system that passes all tests is language-equivalent to the model."
    header = SuiteHeader(
        model="alarm",
        model_sha256=model_sha256(model),
        kind="sfsm",
        relation="equivalence",
        method="general",
        extra_states=0,
        tool="0",
        guarantee=stated(guarantee),
        domain=_domain_of(model),
    )
    write_suite(suite, header, [make_test([{"x": Fraction(0)}])])
    mutants = tmp_path / "mutants"
    mutants.mkdir()
    text = model.read_text()
    wrong_output = text.replace("{when: x < max, then: y == O, to: s0}", "{when: x < max, then: y == W, to: s0}")
    (mutants / "inside.yaml").write_text(wrong_output)
    ended = fullproof("score", model, "--suite", suite, "--mutants", mutants, "--json")
    assert ended.code == 3
    assert ended.json["survivors"] == [{"file": str(mutants / "inside.yaml"), "in_fault_domain": True}]
    assert "this is a bug in fullproof" in ended.err
    (mutants / "inside.yaml").write_text(text.replace("x < max - delta", "x < max - delta - 1"))
    ended = fullproof("score", model, "--suite", suite, "--mutants", mutants, "--json")
    assert (ended.code, ended.json["survivors"][0]["in_fault_domain"]) == (1, False)


def test_a_property_suite_is_scored_by_what_it_claims(fullproof: Shell, tmp_path: Path) -> None:
    suite, mutants = tmp_path / "suite.jsonl", tmp_path / "mutants"
    mutants.mkdir()
    for name in ("early-alarm", "late-alarm", "eager-warning"):
        (mutants / f"{name}.yaml").write_bytes((ALARM / f"{name}.yaml").read_bytes())
    assert fullproof("generate", ALARM / "alarm.yaml", "--property", "R1", "-o", suite).code == 0
    scored = fullproof("score", ALARM / "alarm.yaml", "--suite", suite, "--mutants", mutants, "--json")
    assert scored.code == 0
    assert scored.json["conforming"] == 2  # only the early alarm violates R1
    assert scored.json["kills"][str(mutants / "early-alarm.yaml")] is not None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("compare", "MODEL", "MODEL", "--relation", "reduction", "--property", "R1"),
            "--property asks for --relation",
        ),
        (("compare", "MODEL", "MODEL", "--relation", "ioco"), "strong-reduction or property, not for ioco"),
        (("mutate", "MODEL", "-o", "OUT", "--order", "2"), "mutants; ask for some of them with --sample N"),
        (("mutate", "READER", "-o", "OUT", "--mutate-guards"), "--mutate-guards is for models of kind sfsm"),
    ],
)
def test_options_that_make_no_sense_are_refused(fullproof: Shell, tmp_path: Path, words, message: str) -> None:
    files = {"MODEL": BRAKE / "brake.yaml", "READER": REFERENCE / "card-reader/card-reader.yaml", "OUT": tmp_path}
    ended = fullproof(*(files.get(word, word) for word in words))
    assert ended.code == 4
    assert message in ended.err
    assert len(ended.err.splitlines()) == 1


def test_score_is_inconclusive_where_the_solver_is(fullproof: Shell, tmp_path: Path) -> None:
    """Whether y ** 3 == x ** 3 + 33 has a solution for whole x and y is not known to the solver."""
    head = "machine: sfsm\nname: m\ninputs: {x: int}\noutputs: {y: int}\ninitial: s\nstates:\n  s:\n"
    model, suite, mutants = tmp_path / "model.yaml", tmp_path / "suite.jsonl", tmp_path / "mutants"
    model.write_text(head + "    - {when: x > 0, then: y == 0, to: s}\n    - {when: x <= 0, then: y == 1, to: s}\n")
    header = SuiteHeader(
        model="m",
        model_sha256=model_sha256(model),
        kind="sfsm",
        relation="reduction",
        method="general",
        extra_states=0,
        tool="0",
        guarantee=stated("Every system that passes all tests is a reduction of the model."),
        domain=_domain_of(model),
    )
    write_suite(suite, header, [make_test([{"x": 1}])])
    mutants.mkdir()
    hard = "    - {when: x <= 0, then: y ** 3 + x ** 3 + (x - 1) ** 3 == 33 and y > 9, to: s}\n"
    (mutants / "open.yaml").write_text(model.read_text() + hard)
    ended = fullproof("score", model, "--suite", suite, "--mutants", mutants, "--timeout", 0.5, "--json")
    if ended.json["conforming"]:
        pytest.skip("the solver has learnt to tell")
    assert ended.code == 6
    assert ended.json["survivors"] == []
    assert "y ** 3" in ended.json["undecided"][0]["question"]


def test_a_reduction_suite_speaks_of_machines_that_answer(fullproof: Shell, tmp_path: Path) -> None:
    """What refuses inputs is hard to refute as a reduction, and no suite claims to do so."""
    model, suite, mutants = tmp_path / "alarm.yaml", tmp_path / "suite.jsonl", tmp_path / "mutants"
    model.write_bytes((ALARM / "alarm.yaml").read_bytes())
    header = SuiteHeader(
        model="alarm",
        model_sha256=model_sha256(model),
        kind="sfsm",
        relation="reduction",
        method="general",
        extra_states=0,
        tool="0",
        guarantee=stated("Every system that passes all tests is a reduction of the model."),
        domain=_domain_of(model),
    )
    write_suite(suite, header, [make_test([{"x": Fraction(0)}])])
    mutants.mkdir()
    wrong = model.read_text().replace("{when: x < max, then: y == O, to: s0}", "{when: x < max, then: y == W, to: s0}")
    (mutants / "mutant.yaml").write_text(wrong)
    assert fullproof("score", model, "--suite", suite, "--mutants", mutants).code == 3
    silent = wrong.replace("    - {when: x < max - delta, then: y == O, to: s0}\n", "")
    (mutants / "mutant.yaml").write_text(silent)
    assert fullproof("score", model, "--suite", suite, "--mutants", mutants).code == 1
