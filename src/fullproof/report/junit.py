"""A run as JUnit XML (xunit2), which every CI server shows."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from fullproof.artefacts.run import RunRecord, TestRow
from fullproof.artefacts.verdict import Verdict

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, even escaped."""


def junit_xml(record: RunRecord) -> str:
    """One test case per test; a system that misbehaves is an error, a forbidden output a failure."""
    result = record.result
    suite = ET.Element(
        "testsuite",
        name=_clean(record.context.model_name),
        tests=str(result.tests),
        failures=str(result.failed),
        errors=str(result.errors),
        skipped=str(result.inconclusive),
        time=f"{result.seconds:.3f}",
        timestamp=record.context.started,
    )
    for test in record.tests:
        suite.append(_case(record, test))
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(record: RunRecord, test: TestRow) -> ET.Element:
    case = ET.Element(
        "testcase", classname=_clean(f"fullproof.{record.context.model_name}"), name=_clean(test.id), time="0"
    )
    if test.requirements:
        properties = ET.SubElement(case, "properties")
        for requirement in test.requirements:
            ET.SubElement(properties, "property", name="requirement", value=_clean(requirement))
    tags = {Verdict.FAIL: "failure", Verdict.ERROR: "error", Verdict.INCONCLUSIVE: "skipped"}
    if test.verdict in tags:
        detail = ET.SubElement(case, tags[test.verdict], message=_clean(test.reason))
        detail.text = _clean("\n".join(f"{s.input} -> {s.observed} (allowed: {s.allowed_text})" for s in test.steps))
    return case


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
