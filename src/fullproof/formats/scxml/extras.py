"""What a model carries beside its machine, in elements of our own vocabulary, as a model file has it."""

from __future__ import annotations

from fullproof.core.errors import UserError
from fullproof.formats.document.tree import Fields, Items, Node, Scalar
from fullproof.formats.scxml.elements import checked, needed, scalar
from fullproof.formats.scxml.states import StateElement
from fullproof.formats.scxml.tree import Element


def extras(root: StateElement) -> dict[str, Node]:
    """The keys ``properties``, ``requirements`` and ``fault_domain`` of a model file, as far as they are there."""
    found: dict[str, Node] = {}
    for key, tag, value in (("requirements", "fp:requirement", "text"), ("properties", "fp:property", "formula")):
        elements = root.part(tag)
        if elements:
            found[key] = _named(elements, "name", value)
    domains = root.part("fp:fault-domain")
    if len(domains) > 1:
        raise UserError("a second fault domain", at=domains[1].at)
    if domains:
        found["fault_domain"] = _fault_domain(domains[0])
    return found


def _named(elements: list[Element], key: str, value: str) -> Fields:
    entries: dict[str, tuple[Scalar, Node]] = {}
    for element in elements:
        list(checked(element))
        name, content = needed(element, key), element.get(value)
        if content is None:
            raise UserError(f"<fp:{element.tag}> lacks the attribute {value!r}", at=element.at)
        if name.text in entries:
            raise UserError(f"{name.text[:60]!r} is defined twice", at=name.at)
        entries[name.text] = (scalar(name), scalar(content))
    return Fields(tuple(entries.values()), elements[0].at.line or 1, elements[0].at.column or 1)


def _fault_domain(element: Element) -> Fields:
    line, column = element.at.line or 1, element.at.column or 1
    entries: list[tuple[Scalar, Node]] = []
    for attribute, key in (("extra-states", "extra_states"), ("degree", "degree")):
        given = element.get(attribute)
        if given is not None:
            entries.append((Scalar(key, line, column), scalar(given)))
    children = list(checked(element))
    guards = [child for tag, child in children if tag == "fp:guard"]
    paving = [child for tag, child in children if tag == "fp:paving"]
    for child in guards:
        list(checked(child))
    if guards:
        items = Items(tuple(scalar(needed(child, "when")) for child in guards), line, column)
        entries.append((Scalar("guards", line, column), items))
    if paving:
        entries.append((Scalar("paving", line, column), _named(paving, "variable", "width")))
    return Fields(tuple(entries), line, column)
