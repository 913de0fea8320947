"""``test_brake = fullproof.suite("brake.yaml", sut=Brake, extra_states=1)``: one pytest item per test case."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullproof.artefacts.options import from_options, option_named
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.run import StepRow
from fullproof.artefacts.suite import Test
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.pipeline.bench import Bench, System, Tried

if TYPE_CHECKING:
    from collections.abc import Iterator

_ELSEWHERE = frozenset(
    {"report", "journal", "resume", "allow-changed-system", "stop-on-failure"}
    | {"jobs", "cluster", "isolate", "adaptive", "share-prefixes"}
)
"""Options of ``run`` for a run as a whole, where pytest has single tests."""


@dataclass(frozen=True, slots=True)
class SuiteDefinition:
    """The definition of a suite in a test module."""

    model: str
    sut: System
    request: RunRequest

    def bench(self, folder: Path) -> Bench:
        """Generate or read the suite; ``folder`` is where relative paths of the model and the suite begin."""
        path, request = folder / self.model, self.request
        if request.suite_file is not None and (beside := folder / request.suite_file).exists():
            request = dataclasses.replace(request, suite_file=beside)
        return Bench(path if path.exists() else Path(self.model), self.sut, request)


def suite(model: str | Path, *, sut: System, **options: Any) -> SuiteDefinition:
    """Define tests of a system: assign it to a name that begins with ``test`` in a test module.

    ``sut`` is a class, a factory, or a text as for ``--sut``. Options are those of ``fullproof run``, with underscores:
    relation, extra_states, method, fsm_method, property, domain, distinguish, seed, suite, repeat, step_timeout, ...
    """
    request = from_options(RunRequest, {**options, "sut": sut if isinstance(sut, str) else ""})
    for name in options:
        if (known := option_named(RunRequest, name).name) in _ELSEWHERE:
            raise UserError(f"--{known} is for fullproof run: pytest runs the tests of a suite one by one")
    return SuiteDefinition(str(model), sut, request)


def definitions(table: Mapping[str, Any]) -> Iterator[tuple[str, SuiteDefinition]]:
    """The suites of a ``[tool.fullproof.suites.NAME]`` table in ``pyproject.toml``."""
    suites = table.get("suites", {})
    if not isinstance(suites, Mapping):
        raise UserError("expected tables [tool.fullproof.suites.NAME] in pyproject.toml")
    for name, given in suites.items():
        if not isinstance(given, Mapping) or not {"model", "sut"} <= given.keys():
            raise UserError(f"[tool.fullproof.suites.{name}] needs the keys model and sut")
        options = {key.replace("-", "_"): value for key, value in given.items() if key not in ("model", "sut")}
        yield name, suite(given["model"], sut=given["sut"], **options)


def explanation(test: Test, tried: Tried, guarantee: str) -> str:
    """The explanation of a test that did not pass."""
    lines = []
    judgement = tried.judgement
    if judgement is not None:
        where = "" if judgement.step is None else f" at step {judgement.step}"
        lines.append(f"{tried.verdict.value}{where}: {judgement.reason}")
    if tried.story:
        lines += _table(tried.story)
    elif judgement is not None and judgement.allowed:
        lines.append(f"allowed: {' or '.join(map(str, judgement.allowed))}; observed: {judgement.observed}")
    lines.append(f"test {test.id}, {len(test.inputs)} inputs")
    if tried.verdict is not Verdict.FAIL:
        lines.append(f"the suite's claim: {guarantee}")
    return "\n".join(lines)


def _table(story: tuple[StepRow, ...]) -> list[str]:
    rows = [("step", "input", "the model allows", "observed")]
    rows += [(str(number), row.input, row.allowed_text, row.observed) for number, row in enumerate(story, 1)]
    widths = [min(48, max(len(row[column]) for row in rows)) for column in range(3)]
    marks = ["", *("" if row.ok else "  <--" for row in story)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)) + "  " + row[3] + mark
        for row, mark in zip(rows, marks, strict=True)
    ]
