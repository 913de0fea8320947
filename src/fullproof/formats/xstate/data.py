"""The context of an XState machine as variables, and what it does not say as keys of a model file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from fullproof.formats.document.document import Document
from fullproof.formats.document.tree import Fields, Node, Scalar, describe
from fullproof.language.syntax import Expression
from fullproof.language.traversal import free_names

_WHOLE = re.compile(r"-?[0-9]+\Z")
_DECLARING = ("inputs", "outputs", "variables", "constants")


def our_keys(document: Document, record: Mapping[str, Node], allowed: tuple[str, ...] | None = None) -> Fields:
    """What stands under ``meta: {fullproof: ...}``."""
    nothing = Fields((), document.root.line, document.root.column)
    meta = record.get("meta")
    entries = meta.entries if isinstance(meta, Fields) else ()
    given = next((value for key, value in entries if key.text == "fullproof"), None)
    if given is None:
        return nothing
    if allowed is not None:
        document.record(given, "meta.fullproof", allowed)
    return Fields(document.fields(given, "meta.fullproof"), given.line, given.column)


def declared_names(keys: Fields) -> set[str]:
    """The names that keys of a model file declare."""
    found = (value for key, value in keys.entries if key.text in _DECLARING)
    return {name.text for value in found if isinstance(value, Fields) for name, _ in value.entries}


def with_data(
    document: Document,
    keys: Fields,
    context: Node | None,
    used: Iterable[Expression],
    assigned: Iterable[str],
    asked: Mapping[str, Scalar],
) -> Fields:
    """The keys with a variable for each value of the context that is read or assigned, and an input for each guard
    that is only a name.
    """
    known = declared_names(keys)
    entries = () if context is None else document.fields(context, "the context")
    names = {*assigned, *(name for expression in used for name in free_names(expression))}
    variables = [
        (name, _variable(document, name, value))
        for name, value in entries
        if name.text in names and name.text not in known
    ]
    held = {name.text for name, _ in entries}
    inputs = [
        (Scalar(name, at.line, at.column), Scalar("bool", at.line, at.column, exact=False))
        for name, at in asked.items()
        if name not in known and name not in held
    ]
    return _added(_added(keys, "variables", variables), "inputs", inputs)


def _added(keys: Fields, word: str, new: list[tuple[Scalar, Scalar]]) -> Fields:
    if not new:
        return keys
    old = next((value for key, value in keys.entries if key.text == word), None)
    before = old.entries if isinstance(old, Fields) else ()
    whole = Fields((*before, *new), keys.line, keys.column)
    others = tuple(entry for entry in keys.entries if entry[0].text != word)
    return Fields((*others, (Scalar(word, keys.line, keys.column), whole)), keys.line, keys.column)


def _variable(document: Document, name: Scalar, value: Node) -> Scalar:
    """The declaration of a value of the context."""
    if not isinstance(value, Scalar) or value.empty:
        message = f"{name.text[:60]!r} of the context is {describe(value)}; expected a number or a truth value"
        raise document.error(message, value)
    if value.quoted:
        message = f"{name.text[:60]!r} of the context is a text; expected its values, as in"
        example = f'"meta": {{"fullproof": {{"variables": {{"{name.text[:40]}": "enum a, b = a"}}}}}}'
        raise document.error(f"{message} {example}", value)
    type_ = "bool" if value.text in ("true", "false") else "int" if _WHOLE.match(value.text) else "real"
    return Scalar(f"{type_} = {value.text}", value.line, value.column, quoted=True, exact=False)
