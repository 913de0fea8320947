"""The pytest plugin: suites in test modules and in ``pyproject.toml`` become one item per test case.

Nothing is imported before a test module uses fullproof, so that installing it never slows down a test run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fullproof.artefacts.suite import Test
    from fullproof.pipeline.bench import Bench, Tried

_BENCHES = pytest.StashKey[list["Bench"]]()


def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> list[pytest.Item] | None:
    """Turn ``test_x = fullproof.suite(...)`` into items."""
    loaded = sys.modules.get("fullproof.testing.suites")
    if loaded is None or not isinstance(obj, loaded.SuiteDefinition) or not name.startswith("test"):
        return None
    return list(_items(collector, name, obj, collector.path.parent))


def pytest_configure(config: pytest.Config) -> None:
    """Where tests are looked for in ``testpaths``, look for suites in ``pyproject.toml`` as well."""
    config.stash[_BENCHES] = []
    project = config.rootpath / "pyproject.toml"
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and _table(project):
        config.args.append(str(project))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the suites of ``[tool.fullproof.suites.NAME]`` tables."""
    if file_path.name == "pyproject.toml" and file_path.parent == parent.config.rootpath and _table(file_path):
        return ProjectFile.from_parent(parent, path=file_path)
    return None


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let go of the systems."""
    for bench in config.stash.get(_BENCHES, []):
        bench.close()


class ProjectFile(pytest.File):
    """The suites of a project."""

    def collect(self) -> Iterable[pytest.Item]:
        """One item per test case."""
        from fullproof.core.errors import UserError
        from fullproof.testing.suites import definitions

        try:
            for name, definition in definitions(_table(self.path)):
                yield from _items(self, name, definition, self.path.parent)
        except UserError as error:
            raise self.CollectError(str(error)) from None


def _items(parent: Any, name: str, definition: Any, folder: Path) -> Iterator[pytest.Item]:
    from fullproof.core.errors import UserError

    try:
        bench = definition.bench(folder)
    except UserError as error:
        raise parent.CollectError(f"{name}: {error}") from None
    parent.config.stash[_BENCHES].append(bench)
    for test in bench.tests():
        yield TestCase.from_parent(parent, name=f"{name}[{test.id}]", bench=bench, test=test)


class TestCase(pytest.Item):
    """One test of a suite."""

    __test__ = False

    def __init__(self, *, bench: Bench, test: Test, **rest: Any) -> None:
        super().__init__(**rest)
        self._bench = bench
        self._test = test
        for requirement in test.covers:
            self.user_properties.append(("requirement", requirement))

    def runtest(self) -> None:
        """Run it and judge it."""
        from fullproof.artefacts.verdict import Verdict
        from fullproof.core.errors import UserError

        try:
            tried = self._bench.run(self._test)
        except UserError as error:
            pytest.fail(str(error), pytrace=False)
        if tried.verdict is not Verdict.PASS:
            raise _NotPassed(tried)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show our explanation instead of a traceback of ours."""
        from fullproof.testing.suites import explanation

        if isinstance(excinfo.value, _NotPassed):
            return explanation(self._test, excinfo.value.tried, self._bench.guarantee)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the suite is defined."""
        return self.path, None, self.name


class _NotPassed(Exception):  # a verdict, not an error
    def __init__(self, tried: Tried) -> None:
        super().__init__(tried.verdict.value)
        self.tried = tried


def _table(project: Path) -> dict[str, Any]:
    import tomllib

    try:
        table = tomllib.loads(project.read_text(encoding="utf-8")).get("tool", {}).get("fullproof", {})
    except (OSError, ValueError):
        return {}
    return table if isinstance(table, dict) else {}
