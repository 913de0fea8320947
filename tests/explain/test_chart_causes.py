"""Causes of charts with regions: one fault of the chart, not of one of the many transitions that it is in."""

from html import unescape

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


def test_a_page_says_how_a_chart_differs(tmp_path):
    """Configurations differ, which the picture of a chart cannot show: a legend without marks stood there."""
    request = RunRequest(
        sut=f"python:{CHARTS / 'login.py:NeverLocks'}", isolate=False, stop_on_failure=True, report=tmp_path
    )
    changes = run_suite(CHARTS / "login.yaml", request, progress=unheard).record.diagnosis.changes
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    (_, table) = page.split("The difference to the model</summary>")
    table = table.split("</details>")[0]
    assert "<svg" not in table
    assert table.count("<tr>") == 1 + min(20, len(changes)) > 1
    assert f"{changes[0].actual.output} → {changes[0].actual.target}" in unescape(table)
