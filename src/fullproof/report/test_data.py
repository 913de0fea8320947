"""The tests of a run as data in a page: each text once, so that ten thousand tests stay small."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fullproof.artefacts.run import RunRecord, TestRow
from fullproof.artefacts.verdict import Verdict

_VERDICTS = (Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.INCONCLUSIVE)


def tests_json(record: RunRecord) -> str:
    """JSON that may stand inside of a ``<script>`` element: what ``templates/tests.js`` reads."""
    numbers: dict[str, int] = {}
    causes = {test: group.number for group in record.groups for test in group.tests}

    def number(text: str) -> int:
        return numbers.setdefault(text, len(numbers)) if text else -1

    def steps(row: TestRow) -> Iterator[list[int]]:
        for step in row.steps:
            allowed = [number(step.input), number(step.observed), number(step.allowed_text)]
            yield allowed if step.ok else [*allowed, 1]
        if not row.steps:
            pairs = row.observed or [(text, "") for text in row.inputs]
            yield from ([number(given), number(seen)] for given, seen in pairs)

    tests = [
        [row.id, _VERDICTS.index(row.verdict), [*steps(row)], causes.get(row.id, 0), row.reason, row.script]
        for row in record.tests
    ]
    text = json.dumps({"texts": list(numbers), "tests": tests}, ensure_ascii=False, separators=(",", ":"))
    # Nothing in it may end the element, begin a comment or break a line of a script.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
