"""Whole runs against systems that crash, hang, flood or talk nonsense now and then: each costs the tests it spoils.

The other tests keep their verdicts, and memory stays bounded.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-m", "fullproof"]
MODEL = """
machine: fsm
name: door
initial: shut
states:
  shut:
    - {when: push, then: moves, to: open}
    - {when: look, then: shut, to: shut}
  open:
    - {when: push, then: moves, to: shut}
    - {when: look, then: open, to: open}
"""
PYTHON = """
import os, sys, time
TESTS = 0
class Door:
    def reset(self):
        global TESTS
        TESTS += 1
        self.open = False
        self.bad = TESTS % {every} == 0
    def step(self, symbol):
        if self.bad:
            {fault}
        if symbol == "push": self.open = not self.open; return "moves"
        return "open" if self.open else "shut"
"""
LINES = """
import json, os, sys, time
# The number of tests outlives the process.
def count():
    with open("count", "a+") as file:
        file.write("x"); file.flush()
        return file.tell()
opened = bad = False
for line in sys.stdin:
    message = json.loads(line)
    if "reset" in message:
        opened, bad, answer = False, count() % {every} == 0, {{"ready": True}}
    else:
        if bad:
            {fault}
        if message["input"] == "push": opened, answer = not opened, {{"output": "moves"}}
        else: answer = {{"output": "open" if opened else "shut"}}
    print(json.dumps(answer), flush=True)
"""
FAULTS = {
    ("python", "crashes"): ("raise SystemExit(3)", 50),
    ("python", "hangs"): ("time.sleep(60)", 200),
    ("python", "floods"): ("print('x' * 20_000_000); raise RuntimeError('y' * 5_000_000)", 100),
    ("python", "wrong type"): ("return {{'open': 1}}", 50),
    ("exec", "crashes"): ("os.abort()", 50),
    ("exec", "hangs"): ("time.sleep(60)", 200),
    ("exec", "floods"): ("[sys.stdout.write('x' * 1_000_000) for _ in range(100)]", 200),
    ("exec", "floods lines"): ("[print('{{}}') for _ in range(100_000)]", 200),
    ("exec", "floods standard error"): ("[sys.stderr.write('x' * 1_000_000) for _ in range(30)]; os.abort()", 200),
    ("exec", "wrong type"): ("print(json.dumps({{'output': [1]}}), flush=True); continue", 50),
    ("exec", "no JSON"): ("print('moves', flush=True); continue", 50),
}  # fmt: skip


LAUNCH = """
import resource, subprocess, sys
with open("out", "w") as out, open("err", "w") as err:
    code = subprocess.call(sys.argv[1:], stdout=out, stderr=err)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""
"""A small process between: the largest size of a process begins with that of the one that has started it."""
TWICE = [(*key, 2) for key in FAULTS if key[1] in ("crashes", "hangs")]


@pytest.mark.parametrize(("kind", "name", "jobs"), [(*key, 1) for key in FAULTS] + TWICE)
def test_a_bad_test_costs_one_test(kind: str, name: str, jobs: int, tmp_path: Path) -> None:
    fault, every = FAULTS[kind, name]
    template, sut = {
        "python": (PYTHON, "python:door.py:Door"),
        "exec": (LINES, f"exec:{sys.executable} door.py"),
    }[kind]
    (tmp_path / "door.yaml").write_text(MODEL)
    (tmp_path / "door.py").write_text(template.format(fault=fault.replace("{{", "{").replace("}}", "}"), every=every))
    words = ["run", "door.yaml", "--sut", sut, "--method", "w", "--extra-states", "8", "--step-timeout", "1"]
    command = [*PROGRAM, *words, "--jobs", str(jobs), "--report", "report", "--json"]
    ended = subprocess.run([sys.executable, "-c", LAUNCH, *command], cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 1
    answer, kilobytes = json.loads((tmp_path / "out").read_text()), int(ended.stdout)
    assert answer["tests"] > 400
    spoilt = answer["tests"] // every
    # Each instance counts its own tests.
    assert spoilt // jobs <= answer["errors"] <= spoilt, answer["errors"]
    assert (answer["errors"] + answer["passed"], answer["failed"], answer["verdict"]) == (answer["tests"], 0, "error")
    assert all(failure["reason"] for failure in answer["failures"])
    assert (tmp_path / "report" / "report.html").stat().st_size < 20_000_000
    assert kilobytes < 250_000
