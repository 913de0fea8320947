"""What a person sees first: panels of help, completion, what a run will prove, and a model that is played."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer
from tests.cli.harness import Shell
from tests.shared import ROOT
from typer.testing import CliRunner

from fullproof import pipeline
from fullproof.artefacts.request import SCHEMES
from fullproof.cli.app import app
from fullproof.cli.panels import COMMON
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.model.input_text import input_of

TURNSTILE = ROOT / "examples/turnstile/turnstile.yaml"
COVERED = (
    "machine: sfsm\nname: g\ninputs: {temp: int 0..40}\noutputs: {heat: int 0..10}\ninitial: s\nstates:\n  s:\n"
    "    - {when: temp < 20, then: heat == 1, to: s}\n    - {when: temp >= 20, then: heat == 30, to: s}\n"
)


def _panels(command: str) -> dict[str, list[str]]:
    """The options of each panel of a command, in the order of the help."""
    found: dict[str, list[str]] = {}
    for one in typer.main.get_command(app).commands[command].params:  # type: ignore[attr-defined]
        if one.param_type_name == "option":
            panel = getattr(one, "rich_help_panel", None) or "Options"
            found.setdefault(panel, []).append(one.opts[0].removeprefix("--"))
    return found


@pytest.mark.parametrize("command", ["run", "generate"])
def test_common_options_come_first_and_the_others_in_panels(command: str) -> None:
    panels = _panels(command)
    declared = {name for names in panels.values() for name in names}
    assert panels["Common options"] == [name for name in COMMON if name in declared]
    assert len(COMMON) == 12
    by_purpose = list(panels)
    assert by_purpose[0] == "Common options" and {"Fault domain", "Generation"} <= set(by_purpose)


def test_the_help_that_is_printed_has_the_panels_in_that_order() -> None:
    shown = CliRunner().invoke(app, ["run", "--help"], env={"COLUMNS": "100"}).output
    titles = re.findall(r"^╭─ ([^─]+?) ─", shown, flags=re.MULTILINE)
    assert titles[:2] == ["Arguments", "Common options"] and titles[-1] == "What is printed"
    assert titles.index("Common options") < titles.index("Fault domain") < titles.index("Execution")
    assert shown.index("--sut") < shown.index("--method") < shown.index("--step-timeout")


@pytest.fixture
def completed(capsys, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """What a shell offers after some words, the last of which is not complete."""

    def complete(*words: str) -> list[str]:
        monkeypatch.setenv("_FULLPROOF_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", " ".join(("fullproof", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        ended = Shell(capsys)()
        assert (ended.code, ended.err) == (0, ""), "a shell shows what is written on standard error"
        return ended.out.split()

    return complete


def test_methods_complete_by_the_model(completed) -> None:
    offered = completed("run", str(TURNSTILE), "--method", "")
    assert {"auto", *EQUIVALENCE_METHODS} <= set(offered)
    assert "general" not in offered, "that is for symbolic machines"
    assert set(completed("run", str(TURNSTILE), "--method", "w")) == {"w", "wp", "walks"}
    assert "general" in completed("run", "none.yaml", "--method", ""), "no model yet: all methods"


def test_systems_complete_by_scheme_file_and_class(completed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gate.py").write_text("class Gate:\n    pass\n\n\nclass Other:\n    pass\n")
    (tmp_path / "broken.py").write_text("class (:\n")
    (tmp_path / "gate.yaml").write_text("")
    monkeypatch.chdir(tmp_path)
    assert completed("run", "m.yaml", "--sut", "") == [f"{scheme}:" for scheme in SCHEMES]
    assert completed("run", "m.yaml", "--sut", "python:") == ["python:gate.py:Gate", "python:gate.py:Other"]
    assert completed("run", "m.yaml", "--sut", "model:g") == ["model:gate.yaml"]


def test_properties_and_faults_complete(completed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "g.yaml").write_text(
        COVERED + "properties:\n  R1: G(heat >= 0)\n  R2: G(heat <= 10)\n  S: G(heat >= 0)\n"
    )
    monkeypatch.chdir(tmp_path)
    assert completed("certify", "g.yaml", "--property", "") == ["R1", "R2", "S"]
    assert completed("run", "g.yaml", "--property", "R") == ["R1", "R2"]
    assert completed("run", "none.yaml", "--property", "R") == []
    words = completed("generate", str(TURNSTILE), "--faults", "")
    assert {"transfer", "output", "stuck"} <= set(words)
    assert "duration" not in words, "that is for models with timers"
    assert completed("generate", str(TURNSTILE), "--faults", "transfer,") == [
        f"transfer,{word}" for word in words if word != "transfer"
    ]
    assert completed("generate", str(TURNSTILE), "--faults", "g") == ["g.yaml"]


def test_an_unknown_property_is_refused_with_the_file_of_the_model(tmp_path: Path, capsys) -> None:
    model, suite = tmp_path / "g.yaml", tmp_path / "suite.txt"
    model.write_text(COVERED + "properties:\n  R1: G(heat >= 0)\n")
    suite.write_text("20\n")
    for words in (("certify", model, suite), ("compare", model, model)):
        said = Shell(capsys)(*words, "--property", "R2")
        assert (said.code, said.err) == (4, f"fullproof: {model}: unknown property 'R2'; expected one of R1\n")


def test_a_misspelt_signal_is_suggested_where_a_value_would_stand_alone(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(
        "machine: statemachine\nsignals: {in: [request, cancel], out: []}\ninputs: {speed: int 0..3}\n"
        "initial: idle\nstates:\n  idle: [{trigger: request, to: busy}]\n  busy: [{trigger: cancel, to: idle}]\n"
    )
    model = read_model(tmp_path / "m.yaml")
    with pytest.raises(UserError, match=r"'requst' is not a value of type int 0..3; did you mean 'request'\?$"):
        input_of("requst", model.interface)
    with pytest.raises(UserError, match=r"type int 0..3$"):
        input_of("1.5", model.interface)
    with pytest.raises(UserError, match=r'and a signal is \{"trigger": "request"\}; did you mean \'cancel\'\?$'):
        model.interface.decode("cancle")


def test_relations_complete(completed) -> None:
    assert {"equivalence", "reduction"} <= set(completed("run", str(TURNSTILE), "--relation", ""))
    assert completed("run", str(TURNSTILE), "--relation", "equi") == ["equivalence"]


def test_a_guard_that_covers_an_input_whose_output_cannot_hold_is_named(tmp_path: Path, capsys) -> None:
    model = tmp_path / "g.yaml"
    model.write_text(COVERED)
    checked = Shell(capsys)("check", model)
    assert re.search(r"temp >= 20 covers temp = \d+, but no output within its range satisfies heat == 30", checked.out)
    assert "no guard covers" not in checked.out
    model.write_text(COVERED.replace("temp >= 20", "temp > 20").replace("30", "3"))
    assert "no guard covers temp = 20" in Shell(capsys)("check", model).out


class _Terminal:
    def __init__(self, stream: object) -> None:
        self.stream = stream

    def isatty(self) -> bool:
        return True

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


def test_a_run_begins_with_what_it_will_prove(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("run", TURNSTILE, "--sut", f"model:{TURNSTILE}", "--method", "w")
    assert "Every system" not in Shell(capsys)(*words).err, "no terminal, no announcement"
    monkeypatch.setattr(sys, "stderr", _Terminal(sys.stderr))
    ended = Shell(capsys)(*words)
    assert ended.code == 0
    said = re.search(r"(\d+) tests\. Every system that passes all tests is equivalent to the model", ended.err)
    assert said is not None and f"{said[1]} tests, " in ended.out
    assert "Every system" not in Shell(capsys)(*words, "--quiet").err


def _played(model: Path, *typed: str) -> tuple[list[str], list[str]]:
    """The prompts, and what was said, to a person who types these lines and then ends the input."""
    lines: Iterator[str] = iter(typed)
    prompts: list[str] = []
    said: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    pipeline.simulate_terminal(model, ask, said.append, seed=0)
    return prompts, said


def test_inputs_are_typed_by_their_names_and_the_prompt_says_where_it_is() -> None:
    prompts, said = _played(TURNSTILE, "coin", "cion", "?", "reset", "push")
    initial = read_model(TURNSTILE).initial
    assert prompts[0].startswith(f"{initial} (") and "coin" in prompts[0] and "push" in prompts[0]
    assert not prompts[1].startswith(initial) and prompts[2] == prompts[1], "a word that is unknown changes nothing"
    assert prompts[4] == prompts[0], "reset starts again"
    assert said[1:] == ["  -> unlock", "unknown input 'cion'; did you mean 'coin'?", "  coin\n  push", "  -> beep"]


def test_the_prompt_of_a_model_with_timers_shows_a_clock() -> None:
    prompts, said = _played(
        ROOT / "examples" / "time" / "watchdog.yaml", "start", "advance 0.3", "advance 0.3", "advance"
    )
    assert [prompt.splitlines()[0] for prompt in prompts] == [
        "at 0 s: no timer runs",
        "at 0 s: calm after 500 ms in 0.5 s",
        "at 0.3 s: calm after 500 ms in 0.2 s",
        "at 0.6 s: warned after 200 ms in 0.1 s",
        "at 0.6 s: warned after 200 ms in 0.1 s",
    ]
    assert said[2:] == ["  -> send nothing", "  -> send warning", "how many seconds pass?"]


def test_values_are_typed_by_name_or_in_order(tmp_path: Path) -> None:
    model = tmp_path / "g.yaml"
    model.write_text(COVERED)
    prompts, said = _played(model, "temp=3", "4", "22", "99", "quit", "never typed")
    assert prompts[0] == "s (temp: int 0..40)> " and len(prompts) == 5
    assert [one.startswith("  -> ") for one in said[1:3]] == [True, True]
    assert "temp >= 20 covers it, but no output within its range satisfies heat == 30" in said[3]
    assert "99, which is not a value of int 0..40" in said[4]


def test_a_word_too_many_is_not_lost(tmp_path: Path) -> None:
    """`tick temp=3` is no input of a machine with values alone, although its last word would be one."""
    model = tmp_path / "g.yaml"
    model.write_text(COVERED)
    _, said = _played(model, "tick temp=3")
    assert said[1:] == ["two values of temp: 'tick' and '3'"]
