"""A Python system in a process of its own: whatever it does there costs one test, and nothing that was seen is lost."""

import dataclasses
import os
import signal
import subprocess
import sys
import time
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from tests.execute.lamp import LAMP, outputs, word
from tests.processes import PATIENCE, descendants, eventually, is_alive, state
from tests.shared import REFERENCE

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.execute import Options
from fullproof.execute.crew import Crew
from fullproof.execute.parallel import execute_in_parallel
from fullproof.execute.runner import Enabled
from fullproof.execute.sweep import Expected
from fullproof.kinds.systems import open_sut
from fullproof.pipeline import run_suite

SYSTEMS = Path(__file__).parent / "systems" / "hanging.py"
WORDS = ["".join(letters) for length in range(1, 5) for letters in product("pl", repeat=length)]
LIMIT = 0.6
LAMP_YAML = """machine: fsm
name: lamp
initial: dark
states:
  dark:
    - {when: press, then: 'on', to: bright}
    - {when: look, then: 'off', to: dark}
  bright:
    - {when: press, then: 'off', to: dark}
    - {when: look, then: 'on', to: bright}
"""


def spec(name: str) -> str:
    return f"python:{SYSTEMS}:{name}"


def crew(name: str, **options: object) -> Crew:
    return Crew(
        open=partial(open_sut, spec(name), LAMP, step_timeout=LIMIT),
        sut=spec(name),
        options=Options(step_timeout=LIMIT, **options),
    )


def is_deadly(text: str) -> bool:
    return len(text) > 2 and text[:3].count("p") % 2 == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("HoldsInterpreter", "no answer within 0.6 s"),
        ("HangsInC", "no answer within 0.6 s"),
        ("Explodes", "no answer within 0.6 s"),
        ("Swallows", "no answer within 0.6 s"),
        ("Waits", "no answer within 0.6 s"),
        ("Crashes", "died: killed by SIGSEGV"),
        ("Leaves", "died: exit status 0"),
    ],
)
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_it_costs_one_test_and_the_steps_before_it_are_known(name: str, reason: str, jobs: int) -> None:
    words = [*[text for text in WORDS if not is_deadly(text)][:9], "lpl", "pl", "pp"]
    traces = list(execute_in_parallel(crew(name), map(word, words), jobs=jobs))
    assert [trace.number for trace in traces] == list(range(1, len(words) + 1))
    for text, trace in zip(words, traces, strict=True):
        assert isinstance(trace, Execution)
        assert trace.error == (reason if text == "lpl" else None)
        good = ["on" if text[: place + 1].count("p") % 2 else "off" for place in range(len(text))]
        assert outputs(trace) == (good[:2] if text == "lpl" else good)
    if name in ("HoldsInterpreter", "HangsInC", "Swallows"):
        assert "hanging.py" in next(trace.evidence for trace in traces if trace.error), "where it hung"


def test_a_grey_box_is_known_by_what_it_offered() -> None:
    options = Options(step_timeout=LIMIT, enabled=Enabled.REQUIRED)
    asked = dataclasses.replace(crew("HoldsInterpreter"), options=options)
    good, bad = execute_in_parallel(asked, map(word, ["lp", "lpl"]), jobs=1)
    assert (good.error, good.enabled_at_end) == (None, frozenset({"press", "look"}))
    assert bad.error == "no answer within 0.6 s"
    assert [(step.output, step.enabled) for step in bad.steps] == [
        ("off", frozenset({"press", "look"})),
        ("on", frozenset({"press", "look"})),
    ]


def test_prefixes_are_shared_there() -> None:
    words = sorted(["ppl", "ppp", "lll", "lpl"])
    traces = list(execute_in_parallel(crew("HoldsInterpreter", share=True), map(word, words), jobs=1))
    assert [trace.error for trace in traces] == [
        "no answer within 0.6 s" if is_deadly(text) else None for text in words
    ]


def test_a_reset_that_hangs_is_said_to_be_one() -> None:
    traces = list(execute_in_parallel(crew("HangsInReset"), map(word, ["pl", "lp", "pp"]), jobs=1))
    assert [trace.error for trace in traces] == [None, "reset: no answer within 0.6 s", None]


