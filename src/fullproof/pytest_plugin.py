"""The pytest plugin: suites in test modules and in ``pyproject.toml`` become one item per test case.

Nothing is imported before a test module uses fullproof, so that installing it never slows down a test run. Each suite
is a test function with one parameter, so that fixtures, marks and other plugins work as for any other function. What
tests have shown travels with their reports: with pytest-xdist, the process that reports is not the one that runs them.
"""

from __future__ import annotations

import base64
import pickle
import re
import shlex
import sys
from collections.abc import Generator, Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from fullproof.testing.current_test import running

if TYPE_CHECKING:
    from fullproof.pipeline.bench import Bench

_BENCHES = pytest.StashKey[list["Bench"]]()
_SEEN = pytest.StashKey[dict[str, "_SeenSuite"]]()
_SENT = "fullproof"
"""The attribute of a report that says what a test has shown of its suite."""


class _SeenSuite:
    """What is known of a suite at the end of a test run."""

    def __init__(self, total: int, guarantee: str) -> None:
        self.total = total
        self.guarantee = guarantee
        self.outcomes: dict[str, str] = {}
        """By the name of the item, of which each test may have several: one for each value of a fixture."""
        self.tests: set[str] = set()
        self.shown: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--fullproof-report``."""
    parser.getgroup("fullproof").addoption(
        "--fullproof-report", metavar="DIR", help="Write the report of each fullproof suite into a folder below DIR."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Where tests are looked for in ``testpaths``, look for suites in ``pyproject.toml`` as well."""
    config.stash[_BENCHES] = []
    config.stash[_SEEN] = {}
    project = config.rootpath / "pyproject.toml"
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and _table(project):
        config.args.append(str(project))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Whatever runs around this session, collecting is not inside of one of its tests."""
    with running(None):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """A suite that is defined while a test runs is collected by no one."""
    with running(item.name):
        return (yield)


def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> Any:
    """Turn ``test_x = fullproof.suite(...)`` into items."""
    loaded = sys.modules.get("fullproof.testing.suites")
    if loaded is None or not isinstance(obj, loaded.SuiteDefinition):
        return None
    if not collector.funcnamefilter(name):
        _refuse_unseen(collector, name, obj)
        return None
    return _items(collector, name, obj, collector.path.parent)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give each test the requirements that it covers."""
    if (test := _case(item)) is not None:
        item.user_properties += [("requirement", requirement) for requirement in test.covers]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the suites of ``[tool.fullproof.suites.NAME]`` tables."""
    if file_path.name == "pyproject.toml" and file_path.parent == parent.config.rootpath and _table(file_path):
        found: pytest.Collector = ProjectFile.from_parent(parent, path=file_path)
        return found
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Add what a test has shown to its report, in a form that pytest-xdist can send."""
    report = yield
    if call.when == "call" and (test := _case(item)) is not None:
        function = getattr(item, "function")  # noqa: B009  # of pytest.Function, which _case has seen
        bench = function.bench
        sent = {
            "suite": item.nodeid.partition("[")[0],
            "test": test.id,
            "total": len(bench.tests()),
            "guarantee": bench.guarantee,
        }
        if item.config.getoption("--fullproof-report") and function.tried is not None:
            shown = (bench.source, bench.request, *function.tried)
            sent["shown"] = base64.b64encode(pickle.dumps(shown)).decode()
        setattr(report, _SENT, sent)
        function.tried = None
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what tests have shown."""
    sent = getattr(report, _SENT, None)
    if sent is None or _Session.seen is None:
        return
    suite = _Session.seen.setdefault(sent["suite"], _SeenSuite(sent["total"], sent["guarantee"]))
    suite.outcomes[report.nodeid] = report.outcome
    suite.tests.add(sent["test"])
    if "shown" in sent:
        suite.shown.append(sent["shown"])


class _Session:
    """The hook for reports has no way to the session."""

    seen: dict[str, _SeenSuite] | None = None


def pytest_sessionstart(session: pytest.Session) -> None:
    """Begin with nothing seen."""
    _Session.seen = session.config.stash[_SEEN]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what each suite has proved, and write the reports."""
    seen, folder = config.stash[_SEEN], config.getoption("--fullproof-report")
    if not seen:
        return
    terminalreporter.section("fullproof")
    for name, suite in seen.items():
        terminalreporter.write_line(f"{name}: {_conclusion(suite)}")
        if folder is not None:
            command = shlex.join(["pytest", *map(str, config.invocation_params.args)])
            terminalreporter.write_line(f"report: {_write_report(Path(folder), name, suite, command)}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let go of the systems."""
    for bench in config.stash.get(_BENCHES, []):
        bench.close()


class ProjectFile(pytest.Module):
    """The suites of a project."""

    def _getobj(self) -> ModuleType:
        return ModuleType("pyproject")

    def funcnamefilter(self, name: str) -> bool:  # noqa: ARG002
        """Every suite is to be run, whatever its name."""
        return True

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """One item per test case."""
        from fullproof.core.errors import UserError
        from fullproof.testing.suites import definitions

        try:
            found = list(definitions(_table(self.path)))
        except UserError as error:
            raise self.CollectError(str(error)) from None
        for name, definition in found:
            yield from _items(self, name, definition, self.path.parent)


def _items(parent: Any, name: str, definition: Any, folder: Path) -> Any:
    """What pytest itself makes of the function of a suite, which takes the place of its definition."""
    from fullproof.core.errors import UserError
    from fullproof.testing.suites import CASE, readable_ids, test_function

    scopes = {_scope(parent, fixture, name) for fixture in definition.fixtures}
    try:
        bench = definition.bench(folder)
    except UserError as error:
        raise parent.CollectError(f"{name}: {error}") from None
    parent.config.stash[_BENCHES].append(bench)
    function = test_function(name, definition, bench, _fail, is_fresh=scopes <= {"function"})
    tests = bench.tests()
    made = pytest.mark.parametrize(CASE, tests, ids=readable_ids(tests))(function)
    setattr(parent.obj, name, staticmethod(made) if isinstance(parent, pytest.Class) else made)
    return parent.ihook.pytest_pycollect_makeitem(collector=parent, name=name, obj=made)


def _scope(parent: Any, fixture: str, name: str) -> str:
    """The scope of a fixture that a suite needs."""
    from fullproof.core.suggest import did_you_mean

    manager = parent.session._fixturemanager
    found = manager.getfixturedefs(fixture, parent)
    if not found:
        # Their tables have other names in other versions of pytest; without one there is no suggestion.
        tables = (table for key, table in vars(manager).items() if "arg2" in key and isinstance(table, dict))
        known = {one for table in tables for one in table if manager.getfixturedefs(one, parent)}
        near = did_you_mean(fixture, sorted(known))
        raise parent.CollectError(f"{name}: there is no fixture {fixture!r}, which its system needs{near}")
    return str(found[-1].scope)


def _refuse_unseen(collector: Any, name: str, definition: object) -> None:
    """A suite under a name that pytest does not look at would never run."""
    names = [other for other, value in vars(collector.obj).items() if value is definition]
    if not name.startswith("_") and not any(map(collector.funcnamefilter, names)):
        raise collector.CollectError(f"{name} = fullproof.suite(...) is never run: its name must begin with 'test'")


def _case(item: pytest.Item) -> Any:
    """The test of a suite that an item is, or None."""
    if not hasattr(getattr(item, "function", None), "bench"):
        return None
    return item.callspec.params["fullproof_test"]  # type: ignore[attr-defined]


def _fail(text: str) -> None:
    pytest.fail(text, pytrace=False)


def _conclusion(suite: _SeenSuite) -> str:
    from fullproof.core.counted import counted

    failed = sum(outcome == "failed" for outcome in suite.outcomes.values())
    passed = sum(outcome == "passed" for outcome in suite.outcomes.values())
    tests = counted(suite.total, "test")
    if failed:
        return f"proves nothing, failed tests: {failed:,} of {len(suite.outcomes):,}"
    if len(suite.tests) < suite.total or passed < len(suite.outcomes):
        return f"proves nothing yet: {passed:,} of {tests} ran and passed"
    return f"{tests} passed. {suite.guarantee}"


def _write_report(folder: Path, name: str, suite: _SeenSuite, command: str) -> str:
    from fullproof.core.errors import UserError
    from fullproof.pipeline.bench import Bench, together

    shown = [pickle.loads(base64.b64decode(one)) for one in suite.shown]  # from our own processes
    if not shown:
        return "none, since no test was run to its end"
    source, request = shown[0][:2]
    executions = [trace for *_, tried in shown for trace in tried.executions]
    bad = [(tried.explained, test.id) for *_, test, tried in shown if tried.explained.groups]
    why = together([one for one, _ in bad], [test for _, test in bad])
    target = folder / re.sub(r"[^\w.-]+", "-", name)
    try:
        return str(Bench(source, "", request).write_report(target, executions, why, command=command))
    except UserError as error:
        return f"not written: {error}"


def _table(project: Path) -> dict[str, Any]:
    import tomllib

    try:
        table = tomllib.loads(project.read_text(encoding="utf-8")).get("tool", {}).get("fullproof", {})
    except (OSError, ValueError):
        return {}
    return table if isinstance(table, dict) else {}
