"""A program killed while it writes leaves the old file or the new one."""

import hashlib
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.shared import ROOT

MODEL = ROOT / "src/fullproof/cli/demo_data/model.yaml"


def generate(target: Path, extra_states: int) -> list[str]:
    program = "from fullproof.cli import main; main()"
    words = ["generate", str(MODEL), "--method", "w", "--extra-states", str(extra_states), "-o", str(target), "--quiet"]
    return [sys.executable, "-c", program, *words]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_kill_while_a_suite_is_written(tmp_path: Path) -> None:
    target = tmp_path / "suite.jsonl"
    subprocess.run(generate(target, 4), check=True)
    new = digest(target)
    subprocess.run(generate(target, 0), check=True)
    old = digest(target)
    rng = random.Random(1)
    killed, whole = 0, 60.0
    while killed < 10:
        process, begin = subprocess.Popen(generate(target, 4)), time.perf_counter()
        try:
            process.wait(whole * rng.uniform(0.4, 0.98))
            whole = time.perf_counter() - begin  # how long it takes depends on what else the machine does
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        assert digest(target) in (old, new)
