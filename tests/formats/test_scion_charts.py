"""Other people's SCXML charts with expected traces: what is read agrees, the rest is refused in one line."""

from benchmarks.charts import Outcome, played
from tests.shared import CHARTS, needs_shared_charts


@needs_shared_charts
def test_charts_with_expected_traces() -> None:
    found = {path: played(path) for path in sorted(CHARTS.rglob("*.scxml"))}
    assert len(found) == 127
    assert not [path for path, (outcome, _) in found.items() if outcome is Outcome.DISAGREES]
    assert sum(outcome is Outcome.AGREES for outcome, _ in found.values()) >= 110
    for path, (outcome, reason) in found.items():
        if outcome is Outcome.REFUSED:
            assert reason.startswith(f"{path}, line ")
            assert "\n" not in reason
