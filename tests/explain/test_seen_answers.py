"""Answers of a state machine that no typical slip gives: the cause names what the system has answered."""

import pytest

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest
from fullproof.pipeline.runs import run_suite

BELL = """
machine: statemachine
name: bell
signals: {in: [press, wait], out: [ring, stop]}
outputs: {lamp: int 0..9 = 0}
initial: quiet
states:
  quiet:
    - {trigger: press, do: [lamp = 7], send: [ring], to: loud}
    - {trigger: wait, to: quiet}
  loud:
    - {trigger: press, to: loud}
    - {trigger: wait, do: [lamp = 0], send: [stop], to: quiet}
"""
SYSTEM = """
class System:
    def reset(self):
        self.loud, self.lamp = False, 0

    def step(self, trigger=None):
        sent = []
        if trigger == "press" and not self.loud:
            self.loud, self.lamp, sent = True, LIT, ["ring"]
        elif trigger == "press":
            sent = AGAIN
        elif trigger == "wait" and self.loud:
            self.loud, self.lamp, sent = False, 0, ["stop"]
        return {"lamp": self.lamp, "send": sent}
"""


def cause(tmp_path, **replaced: str):
    system = SYSTEM
    for name, text in {"LIT": "7", "AGAIN": "[]", **replaced}.items():
        system = system.replace(name, text)
    (tmp_path / "bell.yaml").write_text(BELL)
    (tmp_path / "bell.py").write_text(system)
    request = RunRequest(sut=f"python:{tmp_path / 'bell.py'}:System", isolate=False, shrink_failures=100.0)
    return run_suite(tmp_path / "bell.yaml", request, progress=unheard).record.diagnosis


@pytest.mark.parametrize(
    ("replaced", "fault"),
    [
        ({"LIT": "3"}, "action lamp = 3 instead of lamp = 7 on quiet --press--> loud"),
        ({"AGAIN": "['ring', 'stop']"}, "sends ring, stop instead of nothing on loud --press--> loud"),
    ],
)
def test_the_answer_of_the_system_is_the_cause(replaced, fault, tmp_path):
    found = cause(tmp_path, **replaced)
    assert found.explanations == (fault,)
    assert found.is_confirmed


@pytest.mark.parametrize("broken", ["'x'", "500", "True", "3.5", "None", "[1]"])
def test_an_answer_that_is_no_value_is_no_cause(broken, tmp_path):
    found = cause(tmp_path, LIT=broken)
    assert found is None or not found.is_confirmed
