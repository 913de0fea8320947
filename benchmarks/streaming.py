"""Suites written to disk by the command line: seconds and peak memory as the suite grows, memory stays the same."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "models"
FULLPROOF = str(Path(sys.executable).parent / "fullproof")
CASES = (
    ("random/rnd_n300_p10_q10_s1.dot", "w", 0),
    ("random/rnd_n300_p10_q10_s1.dot", "w", 1),
    ("random/rnd_n300_p10_q10_s1.dot", "w", 2),
    ("random/rnd_n1000_p20_q20_s1.dot", "w", 2),
    ("industrial/esm.fsm", "hsi", 0),
)


def main() -> None:
    """Print one line for each case."""
    if not SHARED.is_dir():
        print("skipped: the published machines (../shared/models) are not here")
        return
    print(
        f"{'model':<28}{'method':>7}{'extra':>6}{'tests':>12}{'inputs':>13}{'seconds':>9}{'peak MB':>9}{'file MB':>9}"
    )
    for name, method, extra in CASES:
        with tempfile.TemporaryDirectory() as folder:
            suite = Path(folder) / "suite.jsonl"
            begin = time.perf_counter()
            peak = written(SHARED / name, method, extra, suite)
            seconds = time.perf_counter() - begin
            tests, inputs = counted(suite)
            size = suite.stat().st_size / 1e6
        row = f"{Path(name).stem:<28}{method:>7}{extra:>6}{tests:>12,}{inputs:>13,}"
        print(f"{row}{seconds:>9.1f}{peak:>9.0f}{size:>9.0f}", flush=True)


def written(model: Path, method: str, extra: int, suite: Path) -> float:
    """Let the command write the suite; the peak memory of its process in megabytes."""
    words = [
        FULLPROOF,
        "generate",
        str(model),
        "--method",
        method,
        "--extra-states",
        str(extra),
        "-o",
        str(suite),
        "-q",
    ]
    process = os.posix_spawn(words[0], words, os.environ)
    _, status, usage = os.wait4(process, 0)
    assert status == 0
    return usage.ru_maxrss / 1024


def counted(suite: Path) -> tuple[int, int]:
    """Tests and inputs, from the file itself."""
    tests = inputs = 0
    with suite.open("rb") as lines:
        next(lines)
        for line in lines:
            tests += 1
            inputs += line[line.index(b"[") : line.index(b"]")].count(b",") + 1
    return tests, inputs


if __name__ == "__main__":
    main()
