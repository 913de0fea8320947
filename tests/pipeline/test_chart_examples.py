"""The examples of charts with regions: the systems pass, and each faulty one fails."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from tests.shared import ROOT

from fullproof import generate, run

FOLDER = ROOT / "examples/charts"
SYSTEMS = {"media-player": "MediaPlayer", "lights-and-wipers": "Car", "login": "Login"}


def _module(name: str) -> ModuleType:
    path = FOLDER / f"{name.replace('-', '_')}.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _faulty() -> Iterator[tuple[str, str]]:
    for name, correct in SYSTEMS.items():
        module = _module(name)
        base = getattr(module, correct)
        yield from ((name, one.__name__) for one in vars(module).values() if isinstance(one, type) and one is not base)


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("suites")
    for name in SYSTEMS:
        generate(FOLDER / f"{name}.yaml", regions="1", output=folder / name)
    return {name: folder / name for name in SYSTEMS}


@pytest.mark.parametrize("name", SYSTEMS)
def test_systems_pass(name: str, suites: dict[str, Path]) -> None:
    found = run(FOLDER / f"{name}.yaml", getattr(_module(name), SYSTEMS[name]), suite=suites[name])
    assert found.verdict == "pass"
    assert "act on each other" in found.guarantee


@pytest.mark.parametrize(("name", "fault"), list(_faulty()))
def test_faults_fail(name: str, fault: str, suites: dict[str, Path]) -> None:
    system = getattr(_module(name), fault)
    assert run(FOLDER / f"{name}.yaml", system, suite=suites[name], shrink_failures=0).verdict == "fail"
