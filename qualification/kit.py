"""The contents of the kit: requirements with the tests that verify them, hazards, limits. A gap in it is an error."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

from qualification.evidence import FAILED, PASSED, SKIPPED, Verification

SOURCE = Path(__file__).parent / "requirements.yaml"


class GapError(Exception):
    """The kit would claim something that nothing stands behind."""


@dataclass(frozen=True)
class Requirement:
    """What the tool must do, and the tests that verify it."""

    name: str
    title: str
    text: str
    why: str
    verified_by: tuple[Verification, ...]

    @property
    def result(self) -> str:
        """Verified only where all tests that name it passed."""
        results = {verification.result for verification in self.verified_by}
        if FAILED in results:
            return FAILED
        return PASSED if results == {PASSED} else SKIPPED


@dataclass(frozen=True)
class Hazard:
    """What could make a wrong pass, what detects it, and what is left to a person."""

    name: str
    what: str
    detected_by: tuple[str, ...]
    left: str


@dataclass(frozen=True)
class Kit:
    """Everything that the documents of the kit show."""

    requirements: tuple[Requirement, ...]
    hazards: tuple[Hazard, ...]
    limits: tuple[str, ...]
    verifications: tuple[Verification, ...]

    @property
    def result(self) -> str:
        """The worst result of a requirement."""
        results = {requirement.result for requirement in self.requirements}
        return next(result for result in (FAILED, SKIPPED, PASSED) if result in results)

    @property
    def summary(self) -> str:
        """How much of it is verified, in one line."""
        verified = sum(requirement.result == PASSED for requirement in self.requirements)
        cases = sum(len(verification.cases) for verification in self.verifications)
        wanted = len(self.requirements)
        return f"{verified} of {wanted} requirements verified by {len(self.verifications)} tests, {cases} cases"


def read_source() -> Mapping[str, Mapping[str, Mapping[str, object]]]:
    """The requirements, hazards and limits as they are written down."""
    loaded: Mapping[str, Mapping[str, Mapping[str, object]]] = YAML(typ="safe").load(SOURCE)
    return loaded


def assemble(verifications: Iterable[Verification]) -> Kit:
    """Join requirements and results; refuse a test without its requirement, and a requirement without a test."""
    source, all_of_them = read_source(), tuple(verifications)
    known = source["requirements"]
    for verification in all_of_them:
        for name in verification.requirements:
            if name not in known:
                raise GapError(f"{verification.test} names the requirement {name}, which is not in {SOURCE.name}")
    requirements = []
    for name, entry in known.items():
        verified_by = tuple(one for one in all_of_them if name in one.requirements)
        if not verified_by:
            raise GapError(f"no test names the requirement {name}")
        title, text, why = (str(entry[key]) for key in ("title", "text", "why"))
        requirements.append(Requirement(name, title, text, why, verified_by))
    hazards = []
    for name, entry in source["hazards"].items():
        detected_by = tuple(str(one) for one in _listed(entry["detected_by"]))
        for one in detected_by:
            if one not in known:
                raise GapError(f"{name} is detected by {one}, which is no requirement")
        hazards.append(Hazard(name, str(entry["what"]), detected_by, str(entry["left"])))
    return Kit(tuple(requirements), tuple(hazards), tuple(str(one) for one in source["limits"]), all_of_them)


def _listed(value: object) -> list[object]:
    if not isinstance(value, list):
        raise GapError(f"a list was expected, not {value!r}")
    return value
