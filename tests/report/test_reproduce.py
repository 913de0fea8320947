"""Scripts that reproduce a failure: exit code 1 while the fault is there, 0 when it is gone, for every combination."""

import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.cli.harness import Shell

from fullproof.artefacts.guarantee import no_guarantee
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import GREY_BOX, Relation, RunRequest
from fullproof.artefacts.suite import SuiteHeader, Test
from fullproof.artefacts.verdict import Verdict
from fullproof.cli.entry import run
from fullproof.execute import adapters
from fullproof.execute.adapters import ANSWERING, REACTIVE, specs
from fullproof.formats import model_sha256
from fullproof.formats.suite import write_suite
from fullproof.kinds import KINDS
from fullproof.model.inputs import SignalEvent
from fullproof.pipeline.runs import run_suite
from fullproof.report.reproduce import script_name

FSM = """
machine: fsm
name: lamp
initial: dark
states:
  dark:
    - {when: press, then: on, to: lit}
  lit:
    - {when: press, then: off, to: dark}
    - {when: look, then: bright, to: lit}
"""
SFSM = """
machine: sfsm
name: scale
inputs: {x: int 0..9}
outputs: {y: int 0..9}
initial: s
states:
  s:
    - {when: x < 5, then: y == 0, to: s}
    - {when: x >= 5, then: y == 1, to: s}
properties: {P: G(y <= 1)}
"""
STATEMACHINE = """
machine: statemachine
name: door
signals: {in: [open, close], out: [beep]}
inputs: {x: int 0..9}
outputs: {wide: bool = false}
initial: shut
states:
  shut:
    - {trigger: open, when: x < 5, do: [wide = true], to: ajar}
  ajar:
    - {trigger: close, do: [wide = false], send: [beep], to: shut}
"""
STS = """
machine: sts
name: buffer
inputs: {put: {p: int 0..9}}
outputs: {get: {q: int 0..9}}
variables: {v: int 0..9 = 0}
initial: empty
states:
  empty:
    - {gate: put, set: {v: p}, to: full}
  full:
    - {gate: get, when: q == v, to: empty}
"""


def events(*triggers):
    return tuple(SignalEvent(trigger, (("x", 3),)) for trigger in triggers)


MODELS = {
    "fsm": (FSM, [("press", "press", "press"), ("press", "look", "press")]),
    "sfsm": (SFSM, [({"x": 7}, {"x": 8}), ({"x": 7}, {"x": 2})]),
    "statemachine": (STATEMACHINE, [events("open", "open"), events("open", "close")]),
    "sts": (STS, [("empty:put", "full:get", "empty:put", "full:get")]),
}
"""Of each kind a model, and tests of which the last one shows the fault."""
FAULTS = {
    "fsm": ("then: bright", "then: on"),
    "sfsm": ("y == 0", "y == 2"),
    "statemachine": ("send: [beep], ", ""),
    "sts": ("q == v", "q == v + 1 or (v == 9 and q == 0)"),
}
OFFERS = "- {when: press, then: off", "- {when: knock, then: bright, to: lit}\n    - {when: press, then: off"
"""What a grey box offers and must not."""


def combinations():
    """All; slow are those of which both parts are tried in others."""
    for kind in (made() for made in KINDS.values()):
        for relation in kind.judged:
            for scheme in (REACTIVE if kind.reactive else ANSWERING).schemes:
                is_quick = relation is kind.relation or scheme == "model"
                marks = () if is_quick else pytest.mark.slow
                yield pytest.param(
                    kind.name, relation, scheme, marks=marks, id=f"{kind.name}-{relation.value}-{scheme}"
                )


def header(kind: str, relation: Relation, path: Path, tests) -> SuiteHeader:
    return SuiteHeader(
        model="m", model_sha256=model_sha256(path), kind=kind, relation=relation.value, method="given", extra_states=0,
        tool="test", guarantee=no_guarantee("given"), tests=len(tests), inputs=sum(map(len, tests)),
    )  # fmt: skip


@pytest.fixture
def behind_every_scheme(monkeypatch, tmp_path):
    """Whatever the scheme, the system plays ``system.yaml``, as ``--sut model:`` does."""

    played = adapters.open_system

    def opened(spec, model, contract, opening):
        assert spec == f"{spec.partition(':')[0]}:the $system's name"
        assert spec.partition(":")[0] in contract.schemes
        return played(f"model:{tmp_path / 'system.yaml'}", model, contract, opening)

    monkeypatch.setattr(adapters, "open_system", opened)
    monkeypatch.setattr(specs, "check_spec", lambda *_: None)


