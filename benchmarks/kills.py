"""kill -9 at random moments of a run, again and again: the resumed result must be that of an uninterrupted run."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KILLS = 200
MODEL = """
machine: fsm
name: door
initial: shut
states:
  shut: [{when: push, then: moves, to: open}, {when: look, then: shut, to: shut}]
  open: [{when: push, then: moves, to: shut}, {when: look, then: open, to: open}]
"""
SYSTEM = """
import time
class Door:
    def reset(self): self.open = False; self.n = 0
    def step(self, symbol):
        time.sleep(PAUSE); self.n += 1
        if self.n == 9 and self.open: raise RuntimeError("jammed")
        if symbol == "push": self.open = not self.open; return "moves"
        return "open" if self.open else "shut"
"""


def main(kills: int = KILLS) -> None:
    """Print how many runs were resumed, how often a run was killed, and whether any result differed."""
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "door.yaml").write_text(MODEL)
        options = ["--method", "w", "--extra-states", "6"]
        expected = _answer(folder, 0.0, options, folder / "whole")
        killed = runs = 0
        while killed < kills:
            journal = folder / f"run-{runs}"
            runs += 1
            for _ in range(dice.randint(3, 10)):
                if killed < kills and _killed(folder, options, journal, dice.uniform(0.15, 1.2)):
                    killed += 1
            found = _answer(folder, 0.0002, options, journal)
            if found != expected:
                print(f"run {runs} differs after a kill")
                sys.exit(1)
        print(f"{killed} kills in {runs} runs: every resumed result equals the uninterrupted one")


def _command(folder: Path, pause: float, options: list[str], journal: Path) -> list[str]:
    # The same path every time: a journal is about one system.
    (folder / "door.py").write_text(SYSTEM.replace("PAUSE", str(pause)))
    sut = f"python:{folder / 'door.py'}:Door"
    program = [sys.executable, "-m", "fullproof", "run", str(folder / "door.yaml"), "--sut", sut, "--json"]
    return [*program, *options, "--journal", str(journal), "--resume"]


def _killed(folder: Path, options: list[str], journal: Path, after: float) -> bool:
    command = _command(folder, 0.0002, options, journal)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(after)
    if process.poll() is not None:
        return False
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    return True


def _answer(folder: Path, pause: float, options: list[str], journal: Path) -> dict[str, object]:
    done = subprocess.run(_command(folder, pause, options, journal), capture_output=True, text=True, check=False)
    fields = json.loads(done.stdout)
    return {name: value for name, value in fields.items() if name != "seconds"}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else KILLS)
