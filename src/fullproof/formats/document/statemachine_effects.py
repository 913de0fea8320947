"""What transitions, entries and exits of a state machine file do: assignments, signals, events, and conditions on them.

``do`` is a list of assignments. An item with keys stands for several actions at its place in the list:
``{if: x > 3, do: [y = 1], send: [s], else: {if: x > 1, raise: [e]}}``; without ``if`` they are always done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fullproof.formats.charts.vocabulary import Vocabulary
from fullproof.formats.document.document import Document
from fullproof.formats.document.tree import Fields, Items, Node
from fullproof.language.limits import MAX_DEPTH
from fullproof.language.syntax import TRUE, Expression
from fullproof.model.chart import (
    NOTHING,
    Action,
    ConditionalActions,
    Effect,
    RaisedEvent,
    SentSignal,
    StartedTimer,
    StoppedTimer,
)

EFFECTS = ("do", "send", "raise", "start", "stop")
ITEM = ("if", *EFFECTS, "else")
"""The keys of actions under a condition."""


class Effects:
    """Reads actions; ``changed`` reads what ``start`` and ``stop`` say."""

    def __init__(
        self,
        document: Document,
        words: Vocabulary,
        changed: Callable[[Mapping[str, Node]], tuple[StartedTimer | StoppedTimer, ...]],
    ) -> None:
        self._document = document
        self._words = words
        self._changed = changed

    def of_state(self, node: Node | None, what: str) -> Effect:
        """Assignments alone, or ``{do: [...], send: [...]}``."""
        if node is None:
            return NOTHING
        if not isinstance(node, Fields):
            return self.of({"do": node}, what=what)
        return self.of(self._document.record(node, what, EFFECTS))

    def of(self, record: Mapping[str, Node], *, what: str = "do") -> Effect:
        """What ``do``, ``send`` and ``raise`` say."""
        return Effect(actions=tuple(self._actions(record, what, 0)), sends=self._sends(record))

    def _sends(self, record: Mapping[str, Node]) -> tuple[str, ...]:
        document, send = self._document, record.get("send")
        listed = () if send is None else document.one_or_more(send, "send")
        return tuple(document.known(item, "output signal", self._words.signals_out) for item in listed)

    def _actions(self, record: Mapping[str, Node], what: str, level: int) -> Iterator[Action]:
        """All but what ``send`` says."""
        do = record.get("do")
        listed = (do,) if isinstance(do, Fields) else () if do is None else self._document.one_or_more(do, what)
        for item in listed:
            if isinstance(item, Fields):
                yield from self._item(item, level + 1)
            else:
                yield self._document.parsed(item, "an action", self._words.assignment)
        yield from map(RaisedEvent, _own_raised(self._document, record))
        yield from self._changed(record)

    def _item(self, node: Node, level: int) -> tuple[Action, ...]:
        document = self._document
        record = document.record(node, "actions", ITEM)
        if "if" not in record:
            if "else" in record:
                raise document.error("'else' belongs to an 'if', which is missing", record["else"])
            return self._all(record, level)
        cases: list[tuple[Expression, tuple[Action, ...]]] = []
        while True:
            if level + len(cases) > MAX_DEPTH:
                raise document.error(f"actions are nested more than {MAX_DEPTH} deep", node)
            guard = document.parsed(record["if"], "a guard", self._words.guard) if "if" in record else TRUE
            cases.append((guard, self._all(record, level)))
            if "else" not in record or "if" not in record:
                break
            record = document.record(record["else"], "else", ITEM)
        if "else" in record:
            raise document.error("'else' belongs to an 'if', which is missing", record["else"])
        return (ConditionalActions(tuple(cases)),)

    def _all(self, record: Mapping[str, Node], level: int) -> tuple[Action, ...]:
        if level > MAX_DEPTH:
            raise self._document.error(f"actions are nested more than {MAX_DEPTH} deep", record["do"])
        return (*self._actions(record, "do", level), *map(SentSignal, self._sends(record)))


def raised_by(document: Document, node: Node | Mapping[str, Node]) -> Iterator[str]:
    """The internal events that a transition, or the entry, exit or initial of a state, raises."""
    waiting: list[Node | Mapping[str, Node]] = [node]
    while waiting:
        here = waiting.pop()
        entries = {key.text: value for key, value in here.entries} if isinstance(here, Fields) else here
        if isinstance(entries, Mapping):
            yield from _own_raised(document, entries)
            inner = (entries[key] for key in ("entry", "exit", "initial", "do", "else") if key in entries)
            waiting += (value for value in inner if isinstance(value, Fields | Items))
        elif isinstance(entries, Items):
            waiting += (value for value in entries.entries if isinstance(value, Fields))


def _own_raised(document: Document, record: Mapping[str, Node]) -> tuple[str, ...]:
    return () if "raise" not in record else document.names(document.one_or_more(record["raise"], "raise"), "event")
