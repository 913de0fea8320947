"""Timers of a state machine file: ``after: 30 s`` and ``every: 5 s`` of transitions, and ``restart``.

Timers that belong to no state are declared below ``timers:``; transitions start and stop them, and wait for them by
their names. It is how a flat machine is written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from fullproof.formats.charts.times import time_from_text
from fullproof.formats.document.document import Document
from fullproof.formats.document.state_paths import Path
from fullproof.formats.document.statemachine_states import States
from fullproof.formats.document.tree import Fields, Node
from fullproof.language.durations import duration_of
from fullproof.language.types import Value
from fullproof.model.chart import StartedTimer, StoppedTimer
from fullproof.model.timed import Timer

TIMES = ("after", "every")
"""What a transition may have instead of a trigger."""


class Timers:
    """The timers of a file, each of the state that declares it.

    Transitions of a state that say the same time wait for the same timer.
    """

    def __init__(
        self, document: Document, states: States, constants: Mapping[str, Value], events: Collection[str]
    ) -> None:
        """``events`` are the other names that a transition may wait for."""
        self._document = document
        self._states = states
        self._constants = constants
        self._events = events
        self._owner: dict[str, Path] = {}
        self._timers: dict[str, Timer] = {}
        self.declared: dict[str, None] = {}
        """Timers of no state."""
        self.from_the_beginning: tuple[StartedTimer, ...] = ()
        for entry in states.entries:
            for node in entry.transitions:
                if isinstance(node, Fields):
                    self._declare(entry.path, {key.text: value for key, value in node.entries}, node)

    def declare(self, record: Mapping[str, Node]) -> None:
        """Read ``timers:`` and ``started:`` of the file."""
        document = self._document
        for key, node in document.fields(record["timers"], "timers") if "timers" in record else ():
            name, at = document.name(key, "timer"), document.place(node)
            found = time_from_text(document.scalar(node, f"timer {name[:60]!r}").text, self._constants, at=at)
            if found is None:
                raise document.error(f"timer {name[:60]!r} should be such as after 30 s or every 5 s", node)
            if name in self._timers or name in self._events:
                raise document.error(f"{name[:60]!r} is a signal, event or timer already", key)
            self._timers[name] = Timer(name, *found)
            self.declared[name] = None
        if "started" in record:
            nodes = document.one_or_more(record["started"], "started")
            names = [document.known(node, "timer", tuple(self.declared)) for node in nodes]
            self.from_the_beginning = tuple(StartedTimer(name) for name in names)

    def changed(self, record: Mapping[str, Node]) -> tuple[StartedTimer | StoppedTimer, ...]:
        """What ``start`` and ``stop`` say, of timers that belong to no state."""
        found: list[StartedTimer | StoppedTimer] = []
        for key, made in (("stop", StoppedTimer), ("start", StartedTimer)):
            nodes = self._document.one_or_more(record[key], key) if key in record else ()
            found += [made(self._document.known(node, "timer", tuple(self.declared))) for node in nodes]
        return tuple(found)

    @property
    def listed(self) -> tuple[Timer, ...]:
        """All of them, in the order of the file."""
        return tuple(self._timers.values())

    def started(self, path: Path) -> tuple[StartedTimer, ...]:
        """What happens when a state is entered."""
        return tuple(self._start(name) for name, owner in self._owner.items() if owner == path)

    def stopped(self, path: Path) -> tuple[StoppedTimer, ...]:
        """What happens when a state is left."""
        return tuple(StoppedTimer(name) for name, owner in self._owner.items() if owner == path)

    def trigger(self, path: Path, record: Mapping[str, Node]) -> str | None:
        """The timer that a transition waits for; None where it waits for none."""
        given = [key for key in TIMES if key in record]
        return self._read(path, record, given[0]).name if given else None

    def restarted(self, path: Path, record: Mapping[str, Node]) -> tuple[StartedTimer, ...]:
        """What ``restart`` says: timers, or states with all their timers; of active states alone."""
        if "restart" not in record:
            return ()
        found: dict[str, None] = {}
        for node in self._document.one_or_more(record["restart"], "restart"):
            name = self._document.name(node, "timer or state")
            if name in self._owner:
                found[name] = None
                continue
            state = self._states.resolved(self._document, node, path, "timer or state")
            owned = [timer for timer, owner in self._owner.items() if self._states.names[owner] == state]
            if not owned:
                raise self._document.error(f"the state {state[:60]!r} has no timers to restart", node)
            found.update(dict.fromkeys(owned))
        return tuple(self._start(name) for name in found)

    def _start(self, name: str) -> StartedTimer:
        return StartedTimer(name, self._states.names[self._owner[name]])

    def _declare(self, path: Path, record: Mapping[str, Node], node: Node) -> None:
        given = [key for key in TIMES if key in record]
        if not given:
            if "timer" in record:
                raise self._document.error("'timer' is the name of an 'after' or 'every', which is missing", node)
            return
        if len(given) > 1 or "trigger" in record:
            first, second = (given if len(given) > 1 else ["trigger", *given])[:2]
            raise self._document.error(f"a transition waits for one thing: {first!r} or {second!r}", record[second])
        timer = self._read(path, record, given[0])
        place = record.get("timer", record[given[0]])
        if self._timers.get(timer.name, timer) != timer or self._owner.get(timer.name, path) != path:
            raise self._document.error(f"timer {timer.name[:60]!r} is declared twice, with different times", place)
        if timer.name in self._events:
            raise self._document.error(f"timer {timer.name[:60]!r} has the name of a signal or event", place)
        self._timers[timer.name] = timer
        self._owner[timer.name] = path

    def _read(self, path: Path, record: Mapping[str, Node], key: str) -> Timer:
        document, node = self._document, record[key]
        text = document.scalar(node, key).text
        seconds: Fraction = duration_of(text, self._constants, at=document.place(node))
        if key == "every" and seconds == 0:
            raise document.error("a timer that expires every 0 s never lets time pass", node)
        name = f"{self._states.names[path]} {key} {' '.join(text.split())}"
        if "timer" in record:
            name = document.name(record["timer"], "timer")
        return Timer(name, seconds, periodic=key == "every")
