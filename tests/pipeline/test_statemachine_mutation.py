"""Mutants, scores, comparisons and diagnoses of state machines, as the commands give them."""

import pytest
from tests.cli.harness import Shell
from tests.oracles.small_statemachines import difference as by_enumeration
from tests.oracles.statemachine_differences import shortest_difference
from tests.shared import REFERENCE, ROOT
from tests.strategies.statemachine_suites import write_suite

from fullproof.analysis.machine_pairs.concrete_play import Playing
from fullproof.analysis.run_to_completion import RunGoesWrong
from fullproof.formats import read_model
from fullproof.model.inputs import SignalEvent

EXAMPLES = ROOT / "examples" / "statemachines"
CRUISE = EXAMPLES / "cruise-control.yaml"
FIGURES = REFERENCE / "state-machine"

COUNTER = """machine: statemachine
name: counter
signals: {in: [up, down], out: [full]}
inputs: {x: int 0..2}
outputs: {y: int 0..3 = 0}
variables: {n: int 0..3 = 0}
initial: low
states:
  low:
    - {trigger: up, when: x > 0 and n < 2, do: [n = n + x, y = n], to: low}
    - {trigger: up, when: x > 0 and n >= 2, send: [full], to: high}
  high:
    - {trigger: down, do: [n = 0, y = 1], to: low}
"""


@pytest.fixture
def fullproof(capsys):
    return Shell(capsys)


@pytest.fixture
def counter(tmp_path):
    path = tmp_path / "counter.yaml"
    path.write_text(COUNTER)
    return path


def test_mutants_that_conform_are_those_without_a_difference(fullproof, counter, tmp_path):
    ended = fullproof("mutate", counter, "-o", tmp_path / "m", "--json")
    assert ended.code == 0
    mutants = ended.json["mutants"]
    assert len(mutants) > 30
    model = read_model(counter)
    for mutant in mutants:
        try:
            expected = by_enumeration(model, read_model(mutant["file"])) is None
        except RunGoesWrong:  # only the mutant can leave a range
            expected = False
        assert mutant["conforms"] is expected, mutant["where"]


def test_scores_name_survivors_and_what_conforms(fullproof, counter, tmp_path):
    fullproof("mutate", counter, "-o", tmp_path / "m")
    suite = write_suite(tmp_path / "s.jsonl", counter)
    ended = fullproof("score", counter, "--suite", suite, "--mutants", tmp_path / "m", "--json")
    assert ended.code in (0, 1)
    fields = ended.json
    assert fields["killed"] + fields["conforming"] + len(fields["survivors"]) == fields["mutants"]
    assert fields["killed"] > fields["mutants"] * 0.9
    short = write_suite(tmp_path / "short.jsonl", counter, count=1)
    fewer = fullproof("score", counter, "--suite", short, "--mutants", tmp_path / "m", "--json")
    assert fewer.code == 1
    assert fewer.json["killed"] <= fields["killed"]
    assert len(fewer.json["survivors"]) >= len(fields["survivors"])


def test_a_killed_mutant_really_fails_the_test_that_is_named(fullproof, counter, tmp_path):
    fullproof("mutate", counter, "-o", tmp_path / "m", "--sample", "12")
    suite = write_suite(tmp_path / "s.jsonl", counter)
    kills = fullproof("score", counter, "--suite", suite, "--mutants", tmp_path / "m", "--json").json["kills"]
    for file, test in kills.items():
        ran = fullproof("run", counter, "--suite", suite, "--sut", f"model:{file}", "--json")
        failed = {one["test"] for one in ran.json["failures"]}
        errors = ran.json["errors"]
        assert (test is None) == (not failed and not errors), file
        assert test is None or test in failed or errors


def test_scoring_for_other_relations_is_refused(fullproof, counter, tmp_path):
    ended = fullproof("mutate", counter, "-o", tmp_path / "m", "--relation", "reduction")
    assert (ended.code, ended.err.count("\n")) == (4, 1)
    ended = fullproof("mutate", counter, "-o", tmp_path / "m", "--mutate-guards")
    assert (ended.code, ended.err.count("\n")) == (4, 1)


def test_certify_says_what_it_decides(fullproof, counter, tmp_path):
    suite = write_suite(tmp_path / "s.jsonl", counter)
    ended = fullproof("certify", counter, suite)
    assert (ended.code, ended.out[:10]) == (1, "INCOMPLETE")
    assert "passes and differs" in ended.out


def test_the_figures_of_the_paper_differ(fullproof):
    ended = fullproof("compare", FIGURES / "figure1.yaml", FIGURES / "figure4.yaml", "--json")
    assert ended.code == 1
    word = ended.json["counterexample"]["inputs"]
    assert [event.get("trigger") for event in word] == ["start", "a"]
    playing = Playing(read_model(FIGURES / "figure1.yaml"), read_model(FIGURES / "figure4.yaml"))
    events = [SignalEvent.of(e.get("trigger"), {"x": e["x"]}) for e in word]
    assert playing.difference(events) is not None


