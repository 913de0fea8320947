"""One command runs benchmarks: all of them, or one with arguments."""

import subprocess
import sys

from tests.shared import ROOT


def bench(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_a_benchmark_gets_the_words_behind_its_name() -> None:
    done = bench("regions", "2")
    assert done.returncode == 0, done.stderr
    rows = [line.split("|")[1].strip() for line in done.stdout.splitlines() if line.startswith("| ")]
    assert rows == ["regions of 5 states", "2"]


def test_names_that_are_unknown_are_one_line() -> None:
    done = bench("nothing")
    assert done.returncode == 4
    assert done.stderr.startswith("no benchmark is called nothing; there are attack, ")
    assert done.stderr.count("\n") == 1


def test_a_benchmark_that_ends_badly_is_named() -> None:
    done = bench("regions", "many")
    assert done.returncode == 1
    assert done.stderr.endswith("failed: regions\n")
