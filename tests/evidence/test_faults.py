"""Whatever fails on the way from a suite to a verdict, wherever it fails: the exit code is right, and files are whole.

A small run with a journal meets each fault at every point there is (``sweep``). Other commands are run once to count
the points at which their fault can come, then once for each point, or for as many points as ``POINTS`` says, spread
evenly, the first and the last among them.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.evidence.conftest import Ended, Victim
from tests.evidence.sweep import EARLY

pytestmark = pytest.mark.slow
POINTS = int(os.environ.get("FULLPROOF_POINTS", "25"))
RUN = ("run", "lamp.yaml", "--sut", "model:lamp.yaml", "--method", "w", "--json", "--quiet")
FAILING = ("run", "lamp.yaml", "--sut", "model:wrong.yaml", "--method", "w", "--json", "--quiet")
SMALL = ("run", "small.json", "--method", "w", "--json", "--quiet", "--journal", "j")
KEYS = ("verdict", "tests", "steps", "guarantee")
LATE_WRITES = 10
REPORT = ("--report", "out")


def spread(count: int) -> list[int]:
    """At most ``POINTS`` of so many."""
    if count <= POINTS:
        return list(range(count))
    return sorted({round(place * (count - 1) / (POINTS - 1)) for place in range(POINTS)})


def check_files(folder: Path) -> None:
    """What is there is whole."""
    for file in (folder / "out").glob("*") if (folder / "out").exists() else ():
        text = file.read_bytes()
        if file.suffix == ".json":
            json.loads(text)
        if file.suffix == ".html":
            assert text.rstrip().endswith(b"</html>")
        if file.suffix == ".xml":
            assert text.rstrip().endswith(b">")
        assert not file.name.endswith((".tmp", ".part")), file.name


def check_states(victim: Victim, ends: list[Ended], system: str, usual: Ended, *, codes: tuple[int, ...]) -> None:
    """Whatever was left can be judged and resumed: the answer is the usual one, or one of ``codes`` and one line."""
    expected = json.loads(usual.out)
    for number in {ended.state for ended in ends} - {None}:
        left = victim.folder / "states" / str(number)
        names = {path.name for path in left.iterdir()}
        assert names <= {"j", "j-wal", "j-shm", "j-journal"}, names
        for name in ("small.json", system):
            shutil.copy(victim.folder / name, left / name)
        for words in (("judge", "j", "--json", "--quiet"), (*SMALL, "--sut", f"model:{system}", "--resume")):
            if words[0] == "judge" and "j" not in names:
                continue
            ended = victim(*words, folder=left)
            assert ended.is_clean(), (number, words, ended)
            if ended.code == usual.code:
                again = json.loads(ended.out)
                assert [again[key] for key in KEYS] == [expected[key] for key in KEYS], (number, words)
            elif words[0] == "judge":
                assert ended.code in (4, 6), (number, ended)
                assert ended.code == 4 or json.loads(ended.out)["guarantee"].startswith("No guarantee"), (number, ended)
            else:
                assert ended.code in codes, (number, ended)


@pytest.mark.requirement("JUDGE-11")
@pytest.mark.parametrize("fault", ["full disk", "bad sector"])
@pytest.mark.parametrize(("system", "code"), [("small.json", 0), ("other.json", 1)])
def test_every_write_of_a_small_run_fails(victim: Victim, fault: str, system: str, code: int) -> None:
    whole, *ends = victim.sweep(*SMALL, "--sut", f"model:{system}", fault=fault)
    assert (whole.code, len(ends), len(ends) > 50) == (code, whole.count, True)
    for ended in ends:
        # A write of a journal may be tried again by SQLite itself, and what it only syncs for safety may fail.
        assert ended.code == 4 or (ended.code == code and fault == "bad sector"), ended
        assert ended.is_clean(), ended
        # The last write is that of the answer itself: it is there as a whole, or not at all.
        assert ended.out == "" or json.loads(ended.out)["verdict"] == json.loads(whole.out)["verdict"], ended
        assert (ended.out == "") == (ended.code == 4) or ended.point >= whole.count - 2, ended
    check_states(victim, ends, system, whole, codes=(4,))


@pytest.mark.requirement("JUDGE-11")
def test_an_interrupt_at_every_point_of_a_small_run(victim: Victim) -> None:
    ends = victim.sweep(*SMALL, "--sut", "model:small.json", fault="interrupted")
    early = [ended for ended in ends if ended.point == EARLY]
    whole, *late = ends[len(early) :]
    assert (whole.code, len(late), len(late) > 400, len(early) > 100) == (0, whole.count, True, True)
    for ended in early:
        assert (ended.code, ended.out, ended.err, ended.state) == (2, "", "fullproof: interrupted\n", None), ended
    for ended in late:
        assert ended.code == 2, ended
        assert ended.is_clean(), ended
    check_states(victim, late, "small.json", whole, codes=())


@pytest.mark.parametrize("fault", ["full disk", "bad sector"])
@pytest.mark.parametrize(("words", "usual"), [(RUN, 0), (FAILING, 1)])
def test_the_nth_write_fails(victim: Victim, fault: str, words: tuple[str, ...], usual: int) -> None:
    victim.anew()
    whole = victim(*words, *REPORT, fault=fault)
    assert (whole.code, whole.count > 20) == (usual, True)
    # The last ones are those of the report: the others are a journal's, and those of a small one are all tried above.
    for point in range(whole.count - LATE_WRITES, whole.count):
        victim.anew()
        ended = victim(*words, *REPORT, fault=fault, point=point)
        # A write of a journal may be tried again by SQLite itself, and what it only syncs for safety may fail.
        assert ended.code == 4 or (ended.code == usual and fault == "bad sector"), (point, ended)
        assert ended.is_clean(), (point, ended)
        check_files(victim.folder)
        judged = victim("judge", "out/run.sqlite", "--json", "--quiet") if journal(victim).exists() else None
        if judged is not None and ended.code == 4:
            assert judged.code in (usual, 4, 6), (point, judged)
            assert judged.is_clean(), (point, judged)


def journal(victim: Victim) -> Path:
    return victim.folder / "out" / "run.sqlite"


@pytest.mark.requirement("JUDGE-11")
def test_a_suite_that_cannot_be_written_is_not_there(victim: Victim) -> None:
    words = ("generate", "lamp.yaml", "--method", "w", "-o", "suite.jsonl", "--quiet")
    suite = victim.folder / "suite.jsonl"
    whole = victim(*words, fault="full disk")
    good = suite.read_bytes()
    for point in spread(whole.count):
        suite.unlink(missing_ok=True)
        ended = victim(*words, fault="full disk", point=point)
        assert (ended.code, ended.is_clean()) == (4, True), (point, ended)
        assert not suite.exists() or suite.read_bytes() == good


@pytest.mark.requirement("JUDGE-11")
def test_the_nth_allocation_fails(victim: Victim) -> None:
    pytest.importorskip("_testcapi")
    for point in [0, 1, 10, 100, *(1000 * number for number in range(1, POINTS))]:
        victim.anew()
        ended = victim(*RUN, *REPORT, fault="no memory", point=point)
        assert is_right(ended), (point, ended)
        check_files(victim.folder)


def is_right(ended: Ended) -> bool:
    """Refused in one line; or the right answer; or an execution that is said to be an error of the system.

    Compiled code may lose the reason: NumPy and Cython report a type that does not fit where memory was short for
    reading it. That is reported as a bug, with the place, and there is no verdict.
    """
    if ended.code == 4:
        return ended.is_clean()
    if ended.code == 3:
        last = [line for line in ended.err.splitlines() if line.startswith("  File ")][-1]
        return ended.out == "" and ("site-packages" in last or "/kernels/" in last)
    if ended.code == 1:
        return json.loads(ended.out)["errors"] > 0
    return ended.code == 0 and json.loads(ended.out)["verdict"] == "pass"


def test_an_interrupt_anywhere_in_a_run_with_a_report(victim: Victim) -> None:
    victim.anew()
    whole = victim(*RUN, *REPORT, fault="interrupted")
    assert (whole.code, whole.count > 500) == (0, True)
    usual = json.loads(whole.out)
    for point in spread(whole.count)[1::2]:
        victim.anew()
        ended = victim(*RUN, *REPORT, fault="interrupted", point=point)
        # Not every run makes the same number of calls: the last points may lie behind its end.
        assert ended.code == 2 or (ended.code == 0 and ended.count <= point), (point, ended)
        assert ended.is_clean(), (point, ended)
        check_files(victim.folder)
        resumed = victim(*RUN, *REPORT, "--resume")
        assert resumed.code == 0, (point, resumed)
        again = json.loads(resumed.out)
        assert [again[key] for key in ("verdict", "tests", "steps", "guarantee")] == [
            usual[key] for key in ("verdict", "tests", "steps", "guarantee")
        ]


SYSTEM = """
class Lamp:
    def reset(self): self.bright = False
    def step(self, symbol):
        self.bright ^= symbol == "press"
        return "on" if self.bright else "off"
