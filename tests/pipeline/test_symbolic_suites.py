"""What is asked of symbolic machines, what is refused in one line, and who judges the papers' mutants rightly."""

from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE, ROOT

from fullproof.formats import read_model
from fullproof.model import Sfsm

BRAKE = REFERENCE / "brake/brake.yaml"
ALARM = REFERENCE / "alarm/alarm.yaml"
ALARM_MUTANTS = ("eager-warning", "early-alarm", "late-alarm")


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


def changed(folder: Path, *changes: tuple[str, str], of: Path = BRAKE) -> Path:
    text = of.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "changed.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--property", "r1"), "unknown property 'r1'; did you mean 'R1'?"),
        (("--relation", "property"), "--property NAME with one of R1, R2"),
        (("--relation", "ioco"), "an sfsm is not tested for ioco"),
        (("--relation", "strong-reduction"), "use --relation equivalence, reduction, quasi-reduction or property"),
        (("--relation", "ioco", "--property", "R1"), "--property goes with --relation property"),
        (("--relation", "reduction", "--method", "abstraction"), "language equivalence, not for reduction"),
        (("--method", "genral"), "did you mean 'general'?"),
        (("--method", "general", "--fsm-method", "w"), "--fsm-method is for separable and local"),
        (("--method", "separable", "--fsm-method", "spy"), "nondeterministic: use w, wp, h"),
        (("--method", "abstraction"), "B0 <= y <= B1 allows both y = 0.9 and y = 1.1 for x = 200"),
        (("--domain", "k-A"), "rest on a bound on states"),
        (("--extra-states", "9", "--method", "general"), "ask for fewer extra states"),
    ],
)
def test_refusals_in_one_line(shell: Shell, options: tuple[str, ...], said: str) -> None:
    ended = shell("generate", BRAKE, *options)
    assert ended.code == 4
    assert said in ended.err
    assert ended.err.count("\n") == 1


def test_a_model_that_violates_its_property(shell: Shell, tmp_path: Path) -> None:
    model = changed(tmp_path, ("{when: x < vmax - delta, then", "{when: x <= vmax - delta, then"))
    ended = shell("generate", model, "--property", "R2")
    assert ended.code == 4
    assert "line 26" in ended.err
    assert "violates its own property R2 by the trace x = 201, y = 2.01; x = 190, y = 0" in ended.err


def test_a_partial_model(shell: Shell, tmp_path: Path) -> None:
    """Equivalence up to what is undefined, by the method that can; what cannot says so and what can."""
    model = changed(tmp_path, ("    - {when: x < vmax, then: y == 0, to: s0}\n", ""))
    suite = tmp_path / "partial.jsonl"
    made = shell("generate", model, "-o", suite, "--json").json
    assert made["method"] == "general"
    assert "is quasi-equivalent to the model" in made["guarantee"]
    assert any("in state s1, is not tested (quasi-equivalence)" in note for note in made["notes"])
    assert shell("run", model, "--suite", suite, "--sut", f"model:{BRAKE}", "--repeat", 30).code == 0
    loose = shell("generate", model, "--relation", "quasi-reduction", "--json", "-o", tmp_path / "loose.jsonl").json
    assert "is a quasi-reduction of the model" in loose["guarantee"]
    for options, said in (
        (("--method", "separable"), "state s1 has no answer to x = "),
        (("--method", "separable"), "use --method general"),
        (("--method", "local"), "use --method general"),
        (("--method", "abstraction"), "equivalence to a partial model is covered by method general alone"),
        (("--relation", "reduction"), "reduction is tested for completely specified models"),
        (("--property", "R1"), "properties are tested for completely specified models"),
    ):
        ended = shell("generate", model, *options)
        assert ended.code == 4
        assert said in ended.err
        assert ended.err.count("\n") == 1


def test_no_test_applies_an_input_that_is_undefined(shell: Shell, tmp_path: Path) -> None:
    """The model plays itself, and would say so."""
    model = tmp_path / "door.yaml"
    model.write_text(
        "machine: sfsm\ninputs: {x: int 0..9}\noutputs: {y: int 0..9}\ninitial: s\nstates:\n"
        "  s:\n    - {when: x < 4, then: y <= 1, to: s}\n    - {when: x < 4, then: y == 2, to: t}\n"
        "  t:\n    - {when: x >= 6, then: y == 3, to: s}\n"
    )
    ended = shell("run", model, "--sut", f"model:{model}", "--repeat", 40, "--json")
    assert ended.code == 0, ended.out
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(model.read_text().replace("when: x >= 6,", "when: x >= 7,"))
    told = shell("compare", model, wrong, "--json").json["counterexample"]
    assert [step["x"] for step in told["inputs"]][1:] == [6]
    assert shell("run", model, "--sut", f"model:{wrong}", "--repeat", 40).code == 1
    more = tmp_path / "more.yaml"
    more.write_text(model.read_text().replace("when: x >= 6,", "when: x >= 4,"))
    assert shell("compare", model, more).code == 0
    assert shell("run", model, "--sut", f"model:{more}", "--repeat", 40).code == 0


