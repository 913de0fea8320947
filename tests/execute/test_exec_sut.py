import sys
from pathlib import Path

import pytest
from tests.execute.lamp import LAMP, SYSTEMS, outputs, run, word
from tests.processes import eventually, is_alive

from fullproof.artefacts.suite import make_test
from fullproof.core.errors import UserError
from fullproof.execute import Enabled, Options, execute
from fullproof.execute.adapters import exec_sut
from fullproof.kinds.systems import open_sut

PROC = Path("/proc/self")
QUICK = Options(step_timeout=1.0)
PROCESS = f"exec:{sys.executable} -S {SYSTEMS / 'lamp_process.py'}"


def test_a_process_answers_and_forgets_at_each_reset():
    first, second = run(PROCESS, "ppl", "plp")
    assert outputs(first) == ["on", "off", "off"]
    assert outputs(second) == ["on", "on", "off"]
    assert first.error is second.error is None


@pytest.mark.parametrize(
    ("fault", "reason", "evidence"),
    [
        ("crash", "died: exit status 3", "the bulb is broken"),
        ("segfault", "died: killed by SIGSEGV", ""),
        ("hang", "no answer within 1 s", ""),
        ("babble", "unexpected output: answered 'DEBUG: pressing', expected {\"output\": ...}; diagnostics belong", ""),
        ("flood", "unexpected output: more than 1048576 bytes without an end of line", ""),
        ("half", "died: exit status 0", ""),
        ("bytes", "unexpected output: answered", ""),
        ("deaf", "ended its output, but the process is still there", ""),
        ("grandchild", "no answer within 1 s", ""),
        ("number", "answered 1 (int), expected an output symbol", ""),
        ("nothing", 'to an input, expected {"output": ...}', ""),
        ("list", "unexpected output: answered", ""),
        ("error", "answered with an error: 'no such lamp'", ""),
    ],
)
def test_a_process_that_breaks_ends_its_test_and_the_next_runs_on_a_fresh_one(fault, reason, evidence):
    broken, good = run(f"{PROCESS} {fault}", "plpl", "pl", options=QUICK)
    assert reason in broken.error
    assert outputs(broken) == ["on", "on"]
    assert evidence in broken.evidence
    assert good.error is None
    assert outputs(good) == ["on", "on"]


@pytest.mark.parametrize("word", ["plplpl", "ppp"])
def test_an_answer_too_many_is_noticed_at_the_latest_at_the_next_reset(word):
    first, second = run(f"{PROCESS} twice", word, "p", options=QUICK)
    reason = first.error or second.error
    assert "without being asked" in reason or "to a reset, expected" in reason


@pytest.mark.parametrize(("fault", "reason"), [("unready", 'expected {"ready": true}'), ("mute", "no answer within")])
def test_a_reset_that_is_not_answered_is_an_error(fault, reason, monkeypatch):
    monkeypatch.setattr(exec_sut, "STARTING", 0.3)
    for trace in run(f"{PROCESS} {fault}", "p", "p", options=Options(step_timeout=0.3)):
        assert trace.error.startswith("reset: ")
        assert reason in trace.error


def test_noise_on_standard_error_neither_blocks_nor_is_kept_whole():
    (trace,) = run(f"{PROCESS} stderr", "pppp", options=Options(step_timeout=5))
    assert outputs(trace) == ["on", "off", "on", "off"]


def test_the_end_of_standard_error_is_the_evidence(tmp_path):
    script = tmp_path / "dying.py"
    script.write_text("import sys\nsys.stderr.write('x' * 200000 + 'the last words')\nsys.exit(1)\n")
    (trace,) = run(f"exec:{sys.executable} -S {script}", "p")
    assert trace.error == "reset: died: exit status 1"
    assert trace.evidence.endswith("the last words")
    assert len(trace.evidence) <= 4000


def test_a_process_that_ends_at_once_is_an_error_of_every_test():
    traces = run("exec:true", "p", "p", "p")
    assert [t.error for t in traces] == ["reset: died: exit status 0"] * 3


