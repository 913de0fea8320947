"""A light with a timer that its button starts anew, and tests of it; two lights, whose timers any input may start."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from fullproof.artefacts.suite import Test
from fullproof.formats import read_model
from fullproof.model import StateMachine
from fullproof.model.inputs import Advance, SignalEvent

TEXT = """
machine: statemachine
name: lamp
signals: {in: [press], out: [bright, dim]}
initial: dark
states:
  dark: [{trigger: press, send: bright, to: lit}]
  lit:
    - {trigger: press, to: lit}
    - {after: 5 s, send: dim, to: dark}
"""


TWO = """
machine: statemachine
name: lights
signals: {in: [left, right, both], out: [left_dark, right_dark]}
timers: {l: after 5 s, r: after 4 s}
initial: s
states:
  s:
    - {trigger: left, start: [l], kind: internal}
    - {trigger: right, start: [r], kind: internal}
    - {trigger: both, start: [l, r], kind: internal}
    - {trigger: l, send: left_dark, kind: internal}
    - {trigger: r, send: right_dark, kind: internal}
"""


def _read(text: str) -> StateMachine:
    with TemporaryDirectory() as folder:
        path = Path(folder, "lamp.yaml")
        path.write_text(text)
        model = read_model(path)
    assert isinstance(model, StateMachine)
    return model


LAMP, LIGHTS = _read(TEXT), _read(TWO)


def test_of(*inputs: str | Fraction | int) -> Test:
    """A test of signals and delays."""
    return Test(inputs=tuple(SignalEvent(one) if isinstance(one, str) else Advance(Fraction(one)) for one in inputs))


test_of.__test__ = False  # type: ignore[attr-defined]  # no test of pytest
HALF = Fraction(1, 2)
SUITE = (
    test_of("press", 5 + HALF),
    test_of("press", 4 + HALF),
    test_of("press", 4 + HALF, "press", 1, 4 + HALF),
)
