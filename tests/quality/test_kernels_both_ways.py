"""All kernels together, compiled and from their sources, give the same answers."""

import json
import os
import subprocess
import sys

import pytest
from tests.shared import ROOT


def printed(*arguments: str) -> dict[str, list[str]]:
    words = [sys.executable, "-m", "tests.oracles.all_kernels", *arguments]
    ended = subprocess.run(words, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True, timeout=600)
    answer: dict[str, list[str]] = json.loads(ended.stdout)
    return answer


def test_the_same_answers_with_and_without_a_compiler() -> None:
    slow, fast = printed("source"), printed()
    assert len(slow["kernels"]) > 30
    assert slow["uncompiled"] == slow["kernels"]
    if fast["uncompiled"]:
        pytest.skip(f"not compiled here: {fast['uncompiled']}")
    assert slow["results"] == fast["results"]
