"""Transition systems with strings on the command line: unicode, quotes, line breaks, empty and long ones."""

import json
import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell

MODEL = r"""
machine: sts
name: session
variables: {user: string = ""}
inputs: {login: {name: string, secret: string}, ask: {}, leave: {name: string}}
outputs: {welcome: {name: string}, refused: {why: string}, who: {name: string}, bye: {}}
initial: out
states:
  out:
    - {gate: login, when: 'name == "admin" and secret != "root, \"x\""', set: {user: name}, to: hello}
    - {gate: login, when: name != "admin" and name == secret, set: {user: name}, to: hello}
    - {gate: login, when: name != "admin" and name != secret, to: no}
    - {gate: login, when: 'name == "admin" and secret == "root, \"x\""', to: no}
  hello:
    - {gate: welcome, when: name == user, to: in}
  no:
    - {gate: refused, when: why == "bad name" or why == "größe\n", to: out}
  in:
    - {gate: ask, to: asked}
    - {gate: leave, when: name == user, set: {user: '""'}, to: left}
    - {gate: leave, when: name != user, to: in}
  asked:
    - {gate: who, when: name == user, to: in}
  left:
    - {gate: bye, to: out}
"""

SYSTEMS = r"""
import json, sys

class Right:
    def __init__(self):
        self.reset()

    def reset(self):
        self.user, self.due = None, []

    def send(self, gate, *values):
        assert all(type(value) is str for value in values)
        if gate == "login":
            name, secret = values
            if secret != 'root, "x"' if name == "admin" else name == secret:
                self.user = name
                self.due.append(("welcome", [name]))
            else:
                self.due.append(("refused", ["größe\n"]))
        elif gate == "ask":
            self.due.append(("who", [self.user]))
        elif values[0] == self.user:
            self.user = None
            self.due.append(("bye", []))

    def receive(self, timeout):
        return self.due.pop(0) if self.due else None

class Cuts(Right):
    def receive(self, timeout):
        found = super().receive(timeout)
        return (found[0], [text[:200] for text in found[1]]) if found else None

class Strips(Right):
    def send(self, gate, *values):
        super().send(gate, *(value.strip() for value in values))

class Counts(Right):
    def receive(self, timeout):
        found = super().receive(timeout)
        return ("who", [3]) if found and found[0] == "who" else found

class Invents(Right):
    def receive(self, timeout):
        found = super().receive(timeout)
        return ("refused", ["\ud800" * 3]) if found and found[0] == "refused" else found

if __name__ == "__main__":
    system = Right()
    for line in sys.stdin:
        message = json.loads(line)
        if "reset" in message:
            system.reset()
            print(json.dumps({"ready": True}), flush=True)
        else:
            system.send(message["send"][0], *message["send"][1])
            while found := system.receive(0):
                print(json.dumps({"emit": found}), flush=True)
"""


@pytest.fixture
def session(tmp_path: Path) -> Path:
    (tmp_path / "session.yaml").write_text(MODEL, encoding="utf-8")
    (tmp_path / "systems.py").write_text(SYSTEMS, encoding="utf-8")
    return tmp_path / "session.yaml"


def sut(session: Path, name: str) -> str:
    return f"python:{session.with_name('systems.py')}:{name}"


@pytest.mark.parametrize("ending", ["yaml", "json", "mmd"])
def test_files_say_the_same(fullproof: Shell, session: Path, ending: str) -> None:
    target = session.with_name(f"again.{ending}")
    assert fullproof("convert", session, target).code == 0
    ended = fullproof("compare", session, target)
    assert (ended.code, ended.err) == (0, "")
    back = session.with_name("back.yaml")
    assert fullproof("convert", target, back).code == 0
    direct = session.with_name("direct.yaml")
    fullproof("convert", session, direct)
    assert back.read_text() == direct.read_text()


def test_check_and_draw(fullproof: Shell, session: Path) -> None:
    assert "deterministic" in fullproof("check", session).out
    assert fullproof("draw", session, "-o", session.with_name("s.svg")).code == 0
    assert "why == &quot;größe\\n&quot;" in session.with_name("s.svg").read_text()


