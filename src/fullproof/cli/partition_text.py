"""The state and trigger classes of a statemachine as readable text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fullproof.artefacts.partition import Case
from fullproof.cli.process import visible
from fullproof.kinds.statemachine.partition import (
    ReadPartition,
    broken_texts,
    figures,
    figures_after_switch_on,
    run_table,
    switch_on,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

_SHOWN = 10


def partition_lines(read: ReadPartition) -> list[RenderableType]:
    """The classes, what happens in them, and whether Definition 1 holds."""
    from rich.text import Text

    counted, after, partition = figures(read), figures_after_switch_on(read), read.partition
    head = Text.assemble((read.model.name, "bold"))
    head.append(
        f": {counted.states:,} state classes and {counted.triggers:,} trigger classes"
        f" ({len(partition.triggers):,} conditions, each with {_signals(read)}; {counted.nominal:,} combinations)"
    )
    lines: list[RenderableType] = [head]
    auxiliary = switch_on(read.model)
    if after is not None and auxiliary is not None:
        lines.append(
            f"without the switch-on state {auxiliary[0]} and its signal {auxiliary[1]}: {after.states:,} state classes,"
            f" {after.triggers:,} trigger classes ({after.nominal:,} combinations), {after.pairs:,} pairs"
        )
    rows = [
        (f"s{k}", visible(c.state), visible(text))
        for k, (c, text) in enumerate(zip(partition.states, read.states, strict=True), 1)
    ]
    lines.append(_table(("class", "state", "where"), rows))
    triggers = [(f"t{k}", visible(text)) for k, text in enumerate(read.triggers, 1)]
    lines.append(_table(("trigger", "values once the inputs have changed"), triggers))
    lines.append(_table(("class", "event", "runs", "to"), run_table(read)))
    return [*lines, *_verdict(read)]


def _signals(read: ReadPartition) -> str:
    return " or ".join("no signal" if signal is None else signal for signal in read.partition.signals)


def _verdict(read: ReadPartition) -> list[RenderableType]:
    from rich.text import Text

    found = read.justification
    cases = Counter(pair.case for pair in found.pairs)
    told = {
        Case.NEVER: "cannot meet (4a)",
        Case.STAYS: "fire nothing (4b)",
        Case.RUNS: "run the same way (4c)",
        Case.BROKEN: "are not uniform",
        Case.UNKNOWN: "were left open by the solver",
    }
    listed = ", ".join(f"{cases[case]:,} {text}" for case, text in told.items() if cases[case])
    verdict = {True: "holds", False: "does not hold", None: "is not decided"}[found.holds]
    style = {True: "green", False: "red", None: "yellow"}[found.holds]
    lines: list[RenderableType] = [
        Text.assemble("Definition 1 ", (verdict, style), f" for {len(found.pairs):,} pairs: {listed}")
    ]
    wrong = [*found.failures, *found.unknown, *broken_texts(read)]
    lines += [Text(visible(text)) for text in wrong[:_SHOWN]]
    if len(wrong) > _SHOWN:
        lines.append(f"... and {len(wrong) - _SHOWN:,} more")
    return lines + [Text.assemble(("doubt", "yellow"), f": {text}") for text in read.partition.doubts]


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> RenderableType:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold", no_wrap=head in ("class", "trigger", "state", "to"))
    for row in rows:
        table.add_row(*row)
    return table
