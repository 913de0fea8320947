"""``fullproof classes``: I/O equivalence classes of an sfsm, and the inputs that represent them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from fullproof.artefacts.questions import ClassesRequest
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output
from fullproof.cli.process import visible
from fullproof.core.counted import counted
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.types import Value

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fullproof.kinds.classes import Classes
    from fullproof.kinds.sfsm.classes import ReadClasses

_UNDECIDED_SHOWN = 3
_LONGEST = 200


def _classes(model: ModelArgument, request: ClassesRequest, output: Output) -> None:
    from fullproof import pipeline

    with output.working("looking for classes"):
        read = pipeline.classes_of_file(model, request)
    output.answer(read.fields(), *([] if output.as_json or output.quiet else _lines(read)))
    if read.holds is not True:
        raise typer.Exit(ExitCode.INCONCLUSIVE if read.holds is None else ExitCode.NO)


def _lines(read: Classes) -> list[RenderableType]:
    from fullproof.kinds.sfsm.classes import ReadClasses
    from fullproof.kinds.statemachine.partition import ReadPartition

    if isinstance(read, ReadPartition):
        from fullproof.cli.partition_text import partition_lines

        return partition_lines(read)
    assert isinstance(read, ReadClasses)
    return _class_lines(read)


def _class_lines(read: ReadClasses) -> list[RenderableType]:
    from rich.text import Text

    classes = read.classes
    sizes = (len(classes.alphabet.guards), len(classes.alphabet.outputs), len(classes.alphabet.propositions))
    head = Text.assemble((read.model.name, "bold"), f": {counted(len(classes.classes), 'class', 'classes')} over ")
    head.append(f"{counted(sizes[0], 'guard')}, {counted(sizes[1], 'output expression')}")
    head.append(f", {counted(sizes[2], 'atomic proposition')}" if sizes[2] else "")
    lines: list[RenderableType] = [head, _class_table(read)]
    lines += [f"a{k}: {to_text(e)}" for k, e in enumerate(classes.alphabet.propositions, start=1)]
    fewest = "the fewest that do" if classes.smallest else "not proven to be the fewest"
    count = len(classes.representatives)
    lines += [f"{counted(count, 'input')} cover{'s' if count == 1 else ''} all classes, {fewest}:", _input_table(read)]
    return lines + list(_undecided(read))


def _class_table(read: ReadClasses) -> Table:
    with_propositions = bool(read.classes.alphabet.propositions)
    table = _table("class", "inputs and outputs", "for example", *(["holds"] if with_propositions else []))
    for c, formula in zip(read.classes.classes, read.formulas, strict=True):
        holds = " ".join(f"a{k}" for k, sign in enumerate(c.propositions, start=1) if sign)
        table.add_row(c.id, visible(formula), visible(_values(c.witness)), *([holds] if with_propositions else []))
    return table


def _input_table(read: ReadClasses) -> Table:
    table = _table("input", "covers")
    for representative in read.classes.representatives:
        table.add_row(visible(_values(representative.input) or "(none)"), _ranges(representative.covers))
    return table


def _table(*heads: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold", no_wrap=head in ("class", "input"))
    return table


def _undecided(read: ReadClasses) -> list[RenderableType]:
    from rich.text import Text

    left = read.classes.undecided
    lines: list[RenderableType] = []
    for formula, reason in left[:_UNDECIDED_SHOWN]:
        text = to_text(formula)
        text = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
        line = Text.assemble(("undecided", "yellow"), f": there may be further classes where {text} ({reason})")
        lines.append(line)
    if len(left) > _UNDECIDED_SHOWN:
        lines.append(
            f"... and {counted(len(left) - _UNDECIDED_SHOWN, 'more conjunction')} that the solver could not decide"
        )
    return lines


def _values(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} = {value_to_text(value)}" for name, value in values.items())


def _ranges(numbers: Sequence[int]) -> str:
    """``io1-io3 io7`` for positions 0, 1, 2 and 6."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(
        f"io{run[0] + 1}" if len(run) == 1 else f"io{run[0] + 1}{'-' if len(run) > 2 else ' '}io{run[-1] + 1}"
        for run in runs
    )


COMMAND = Command(
    name="classes",
    help="List the I/O equivalence classes of an sfsm over its guards, outputs, fault domain and the properties "
    "named, and the fewest inputs that reach them all; or the state and trigger classes of a statemachine, checked "
    "pair by pair. Exit code 6 where the solver left something open.",
    example="fullproof classes brake.yaml --property R1 --property R2",
    function=_classes,
)
