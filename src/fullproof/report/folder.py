"""The report folder: HTML for people, JUnit for CI servers, JSON for scripts, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from fullproof.artefacts.guarantee_json import guarantee_fields
from fullproof.artefacts.run import RunRecord
from fullproof.artefacts.tables import safe_cell
from fullproof.core.errors import Place, UserError
from fullproof.core.files import check_writable, write_text
from fullproof.report.diagram import Drawing
from fullproof.report.html import html_page
from fullproof.report.junit import junit_xml
from fullproof.report.traceability import matrix_csv, matrix_document

_PAGE = "report.html"


def make_folder(folder: Path) -> None:
    """Make the folder; raises a UserError before a long run rather than after it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the report folder: {error.strerror}", at=Place(file=str(folder))) from error
    check_writable(folder / _PAGE)


def write_folder(
    folder: Path,
    record: RunRecord,
    *,
    fields: Mapping[str, object],
    drawing: Drawing | None = None,
    classes: Sequence[tuple[str, str]] = (),
) -> Path:
    """Write all files and return the page. ``fields`` are those of ``run --json``."""
    make_folder(folder)
    page = folder / _PAGE
    journal = "" if record.journal is None else os.path.relpath(record.journal, folder)
    _write(page, html_page(record, drawing=drawing, classes=classes, journal=journal))
    _write(folder / "junit.xml", junit_xml(record))
    _write(folder / "report.json", json.dumps(_document(record, fields), ensure_ascii=False, indent=1) + "\n")
    _write(folder / "tests.csv", _csv(record))
    if record.matrix is not None:
        _write(folder / "matrix.csv", matrix_csv(record.matrix))
    for name, text in record.scripts.items():
        if Path(name).name != name:
            raise ValueError(f"{name!r} is not a name of a file in the report folder")
        _write(folder / name, text)
    return page


def _write(path: Path, text: str) -> None:
    """A system may output surrogate halves, which UTF-8 cannot encode: they are escaped as in JSON."""
    write_text(path, text.encode("utf-8", "backslashreplace").decode("utf-8"))


def _document(record: RunRecord, fields: Mapping[str, object]) -> dict[str, object]:
    context = record.context
    return {
        "fullproof": "run/1",
        **{name: getattr(context, name) for name in context.__slots__},
        **guarantee_fields(context.guarantee),
        **fields,
        "traceability": None if record.matrix is None else matrix_document(record.matrix),
        "results": [
            {"id": t.id, "verdict": t.verdict.value, "inputs": list(t.inputs), "requirements": list(t.requirements)}
            for t in record.tests
        ],
    }


def _csv(record: RunRecord) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["test", "verdict", "inputs", "reason"])
    rows.writerows(
        [safe_cell(t.id), t.verdict.value, safe_cell(" ".join(t.inputs)), safe_cell(t.reason)] for t in record.tests
    )
    return text.getvalue()
