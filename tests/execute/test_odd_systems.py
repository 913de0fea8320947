"""Systems whose very attributes misbehave: an error of the system or of the user, never one of ours."""

from itertools import product
from pathlib import Path

import pytest
from tests.execute.test_isolation import LAMP_YAML

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.pipeline import RunRequest, run_suite

ODD = """
class Lamp:
    bright = False
    def reset(self): self.bright = False
    def step(self, symbol):
        if symbol == "press": self.bright = not self.bright
        return "on" if self.bright else "off"
class Odd(Lamp):
    count = 0
    @property
    def {name}(self):
        Odd.count += 1
        if Odd.count > {after}: {what}
        return {good}
"""
ATTRIBUTES = {
    "reset": "lambda: None",
    "step": "lambda symbol: 'on'",
    "enabled": "lambda: {'press', 'look'}",
    "close": "lambda: None",
    "snapshot": "lambda: 1",
    "restore": "lambda state: None",
    "begin": "lambda number: None",
}
WHATS = [
    "raise RuntimeError('no')",
    "raise SystemExit(0)",
    "raise MemoryError",
    "raise OSError(24, 'Too many open files')",
    "raise GeneratorExit",
    "return 5",
    "return lambda *_: open('/x' * 3000)",
    "return lambda *_: (_ for _ in ()).throw(MemoryError())",
]


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_whatever_an_attribute_does(name: str, tmp_path: Path) -> None:
    model = tmp_path / "lamp.yaml"
    model.write_text(LAMP_YAML)
    for place, (what, after, share) in enumerate(product(WHATS, (0, 1, 4, 30), (False, True))):
        path = tmp_path / f"odd{place}.py"
        path.write_text(ODD.format(name=name, after=after, what=what, good=ATTRIBUTES[name]))
        wanted = RunRequest(suite=SuiteRequest(), sut=f"python:{path}:Odd", share_prefixes=share, isolate=False)
        try:
            result = run_suite(model, wanted, progress=unheard).record.result
        except UserError as error:
            assert "\n" not in str(error)
        else:
            # A pass is one where the attribute was not asked for so often, or is not needed.
            assert result.verdict in (Verdict.PASS, Verdict.FAIL, Verdict.ERROR)
            if name == "reset" and after == 0:
                assert result.verdict is Verdict.ERROR
                assert share or all((failure.reason or "").startswith("reset: ") for failure in result.failures)
