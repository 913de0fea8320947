"""The traceability matrix as CSV and JSON."""

from __future__ import annotations

import csv
import io

from fullproof.artefacts.matrix import Matrix
from fullproof.artefacts.tables import safe_cell


def matrix_csv(matrix: Matrix) -> str:
    """One line per requirement, then one per transition that realises none."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["requirement", "text", "standing", "tests", "failed", "property", "transitions", "examples"])
    for row in matrix.rows:
        rows.writerow([
            safe_cell(row.requirement), safe_cell(row.text), row.standing.value, row.tests, row.failed,
            safe_cell(row.property), safe_cell("; ".join(row.transitions)), safe_cell(" ".join(row.examples)),
        ])  # fmt: skip
    rows.writerows(["", "", "orphan", "", "", "", safe_cell(transition), ""] for transition in matrix.orphans)
    return text.getvalue()


def matrix_document(matrix: Matrix) -> dict[str, object]:
    """The matrix as JSON."""
    return {
        "requirements": [
            {
                "requirement": row.requirement,
                "text": row.text,
                "standing": row.standing.value,
                "tests": row.tests,
                "failed": row.failed,
                "property": row.property,
                "transitions": list(row.transitions),
                "examples": list(row.examples),
            }
            for row in matrix.rows
        ],
        "orphans": list(matrix.orphans),
    }
