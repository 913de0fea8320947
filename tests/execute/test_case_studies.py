"""What the case studies of the documents say is what the programs do, where just that version is installed."""

import ctypes
import shutil
import subprocess
from ctypes.util import find_library
from importlib import metadata
from pathlib import Path

import pytest

from fullproof.artefacts.suite import make_test
from fullproof.execute import Options, execute
from fullproof.formats import read_model
from fullproof.kinds.systems import open_sut

EXAMPLES = Path(__file__).parents[2] / "examples" / "systems"


def redis() -> str:
    said = subprocess.run(["redis-server", "--version"], capture_output=True, text=True, check=True).stdout
    return said.partition("v=")[2].split()[0]


def expat() -> str:
    name = find_library("expat")
    if name is None:
        return "none"
    library = ctypes.CDLL(name)
    library.XML_ExpatVersion.restype = ctypes.c_char_p
    return library.XML_ExpatVersion().decode().removeprefix("expat_")


def transitions() -> str:
    try:
        return metadata.version("transitions")
    except metadata.PackageNotFoundError:
        return "none"


@pytest.mark.parametrize(
    ("folder", "sut", "version", "wanted", "inputs", "observed"),
    [
        (
            "redis", "tcp:redis.yaml", redis, "7.0.15",
            "a.watch a.subscribe a.exec a.unsubscribe a.multi b.write a.exec",
            "a.ok a.subscribed a.refused a.unsubscribed a.ok b.ok a.done",
        ),
        ("expat", "lib:expat.yaml", expat, "2.5.0", "suspend parse", "ok error"),
        ("transitions", "python:machine.py:Regions", transitions, "0.9.3", "start stop", "P_x_1+P_y_1 P_y_2"),
    ],
)  # fmt: skip
def test_the_trace_of_a_case_study(
    folder: str, sut: str, version, wanted: str, inputs: str, observed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if folder == "redis" and shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    if (found := version()) != wanted:
        pytest.skip(f"the case study is about {folder} {wanted}, here is {found}")
    monkeypatch.chdir(EXAMPLES / folder)
    system = open_sut(sut, read_model(Path("model.yaml")), step_timeout=30)
    try:
        (run,) = execute(system, [make_test(inputs.split())], options=Options(step_timeout=30))
    finally:
        system.close()
    assert run.error is None
    assert [step.output for step in run.steps] == observed.split()