"""


def limited(folder: Path, *words: str, **limits: int) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))

    command = [sys.executable, "-m", "fullproof", *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, preexec_fn=limit, check=False
    )


def is_said(done: subprocess.CompletedProcess[str]) -> bool:
    return "Traceback" not in done.stderr and "fullproof: " in done.stderr


@pytest.mark.parametrize("files", [6, 8, 10, 12, 16, 64])
def test_too_few_files(victim: Victim, files: int) -> None:
    (victim.folder / "lamp.py").write_text(SYSTEM)
    words = ("run", "lamp.yaml", "--method", "w", "--json", "--report", f"few-{files}")
    for system in ("python:lamp.py:Lamp", f"exec:{sys.executable} -m fullproof simulate lamp.yaml"):
        done = limited(victim.folder, *words, "--sut", system, NOFILE=files)
        if done.returncode == 4:
            assert is_said(done), done.stderr
        else:
            answer = json.loads(done.stdout)
            assert (done.returncode == 0) == (answer["verdict"] == "pass"), done
            assert done.returncode in (0, 1) and (done.returncode == 0 or answer["errors"]), done


@pytest.mark.parametrize("mebibytes", [220, 300, 2000])
def test_too_little_memory(victim: Victim, mebibytes: int) -> None:
    """Below about 200 MiB of addresses OpenBLAS, which comes with numpy, ends the process by itself."""
    (victim.folder / "lamp.py").write_text(SYSTEM)
    words = ("run", "lamp.yaml", "--sut", "python:lamp.py:Lamp", "--method", "w", "--json")
    done = limited(victim.folder, *words, AS=mebibytes << 20)
    assert done.returncode in (0, 4), done
    assert done.returncode == 0 or is_said(done), done.stderr


CLOSED = {
    "check": ("check", "lamp.yaml"),
    "help": ("--help",),
    "help of a command": ("run", "--help"),
    "a failing run": ("run", "lamp.yaml", "--sut", "model:wrong.yaml", "--method", "w"),
    "as JSON": ("run", "lamp.yaml", "--sut", "model:wrong.yaml", "--method", "w", "--json"),
    "a suite": ("generate", "lamp.yaml", "--method", "w", "-o", "-"),
    "a comparison that says no": ("compare", "lamp.yaml", "wrong.yaml"),
}


@pytest.mark.requirement("JUDGE-11")
@pytest.mark.parametrize("case", CLOSED)
def test_a_closed_pipe_is_no_answer(victim: Victim, case: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "fullproof", *CLOSED[case]]
    done = subprocess.run(command, cwd=victim.folder, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert done.returncode in (2, 4), done
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


LATE = """
import atexit, sys, time
sys.argv = ["fullproof", "check", "lamp.yaml", "--json"]
atexit.register(time.sleep, 300)
from fullproof.cli import main
main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_after_the_answer_is_an_interruption(victim: Victim, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", LATE], cwd=victim.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["name"] == "lamp"
    time.sleep(0.5)
    process.send_signal(number)
    _, err = process.communicate(timeout=120)
    assert (process.returncode, "Traceback" in err) == (2, False), err
