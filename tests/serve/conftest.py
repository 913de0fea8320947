from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.serve.bench import Bench, workbench
from tests.shared import REFERENCE

SLOW = """
import time
class Slow:
    def reset(self): time.sleep(0.1)
    def step(self, symbol): return "unlock"
class Deadly(Slow):
    def step(self, symbol): import os; os.kill(os.getpid(), 9)
"""
TURNSTILE = """
class Turnstile:
    def reset(self): self.open = False
    def step(self, symbol):
        if symbol == "coin":
            said, self.open = ("thanks" if self.open else "unlock"), True
        else:
            said, self.open = ("lock" if self.open else "alarm"), False
        return said
"""


@pytest.fixture(scope="package")
def systems(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("systems")
    (folder / "slow.py").write_text(SLOW)
    (folder / "turnstile.py").write_text(TURNSTILE)
    return folder


@pytest.fixture(scope="package")
def bench(systems: Path) -> Iterator[Bench]:
    given = (
        "--sut",
        "good=python:turnstile.py:Turnstile",
        "--sut",
        "slow=python:slow.py:Slow",
        "--sut",
        "deadly=python:slow.py:Deadly",
        "--sut",
        f"brake=model:{REFERENCE / 'brake' / 'ibrake1.yaml'}",
    )
    with workbench(*given, "--seconds", 20, "--memory", 1024, folder=systems) as running:
        yield running
