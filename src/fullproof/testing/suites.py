"""``test_brake = fullproof.suite("brake.yaml", sut=Brake, extra_states=1)``: one pytest item per test case."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

from fullproof.artefacts.options import from_options, option_named
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.run import StepRow
from fullproof.artefacts.suite import Test, json_value
from fullproof.artefacts.verdict import Verdict
from fullproof.core.counted import counted
from fullproof.core.errors import UserError
from fullproof.kinds.systems import System
from fullproof.model import Model
from fullproof.model.inputs import written
from fullproof.pipeline.bench import Bench, Tried
from fullproof.testing.current_test import current_test
from fullproof.testing.keywords import RunKeywords
from fullproof.testing.systems import FIXTURE, Lent, as_system, described, fixtures_of, resettable

if TYPE_CHECKING:
    from collections.abc import Iterator

_ELSEWHERE = frozenset(
    {"report", "journal", "resume", "allow-changed-system", "stop-on-failure", "meta", "baseline"}
    | {"jobs", "cluster", "isolate", "adaptive", "share-prefixes"}
)
"""Options of ``run`` for a run as a whole, where pytest has single tests."""
_LONGEST_ID = 40


@dataclass(frozen=True, slots=True)
class SuiteDefinition:
    """The definition of a suite in a test module."""

    model: str | Model
    sut: System
    request: RunRequest

    @property
    def fixtures(self) -> tuple[str, ...]:
        """The names of the fixtures that its tests need."""
        return fixtures_of(self.sut)

    def bench(self, folder: Path) -> Bench:
        """Generate or read the suite; ``folder`` is where relative paths of the model and the suite begin."""
        request = self.request
        if request.suite_file is not None and (beside := folder / request.suite_file).exists():
            request = dataclasses.replace(request, suite_file=beside)
        if not isinstance(self.model, str):
            return Bench(self.model, self.sut, request)
        path = folder / self.model
        return Bench(path if path.exists() else Path(self.model), self.sut, request)

    def run(self, bench: Bench, test: Test, fixtures: Mapping[str, Any], *, is_fresh: bool) -> Tried:
        """Run one test with the values of its fixtures; ``is_fresh``: all of them were made for this test alone."""
        if not fixtures:
            return bench.run(test)
        if not isinstance(self.sut, str):
            return bench.run(test, partial(self.sut, **fixtures))
        (name,) = fixtures
        system, what = as_system(fixtures[name], f"fixture {name}"), f"fixture {name}"
        once = isinstance(system, Lent) and not system.has_reset and is_fresh and self.request.repeat == 1
        return bench.run(test, system if once else resettable(system, what), once=once)


def suite(model: str | Path | Model, sut: Any, **options: Unpack[RunKeywords]) -> SuiteDefinition:
    """Define tests of a system: assign it to a name that begins with ``test`` in a test module.

    ``sut`` is a class, a factory, whose parameters without defaults are fixtures, ``"fixture:NAME"``, an object, or a
    text as for ``--sut``. Options are those of ``fullproof run``, with underscores: relation, extra_states, method,
    fsm_method, property, domain, distinguish, seed, suite, repeat, step_timeout, ...
    """
    __tracebackhide__ = True
    system = resettable(as_system(sut), "fullproof.suite")
    request = from_options(RunRequest, {**options, "sut": described(system)})
    for name in options:
        if (known := option_named(RunRequest, name).name) in _ELSEWHERE:
            raise UserError(f"--{known} is for fullproof run: pytest runs the tests of a suite one by one")
    if (test := current_test()) is not None:
        raise UserError(
            f"fullproof.suite inside of {test} runs nothing: assign it to a name that begins with 'test' at the level "
            "of the module, or call fullproof.run here"
        )
    return SuiteDefinition(str(model) if isinstance(model, str | Path) else model, system, request)


def definitions(table: Mapping[str, Any]) -> Iterator[tuple[str, SuiteDefinition]]:
    """The suites of a ``[tool.fullproof.suites.NAME]`` table in ``pyproject.toml``."""
    suites = table.get("suites", {})
    if not isinstance(suites, Mapping):
        raise UserError("expected tables [tool.fullproof.suites.NAME] in pyproject.toml")
    for name, given in suites.items():
        if not isinstance(given, Mapping) or not {"model", "sut"} <= given.keys():
            raise UserError(f"[tool.fullproof.suites.{name}] needs the keys model and sut")
        options = {key.replace("-", "_"): value for key, value in given.items() if key not in ("model", "sut")}
        yield name, suite(given["model"], sut=given["sut"], **cast("RunKeywords", options))


def readable_ids(tests: Sequence[Test]) -> list[str]:
    """Names of tests in pytest: their number in the suite, and the inputs that they begin with."""
    width = len(str(len(tests)))
    return [f"{number:0{width}}-{_beginning(test)}" for number, test in enumerate(tests, 1)]


def _beginning(test: Test) -> str:
    text = ""
    for place, symbol in enumerate(map(written, test.inputs)):
        one = symbol if isinstance(symbol, str) else ",".join(f"{n}={json_value(v)}" for n, v in symbol.items())
        text += ("." if place else "") + re.sub(r"[^\w=,+-]+", "_", one, flags=re.ASCII)
        if len(text) > _LONGEST_ID:
            return text[:_LONGEST_ID] + "..."
    return text or "empty"


def explanation(test: Test, tried: Tried, guarantee: str) -> str:
    """The explanation of a test that did not pass."""
    judgement, why, lines = tried.judgement, tried.explained, list[str]()
    where = "" if judgement is None or judgement.step is None else f" at step {judgement.step}"
    said = "" if judgement is None else f"{tried.verdict.value}{where}: {judgement.reason}"
    group = next(iter(why.groups), None)
    if group is not None and group.steps:
        lines += [group.title, *_table(group.steps), group.standing]
    else:
        lines.append(said)
        if tried.story:
            lines += _table(tried.story)
        elif judgement is not None and judgement.allowed:
            lines.append(f"allowed: {' or '.join(map(str, judgement.allowed))}; observed: {judgement.observed}")
    if why.diagnosis is not None:
        lines.append(f"diagnosis: {why.diagnosis.sentence()}")
    lines.append(f"test {test.id}, {counted(len(test.inputs), 'input')}" + (f": {said}" if group is not None else ""))
    claim = "the suite's claim" if tried.verdict is not Verdict.FAIL else "not proved, because this test fails"
    lines.append(f"{claim}: {guarantee}")
    return "\n".join(lines)


def _table(story: Sequence[StepRow]) -> list[str]:
    rows = [("step", "input", "the model allows", "observed")]
    rows += [(str(number), row.input, row.allowed_text, row.observed) for number, row in enumerate(story, 1)]
    widths = [min(48, max(len(row[column]) for row in rows)) for column in range(3)]
    marks = ["", *("" if row.ok else "  <--" for row in story)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)) + "  " + row[3] + mark
        for row, mark in zip(rows, marks, strict=True)
    ]


def test_function(
    name: str, definition: SuiteDefinition, bench: Bench, fail: Callable[[str], object], *, is_fresh: bool
) -> Callable[..., None]:
    """The function that pytest calls for each test, with its fixtures by name; ``fail`` ends a test."""
    import inspect

    def run(**given: Any) -> None:
        __tracebackhide__ = True
        test: Test = given.pop(CASE)
        try:
            tried = definition.run(bench, test, given, is_fresh=is_fresh)
        except UserError as error:
            fail(str(error))
            return
        run.tried = (test, tried)  # type: ignore[attr-defined]  # what reports are made of
        if tried.verdict is not Verdict.PASS:
            fail(explanation(test, tried, bench.guarantee))

    kind = inspect.Parameter.KEYWORD_ONLY
    names = (CASE, *definition.fixtures)
    run.__signature__ = inspect.Signature([inspect.Parameter(one, kind) for one in names])  # type: ignore[attr-defined]
    run.__name__ = run.__qualname__ = name
    run.bench = bench  # type: ignore[attr-defined]
    run.tried = None  # type: ignore[attr-defined]
    return run


CASE = "fullproof_test"
"""The parameter of a test function that is one test of the suite."""
__all__ = ["CASE", "FIXTURE", "SuiteDefinition", "definitions", "explanation", "readable_ids", "suite", "test_function"]