@pytest.mark.parametrize("values", ["random", "solver", "boundary"])
def test_a_right_system_passes(fullproof: Shell, session: Path, values: str) -> None:
    ended = fullproof(
        "run", session, "--sut", sut(session, "Right"), "--values", values, "--timeout", 0.01, "--steps", 300, "--json"
    )
    assert (ended.code, ended.json["coverage"]) == (0, {"transitions": 11, "of": 11})


def test_a_model_and_a_process_pass(fullproof: Shell, session: Path) -> None:
    assert fullproof("run", session, "--sut", f"model:{session}", "--steps", 300).code == 0
    command = f"exec:{sys.executable} {session.with_name('systems.py')}"
    assert fullproof("run", session, "--sut", command, "--timeout", 1, "--steps", 30).code == 0


@pytest.mark.parametrize("name", ["Cuts", "Strips", "Counts", "Invents"])
def test_a_wrong_system_fails_and_its_journal_says_so_again(fullproof: Shell, session: Path, name: str) -> None:
    journal = session.with_name("run.sqlite")
    given = ["run", session, "--sut", sut(session, name), "--timeout", 0.01, "--seed", 1, "--journal", journal]
    given[2:2] = ["--shrink-failures", 0]
    first, again = fullproof(*given), fullproof("judge", journal)
    assert (first.code, again.code) == (1, 1), first.err + again.err
    assert "not allowed" in first.out
    assert first.out.splitlines()[1:] == again.out.splitlines()[1:]
    assert fullproof(*given[:-2], "--report", session.with_name("report")).code == 1
    assert session.with_name("report").joinpath("report.html").exists()


def test_purposes_are_written_and_read(fullproof: Shell, session: Path) -> None:
    suite = session.with_name("suite.jsonl")
    for coverage in ("switch", "switch-pair", "boundary", "location"):
        assert fullproof("generate", session, "--coverage", coverage, "-o", suite).code == 0
        ended = fullproof("run", session, "--suite", suite, "--sut", f"model:{session}")
        assert ended.code == 0, ended.out + ended.err


def test_two_jobs_share_a_run(fullproof: Shell, session: Path) -> None:
    ended = fullproof("run", session, "--sut", f"model:{session}", "--jobs", 2, "--steps", 60)
    assert ended.code == 0, ended.out + ended.err


def test_compare_names_strings(fullproof: Shell, session: Path) -> None:
    other = session.with_name("other.yaml")
    other.write_text(MODEL.replace('"admin"', '"admın"'), encoding="utf-8")
    ended = fullproof("compare", session, other, "--json")
    assert ended.code == 1
    (sent,) = ended.json["counterexample"]["trace"]
    assert sent["send"][0] == "login"
    assert sent["send"][1][0] in ("admin", "admın")
    assert all(type(value) is str for value in sent["send"][1])


def test_other_kinds_have_no_strings(fullproof: Shell, tmp_path: Path) -> None:
    model = tmp_path / "m.yaml"
    for text in (
        "machine: sfsm\ninputs: {x: string}\noutputs: {y: int 0..1}\n"
        "initial: a\nstates:\n  a:\n    - {then: y == 0, to: a}\n",
        "machine: statemachine\ninputs: {x: string}\noutputs: {y: int 0..1 = 0}\ninitial: a\nstates:\n  a: {}\n",
    ):
        model.write_text(text)
        ended = fullproof("check", model)
        assert (ended.code, ended.err.count("\n")) == (4, 1)
        assert "line 2, column 13: 'x' is a string; only a machine of kind sts has strings" in ended.err


def test_a_system_with_numbers_for_strings_is_refused(fullproof: Shell, session: Path) -> None:
    other = session.with_name("other.yaml")
    other.write_text(
        "machine: sts\ninputs: {login: {name: int, secret: int}, ask: {}, leave: {name: int}}\n"
        "outputs: {}\ninitial: a\nstates:\n  a: []\n"
    )
    for words in (["run", session, "--sut", f"model:{other}"], ["compare", session, other]):
        ended = fullproof(*words)
        assert (ended.code, ended.err.count("\n")) == (4, 1), ended


def test_strings_of_purposes_in_text_are_json(fullproof: Shell, session: Path) -> None:
    ended = fullproof("run", session, "--sut", sut(session, "Counts"), "--timeout", 0.01, "--json")
    failure = json.loads(ended.out)["failures"][0]
    assert failure["observed"] == ["who", [3]]
    assert failure["reason"] == "who: name = 3 is outside string"
