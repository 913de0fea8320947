"""Keys of a model file in the comments of other formats: ``%% fullproof: inputs: {x: real}`` in Mermaid.

The texts of all such lines together are one YAML document, so that long keys may go on over several lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fullproof.formats.columns import ColumnTable
from fullproof.formats.document.document import Document
from fullproof.formats.document.tree import Fields, Items, Node, Scalar


def read_comment_keys(lines: Sequence[Scalar], columns: ColumnTable) -> Fields:
    """The keys with their values; ``columns`` learns where they stand."""
    from fullproof.formats.yaml.reader import parse_yaml

    if not any(line.text.strip() for line in lines):
        return Fields((), 1, 1)
    width = max(line.column for line in lines) - 1
    rows = [""] * lines[-1].line
    for line in lines:
        rows[line.line - 1] = " " * width + line.text
        if line.column - 1 < width:
            shifted = range(line.column, line.column + len(line.text) + 1)
            columns.tables[line.line] = [line.column] * width + list(shifted)
    root = parse_yaml("\n".join(rows), file=columns.file)
    if not isinstance(root, Fields):
        raise columns.error_at("expected keys with values after 'fullproof:'", root)
    return root


def read_comment_value(text: Scalar, columns: ColumnTable) -> Node:
    """The names of a line ``%% fullproof: req: [R1]``."""
    from fullproof.formats.yaml.reader import parse_yaml

    if not text.text.strip():
        raise columns.error_at("expected requirements such as [R1]", text)
    return parse_yaml("\n" * (text.line - 1) + " " * (text.column - 1) + text.text, file=columns.file)


def key(word: str, at: Scalar) -> Scalar:
    """A key of a model file that no file has written."""
    return Scalar(word, at.line, at.column)


def with_keys(keys: Fields, added: dict[str, Node], *, at: Scalar) -> Fields:
    """The keys and further ones."""
    entries = [*keys.entries, *((key(name, at), value) for name, value in added.items())]
    return Fields(tuple(entries), keys.line, keys.column)


def without(keys: Fields, name: str) -> tuple[Node | None, Fields]:
    """The value of a key, and the other keys."""
    value = next((value for key, value in keys.entries if key.text == name), None)
    entries = tuple(entry for entry in keys.entries if entry[0].text != name)
    return value, Fields(entries, keys.line, keys.column)


def with_signals(keys: Fields, received: Iterable[Scalar], sent: Iterable[Scalar], *, at: Scalar) -> Fields:
    """The keys, with the signals that a chart uses where no key lists them: distinct, in the order of their use."""
    if any(name.text == "signals" for name, _ in keys.entries):
        return keys
    lists = []
    for word, names in (("in", received), ("out", sent)):
        found: dict[str, Scalar] = {}
        for name in names:
            found.setdefault(name.text, name)
        lists.append((key(word, at), Items(tuple(found.values()), at.line, at.column)))
    return with_keys(keys, {"signals": Fields(tuple(lists), at.line, at.column)}, at=at)


def ordered_choices(node: Node | None, choices: tuple[str, ...], *, file: str) -> tuple[str, ...]:
    """The choice points in the order that a key ``choices`` gives, where it is there."""
    if node is None:
        return choices
    document = Document(node, file=file)
    items = document.one_or_more(node, "choices")
    for item in items:
        document.known(item, "choice point", choices)
    return tuple(dict.fromkeys((*document.names(items, "choice point"), *choices)))
