"""The report folder: HTML for people, JUnit for CI servers, JSON for scripts, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

from fullproof.artefacts.run import RunRecord
from fullproof.core.errors import Place, UserError
from fullproof.core.files import write_text
from fullproof.report.html import html_page
from fullproof.report.junit import junit_xml


def write_folder(folder: Path, record: RunRecord, *, fields: Mapping[str, object], diagram: str) -> Path:
    """Write the four files and return the page. ``fields`` are those of ``run --json``."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the report folder: {error.strerror}", at=Place(file=str(folder))) from error
    page = folder / "report.html"
    write_text(page, html_page(record, diagram=diagram))
    write_text(folder / "junit.xml", junit_xml(record))
    write_text(folder / "report.json", json.dumps(_document(record, fields), ensure_ascii=False, indent=1) + "\n")
    write_text(folder / "tests.csv", _csv(record))
    return page


def _document(record: RunRecord, fields: Mapping[str, object]) -> dict[str, object]:
    context = record.context
    return {
        "fullproof": "run/1",
        **{name: getattr(context, name) for name in context.__slots__},
        **fields,
        "results": [{"id": t.id, "verdict": t.verdict.value, "inputs": list(t.inputs)} for t in record.tests],
    }


def _csv(record: RunRecord) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["test", "verdict", "inputs", "reason"])
    rows.writerows([t.id, t.verdict.value, " ".join(t.inputs), t.reason] for t in record.tests)
    return text.getvalue()
