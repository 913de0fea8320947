"""YAML 1.2 text to a tree with positions, from ruamel.yaml's stream of events.

Events carry positions and scalars as they are written, so that nothing is resolved (``on``, ``no`` and ``0`` stay
texts), nothing is constructed (a tag such as ``!!python/object`` cannot run anything), and no work is done twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fullproof.core.errors import Place, UserError
from fullproof.formats.document.tree import MAX_DEPTH, Fields, Items, Node, Scalar
from fullproof.formats.yaml.lanes import WORD, split_lanes

if TYPE_CHECKING:
    from ruamel.yaml import events as ev

MAX_ALIASED = 100_000
"""Nodes that aliases may add to a document: a few bytes of aliases of aliases can stand for billions."""

_PLAIN_TAGS = ("!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


def parse_yaml(text: str, *, file: str) -> Node:
    """Read the one document of a text."""
    lanes = split_lanes(text)
    if lanes is not None:
        try:
            composer = _Composer(file, lanes.skeleton, lanes.nodes)
            root = _compose(composer)
        except UserError:
            pass  # what is wrong, and where, the slow way says better
        else:
            if composer.met == len(lanes.nodes):
                return root
    return _compose(_Composer(file, text, {}))


def _compose(composer: _Composer) -> Node:
    from ruamel.yaml import events as ev

    handlers = {
        ev.ScalarEvent: composer.scalar,
        ev.MappingStartEvent: composer.open,
        ev.SequenceStartEvent: composer.open,
        ev.MappingEndEvent: composer.close,
        ev.SequenceEndEvent: composer.close,
        ev.AliasEvent: composer.alias,
        ev.DocumentStartEvent: composer.start,
    }
    for event in _events(composer.text, composer.file):
        handle = handlers.get(type(event))
        if handle is not None:
            handle(event)
    if composer.root is None:
        raise UserError("the file holds no model, only comments", at=Place(file=composer.file, line=1))
    return composer.root


def _events(text: str, file: str) -> Iterator[ev.Event]:
    """Parse, and turn whatever the parser says about bad text into one line with a position."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    yaml = YAML(typ="safe", pure=True)
    try:
        yield from yaml.parse(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(file=file, line=mark.line + 1, column=mark.column + 1) if mark else Place(file=file, line=1)
        raise UserError(f"not YAML: {_explained(error, text)}", at=place) from None
    except (
        YAMLError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        AssertionError,
        NotImplementedError,
    ) as error:
        # Some malformed texts (forbidden characters, odd directives) trip the scanner itself.
        raise UserError(f"not YAML: {_scanner_complaint(error)}", at=_offset_place(text, error, file)) from None


def _explained(error: Any, text: str) -> str:
    parts = [part for part in (error.context, error.problem) if part]
    message = ", ".join(str(part) for part in parts) or "it cannot be parsed"
    if "mapping values are not allowed" in message:
        message += " (quote a text that holds ': ')"
    if "found character '\\t'" in message:
        mark = error.problem_mark
        before = "" if mark is None else text.split("\n")[mark.line][: mark.column]
        return (
            "a tab cannot stand here, expected a blank"
            if before.strip()
            else "a tab is no indentation, expected blanks"
        )
    if "cannot start any token" in message:
        message += " (quote a text that begins with it)"
    return message


def _scanner_complaint(error: Exception) -> str:
    character = getattr(error, "character", None)
    if character is None:
        return "it cannot be parsed"
    code = character if isinstance(character, int) else ord(character)
    return f"the character U+{code:04X} is not allowed"


def _offset_place(text: str, error: Exception, file: str) -> Place:
    offset = getattr(error, "position", None)
    if not isinstance(offset, int):
        return Place(file=file, line=1)
    return Place(file=file, line=text.count("\n", 0, offset) + 1, column=offset - text.rfind("\n", 0, offset))


class _Open:
    """A list or a mapping whose end has not come yet."""

    __slots__ = ("anchor", "children", "column", "flow", "keys", "line", "mapping", "size")

    def __init__(self, event: Any) -> None:
        self.mapping = type(event).__name__ == "MappingStartEvent"
        self.anchor = event.anchor
        self.flow = bool(event.flow_style)
        self.line = event.start_mark.line + 1
        self.column = event.start_mark.column + 1
        self.children: list[Node] = []
        self.keys: dict[str, Scalar] = {}
        self.size = 1


class _Composer:
    """Builds the tree; the stack holds what is open, so that depth costs no recursion."""

    def __init__(self, file: str, text: str, lines: dict[str, Node]) -> None:
        self.file = file
        self.text = text
        self.lines = lines
        self.met = 0
        self.root: Node | None = None
        self.stack: list[_Open] = []
        self.anchors: dict[str, tuple[Node, int]] = {}
        self.aliased = 0

    def start(self, event: Any) -> None:
        if self.root is not None:
            raise self.error("expected one document, a second one begins here", event)

    def open(self, event: Any) -> None:
        self.refuse_tag(event)
        self.stack.append(_Open(event))
        if len(self.stack) > MAX_DEPTH:
            raise self.error(f"nested more than {MAX_DEPTH} deep", event)

    def scalar(self, event: Any) -> None:
        self.refuse_tag(event)
        start, end = event.start_mark, event.end_mark
        quoted = bool(event.style)
        quotes = 2 if event.style in ("'", '"') else 0
        text = event.value
        if event.style == '"' and not text.isprintable():
            text = self.joined(text, event)
        if self.lines and text.startswith(WORD):
            self.exchange(event)
            return
        exact = event.style not in ("|", ">") and len(text) + quotes == end.index - start.index
        line, column = start.line + 1, start.column + 1 + quotes // 2
        if event.style in ("|", ">"):
            line, column = line + 1, 1
        flow = bool(self.stack) and self.stack[-1].flow
        if not text and not quoted and self.text[start.index - 1 : start.index] == ":":
            text = "~"  # written as a key with its colon, and then nothing
        node = Scalar(text, line, column, quoted or event.tag is not None, flow, exact and "\n" not in text)
        self.add(node, event.anchor, 1)

    def joined(self, text: str, event: Any) -> str:
        """The text, two escapes that are halves of one character made one, as JSON has it."""
        try:
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise self.error("half of a surrogate pair is not a character", event) from None

    def exchange(self, event: Any) -> None:
        """Put in what a line said, where its word is an item of a block list on that line."""
        node = self.lines.get(event.value)
        parent = self.stack[-1] if self.stack else None
        mark = event.start_mark
        if (
            node is not None
            and parent is not None
            and not (parent.mapping or parent.flow or event.style or event.anchor or event.tag)
            and (mark.line + 1, mark.column + 1) == (node.line, node.column)
        ):
            self.met += 1
            self.add(node, None, 1)

    def add(self, node: Node, anchor: str | None, size: int) -> None:
        if not self.stack:
            self.root = node
        else:
            parent = self.stack[-1]
            parent.size += size
            if parent.mapping and len(parent.children) % 2 == 0:
                self.add_key(parent, node)
            elif parent.mapping and isinstance(node, Scalar) and node.empty:
                # Nothing stands nowhere: the key is the place to look at.
                key = parent.children[-1]
                glued = isinstance(key, Scalar) and key.text.endswith(":") and not key.quoted
                node = Scalar("" if glued else node.text, key.line, key.column, flow=parent.flow)
            parent.children.append(node)
        if anchor is not None:
            self.anchors[anchor] = (node, size)

    def add_key(self, parent: _Open, key: Node) -> None:
        if not isinstance(key, Scalar):
            raise UserError("expected a text as key", at=Place(file=self.file, line=key.line, column=key.column))
        if key.text == "<<" and not key.quoted:
            raise self.error_at("merge keys '<<' are not supported, write the keys out", key)
        if key.text == "~" and not key.quoted:
            raise self.error_at("expected a text as key, found nothing (quote a text that is '~')", key)
        if key.text in parent.keys:
            first = parent.keys[key.text].line
            raise self.error_at(f"key {key.text[:60]!r} occurs twice, first on line {first}", key)
        parent.keys[key.text] = key

    def close(self, _: Any) -> None:
        done = self.stack.pop()
        node: Node
        if done.mapping:
            keys = done.keys.values()
            entries = tuple(zip(keys, done.children[1::2], strict=True))
            node = Fields(entries, done.line, done.column, done.flow)
        else:
            node = Items(tuple(done.children), done.line, done.column)
        self.add(node, done.anchor, done.size)

    def alias(self, event: Any) -> None:
        if event.anchor not in self.anchors:
            raise self.error(
                f"alias *{event.anchor[:60]} has no anchor before it (quote a text that begins with '*')", event
            )
        node, size = self.anchors[event.anchor]
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            raise self.error(f"aliases stand for more than {MAX_ALIASED:,} values", event)
        self.add(node, None, size)

    def refuse_tag(self, event: Any) -> None:
        tag = event.tag
        if tag is not None and tag not in _PLAIN_TAGS:
            shown = str(tag).replace("tag:yaml.org,2002:", "!!")[:60]
            raise self.error(f"YAML tags such as {shown} are not supported (quote a text that begins with '!')", event)

    def error(self, message: str, event: Any) -> UserError:
        mark = event.start_mark
        return UserError(message, at=Place(file=self.file, line=mark.line + 1, column=mark.column + 1))

    def error_at(self, message: str, node: Scalar) -> UserError:
        return UserError(message, at=Place(file=self.file, line=node.line, column=node.column))
