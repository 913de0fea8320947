"""Faults of a state machine that no typical slip gives: the cause names what the system has answered, or what another
transition does."""

from io import StringIO

import pytest
from rich.console import Console

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.cli.run_text import run_lines
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


METER = """
machine: statemachine
name: meter
signals: {in: [coin, print, cancel], out: [ticket]}
outputs: {paid: int = 0}
variables: {credit: int 0..5 = 0}
initial: open
states:
  open:
    - {trigger: coin, when: credit < 5, do: [credit = credit + 1, paid = credit], to: open}
    - {trigger: print, when: credit >= 2, do: [credit = credit - 2, paid = credit], send: [ticket], to: open}
    - {trigger: cancel, when: credit > 0, do: [credit = 0, paid = 0], to: open}
"""
KEEPS_THE_CHANGE = """
class Meter:
    def reset(self):
        self.credit = 0

    def step(self, trigger=None):
        prints = trigger == "print" and self.credit >= 2
        if trigger == "coin":
            self.credit = min(5, self.credit + 1)
        elif prints or trigger == "cancel":
            self.credit = 0
        return {"paid": self.credit, "send": ["ticket"] if prints else []}
"""


def test_what_another_transition_does_is_the_cause(tmp_path):
    (tmp_path / "meter.yaml").write_text(METER)
    (tmp_path / "meter.py").write_text(KEEPS_THE_CHANGE)
    request = RunRequest(sut=f"python:{tmp_path / 'meter.py'}:Meter", isolate=False, shrink_failures=100.0)
    record = run_suite(tmp_path / "meter.yaml", request, progress=unheard).record
    (group,) = record.groups  # failures with other values have the same cause
    assert group.cause.faults == ("action credit = 0 instead of credit = credit - 2 on open --print--> open",)
    assert group.cause.is_confirmed and len(group.shortest) == 4


def test_an_error_of_the_system_is_no_part_of_a_cause(tmp_path):
    """A machine answers wrongly, and never breaks."""
    breaks = 'elif trigger == "cancel" and self.credit:\n            raise KeyError("bank")\n        elif prints:'
    system = KEEPS_THE_CHANGE.replace('elif prints or trigger == "cancel":', breaks)
    (tmp_path / "meter.yaml").write_text(METER)
    (tmp_path / "meter.py").write_text(system)
    request = RunRequest(sut=f"python:{tmp_path / 'meter.py'}:Meter", isolate=False, shrink_failures=100.0)
    record = run_suite(tmp_path / "meter.yaml", request, progress=unheard).record
    wrong, broken = record.groups
    assert (wrong.verdict, broken.verdict) == (Verdict.FAIL, Verdict.ERROR)
    assert wrong.cause is not None and broken.cause is None
    assert not {*wrong.tests} & {*broken.tests} and "KeyError" in broken.title
    shown = Console(file=StringIO(), width=2000)
    shown.print(*run_lines(record), sep="\n")
    assert f"error: {broken.title}" in shown.file.getvalue()