def test_a_constructor_that_hangs_is_the_users_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullproof.execute.crew.OPENING", 1.0)
    with pytest.raises(UserError, match=r"a process for the system: no answer within 0\.6 s, before its first test"):
        list(execute_in_parallel(crew("NeverMade"), map(word, ["p"]), jobs=1))


@pytest.mark.parametrize(("name", "forgiven"), [("SIGSEGV", False), ("SIGKILL", True)])
def test_a_crash_is_not_forgotten_because_it_does_not_come_again(
    name: str, forgiven: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where anybody may have killed the process is a test repeated."""
    monkeypatch.setenv("LAMP_MARK", str(tmp_path / "mark"))
    monkeypatch.setenv("LAMP_SIGNAL", name)
    traces = list(execute_in_parallel(crew("CrashesOnce"), map(word, WORDS), jobs=1))
    first = next(text for text in WORDS if is_deadly(text))
    assert {text: t.error for text, t in zip(WORDS, traces, strict=True) if t.error} == (
        {} if forgiven else {first: f"died: killed by {name}"}
    )


def test_what_went_as_expected_is_counted_there(tmp_path: Path) -> None:
    answers = [{"press": ("on", 1, 0), "look": ("off", 0, 1)}, {"press": ("off", 0, 2), "look": ("on", 1, 3)}]
    words = ["pp", "ll", "pl", "lp", "lpl", "pp", "ppl"]
    swept = dataclasses.replace(crew("HoldsInterpreter"), answers=answers, traced=1)
    seen = list(execute_in_parallel(swept, map(word, words), jobs=1))
    expected = [one for one in seen if isinstance(one, Expected)]
    traces = [one for one in seen if isinstance(one, Execution)]
    assert sum(one.tests for one in expected) == 5
    assert sum(one.steps for one in expected) == 2 + 2 + 2 + 2 + 3
    assert frozenset().union(*(one.taken for one in expected)) == frozenset(range(4))
    assert [(trace.number, trace.error, outputs(trace)) for trace in traces] == [
        (1, None, ["on", "off"]),
        (5, "no answer within 0.6 s", ["off", "on"]),
    ]


def request(system: str, **options: object) -> RunRequest:
    return RunRequest(suite=SuiteRequest(), sut=spec(system), step_timeout=LIMIT, **options)


def test_a_run_goes_on_with_a_fresh_system_for_every_kind_of_model(tmp_path: Path) -> None:
    texts = {
        "Lamp": LAMP_YAML,
        "Level": "machine: sfsm\nname: level\ninputs: {x: int 0..20}\noutputs: {y: int}\ninitial: s\nstates:\n  s:\n"
        "    - {when: x == 7, then: y == 14, to: s}\n    - {when: x != 7, then: y == 2 * x, to: s}\n",
        "Gate": "machine: statemachine\nname: gate\nsignals: {in: [open, close], out: []}\n"
        "outputs: {y: int = 1}\ninitial: s\nstates:\n  s:\n"
        "    - {trigger: open, do: [y = 1], to: s}\n    - {trigger: close, do: [y = 1], to: s}\n",
    }
    for name, text in texts.items():
        model = tmp_path / f"{name}.yaml"
        model.write_text(text)
        result = run_suite(model, request(name if name != "Lamp" else "HoldsInterpreter"), progress=unheard)
        result = result.record.result
        if name != "Lamp":  # its few tests need not run into the fault
            assert (result.verdict, result.errors > 0) == (Verdict.ERROR, True), name
            assert {failure.reason for failure in result.failures} == {"no answer within 0.6 s"}


def test_a_system_of_an_sts_that_hangs_costs_one_test() -> None:
    model = REFERENCE / "sts-example" / "example.yaml"
    wanted = dataclasses.replace(request("Switch", silence=0.1, repeat=3, retries=0), suite=SuiteRequest(method="tour"))
    result = run_suite(model, wanted, progress=unheard).record.result
    assert (result.verdict, result.resets) == (Verdict.ERROR, 3)
    assert {failure.reason for failure in result.failures} == {"no answer within 0.6 s"}


def test_instances_of_an_sts_may_be_several() -> None:
    model = REFERENCE / "sts-example" / "example.yaml"
    counter = f"python:{SYSTEMS.parent / 'counters.py'}:Counter"
    wanted = RunRequest(suite=SuiteRequest(seed=3), sut=counter, silence=0.15, repeat=2, jobs=2)
    assert run_suite(model, wanted, progress=unheard).record.result.verdict is Verdict.PASS


def test_it_is_the_default_where_a_limit_could_not_be_kept_otherwise() -> None:
    wanted = RunRequest(suite=SuiteRequest(), sut="python:lamp.py:Lamp")
    assert wanted.isolated
    assert not dataclasses.replace(wanted, isolate=False).isolated
    assert not dataclasses.replace(wanted, step_timeout=None).isolated
    assert not dataclasses.replace(wanted, sut="exec:./lamp", isolate=True).isolated
    assert not dataclasses.replace(wanted, sut="python:fullproof.cli.demo_data.controller:Controller").isolated


EXEC = f'exec:{sys.executable} -c \'import time; input(); print("{{\\"ready\\": true}}", flush=True); time.sleep(99)\''


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize(
    "words",
    [
        ("--sut", spec("HoldsInterpreter")),
        pytest.param(("--sut", spec("HoldsInterpreter"), "--jobs", "2"), marks=pytest.mark.slow),
        ("--sut", EXEC),
        pytest.param(("--sut", EXEC, "--jobs", "2"), marks=pytest.mark.slow),
    ],
)
def test_it_dies_with_us_and_can_be_interrupted(tmp_path: Path, words: tuple[str, ...], way: signal.Signals) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux ends processes whose interpreter is held")
    (tmp_path / "lamp.yaml").write_text(LAMP_YAML)
    (tmp_path / "suite.jsonl").write_text(
        '{"fullproof": "suite/1", "model": "lamp", "model_sha256": "", "kind": "fsm", "relation": "equivalence",'
        ' "method": "w", "extra_states": 0, "tool": "0", "guarantee": ""}\n'
        '{"id": "a", "inputs": ["look", "press", "look"], "covers": []}\n'
    )
    command = [sys.executable, "-m", "fullproof", "run", "lamp.yaml", "--suite", "suite.jsonl", *words]
    process = subprocess.Popen(
        [*command, "--step-timeout", "100"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )

    def is_under_way() -> bool:
        """Whether all that was started sleeps, and so is past its start."""
        started = descendants(process.pid)
        return process.poll() is not None or (bool(started) and all(state(pid) in ("S", "Z", "") for pid in started))

    assert eventually(is_under_way)
    time.sleep(1.0)  # whenever the signal comes, the end is the same: mostly it is to come in the middle of a step
    started = descendants(process.pid)
    assert started, process.communicate()
    os.kill(process.pid, way)
    out, err = process.communicate(timeout=PATIENCE)
    if way is signal.SIGINT:
        # An interrupted run says what it saw, which is nothing here.
        assert (process.returncode, out[:22]) == (2, "INCONCLUSIVE  0 tests,") and "interrupted" in err
    assert eventually(lambda: not any(map(is_alive, started)))


REFUSING = """
import atexit, builtins, os, sys
atexit.register(lambda: os._exit(0))
class Lamp:
    def reset(self): {patch}
    def step(self, symbol): return "never"
"""
NO_WAY_OUT = "sys.exit = os._exit = lambda *_: None"


@pytest.mark.parametrize(
    ("option", "patch"),
    [
        *((option, patch) for option in ("--isolate", "--no-isolate") for patch in ("pass", NO_WAY_OUT)),
        # In our own process a system may take away functions that we need.
        ("--isolate", "builtins.print = builtins.len = None"),
    ],
)
def test_a_system_cannot_change_the_exit_code(tmp_path: Path, patch: str, option: str) -> None:
    (tmp_path / "lamp.yaml").write_text(LAMP_YAML)
    (tmp_path / "lamp.py").write_text(REFUSING.format(patch=patch))
    command = [sys.executable, "-m", "fullproof", "run", "lamp.yaml", "--sut", "python:lamp.py:Lamp", option]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith(("FAIL", "ERROR"))
