"""XMI elements: identifiers, types and references, whichever way a tool writes them."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.core.errors import UserError
from fullproof.formats.scxml.tree import Attribute, Element

_FOREIGN = ("Extension", "extension", "Documentation", "eAnnotations")


class XmiDocument:
    """The elements of a file by their identifiers, and what lies around them; extensions of tools are left out."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.parents: dict[int, Element] = {}
        self.listed: list[Element] = []
        self._by_id: dict[str, Element] = {}
        self._walk(root)

    def _walk(self, element: Element) -> None:
        self.listed.append(element)
        identifier = xmi(element, "id")
        if identifier is not None:
            self._by_id.setdefault(identifier.text, element)
        for child in inside(element):
            self.parents[id(child)] = element
            self._walk(child)

    def known(self, identifier: str) -> Element | None:
        """The element with an identifier."""
        return self._by_id.get(identifier)

    def references(self, element: Element, name: str) -> list[Element]:
        """The elements that one refers to: by an attribute, or by children with ``xmi:idref``; or has inside it."""
        found: list[Element] = []
        attribute = element.get(name)
        for word in [] if attribute is None else attribute.text.split():
            there = self.known(word)
            if there is not None:
                found.append(there)
        for child in parts(element, name):
            reference = xmi(child, "idref")
            there = None if reference is None else self.known(reference.text)
            if there is not None:
                found.append(there)
            elif reference is None:
                found.append(child)
        return found

    def required(self, element: Element, name: str) -> Element:
        """The one element that another must refer to."""
        found = self.references(element, name)
        if len(found) != 1:
            attribute = element.get(name)
            at = element.at if attribute is None else attribute.at
            given = "" if attribute is None else f" {attribute.text[:60]!r}"
            raise UserError(f"the {name}{given} of this {kind(element)} is not in the file", at=at)
        return found[0]


def xmi(element: Element, name: str) -> Attribute | None:
    """An attribute of the namespace of XMI, whose versions have different ones."""
    for (namespace, local), value in element.attributes.items():
        if local == name and ("XMI" in namespace or (name == "type" and "XMLSchema-instance" in namespace)):
            return value
    return None


def kind(element: Element) -> str:
    """The metaclass of an element: ``State`` of ``xmi:type="uml:State"``, else what its tag stands for."""
    given = xmi(element, "type")
    if given is not None:
        return given.text.rpartition(":")[2]
    return _TAGS.get(element.tag, element.tag)


def inside(element: Element) -> Iterator[Element]:
    """The children that belong to UML."""
    return (child for child in element.children if child.tag not in _FOREIGN)


def parts(element: Element, name: str) -> list[Element]:
    """The children with a tag."""
    return [child for child in inside(element) if child.tag == name]


def name_of(element: Element) -> str:
    """The name of an element; empty where it has none."""
    given = element.get("name")
    return "" if given is None else given.text


def body_of(element: Element) -> Attribute | None:
    """The text of an opaque behaviour or expression, or of a literal: a child ``body``, an attribute, or the name."""
    for child in parts(element, "body"):
        if child.content is not None and child.content.text.strip():
            return _stripped(child.content)
    for word in ("body", "value", "symbol"):
        given = element.get(word)
        if given is not None and given.text.strip():
            return _stripped(given)
    return None


def _stripped(source: Attribute) -> Attribute:
    blanks = len(source.text) - len(source.text.lstrip())
    return Attribute(source.text.strip(), lambda offset: source.place(offset + blanks))


_TAGS = {
    "region": "Region", "transition": "Transition", "subvertex": "State", "trigger": "Trigger", "guard": "Constraint",
    "ownedRule": "Constraint", "connectionPoint": "Pseudostate", "ownedAttribute": "Property",
}  # fmt: skip
"""The metaclass of a tag for which a tool may leave the type out."""