@pytest.fixture
def here(monkeypatch):
    """Runs a script in this process, and the commands that it starts, too."""

    def started(words, **_):
        return SimpleNamespace(returncode=int(run(list(map(str, words[words.index("fullproof") + 1 :])))))

    def execute(path: Path, *words: str) -> int:
        monkeypatch.setattr(subprocess, "run", started)
        monkeypatch.setattr(sys, "argv", [str(path), *words])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(path))
        return int(ended.value.code)

    return execute


@pytest.mark.parametrize(("kind", "relation", "scheme"), [*combinations()])
def test_a_script_fails_while_the_fault_is_there_and_passes_when_it_is_gone(
    kind, relation, scheme, tmp_path, behind_every_scheme, here
):
    text, tests = MODELS[kind]
    model, system = tmp_path / "model.yaml", tmp_path / "system.yaml"
    model.write_text(text)
    right, wrong = OFFERS if relation in GREY_BOX else FAULTS[kind]
    assert right in text
    system.write_text(text.replace(right, wrong))
    write_suite(tmp_path / "s.jsonl", header(kind, relation, model, tests), [Test(inputs=tuple(t)) for t in tests])
    request = RunRequest(
        sut=f"{scheme}:the $system's name", suite_file=tmp_path / "s.jsonl", isolate=False, silence=0.02, repeat=2
    )
    outcome = run_suite(model, request, progress=unheard)
    assert outcome.record.context.relation == relation.value
    (name, text_of_script), *others = outcome.record.scripts.items()
    assert not others
    assert {row.script for row in outcome.record.tests if row.verdict is not Verdict.PASS} == {name}
    (tmp_path / name).write_text(text_of_script)
    assert here(tmp_path / name) == 1
    system.write_text(text)
    assert here(tmp_path / name) == 0


SYSTEM = """
class Lamp:
    lit = False
    looks = 0

    def reset(self):
        self.lit = False

    def step(self, symbol):
        self.looks += symbol == "look"
        if symbol == "press":
            self.lit = not self.lit
        return (ANSWER) if symbol == "look" else ("on" if self.lit else "off")
"""
TWO = FSM.replace("  lit:", "    - {when: look, then: dim, to: dark}\n  lit:")


@pytest.fixture
def lamp(tmp_path, capsys, monkeypatch):
    """The scripts of a run against a lamp that answers a look as a Python expression says."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lamp.yaml").write_text(TWO)

    def made(answer: str, *options: str, model: str = TWO, report: str = "r") -> list[Path]:
        (tmp_path / "lamp.yaml").write_text(model)
        (tmp_path / "lamp.py").write_text(SYSTEM.replace("ANSWER", answer))
        words = ("run", "lamp.yaml", "--sut", "python:lamp.py:Lamp", "--report", report, *options)
        ended = Shell(capsys)(*words)
        assert ended.code == 1, ended.err
        return [*(tmp_path / report).glob("reproduce-*.py")]

    return made


RIGHT = '"bright" if self.lit else "dim"'


def test_a_script_runs_alone_in_a_process_of_its_own(lamp, tmp_path):
    (script,) = lamp('"dim"')

    def done(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=False)

    ended = done()
    assert ended.returncode == 1, ended.stderr
    assert "look" in ended.stdout
    (tmp_path / "lamp.py").write_text(SYSTEM.replace("ANSWER", RIGHT))
    assert done().returncode == 0
    (tmp_path / "lamp.yaml").unlink()
    assert done().returncode == 4
    assert done("--bisect").returncode == 125


@pytest.mark.parametrize("fault", ["wrong", "silent"])
def test_a_system_that_does_not_start_shows_neither_a_fault_nor_that_it_is_gone(
    fault: str, here, capsys, monkeypatch, tmp_path: Path
) -> None:
    """A revision that is not built must not be taken for the first one with the fault; where a system that does not
    start is the fault, it is there.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lamp.yaml").write_text(TWO)
    (tmp_path / "bad.yaml").write_text(TWO.replace("then: bright", "then: dim"))
    sut = f"exec:{sys.executable} -m fullproof simulate {'bad' if fault == 'wrong' else 'none'}.yaml"
    assert Shell(capsys)("run", "lamp.yaml", "--sut", sut, "--report", "out", "--shrink-failures", "0").code == 1
    (script,) = (tmp_path / "out").glob("reproduce-*.py")
    assert here(script) == 1
    if fault == "silent":
        return
    (tmp_path / "bad.yaml").unlink()
    assert here(script) == 6
    assert "the system was not ready for the first input" in capsys.readouterr().out
    (tmp_path / "bad.yaml").write_text(TWO)
    assert here(script) == 0