FAULTY = {
    "crossing-gate": ("trains > 0, do: [trains = trains - 1]", "trains > 0, do: [trains = 0]"),
    "cruise-control": ("do: [throttle = 2 * (target - speed)], to: on}\n  on", "do: [throttle = 0], to: on}\n  on"),
    "door-lock": ("[since = now, tries = 0], send: [alarm]", "[since = now], send: [alarm]"),
    "turn-indicator": ("voltage > 10 and tips > 1", "voltage > 10 and tips > 2"),
    "ventilator": ("now >= began + 3", "now > began + 3"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_each_example_equals_itself_and_differs_from_a_faulty_version(fullproof, tmp_path, name):
    path = EXAMPLES / f"{name}.yaml"
    same = fullproof("compare", path, path, "--json")
    assert (same.code, same.json["conforms"]) == (0, True)
    assert "bisimulation" in same.json["proof"]
    text = path.read_text()
    assert FAULTY[name][0] in text
    faulty = tmp_path / "faulty.yaml"
    faulty.write_text(text.replace(*FAULTY[name]))
    if name == "turn-indicator":
        faulty.write_text(faulty.read_text().replace("tips <= 1", "tips <= 2"))
    ended = fullproof("compare", path, faulty, "--json")
    assert ended.code == 1
    found = ended.json["counterexample"]
    assert len(found["outputs"]) == len(found["inputs"]) - 1
    brute = shortest_difference(read_model(path), read_model(faulty), depth=len(found["inputs"]) - 1, width=300)
    assert brute is None  # none is shorter


def test_variables_may_have_other_names(fullproof, tmp_path):
    other = tmp_path / "other.yaml"
    text = (EXAMPLES / "door-lock.yaml").read_text()
    other.write_text(text.replace("tries", "wrong").replace("since", "moment").replace("blocked", "paused"))
    ended = fullproof("compare", EXAMPLES / "door-lock.yaml", other)
    assert ended.code == 0
    assert "bisimulation" in ended.out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "in: [up, down]",
            "in: [up, down, left]",
            "other input signals than counter: up, down, left instead of up, down",
        ),
        ("out: [full]", "out: [full, empty]", "other output signals"),
        ("inputs: {x: int 0..2}", "inputs: {x: int 0..2, z: bool}", "other inputs than counter: x, z instead of x"),
        ("y: int 0..3 = 0", "y: real 0..3 = 0", "y has another type than in counter: real 0..3 instead of int 0..3"),
    ],
)
def test_other_interfaces_are_one_line(fullproof, counter, tmp_path, old, new, said):
    other = tmp_path / "other.yaml"
    other.write_text(COUNTER.replace(old, new))
    ended = fullproof("compare", counter, other)
    assert (ended.code, ended.err.count("\n")) == (4, 1)
    assert said in ended.err
    assert "other.yaml" in ended.err


def test_what_stays_open_is_said(fullproof, tmp_path):
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    one.write_text(
        COUNTER.replace("n: int 0..3", "n: int 0..99")
        .replace("y = n", "y = 1")
        .replace("n < 2", "n < 90")
        .replace("n >= 2", "n >= 90")
    )
    other.write_text(one.read_text().replace("n < 90", "n < 91").replace("n >= 90", "n >= 91"))
    ended = fullproof("compare", one, other, "--depth", "4", "--json")
    assert ended.code == 6
    assert ended.json["conforms"] is None
    assert ended.json["undecided"].startswith("no difference within 4 events, and no proof")


def test_a_failing_run_is_diagnosed(fullproof, tmp_path):
    suite = write_suite(tmp_path / "s.jsonl", CRUISE)
    system = f"python:{EXAMPLES / 'cruise_control.py'}:Stubborn"
    ended = fullproof("run", CRUISE, "--suite", suite, "--sut", system)
    assert ended.code == 1
    assert "behaves like the model with action target = speed missing on on --set--> on" in ended.out


def test_a_guard_with_a_wrong_boundary_is_named(fullproof, tmp_path):
    lock = EXAMPLES / "door-lock.yaml"
    suite, faulty = write_suite(tmp_path / "s.jsonl", lock), tmp_path / "faulty.yaml"
    faulty.write_text(lock.read_text().replace("now >= since + 60", "now > since + 60"))
    ended = fullproof("run", lock, "--suite", suite, "--sut", f"model:{faulty}")
    assert ended.code == 1
    assert "guard now > since + 60 instead of now >= since + 60 on blocked -> locked" in ended.out
