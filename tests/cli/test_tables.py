"""Cells of tables are data: no spreadsheet takes one for a formula."""

import csv
import json
from pathlib import Path

from tests.cli.harness import Shell

SYMBOLS = ["=1+1", "+a", "-a", "@SUM(A1)", "=HYPERLINK(x)", "\tx", "plain", " =a", "-1"]


def test_no_cell_begins_as_a_formula(fullproof: Shell, tmp_path: Path) -> None:
    model, wrong, suite = tmp_path / "m.json", tmp_path / "wrong.json", tmp_path / "s.csv"
    moves = [{"when": symbol, "then": f"={k}", "to": "a", "req": ["=R0"]} for k, symbol in enumerate(SYMBOLS)]
    document = {
        "machine": "fsm",
        "name": "m",
        "initial": "a",
        "states": {"a": moves},
        "requirements": {"=R0": "=cmd|x"},
    }
    model.write_text(json.dumps(document))
    document["states"] = {"a": [move | {"then": "@wrong"} for move in moves]}
    wrong.write_text(json.dumps(document))
    assert fullproof("generate", model, "-o", suite).code == 0
    fields = fullproof("run", model, "--sut", f"model:{model}", "--suite", suite, "--json").json
    assert (fields["verdict"], fields["notes"]) == ("pass", [])
    assert fullproof("run", model, "--sut", f"model:{wrong}", "--suite", suite, "--report", tmp_path / "out").code == 1
    seen = 0
    for table in (suite, tmp_path / "out" / "tests.csv", tmp_path / "out" / "matrix.csv"):
        with table.open(newline="") as file:
            for row in csv.reader(file):
                seen += sum("=" in cell for cell in row)
                assert not [cell for cell in row if cell.lstrip(" ")[:1] in tuple("=+-@\t\r\n")], row
    assert seen > 5
