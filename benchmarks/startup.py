"""Wall time of small commands, imports included: the version within 150 ms, a small check within 700 ms."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "tests" / "data" / "reference"
FULLPROOF = str(Path(sys.executable).parent / "fullproof")
REPEATS = 7

COMMANDS = {
    "--version": (["--version"], 0.150),
    "check BRAKE (sfsm)": (["check", str(REFERENCE / "brake/brake.yaml")], 0.700),
    "check card reader (fsm)": (["check", str(REFERENCE / "card-reader/card-reader.yaml")], 0.700),
    "check BRP (sts)": (["check", str(REFERENCE / "brp/brp.yaml")], 0.700),
    "check figure 1 (statemachine)": (["check", str(REFERENCE / "state-machine/figure1.yaml")], 0.700),
}


def main() -> None:
    """Print the median of several runs beside its limit."""
    print(f"{'command':<32} {'median':>9} {'worst':>9} {'limit':>9}")
    for name, (arguments, limit) in COMMANDS.items():
        times = [seconds(arguments) for _ in range(REPEATS)]
        print(f"{name:<32} {statistics.median(times):8.3f}s {max(times):8.3f}s {limit:8.3f}s")


def seconds(arguments: list[str]) -> float:
    """How long one process takes from start to end."""
    begin = time.perf_counter()
    subprocess.run([FULLPROOF, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
