"""Guards and actions of an XState machine, before their names mean anything.

The code behind a name is not in the file: a guard that is a name is a truth value that comes from outside, and an
action that is a name is a signal that is sent. A text may also be a condition, or an assignment to the context.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from fullproof.formats.charts.texts import ASSIGNS, assignments_of, expression_of
from fullproof.formats.document.document import Document
from fullproof.formats.document.tree import Fields, Items, Node, Scalar, describe
from fullproof.language.shallow_trees import joined_as_written
from fullproof.language.syntax import TRUE, Expression, Name, Unary

_WORD = re.compile(r"[^\W\d]\w*\Z")
_SILENT = ("xstate.log",)
_JOINING: dict[str, Literal["and", "or", "not"]] = {"xstate.and": "and", "xstate.or": "or", "xstate.not": "not"}


@dataclass(frozen=True, slots=True)
class XstateAction:
    """An assignment (with an expression), a signal that is sent, or an internal event that is raised."""

    name: str
    at: Scalar
    expression: Expression | None = None
    raised: bool = False


class XstateContents:
    """Reads guards and actions; ``asked`` collects the names of guards."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.asked: dict[str, Scalar] = {}

    # --- guards ---

    def guard(self, node: Node | None) -> Expression:
        """A name, a condition, ``{"type": ...}``, or one of those joined by ``xstate.and``, ``or`` and ``not``."""
        if node is None:
            return TRUE
        if isinstance(node, Fields):
            record = self.document.record(node, "a guard", ("type", "params", "guards"))
            if "type" not in record:
                raise self.document.error("the guard lacks the key 'type'", node)
            word = self.document.name(record["type"], "the type of a guard")
            if word in _JOINING:
                return self._joined(_JOINING[word], record, node)
            self._no_values(record.get("params"), "a guard")
            return self._condition(self.document.scalar(record["type"], "the type of a guard"))
        return self._condition(self.document.scalar(node, "a guard"))

    def _joined(self, word: Literal["and", "or", "not"], record: dict[str, Node], node: Node) -> Expression:
        parts = [self.guard(part) for part in self.document.items(record.get("guards", node), "guards")]
        if word == "not" and len(parts) == 1:
            return Unary("not", parts[0])
        if word == "not" or not parts:
            raise self.document.error(f"xstate.{word} joins {len(parts)} guards", node)
        return joined_as_written(word, parts)

    def _condition(self, text: Scalar) -> Expression:
        if _WORD.match(text.text) and text.text not in ("true", "false"):
            self.asked.setdefault(text.text, text)
            return Name(text.text, at=self.document.place(text))
        return self.document.parsed(text, "a guard", expression_of)

    def _no_values(self, params: Node | None, what: str) -> None:
        entries = () if params is None or isinstance(params, Scalar) else params.entries
        if entries or (isinstance(params, Scalar) and not params.empty):
            assert params is not None
            raise self.document.error(f"{what} with params: what the code does with them is not in the file", params)

    # --- actions ---

    def actions(self, node: Node | None) -> list[XstateAction]:
        """One action, or a list."""
        if node is None:
            return []
        items = node.entries if isinstance(node, Items) else (node,)
        return [found for item in items for found in self._action(item)]

    def _action(self, node: Node) -> list[XstateAction]:
        if not isinstance(node, Fields):
            return self._text(self.document.scalar(node, "an action"))
        record = self.document.record(node, "an action", ("type", "params", "event", "assignment", "delay", "id"))
        if "type" not in record:
            raise self.document.error("the action lacks the key 'type'", node)
        word = self.document.scalar(record["type"], "the type of an action")
        inner = record.get("params")
        keys = {key.text: value for key, value in inner.entries} if isinstance(inner, Fields) else {}
        if "delay" in record or "delay" in keys:
            raise self.document.error("delayed events are not supported", record.get("delay", keys.get("delay", node)))
        if word.text in _SILENT:
            return []
        if word.text in ("xstate.raise", "xstate.emit"):
            event = self._event(record.get("event", keys.get("event")), word)
            return [XstateAction(event.text, event, raised=word.text == "xstate.raise")]
        if word.text == "xstate.assign":
            return self._assigned(record.get("assignment", keys.get("assignment")), word)
        if word.text.startswith("xstate."):
            raise self.document.error(f"{describe(word)} is not supported: there is one machine and no other", word)
        self._no_values(inner, f"action {describe(word)}")
        return self._text(word)

    def _event(self, node: Node | None, word: Scalar) -> Scalar:
        if node is None:
            raise self.document.error(f"{describe(word)} lacks the key 'event'", word)
        if isinstance(node, Fields):
            record = {key.text: value for key, value in node.entries}
            extra = next((key for key, _ in node.entries if key.text != "type"), None)
            if extra is not None:
                raise self.document.error("an event with values: only its type is known to all states", extra)
            if "type" not in record:
                raise self.document.error("the event lacks the key 'type'", node)
            node = record["type"]
        self.document.name(node, "an event")
        return self.document.scalar(node, "an event")

    def _assigned(self, node: Node | None, word: Scalar) -> list[XstateAction]:
        if node is None:
            raise self.document.error(f"{describe(word)} lacks the key 'assignment'", word)
        found = []
        for name, value in self.document.fields(node, "an assignment"):
            text = self.document.scalar(value, f"the value of {name.text[:60]!r}")
            found.append(XstateAction(name.text, name, self.document.parsed(text, "a value", expression_of)))
        return found

    def _text(self, text: Scalar) -> list[XstateAction]:
        if not text.text:
            raise self.document.error("the name of an action is empty", text)
        if not ASSIGNS.match(text.text):
            return [XstateAction(text.text, text)]
        pairs = self.document.parsed(text, "an action", assignments_of)
        return [XstateAction(name, text, value) for name, value in pairs]
