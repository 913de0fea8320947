"""Results of the tests that name a requirement, from the JUnit file that pytest writes."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass(frozen=True)
class Case:
    """One test as it was executed: a test function, or one of its parameters."""

    test: str
    """The module and the function, as `tests.judge.test_fsm::test_undefined_inputs`."""
    parameters: str
    result: str
    reason: str
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class Verification:
    """All cases of one test function, and the requirements that it names."""

    test: str
    requirements: tuple[str, ...]
    cases: tuple[Case, ...]

    @property
    def result(self) -> str:
        """Failed where a case failed; passed where all passed; else skipped, since not all was verified."""
        results = {case.result for case in self.cases}
        if FAILED in results:
            return FAILED
        return PASSED if results == {PASSED} else SKIPPED

    def count(self, result: str) -> int:
        """The number of cases with this result."""
        return sum(case.result == result for case in self.cases)


def read_results(junit: Path) -> list[Verification]:
    """The verifications in the file, by the name of the test."""
    by_test: dict[str, list[Case]] = {}
    for case in _cases(junit):
        by_test.setdefault(case.test, []).append(case)
    return [Verification(test, cases[0].requirements, tuple(cases)) for test, cases in sorted(by_test.items())]


def _cases(junit: Path) -> Iterator[Case]:
    for element in ET.parse(junit).iter("testcase"):
        names = tuple(p.attrib["value"] for p in element.iter("property") if p.attrib["name"] == "requirement")
        if not names:
            continue
        function, _, parameters = element.attrib["name"].partition("[")
        result, reason = PASSED, ""
        for child in element:
            if child.tag in ("failure", "error"):
                result, reason = FAILED, child.attrib.get("message", "")
            elif child.tag == "skipped":
                result, reason = SKIPPED, child.attrib.get("message", "")
        test = f"{element.attrib['classname']}::{function}"
        yield Case(test, parameters.removesuffix("]"), result, reason, names)
