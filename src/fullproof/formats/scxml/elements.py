"""The elements and attributes allowed in an SCXML file, and the reasons for refusing others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.document.tree import Scalar
from fullproof.formats.scxml.tree import Attribute, Element

SCXML = "http://www.w3.org/2005/07/scxml"
FP = "urn:fullproof:scxml"
"""The namespaces of SCXML and of the extensions of fullproof: types, roles, choice points."""

_REFUSED = {
    "invoke": "invoked services: only the machine itself is a model",
    "donedata": "data of final states",
    "param": "events with values; signals carry none",
    "content": "events with values; signals carry none",
    "finalize": "invoked services",
}
_STATES = ("state", "parallel", "history", "final")
_ACTIONS = ("assign", "send", "cancel", "raise", "if", "foreach", "script", "log")
_CHILDREN = {
    "scxml": (
        *("datamodel", "state", "parallel", "history", "final", "transition"),
        *("fp:signal", "fp:requirement", "fp:property", "fp:fault-domain"),
    ),
    "state": ("datamodel", "initial", "onentry", "onexit", "transition", *_STATES),
    "parallel": ("datamodel", "onentry", "onexit", "transition", *_STATES),
    "history": ("transition",),
    "final": ("onentry", "onexit"),
    "initial": ("transition",),
    "datamodel": ("data",),
    "transition": (*_ACTIONS, "fp:req"),
    "onentry": _ACTIONS,
    "onexit": _ACTIONS,
    "if": (*_ACTIONS, "elseif", "else"),
    "foreach": _ACTIONS,
    "fp:fault-domain": ("fp:guard", "fp:paving"),
}
_ATTRIBUTES = {
    "scxml": (
        *("version", "name", "initial", "datamodel", "binding"),
        *("fp:name", "fp:in", "fp:out", "fp:semantics"),
    ),
    "state": ("id", "initial", "fp:name", "fp:choice"),
    "parallel": ("id", "fp:name"),
    "history": ("id", "type", "fp:name"),
    "final": ("id", "fp:name"),
    "data": ("id", "expr", "fp:expr", "fp:type", "fp:role"),
    "transition": ("event", "cond", "target", "type", "fp:cond", "fp:req"),
    "assign": ("location", "expr", "fp:expr"),
    "send": ("event", "target", "type", "id", "delay"),
    "cancel": ("sendid",),
    "raise": ("event",),
    "if": ("cond", "fp:cond"),
    "elseif": ("cond", "fp:cond"),
    "foreach": ("array", "item", "index"),
    "log": ("label", "expr"),
    "fp:signal": ("event", "name"),
    "fp:requirement": ("name", "text"),
    "fp:property": ("name", "formula"),
    "fp:fault-domain": ("extra-states", "degree"),
    "fp:guard": ("when",),
    "fp:paving": ("variable", "width"),
    "fp:req": ("name",),
}
_WHY_NOT = {
    ("send", "delayexpr"): "a delay that is computed; give it by delay",
    ("cancel", "sendidexpr"): "an id that is computed; give it by sendid",
    ("send", "namelist"): "an event with values; signals carry none",
    ("data", "src"): "data from elsewhere; give its value by expr",
    ("script", "src"): "a script in another file; assignments can stand between its tags",
}


def tag_of(element: Element) -> str:
    """``state`` or ``fp:signal``; '' for an element of another vocabulary."""
    if element.namespace in (SCXML, ""):
        return element.tag
    return f"fp:{element.tag}" if element.namespace == FP else ""


def checked(element: Element) -> Iterator[tuple[str, Element]]:
    """The children with their tags; elements that are not allowed here are errors, foreign vocabularies are skipped."""
    tag = tag_of(element)
    _check_attributes(element, tag)
    if element.text and tag not in ("log", "script"):
        message = f"unexpected text {element.text[:40]!r} in <{tag}>; values are given by attributes"
        raise UserError(message, at=element.text_at)
    allowed = _CHILDREN.get(tag, ())
    for child in element.children:
        name = tag_of(child)
        if name in _REFUSED:
            raise UserError(f"<{name}> is not supported: {_REFUSED[name]}", at=child.at)
        if name and name not in allowed:
            hint = did_you_mean(name[:40], allowed) if allowed else ""
            raise UserError(f"unexpected <{name[:40]}> in <{tag}>{hint}", at=child.at)
        if name:
            yield name, child


def _check_attributes(element: Element, tag: str) -> None:
    allowed = _ATTRIBUTES.get(tag, ())
    for (namespace, local), attribute in element.attributes.items():
        name = local if namespace == "" else f"fp:{local}" if namespace == FP else ""
        if not name or name in allowed:
            continue
        why = _WHY_NOT.get((tag, name))
        if why is not None:
            raise UserError(f"{name} of <{tag}> is not supported: {why}", at=attribute.at)
        if name.endswith("expr"):
            raise UserError(f"{name} of <{tag}> is not supported: what happens is fixed", at=attribute.at)
        hint = did_you_mean(name[:40], allowed) if allowed else ""
        raise UserError(f"unknown attribute {name[:40]!r} of <{tag}>{hint}", at=attribute.at)


def fp(element: Element, name: str) -> Attribute | None:
    """An attribute of our own vocabulary."""
    return element.get(name, FP)


def needed(element: Element, name: str) -> Attribute:
    """An attribute that must be there, and not be empty."""
    found = element.get(name)
    if found is None:
        raise UserError(f"<{tag_of(element)}> lacks the attribute {name!r}", at=element.at)
    if not found.text:
        raise UserError(f"the attribute {name!r} of <{tag_of(element)}> is empty", at=found.at)
    return found


def one_of(attribute: Attribute, what: str, known: Sequence[str]) -> str:
    """A word among known ones."""
    if attribute.text not in known:
        message = f"unknown {what} {attribute.text[:60]!r}{did_you_mean(attribute.text[:60], known)}"
        raise UserError(message, at=attribute.at)
    return attribute.text


def scalar(attribute: Attribute) -> Scalar:
    """The same text as in a YAML file, for what both have in common."""
    begin, end = attribute.place(0), attribute.place(len(attribute.text))
    exact = begin.line == end.line and (end.column or 0) - (begin.column or 0) == len(attribute.text)
    return Scalar(attribute.text, begin.line or 1, begin.column or 1, quoted=True, exact=exact)
