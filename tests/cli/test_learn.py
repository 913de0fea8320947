"""``fullproof learn``: the model of a system that has none, and systems that cannot be learnt."""

import json
import signal
import subprocess
import sys

import pytest
from tests.processes import eventually

pytest.importorskip("aalpy")

SYSTEMS = '''
import time

CODE = ("b", "a")


class Lock:
    """Opens after two keys in the right order."""

    def reset(self):
        self.right = 0

    def step(self, key):
        self.right = self.right + 1 if self.right < 2 and key == CODE[self.right] else 0
        return "open" if self.right == 2 else "shut"


class Slow(Lock):
    def step(self, key):
        time.sleep(0.01)
        return super().step(key)


class Disturbed(Lock):
    """Answers wrongly once."""

    steps = 0

    def step(self, key):
        Disturbed.steps += 1
        return "noise" if Disturbed.steps == 9 else super().step(key)


class Moody(Lock):
    """Answers wrongly every fifth time."""

    steps = 0

    def step(self, key):
        Moody.steps += 1
        return "noise" if Moody.steps % 5 == 0 else super().step(key)


class Remembering(Lock):
    """Its reset does nothing after the first right key."""

    kept = 0

    def reset(self):
        Remembering.kept = 1 if Remembering.kept == 1 else 0

    def step(self, key):
        self.right = Remembering.kept
        output = super().step(key)
        Remembering.kept = self.right
        return output


class Broken(Lock):
    def step(self, key):
        if self.right == 1 and key == "b":
            raise RuntimeError("out of order")
        return super().step(key)
'''


@pytest.fixture
def learn(fullproof, tmp_path):
    (tmp_path / "systems.py").write_text(SYSTEMS)

    def ask(name, *options, inputs="a,b"):
        model = tmp_path / "model.yaml"
        sut = f"python:{tmp_path}/systems.py:{name}"
        return fullproof("learn", "--sut", sut, "--inputs", inputs, "-o", model, *options)

    return ask


def test_a_model_is_learnt_and_its_header_says_what_it_is_worth(learn, fullproof, tmp_path):
    answer = learn("Lock", "--extra-states", "2", "--json")
    assert answer.code == 0
    assert answer.json["states"] == 3
    assert "at most 5 states (3 of the minimal model + 2 extra)" in answer.json["guarantee"]
    head = " ".join(line.removeprefix("# ") for line in (tmp_path / "model.yaml").read_text().split("\n"))
    assert answer.json["guarantee"] in head
    assert "Learnt from a system with" in head
    sut = f"python:{tmp_path}/systems.py:Lock"
    assert fullproof("run", tmp_path / "model.yaml", "--sut", sut).code == 0


def test_no_extra_state_is_a_warning_on_standard_error_and_in_the_header(learn, tmp_path):
    answer = learn("Lock", "--extra-states", "0")
    assert answer.code == 0
    assert "warning: with --extra-states 0" in answer.err
    assert "with --extra-states 0" in (tmp_path / "model.yaml").read_text()
    assert answer.out.startswith("1 state learnt")


def test_one_wrong_answer_is_outvoted(learn):
    answer = learn("Disturbed", "--extra-states", "2")
    assert answer.code == 0
    assert answer.out.startswith("3 states learnt")
    assert "was answered 'noise' once and 'shut' 11 times: the majority counts" in answer.err


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("Moody", "the system is not deterministic, or not reset: after a reset the input 'a' was answered 'shut' "),
        (
            "Remembering",
            "the reset is not reliable: after a reset the input 'a' is answered 'shut', but 'open' where the test "
            "before the reset was inputs b",
        ),
        ("Broken", "the system failed at input 'b' after inputs b: raised RuntimeError: out of order"),
    ],
)
def test_systems_that_cannot_be_learnt_get_one_line(learn, tmp_path, name, complaint):
    answer = learn(name, "--extra-states", "2")
    assert answer.code == 4
    assert complaint in answer.err
    assert answer.err.count("\n") == 1
    assert not (tmp_path / "model.yaml").exists()


def test_learning_goes_on_after_an_interruption(learn, tmp_path):
    (tmp_path / "systems.py").write_text(SYSTEMS)
    journal, sut = tmp_path / "model.yaml.journal", f"python:{tmp_path}/systems.py:Slow"
    command = ["-m", "fullproof", "learn", "--sut", sut, "--inputs", "a,b", "--extra-states", "3", "-o"]
    process = subprocess.Popen(
        [sys.executable, *command, str(tmp_path / "model.yaml")], stderr=subprocess.PIPE, text=True
    )
    assert eventually(lambda: journal.exists() and journal.read_text().count("\n") > 5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "are in the journal; to go on, give --resume" in said
    with journal.open("a") as file:
        file.write('{"inputs": ["a"')  # cut off by a full disk
    answer = learn("Slow", "--extra-states", "3", "--resume", "--json")
    assert (answer.code, answer.json["states"]) == (0, 3)
    assert answer.json["resumed"] > 3
    again = learn("Slow", "--extra-states", "3", "--resume", "--json")
    assert again.json["resumed"] == answer.json["tests"]


def test_learning_anew_keeps_the_answers_of_before(learn, tmp_path):
    first, journal = learn("Lock", "--json"), tmp_path / "model.yaml.journal"
    answers = journal.read_bytes()
    assert first.code == 0
    for number in (1, 2):
        again = learn("Lock")
        kept = tmp_path / f"model.yaml.journal.{number}"
        assert kept.read_bytes() == answers
        assert f"was kept as {kept}: --resume --journal {kept} goes on with it" in again.err
    assert learn("Lock", "--resume", "--json", "--journal", str(kept)).json["resumed"] == first.json["tests"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"inputs": ["a"]}', "line 2: expected inputs and outputs, lists of texts"),
        ('{"inputs": ["a"], "outputs": ["x", "y"]}', "line 2: expected inputs and outputs"),
        ("[]", "line 2: expected one JSON object"),
    ],
)
def test_a_damaged_journal_is_refused_with_its_line(learn, tmp_path, line, complaint):
    learn("Lock", "--extra-states", "0", "-q")
    journal = tmp_path / "model.yaml.journal"
    head = journal.read_text().splitlines()[0]
    journal.write_text(f"{head}\n{line}\n")
    answer = learn("Lock", "--resume")
    assert answer.code == 4
    assert complaint in answer.err


def test_a_journal_of_other_inputs_is_refused(learn, tmp_path):
    learn("Lock", "--extra-states", "0", "-q")
    answer = learn("Lock", "--resume", inputs="a,b,c")
    assert answer.code == 4
    assert "cannot be resumed: the inputs of the journal is ['a', 'b']" in answer.err
    (tmp_path / "model.yaml.journal").write_text(json.dumps({"journal": "another"}) + "\n")
    assert "it is no journal of learning" in learn("Lock", "--resume").err


def test_inputs_are_needed(learn):
    answer = learn("Lock", inputs=" , ")
    assert answer.code == 4
    assert "no inputs: give --inputs NAME,NAME" in answer.err


def test_without_aalpy_one_line_says_what_to_install(tmp_path):
    (tmp_path / "aalpy.py").write_text("raise ModuleNotFoundError('no aalpy')\n")
    (tmp_path / "systems.py").write_text(SYSTEMS)
    command = ["-m", "fullproof", "learn", "--sut", "python:systems.py:Lock", "--inputs", "a,b"]
    done = subprocess.run(
        [sys.executable, *command], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 4
    assert done.stderr == "fullproof: learning needs the library AALpy: pip install 'fullproof[learn]'\n"