def test_a_liveness_property_is_carried_over(shell: Shell, tmp_path: Path) -> None:
    fair = ("(y <= B1) W (x > vmax)", "G(F(x > vmax)) -> G(F(y >= B2))")
    made = shell("generate", changed(tmp_path, fair), "--property", "R1", "--json", "-o", tmp_path / "s.jsonl").json
    assert "satisfies the property R1, as the model does" in made["guarantee"]
    assert "R1, no safety property, by Koenig's lemma" in made["guarantee"]
    run = shell("run", tmp_path / "changed.yaml", "--property", "R1", "--sut", f"model:{BRAKE}", "--repeat", 30)
    assert run.code == 0, run.err + run.out
    assert "by Koenig's lemma" in run.out


def test_a_liveness_property_that_the_model_violates(shell: Shell, tmp_path: Path) -> None:
    ended = shell("generate", changed(tmp_path, ("(y <= B1) W (x > vmax)", "F(x > vmax)")), "--property", "R1")
    assert ended.code == 4
    assert ended.err.count("\n") == 1
    assert "by the trace then for ever x = " in ended.err


def test_compare_decides_liveness(shell: Shell, tmp_path: Path) -> None:
    """A brake that never lets go once it has braked violates what the model satisfies: shown by a lasso."""
    fair = ("(y <= B1) W (x > vmax)", "G(F(x < vmax - delta)) -> G(F(y == 0))")
    model = changed(tmp_path, fair)
    stuck = tmp_path / "stuck.yaml"
    stuck.write_text(model.read_text().replace("{when: x < vmax - delta, then: y == 0, to: s0}",
                                               "{when: x < vmax - delta, then: y == B2, to: s2}"))  # fmt: skip
    assert shell("compare", model, model, "--property", "R1").code == 0
    ended = shell("compare", model, stuck, "--property", "R1", "--json")
    assert ended.code == 1
    assert "repeat for ever" in ended.json["counterexample"]["reason"]


def test_auto_tells_what_the_others_cost(shell: Shell) -> None:
    made = shell("generate", BRAKE, "--json").json
    assert (made["method"], made["tests"], made["io_classes"], made["representatives"]) == ("separable", 65, 27, 5)
    (note,) = made["notes"]
    assert "general costs 709" in note
    assert "abstraction does not apply: the model is not output-deterministic" in note
    assert made["guarantee"].startswith("Every system that passes all tests")
    for part in ("--repeat K", "7 guards, 4 output expressions", "at most 4 states", "reset reliably", "Theorem 7"):
        assert part in made["guarantee"]


def test_auto_falls_back_where_the_alphabet_is_not_separable(shell: Shell, tmp_path: Path) -> None:
    model = changed(tmp_path, ("outputs: [y == B2 + (x - vmax) ** 2 / c]", "outputs: [y <= B1]"))
    made = shell("generate", model, "--json").json
    assert made["method"] == "general"
    assert (
        "separable does not apply: the alphabet is not separable: no input distinguishes y == 0 from y <= B1 under"
        in made["notes"][0]
    )


def test_derived_faults_are_reported(shell: Shell) -> None:
    made = shell("generate", ALARM, "--mutate-guards", "--method", "separable", "--json").json
    assert "guard faults added to the fault domain: " in made["notes"][0]
    assert made["representatives"] > 4


