"""The house as it stands: no module needs itself, and the picture of the rooms is the one of today."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs._site.architecture import PICTURE, picture
from docs._site.import_graph import Graph, cycles, module_graph, room_graph


@pytest.fixture(scope="module")
def modules() -> Graph:
    return module_graph()


def test_no_module_imports_itself_by_way_of_others(modules: Graph) -> None:
    assert cycles(modules) == []


def test_rooms_have_no_cycle(modules: Graph) -> None:
    assert cycles(room_graph(modules)) == []


def test_the_picture_shows_the_imports_of_today(modules: Graph) -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(room_graph(modules)), "run: python -m docs._site.architecture"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "fullproof"
    (folder / "hall").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "hall" / "__init__.py").write_text("")
    (folder / "hall" / "a.py").write_text("def f():\n    from fullproof.hall import b\n    return b\n")
    (folder / "cellar.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import fullproof.hall.b\n"
    )
    return tmp_path


def test_an_import_inside_a_function_counts(package: Path) -> None:
    (package / "fullproof" / "hall" / "b.py").write_text("import fullproof.hall.a\nimport fullproof.cellar\n")
    graph = module_graph(package)
    assert graph["fullproof.hall.a"] == {"fullproof.hall.b"}
    assert cycles(graph) == [("fullproof.hall.a", "fullproof.hall.b")]
    assert room_graph(graph) == {"hall": {"cellar"}, "cellar": set()}


def test_an_import_for_types_does_not_count(package: Path) -> None:
    (package / "fullproof" / "hall" / "b.py").write_text("import fullproof.cellar\n")
    assert cycles(module_graph(package)) == []
