"""The attributes around a UML state machine as keys of a model file."""

from __future__ import annotations

import re
from collections.abc import Collection

from fullproof.core.errors import UserError
from fullproof.formats.document.tree import Fields, Node, Scalar
from fullproof.formats.scxml.tree import Element
from fullproof.formats.xmi.elements import XmiDocument, body_of, kind, name_of, parts

_TYPES = {
    "integer": "int", "int": "int", "short": "int", "long": "int", "byte": "int", "unlimitednatural": "int 0..",
    "natural": "int 0..", "unsigned": "int 0..", "boolean": "bool", "bool": "bool", "real": "real", "double": "real",
    "float": "real",
}  # fmt: skip
_ABSENT = {"LiteralBoolean": "false", "LiteralInteger": "0", "LiteralReal": "0", "LiteralUnlimitedNatural": "0"}
"""The values that XMI leaves out."""
_OURS = re.compile(r"\s*fullproof:[ \t]*")


def comment_keys(document: XmiDocument, file: str) -> Fields:
    """The keys of a model file in comments that begin with ``fullproof:``."""
    from fullproof.formats.yaml.reader import parse_yaml

    entries: list[tuple[Scalar, Node]] = []
    for element in document.listed:
        body = body_of(element) if kind(element) == "Comment" or element.tag == "ownedComment" else None
        match = None if body is None else _OURS.match(body.text)
        if body is None or match is None:
            continue
        line, column = body.at.line or 1, body.at.column or 1
        rest = body.text[match.end() :]
        inset = "" if rest.startswith("\n") else " " * (column + match.end() - 1)
        root = parse_yaml("\n" * (line - 1) + inset + rest, file=file)
        if not isinstance(root, Fields):
            raise UserError("expected keys with values after 'fullproof:'", at=body.at)
        entries += root.entries
    return Fields(tuple(entries), 1, 1)


def with_attributes(document: XmiDocument, machine: Element, keys: Fields, assigned: Collection[str]) -> Fields:
    """The keys, and further ones for the attributes of the machine and of the class around it.

    Read-only ones with a value are constants. Others with a value, or that the machine assigns, are outputs where they
    are public, else variables. The rest are inputs: only the environment can set them.
    """
    declared = {
        name.text
        for key, value in keys.entries
        if key.text in ("inputs", "outputs", "variables", "constants") and isinstance(value, Fields)
        for name, _ in value.entries
    }
    roles: dict[str, list[tuple[Scalar, Node]]] = {}
    owner = document.parents.get(id(machine))
    holders = [machine] if owner is None else [owner, machine]
    for element in [part for holder in holders for part in parts(holder, "ownedAttribute")]:
        name = name_of(element)
        if name in declared or not name or element.get("association") is not None:
            continue
        declared.add(name)
        role, text = _declaration(document, element, name, assigned)
        at = element.at
        line, column = at.line or 1, at.column or 1
        value = Scalar(text, line, column, exact=False)
        roles.setdefault(role, []).append((Scalar(name, line, column, quoted=True), value))
    for role, new in roles.items():
        old = next((value for key, value in keys.entries if key.text == role), None)
        whole = Fields((*(old.entries if isinstance(old, Fields) else ()), *new), keys.line, keys.column)
        others = tuple(entry for entry in keys.entries if entry[0].text != role)
        keys = Fields((*others, (Scalar(role, keys.line, keys.column), whole)), keys.line, keys.column)
    return keys


def _declaration(document: XmiDocument, element: Element, name: str, assigned: Collection[str]) -> tuple[str, str]:
    """The role of an attribute, and its declaration."""
    value = _default(document, element)
    read_only = element.get("isReadOnly")
    if read_only is not None and read_only.text == "true" and value is not None:
        return "constants", value
    type_ = _type(document, element, name)
    if value is None and name not in assigned:
        return "inputs", type_
    if value is None:
        first = type_.removeprefix("enum ").split(",")[0]
        value = {"bool": "false"}.get(type_, first if type_.startswith("enum") else "0")
    visibility = element.get("visibility")
    public = visibility is not None and visibility.text == "public"
    return "outputs" if public else "variables", f"{type_} = {value}"


def _type(document: XmiDocument, element: Element, name: str) -> str:
    found = document.references(element, "type")
    given = element.get("type")
    word = given.text if given is not None else ""
    for there in found:
        if kind(there) == "Enumeration":
            return "enum " + ", ".join(name_of(literal) for literal in parts(there, "ownedLiteral"))
        href = there.get("href")
        word = href.text if href is not None else name_of(there) or word
    for child in parts(element, "type"):
        reference = next((value.text for (_, local), value in child.attributes.items() if local == "idref"), "")
        word = word or reference
    bare = re.split(r"[#_:/.?]", word.removesuffix("?"))[-1].lower()
    if bare not in _TYPES:
        shown = f"the type {bare[:40]!r}" if bare else "no type"
        message = f"attribute {name[:60]!r} has {shown}, expected Integer, Boolean, Real or an enumeration"
        raise UserError(message, at=element.at)
    return _TYPES[bare]


def _default(document: XmiDocument, element: Element) -> str | None:
    for child in parts(element, "defaultValue"):
        instance = document.references(child, "instance")
        if instance:
            return name_of(instance[0])
        body = body_of(child)
        if body is not None:
            return body.text
        return {
            "LiteralBoolean": "false",
            "LiteralInteger": "0",
            "LiteralReal": "0",
            "LiteralUnlimitedNatural": "0",
        }.get(kind(child))
    given = element.get("default")
    return None if given is None or not given.text.strip() else given.text.strip()
