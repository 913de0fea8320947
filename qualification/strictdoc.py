"""The kit as a StrictDoc document, which `strictdoc export --formats reqif-sdoc` turns into ReqIF."""

from collections.abc import Iterable, Iterator

from qualification.evidence import PASSED, Verification
from qualification.kit import Hazard, Kit, Requirement

_FIELDS = {
    "TEXT": ("STATEMENT",),
    "SECTION": ("TITLE",),
    "REQUIREMENT": ("UID", "TITLE", "STATEMENT", "RATIONALE"),
    "TEST": ("UID", "RESULT", "STATEMENT"),
    "HAZARD": ("UID", "STATEMENT", "LEFT"),
}
_TEXTS = {"STATEMENT", "RATIONALE", "LEFT"}
_RELATED = ("TEST", "HAZARD")
"""Nodes whose parents are requirements: tests verify them, hazards are detected by them."""


def strictdoc_text(kit: Kit, about: str) -> str:
    """The whole document."""
    return "\n".join(_document(kit, about)) + "\n"


def _document(kit: Kit, about: str) -> Iterator[str]:
    yield "[DOCUMENT]"
    yield "TITLE: fullproof: material for a qualification of certify and judge"
    yield from ("", "[GRAMMAR]", "ELEMENTS:")
    for tag, fields in _FIELDS.items():
        yield f"- TAG: {tag}"
        if tag == "SECTION":
            yield from ("  PROPERTIES:", "    IS_COMPOSITE: True")
        yield "  FIELDS:"
        for field in fields:
            yield from (f"  - TITLE: {field}", "    TYPE: String", "    REQUIRED: True")
        if tag in _RELATED:
            yield from ("  RELATIONS:", "  - TYPE: Parent")
    yield from _node("TEXT", STATEMENT=about)
    yield from _section("Tool operational requirements", map(_requirement, kit.requirements))
    yield from _section("Tests and their results", map(_test, kit.verifications))
    yield from _section("Hazards: what could make a wrong pass", map(_hazard, kit.hazards))
    yield from _section("Known limits", (_node("TEXT", STATEMENT=limit) for limit in kit.limits))


def _requirement(one: Requirement) -> Iterator[str]:
    return _node("REQUIREMENT", UID=one.name, TITLE=one.title, STATEMENT=one.text, RATIONALE=one.why)


def _test(one: Verification) -> Iterator[str]:
    counts = f"{one.count(PASSED)} of {len(one.cases)} executed cases passed."
    return _node("TEST", one.requirements, UID=one.test, RESULT=one.result, STATEMENT=counts)


def _hazard(one: Hazard) -> Iterator[str]:
    return _node("HAZARD", one.detected_by, UID=one.name, STATEMENT=one.what, LEFT=one.left)


def _section(title: str, nodes: Iterable[Iterable[str]]) -> Iterator[str]:
    yield from ("", "[[SECTION]]", f"TITLE: {title}")
    for node in nodes:
        yield from node
    yield from ("", "[[/SECTION]]")


def _node(tag: str, parents: Iterable[str] = (), **fields: str) -> Iterator[str]:
    yield from ("", f"[{tag}]")
    for name in _FIELDS[tag]:
        text = fields[name]
        yield from (f"{name}: >>>", text, "<<<") if name in _TEXTS else (f"{name}: {text}",)
    relations = [line for parent in parents for line in ("- TYPE: Parent", f"  VALUE: {parent}")]
    if relations:
        yield from ("RELATIONS:", *relations)