def test_a_fault_that_a_reset_does_not_leave_behind_is_reproduced_by_repetition(lamp, here, capsys):
    """The sixth look in the life of the lamp shows a fault: the script gives the inputs as often as it needs."""
    answer = f'"broken" if self.looks == 6 else ({RIGHT})'
    (script, *_) = lamp(answer, "--method", "w", "--extra-states", "1", "--no-isolate")
    assert here(script) == 1
    assert "NONDETERMINISTIC" in capsys.readouterr().out


def test_a_system_whose_name_has_a_secret_is_named_by_the_environment(lamp, here, capsys, monkeypatch, tmp_path):
    (tmp_path / "bad.yaml").write_text(TWO.replace("then: bright", "then: dim"))
    simulated = f"exec:{sys.executable} -m fullproof simulate bad.yaml"
    (tmp_path / "lamp.yaml").write_text(TWO)
    secret = f"exec:env TOKEN=s3cret {simulated.removeprefix('exec:')}"
    assert Shell(capsys)("run", "lamp.yaml", "--sut", secret, "--report", "s").code == 1
    (script,) = (tmp_path / "s").glob("reproduce-*.py")
    assert "s3cret" not in script.read_text()
    assert here(script) == 6
    monkeypatch.setenv("FULLPROOF_SUT", simulated)
    assert here(script) == 1


def test_an_answer_that_never_comes_is_looked_for_as_often_as_in_the_run(lamp, here, tmp_path):
    free = TWO.replace("then: dim, to: dark}", "then: dim, to: dark}\n    - {when: look, then: off, to: dark}")
    (script, *others) = lamp(RIGHT, "--repeat", "20", model=free)
    assert not others
    assert here(script) == 1
    text = SYSTEM.replace("ANSWER", '"bright" if self.lit else ("dim", "off")[self.looks % 2]')
    (tmp_path / "lamp.py").write_text(text)
    assert here(script) == 0


@pytest.mark.parametrize("test", ["../../x", "/etc/x", "t-../x", "t-12\n", ""])
def test_a_foreign_id_names_no_file_elsewhere(test):
    assert re.fullmatch("reproduce-other-[0-9a-f]{12}[.]py", script_name(test))


def test_the_shortest_conversation_is_a_suite_that_can_be_replayed(tmp_path, capsys):
    shell, model, system = Shell(capsys), tmp_path / "model.yaml", tmp_path / "system.yaml"
    model.write_text(STS)
    system.write_text(STS.replace("q == v", "q == v and v <= 6 or v > 6 and q == 0"))
    words = ("run", model, "--sut", f"model:{system}", "--timeout", "0.02")
    assert shell(*words, "--report", tmp_path / "r").code == 1
    suite = tmp_path / "r" / "failure-1.jsonl"
    assert '"inputs":["send put [7]","listen"]' in suite.read_text()
    repeated = shell(*words, "--suite", suite, "--repeat", "12", "--json")
    assert (repeated.code, repeated.json["tests"]) == (1, 1)
    system.write_text(STS)
    passed = shell(*words, "--suite", suite, "--journal", tmp_path / "j.sqlite", "--json")
    assert (passed.code, passed.json["tests"]) == (0, 1)
    assert shell("judge", tmp_path / "j.sqlite").code == 0
    for wrong, complaint in (
        ("send pit [7]", "did you mean 'put'"),
        ("send put [70]", "outside"),
        ("send put 7", "list"),
    ):
        changed = tmp_path / "changed.jsonl"
        changed.write_text(suite.read_text().replace("send put [7]", wrong))
        ended = shell(*words, "--suite", changed)
        assert ended.code == 4
        assert complaint in ended.err
