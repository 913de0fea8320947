"""Causes of charts with regions: one fault of the chart, not of one of the many transitions that it is in."""

import pytest
from tests.shared import ROOT

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest
from fullproof.pipeline.runs import run_suite

CHARTS = ROOT / "examples" / "charts"


def cause(model: str, system: str):
    path = CHARTS / f"{system}"
    request = RunRequest(sut=f"python:{path}", isolate=False, shrink_failures=200.0, stop_on_failure=True)
    return run_suite(CHARTS / model, request, progress=unheard).record.diagnosis


@pytest.mark.parametrize(
    ("system", "fault"),
    [
        ("login.py:WakesAtTheList", "target list instead of last on asleep --wake--> last"),
        ("login.py:NeverLocks", "guard tries < 1 instead of tries < 2 on closed --wrong_code--> closed"),
    ],
)
def test_a_fault_of_the_chart_is_the_cause(system, fault):
    found = cause("login.yaml", system)
    assert found.explanations == (fault,)
    assert not found.is_confirmed, "walks would miss a second fault"


def test_a_fault_between_regions_is_no_fault_of_one_place():
    assert cause("login.yaml", "login.py:SleepsUnwarned").explanations == ()