def test_suites_for_properties_name_them(shell: Shell, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    shell("generate", BRAKE, "--method", "general", "--property", "R2", "-o", suite)
    header, first, *_ = suite.read_text(encoding="utf-8").splitlines()
    assert '"relation":"property"' in header.replace(" ", "")
    assert "satisfies the property R2, as the model does" in header
    assert '"covers":["R2"]' in first.replace(" ", "")


@pytest.mark.parametrize("method", ["general", "separable"])
@pytest.mark.parametrize("mutant", ["ibrake", "ibrake1", "ibrake2"])
def test_the_mutants_of_brake_fail(shell: Shell, method: str, mutant: str) -> None:
    sut = f"model:{REFERENCE / 'brake' / mutant}.yaml"
    options = ("--method", method, "--repeat", 30, "--seed", 1, "--stop-on-failure", "--json")
    ended = shell("run", BRAKE, "--sut", sut, *options)
    assert (ended.code, ended.json["verdict"]) == (1, "fail")


@pytest.mark.parametrize("method", ["general", "separable", "abstraction"])
@pytest.mark.parametrize("mutant", ["alarm", *ALARM_MUTANTS])
def test_alarm_and_its_mutants(shell: Shell, method: str, mutant: str) -> None:
    sut = f"model:{REFERENCE / 'alarm' / mutant}.yaml"
    ended = shell("run", ALARM, "--sut", sut, "--method", method, "--repeat", 90, "--seed", 1, "--json")
    assert ended.code == (0 if mutant == "alarm" else 1)


def test_a_reduction_passes_containment_only(shell: Shell) -> None:
    """Figure 10 of paper 004 shows nothing wrong, but not everything that the model may show."""
    for mutant, code in (("eager-warning", 0), ("early-alarm", 1), ("late-alarm", 1)):
        sut = f"model:{REFERENCE / 'alarm' / mutant}.yaml"
        ended = shell("run", ALARM, "--sut", sut, "--relation", "reduction", "--repeat", 30, "--seed", 1, "--json")
        assert ended.code == code


def test_part_of_an_output_is_no_pass(shell: Shell, tmp_path: Path) -> None:
    text = (
        "machine: sfsm\nname: part\ninputs: {x: int 0..5}\noutputs: {y: int 0..9}\ninitial: a\nstates:\n  a:\n"
        "    - {when: x >= 0, then: 2 <= y <= 6, to: a}\nfault_domain: {outputs: [3 <= y <= 4]}\n"
    )
    model, other = tmp_path / "model.yaml", tmp_path / "other.yaml"
    model.write_text(text, encoding="utf-8")
    other.write_text(text.replace("2 <= y <= 6", "3 <= y <= 4"), encoding="utf-8")
    for sut, code in ((model, 0), (other, 1)):
        ended = shell(
            "run", model, "--sut", f"model:{sut}", "--method", "general", "--repeat", 60, "--seed", 1, "--json"
        )
        assert ended.code == code


@pytest.mark.parametrize("method", ["auto", "general", "abstraction"])
@pytest.mark.parametrize("model", [BRAKE, *(ROOT / "examples").glob("*/model.yaml")], ids=lambda p: p.parent.name)
def test_a_suite_for_properties_costs_no_more_than_one_for_equivalence(shell: Shell, model: Path, method: str) -> None:
    read = read_model(model)
    names = [p.name for p in read.description.properties]
    if not isinstance(read, Sfsm) or not names:
        return
    options = [word for name in names for word in ("--property", name)]
    equal = shell("generate", model, "--method", method, "--extra-states", 0, "--json")
    if equal.code != 0:
        assert "does not apply" in equal.err
        return
    made = shell("generate", model, "--method", method, "--extra-states", 0, "--json", *options).json
    assert made["tests"] + made["inputs"] <= equal.json["tests"] + equal.json["inputs"]


def test_equivalence_stands_in_for_properties_where_it_is_cheaper(shell: Shell) -> None:
    made = shell("generate", BRAKE, "--method", "general", "--property", "R1", "--property", "R2", "--json").json
    assert (made["relation"], made["tests"]) == ("property", 155)
    assert "is language-equivalent to the model and so satisfies the properties R1 and R2" in made["guarantee"]
    assert any("709 beside 788" in note for note in made["notes"])


DETERMINISTIC = """
from fractions import Fraction

class Brake:
    late = False

    def reset(self):
        self.braking = False

    def step(self, x):
        self.braking = x > 200 or (self.braking and (x > 190 if self.late else x >= 190))
        return Fraction(2) + Fraction(x - 200) / 100 if self.braking else 0

class Late(Brake):
    late = True
"""


def test_a_deterministic_system_passes_for_a_loose_model(shell: Shell, tmp_path: Path) -> None:
    """It settles on one of the answers that the model allows: a reduction, which has the model's properties."""
    system = tmp_path / "system.py"
    system.write_text(DETERMINISTIC)
    options = ("--relation", "reduction", "--property", "R1", "--property", "R2", "--extra-states", 0)
    made = shell("generate", BRAKE, *options, "-o", tmp_path / "suite.jsonl", "--json").json
    assert (made["method"], made["tests"], made["inputs"]) == ("separable", 125, 552)
    passed = shell("run", BRAKE, *options, "--sut", f"python:{system}:Brake")
    assert passed.code == 0, passed.out + passed.err
    assert "is a reduction of the model and so satisfies the properties R1 and R2" in passed.out
    again = shell(
        "run", BRAKE, "--suite", tmp_path / "suite.jsonl", "--property", "R2", "--sut", f"python:{system}:Brake"
    )
    assert again.code == 0, again.out + again.err
    failed = shell("run", BRAKE, *options, "--sut", f"python:{system}:Late", "--json")
    assert failed.code == 1
    assert {v["property"] for f in failed.json["failures"] for v in f["violates"]} == {"R2"}
    strict = shell(
        "run", BRAKE, "--property", "R2", "--extra-states", 0, "--sut", f"python:{system}:Brake", "--repeat", 20
    )
    assert strict.code == 1, "an equivalent system would have shown all that the model allows"


def test_reduction_over_separable_letters_is_far_smaller(shell: Shell) -> None:
    made = shell("generate", BRAKE, "--relation", "reduction", "--json").json
    assert (made["method"], made["tests"], made["inputs"]) == ("separable", 1321, 8267)
    ended = shell("generate", BRAKE, "--relation", "reduction", "--method", "separable", "--fsm-method", "w")
    assert ended.code == 4
    assert "--fsm-method is for equivalence" in ended.err
