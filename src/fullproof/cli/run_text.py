"""The console report of a run: the verdict first, then the first failures step by step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import BEFORE_TESTS
from fullproof.artefacts.run import FailureGroup, RunRecord, StepRow, TestRow
from fullproof.artefacts.steadiness import ContradictingAnswers
from fullproof.artefacts.verdict import BAD, Verdict
from fullproof.cli.process import visible
from fullproof.core.counted import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

FAILURES_SHOWN = 3
STEPS_SHOWN = 12
LONGEST_CELL = 300
_COLOURS = {Verdict.PASS: "bold green", **dict.fromkeys(BAD, "bold red")}


def rehearse() -> None:
    """Import what the report needs: a module next to the system under test may later hide one of the same name."""
    import io

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("x", box=None)
    table.add_row(Text("x"), style="red")
    Console(file=io.StringIO(), markup=False).print(table)


def run_lines(record: RunRecord, *, page: Path | None = None) -> list[RenderableType]:
    """The console text at the end of a run."""
    from rich.text import Text

    result = record.result
    errors = counted(result.errors, "error")
    others = ((result.failed, f"{result.failed:,} failed"), (result.errors, errors),
              (result.inconclusive, f"{result.inconclusive:,} inconclusive"))  # fmt: skip
    counts = [counted(result.tests, "test"), f"{result.passed:,} passed", *(text for number, text in others if number)]
    head = Text.assemble(
        (result.verdict.value.upper(), _COLOURS.get(result.verdict, "bold yellow")),
        f"  {', '.join(counts)}; {counted(result.steps, 'step')} ",
        f"in {result.seconds:.2f} s; ",
        f"{result.coverage.covered} of {counted(result.coverage.total, 'transition')} exercised",
    )
    lines: list[RenderableType] = [head]
    if result.violations_text:
        lines.append(result.violations_text)
    lines += _what_went_wrong(record)
    if record.diagnosis is not None:
        lines.append(Text.assemble(("diagnosis: ", "bold"), visible(record.diagnosis.sentence())))
    if result.verdict is Verdict.PASS:
        lines.append(record.context.guarantee.sentence)
        if result.repetitions:
            lines.append(result.repetitions)
    if record.baseline is not None:
        lines += record.baseline.lines()
    if page:
        lines.append(f"report: {page}")
    return lines


def _what_went_wrong(record: RunRecord) -> list[RenderableType]:
    """Two executions that contradict each other, why the run was stopped, and the first failures."""
    from rich.text import Text

    result = record.result
    lines: list[RenderableType] = []
    if result.contradiction is not None:
        lines += _contradiction(result.contradiction)
    grouped = {test for group in record.groups for test in group.tests}
    shown: list[FailureGroup | TestRow] = [*record.groups]
    if result.stopped:
        lines.append(Text(visible(result.stopped)))
        shown = [group for group in record.groups if not group.reason.startswith(BEFORE_TESTS)]
    shown += [test for test in record.tests if test.verdict is not Verdict.PASS and test.id not in grouped]
    for failure in shown[:FAILURES_SHOWN]:
        lines += _failure(failure)
    covered = sum(len(f.tests) if isinstance(f, FailureGroup) else 1 for f in shown[:FAILURES_SHOWN])
    if len(result.failures) > covered and not result.stopped:
        lines.append(f"... and {len(result.failures) - covered:,} more that did not pass")
    return lines


def _short(cell: str) -> str:
    """Shortened for a terminal; the report has the whole text."""
    return visible(cell if len(cell) <= LONGEST_CELL else f"{cell[:LONGEST_CELL]}... ({len(cell):,} characters)")


def _failure(failure: FailureGroup | TestRow) -> list[RenderableType]:
    from rich.text import Text

    lines: list[RenderableType] = []
    if isinstance(failure, FailureGroup):
        lines.append(Text.assemble((failure.verdict.value, "red"), f": {visible(failure.title)}"))
    else:
        lines.append(Text.assemble((failure.verdict.value, "red"), f" {failure.id}: {failure.reason}"))
    if any(not step.input for step in failure.steps):
        from fullproof.report.sequence import sequence_diagram

        lines += (Text(_short(line)) for line in sequence_diagram(failure.steps))
    elif failure.steps:
        lines.append(_table(failure.steps))
    if isinstance(failure, FailureGroup):
        lines.append(Text(visible(failure.standing), style="dim"))
    return lines


def _contradiction(found: ContradictingAnswers) -> list[RenderableType]:
    """Both executions side by side."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("step", "input", *found.names):
        table.add_column(column, overflow="fold")
    hidden = max(0, len(found.rows) - STEPS_SHOWN)
    if hidden:
        table.add_row("", f"... {counted(hidden, 'step')} answered alike", "", "")
    for number, (symbol, one, other) in enumerate(found.rows[hidden:], start=hidden + 1):
        row = (str(number), symbol, one, other)
        table.add_row(*(Text(_short(cell)) for cell in row), style="red" if one != other else None)
    return [Text(visible(found.sentence)), table]


def _table(steps: Sequence[StepRow]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    timed = ("at",) if any(step.at for step in steps) else ()
    for column in ("step", *timed, "input", "the model allows", "observed"):
        table.add_column(column, overflow="fold")
    hidden = max(0, len(steps) - STEPS_SHOWN)
    if hidden:
        table.add_row("", *("" for _ in timed), f"... {counted(hidden, 'step')} that went well", "", "")
    for number, step in enumerate(steps[hidden:], start=hidden + 1):
        row = (str(number), *(step.at for _ in timed), step.input, step.allowed_text, step.observed)
        table.add_row(*(Text(_short(cell)) for cell in row), style=None if step.ok else "red")
    return table
