"""Other people's SCXML charts with expected traces: what is read agrees, the rest is refused in one line."""

from pathlib import Path

from benchmarks.charts import Outcome, played
from tests.formats.test_chart_conversions import same_steps
from tests.shared import CHARTS, needs_shared_charts

from fullproof.core.errors import UserError
from fullproof.formats import read_model, write_model
from fullproof.model import StateMachine


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


@needs_shared_charts
def test_charts_are_the_same_after_a_model_file(tmp_path: Path) -> None:
    """SCXML to YAML to SCXML, for every chart that is read: states, values and steps."""
    read = 0
    for path in sorted(CHARTS.rglob("*.scxml")):
        try:
            model = read_model(path)
        except UserError:
            continue
        assert isinstance(model, StateMachine)
        read += 1
        for one, other in ((path, tmp_path / "m.yaml"), (tmp_path / "m.yaml", tmp_path / "m.scxml")):
            write_model(read_model(one), other)
            back = read_model(other)
            assert isinstance(back, StateMachine)
            if model.timers:  # their names are others
                assert len(back.timers) == len(model.timers)
            else:
                assert same_steps(back, model), (path, other.read_text())
    assert read >= 110
