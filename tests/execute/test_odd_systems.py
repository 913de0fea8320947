"""Systems whose very attributes misbehave: an error of the system or of the user, never one of ours."""

from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from tests.execute.lamp import LAMP, word

from fullproof.core.errors import UserError
from fullproof.execute import Enabled, Options, execute
from fullproof.execute.sweep import can_sweep
from fullproof.kinds.systems import open_sut

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
    path = tmp_path / "odd.py"
    for what, after, share in product(WHATS, (0, 1, 4, 30), (False, True)):
        path.write_text(ODD.format(name=name, after=after, what=what, good=ATTRIBUTES[name]))
        try:
            with closing(open_sut(f"python:{path}:Odd", LAMP)) as system:
                can_sweep(system, Options())
                options = Options(share=share, enabled=Enabled.IF_OFFERED)
                traces = list(execute(system, map(word, ["pl", "pp", "plp", "lp"]), options=options))
        except UserError as error:
            assert "\n" not in str(error)
        else:
            assert len(traces) == 4
            if name == "reset" and after == 0 and not share:
                assert all((trace.error or "").startswith("reset: ") for trace in traces)
