"""The console report of a run: the verdict first, then the first failures step by step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.run import FailureGroup, RunRecord, StepRow, TestRow
from fullproof.artefacts.verdict import Verdict
from fullproof.cli.process import visible

if TYPE_CHECKING:
    from rich.console import RenderableType

FAILURES_SHOWN = 3
STEPS_SHOWN = 12
LONGEST_CELL = 300
_COLOURS = {Verdict.PASS: "bold green", Verdict.FAIL: "bold red", Verdict.ERROR: "bold red"}


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
    counts = [f"{result.tests:,} {'test' if result.tests == 1 else 'tests'}", f"{result.passed:,} passed"]
    for number, what in ((result.failed, "failed"), (result.errors, "errors"), (result.inconclusive, "inconclusive")):
        if number:
            counts.append(f"{number:,} {what}")
    head = Text.assemble(
        (result.verdict.value.upper(), _COLOURS.get(result.verdict, "bold yellow")),
        f"  {', '.join(counts)}; {result.steps:,} {'step' if result.steps == 1 else 'steps'} ",
        f"in {result.seconds:.2f} s; ",
        f"{result.coverage.covered} of {result.coverage.total} transitions exercised",
    )
    lines: list[RenderableType] = [head]
    if result.violations_text:
        lines.append(result.violations_text)
    grouped = {test for group in record.groups for test in group.tests}
    shown: list[FailureGroup | TestRow] = [*record.groups]
    shown += [test for test in record.tests if test.verdict is not Verdict.PASS and test.id not in grouped]
    for failure in shown[:FAILURES_SHOWN]:
        lines += _failure(failure)
    covered = sum(len(f.tests) if isinstance(f, FailureGroup) else 1 for f in shown[:FAILURES_SHOWN])
    if len(result.failures) > covered:
        lines.append(f"... and {len(result.failures) - covered:,} more that did not pass")
    if record.diagnosis is not None:
        lines.append(Text.assemble(("diagnosis: ", "bold"), visible(record.diagnosis.sentence())))
    if result.verdict is Verdict.PASS:
        lines.append(record.context.guarantee.sentence)
        if result.repetitions:
            lines.append(result.repetitions)
    if page:
        lines.append(f"report: {page}")
    return lines


def _short(cell: str) -> str:
    """Shortened for a terminal; the report has the whole text."""
    return visible(cell if len(cell) <= LONGEST_CELL else f"{cell[:LONGEST_CELL]}... ({len(cell):,} characters)")


def _failure(failure: FailureGroup | TestRow) -> list[RenderableType]:
    from rich.text import Text

    lines: list[RenderableType] = []
    if isinstance(failure, FailureGroup):
        lines.append(Text.assemble(("fail", "red"), f": {visible(failure.title)}"))
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


def _table(steps: Sequence[StepRow]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("step", "input", "the model allows", "observed"):
        table.add_column(column, overflow="fold")
    hidden = max(0, len(steps) - STEPS_SHOWN)
    if hidden:
        table.add_row("", f"... {hidden} steps that went well", "", "")
    for number, step in enumerate(steps[hidden:], start=hidden + 1):
        row = (str(number), step.input, step.allowed_text, step.observed)
        table.add_row(*(Text(_short(cell)) for cell in row), style=None if step.ok else "red")
    return table
