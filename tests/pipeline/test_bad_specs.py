"""A ``--sut`` that names nothing is refused before a suite is generated, and before anything is written."""

from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE

MODELS = {
    "fsm": REFERENCE / "m-ex" / "m-ex.yaml",
    "sfsm": REFERENCE / "brake" / "brake.yaml",
    "sts": REFERENCE / "brp" / "brp.yaml",
    "statemachine": REFERENCE / "state-machine" / "figure1.yaml",
}
SPECS = {
    "nothing": "expected python:FILE.py:Name",
    "pyhton:x.py:Y": "unknown kind of system 'pyhton'; did you mean 'python'",
    "python:none.py:Lamp": "none.py: no such file",
    "python:Lamp": "expected python:path/to/file.py:Name",
    "exec:": "needs a command line",
    "exec:./none --json": "cannot start './none': No such file or directory",
    "exec:'x": "No closing quotation",
    "tcp:nowhere": "expected HOST:PORT",
    "model:": "needs a model file",
    "model:none.yaml": "none.yaml",
}


@pytest.mark.parametrize("kind", MODELS)
def test_nothing_is_generated_for_a_system_that_is_not_there(
    kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for part in ("pipeline.suite_conduct.generate_suite", "kinds.sts.conduct.find_purposes"):
        monkeypatch.setattr(f"fullproof.{part}", None)  # a bug, exit code 3, where it is called
    other = next(path for name, path in MODELS.items() if name != kind)
    for spec, message in {**SPECS, f"model:{other}": "cannot play the system"}.items():
        ended = Shell(capsys)("run", MODELS[kind], "--sut", spec, "--report", tmp_path / "report")
        assert (ended.code, ended.out, ended.err.count("\n")) == (4, "", 1), (spec, ended)
        assert message in ended.err, spec
        assert not (tmp_path / "report").exists(), spec
