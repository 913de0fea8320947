"""Executable content and conditions as SCXML has them: the written side of ``actions``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fullproof.formats.scxml.printer import ecmascript
from fullproof.formats.scxml.tags import tag
from fullproof.language.printer import to_text
from fullproof.language.substitute import substitute
from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.model.chart import (
    Action,
    ConditionalActions,
    Effect,
    RaisedEvent,
    SentSignal,
    StartedTimer,
    StoppedTimer,
    is_active,
)
from fullproof.model.sts import Assignment


class WrittenContent:
    """Writes actions; ``ids`` and ``events`` are the words of the file for states and signals."""

    def __init__(
        self,
        ids: Mapping[str, str],
        events: Mapping[str, str],
        values: frozenset[str],
        delays: Mapping[str, tuple[str, str]],
    ) -> None:
        """``delays`` has the event and the delay of each timer."""
        self._events = events
        self._delays = delays
        self._values = values
        self._states = {is_active(name): Name(is_active(word)) for name, word in ids.items() if name != word}

    def code(self, name: str, expression: Expression) -> list[tuple[str, str]]:
        """ECMAScript, and our own language beside it where ECMAScript would be read as another tree."""
        if self._states:
            expression = substitute(expression, self._states)
        text, exact = ecmascript(expression, self._values)
        return [(name, text), *([] if exact else [(f"fp:{name}", to_text(expression))])]

    def guard(self, expression: Expression) -> list[tuple[str, str]]:
        """The attributes of a condition; none for one that always holds."""
        return [] if expression == TRUE else self.code("cond", expression)

    def block(self, name: str, effect: Effect, level: int) -> Iterator[str]:
        """``<onentry>`` and the like; nothing where nothing is done."""
        if effect:
            yield tag(level, name, end=">")
            yield from self.actions(effect.steps(), level + 1)
            yield f"{'  ' * level}</{name}>\n"

    def actions(self, actions: Iterable[Action], level: int) -> Iterator[str]:
        """Each action as an element."""
        for action in actions:
            match action:
                case Assignment():
                    yield tag(level, "assign", ("location", action.variable), *self.code("expr", action.expression))
                case SentSignal():
                    yield tag(level, "send", ("event", self._events[action.signal]))
                case RaisedEvent():
                    yield tag(level, "raise", ("event", self._events[action.event]))
                case StartedTimer():
                    event, delay = self._delays[action.timer]
                    yield tag(level, "send", ("event", event), ("delay", delay), ("id", event))
                case StoppedTimer():
                    yield tag(level, "cancel", ("sendid", self._delays[action.timer][0]))
                case ConditionalActions():
                    yield from self._conditional(action, level)

    def _conditional(self, action: ConditionalActions, level: int) -> Iterator[str]:
        last = len(action.cases) - 1
        for number, (condition, done) in enumerate(action.cases):
            if number == 0:
                yield tag(level, "if", *self.code("cond", condition), end=">")
            elif number == last and condition == TRUE:
                yield tag(level, "else")
            else:
                yield tag(level, "elseif", *self.code("cond", condition))
            yield from self.actions(done, level + 1)
        yield f"{'  ' * level}</if>\n"
