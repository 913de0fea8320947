"""fsmlib's ``.csv``: a table of a deterministic machine, one row per state, one column per input.

The first row lists the inputs after a field that is skipped, each further row begins with a state (the first is the
initial one), and a cell reads ``target / output``. As in fsmlib-cpp, cells are separated by semicolons (by commas where
the first row has no semicolon), quotes around a cell are dropped, a cell without ``/`` has the output ``_nop``, and an
empty cell is a self-loop with the output ``_nop``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.mealy import MealyBuilder, require_printable, split_label
from fullproof.model.fsm import Fsm, FsmTransition

NO_OUTPUT = "_nop"


def read_csv(text: str, path: Path) -> Fsm:
    """Read a state table."""
    machine = MealyBuilder(path)
    file = str(path)
    (head_line, head), *rows = _rows(text, file)
    inputs = head[1:]
    _require_names(inputs, "input", Place(file=file, line=head_line))
    machine.inputs.update((name, name) for name in inputs)
    for line, row in rows:
        _require_names(row[:1], "state", Place(file=file, line=line))
        if row[0] in machine.states:
            raise UserError(f"state {row[0][:60]!r} has two rows", at=Place(file=file, line=line))
        machine.states[row[0]] = row[0]
    for line, row in rows:
        place = Place(file=file, line=line)
        if len(row) != len(head):
            raise UserError(f"expected {len(inputs)} cells after the state, found {len(row) - 1}", at=place)
        for symbol, cell in zip(inputs, row[1:], strict=True):
            target, output = _cell(cell, state=row[0])
            if target not in machine.states:
                hint = did_you_mean(target[:60], machine.states)
                raise UserError(f"unknown state {target[:60]!r} in the column of {symbol[:60]!r}{hint}", at=place)
            machine.add(row[0], symbol, output, target, line=line)
    return machine.build(initial=None)


def csv_lines(fsm: Fsm) -> Iterator[str]:
    """Yield the lines of the file. Needs: deterministic and complete, since an empty cell would mean a self-loop."""
    require_printable(fsm, ending=".csv")
    cells: dict[tuple[str, str], FsmTransition] = {}
    for t in fsm.transitions:
        if cells.setdefault((t.source, t.input), t) is not t:
            raise UserError(f"a .csv file cannot hold two transitions of state {t.source!r} for input {t.input!r}")
    buffer = io.StringIO()
    table = csv.writer(buffer, delimiter=";", lineterminator="\n")
    if not cells:
        raise UserError("a .csv file cannot hold a machine without transitions")
    table.writerow(["", *(_written(name) for name in fsm.inputs)])
    for state in (fsm.initial, *(s for s in fsm.states if s != fsm.initial)):
        row = [_written(state)]
        for symbol in fsm.inputs:
            if (state, symbol) not in cells:
                raise UserError(
                    f"a .csv file cannot hold this machine: state {state!r} has no transition for {symbol!r}"
                )
            t = cells[state, symbol]
            row.append(_written_cell(t))
        table.writerow(row)
    yield from buffer.getvalue().splitlines(keepends=True)


def _rows(text: str, file: str) -> list[tuple[int, list[str]]]:
    delimiter = ";" if ";" in text.split("\n", 1)[0] else ","
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
    try:
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        raise UserError(f"not a table: {error}", at=Place(file=file, line=reader.line_num)) from None
    rows = [(line, row) for line, row in rows if any(row)]
    if len(rows) < 2 or len(rows[0][1]) < 2:
        raise UserError("expected a first row of inputs and a row for each state", at=Place(file=file, line=1))
    return rows


def _require_names(names: list[str], what: str, at: Place) -> None:
    if not all(names):
        raise UserError(
            f"the name of an {what} is empty" if what == "input" else f"the name of a {what} is empty", at=at
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UserError(f"{what} {twice[:60]!r} is listed twice", at=at)


def _cell(cell: str, *, state: str) -> tuple[str, str]:
    if not cell:
        return state, NO_OUTPUT
    target, output = split_label(cell) or (cell, NO_OUTPUT)
    return target, output or NO_OUTPUT


def _written(name: str) -> str:
    if not name or name != name.strip():
        raise UserError(f"a .csv file cannot hold the name {name!r}: it begins or ends with a blank, or is empty")
    return name


def _written_cell(t: FsmTransition) -> str:
    cell = f"{_written(t.target)} / {t.output}"
    if _cell(cell, state=t.source) != (t.target, t.output):
        raise UserError(f"a .csv file cannot hold the cell {cell!r}: it would be read in another way")
    return cell