def test_grey_boxes_tell_what_is_enabled():
    sut = open_sut(f"{PROCESS} grey", LAMP, step_timeout=5)
    (trace,) = execute(sut, [word("lpp")], options=Options(enabled=Enabled.REQUIRED))
    sut.close()
    assert outputs(trace) == ["off", "on"]
    assert trace.enabled_at_end == {"look"}


@pytest.mark.skipif(not PROC.is_dir(), reason="looks at processes by /proc")
def test_closing_ends_the_process_and_its_children(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(
        "import json, signal, subprocess, sys, os\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(60)'])\n"
        "for line in sys.stdin:\n"
        "    reply = {'ready': True} if 'reset' in line else {'output': f'{os.getpid()} {child.pid}'}\n"
        "    print(json.dumps(reply), flush=True)\n"
        "while True: pass\n"  # does not end when its input does
    )
    sut = open_sut(f"exec:{sys.executable} -S {script}", LAMP, step_timeout=5)
    (trace,) = execute(sut, [word("p")])
    pids = [int(pid) for pid in outputs(trace)[0].split()]
    assert all(is_alive(pid) for pid in pids)
    sut.close()
    sut.close()
    assert eventually(lambda: not any(is_alive(pid) for pid in pids))


@pytest.mark.skipif(not PROC.is_dir(), reason="looks at descriptors by /proc")
def test_no_descriptors_are_left_behind():
    run(f"{PROCESS} crash", "ppp")
    before = len(list((PROC / "fd").iterdir()))
    run(f"{PROCESS} crash", *["ppp"] * 5)
    assert len(list((PROC / "fd").iterdir())) == before


def test_symbols_of_any_kind_travel():
    sut = open_sut(PROCESS, LAMP, step_timeout=5)
    (trace,) = execute(sut, [make_test(["grün", 'a"b\n', "\U0001f4a1"])])
    sut.close()
    assert outputs(trace) == ["off"] * 3


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("exec:", "needs a command line"),
        ("exec:no-such-command --json", "cannot start 'no-such-command': No such file"),
        ("exec:'unbalanced", "No closing quotation"),
        (f"exec:{SYSTEMS}", "cannot start .*Permission denied"),
    ],
)
def test_a_process_that_cannot_start_is_the_users_error(spec, message):
    with pytest.raises(UserError, match=message):
        open_sut(spec, LAMP)


def test_a_process_that_knows_no_reset_is_started_anew_for_every_test(tmp_path: Path) -> None:
    (tmp_path / "once.py").write_text(
        "import json, sys\n"
        "on = False\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if 'input' not in message: sys.exit('what?')\n"
        "    on = on != (message['input'] == 'press')\n"
        "    print(json.dumps({'output': 'on' if on else 'off'}), flush=True)\n"
    )
    first, second, third = run(f"restart:{sys.executable} -S {tmp_path / 'once.py'}", "ppp", "plp", "l")
    assert outputs(first) == ["on", "off", "on"]
    assert outputs(second) == ["on", "on", "off"]
    assert outputs(third) == ["off"]
    assert first.error is second.error is third.error is None


@pytest.mark.parametrize("spec", ["exec", "restart"])
def test_a_start_is_no_step(spec, tmp_path):
    """A process that starts slowly, the first one as well as those after a crash, answers its steps in time."""
    script = tmp_path / "slow.py"
    script.write_text(
        "import json, os, sys, time\n"
        "time.sleep(1.5)\n"
        "for line in sys.stdin:\n"
        "    if 'reset' in line: print(json.dumps({'ready': True}), flush=True); continue\n"
        "    if 'look' in line: os.abort()\n"
        "    print(json.dumps({'output': 'on'}), flush=True)\n"
    )
    traces = run(f"{spec}:{sys.executable} -S {script}", "pl", "pp", options=Options(step_timeout=0.75))
    assert [trace.error for trace in traces] == ["died: killed by SIGABRT", None]
    assert [outputs(trace) for trace in traces] == [["on"], ["on", "on"]]
