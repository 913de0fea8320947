"""Mealy machines with local timers in Graphviz files, as LearnLib writes and reads them, as state machines.

A node may have ``timers="a=2,b=6"``: timers that start when the location is entered, in seconds. An edge ``to[a] / A``
is the timeout of a timer of its source. Where it is a loop the timer starts again and the others go on, unless
``resets="a,b"`` names them; an edge to another location ends all timers of its source. A loop of an input leaves the
timers alone but for its ``resets``. The output ``void`` is silence, ``A|B`` is two outputs. An input that a location
does not have is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.charts.machine import DrawnChart, state_machine
from fullproof.formats.charts.times import before
from fullproof.formats.charts.vocabulary import Vocabulary
from fullproof.formats.dot.tokens import DotToken
from fullproof.language.durations import require_plausible
from fullproof.language.scope import Scope
from fullproof.language.values import number_from_json
from fullproof.model.chart import (
    NOTHING,
    Action,
    ChartTransition,
    Effect,
    ExitsAndEntries,
    StartedTimer,
    StoppedTimer,
    Vertex,
)
from fullproof.model.common import Description
from fullproof.model.statemachine import StateMachine
from fullproof.model.timed import Timer

_TIMEOUT = re.compile(r"to\[\s*(?P<timer>[^\]]*?)\s*\]")
_SILENT = ("void", "")


@dataclass(frozen=True, slots=True)
class LocalEdge:
    """An edge with one label; ``resets`` are timers that it starts again."""

    source: DotToken
    target: str
    symbol: str
    output: str
    resets: DotToken | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalTimerGraph:
    """A graph, some of whose nodes have timers."""

    file: str
    name: str
    locations: Sequence[str]
    initial: str
    timers: dict[str, DotToken]
    edges: Sequence[LocalEdge]
    inputs: DotToken | None = None
    outputs: DotToken | None = None
    """All symbols, as JSON, where edges do not name all of them."""


def local_timer_machine(graph: LocalTimerGraph) -> StateMachine:
    """The state machine: inputs are signals that come in, outputs are signals that go out."""
    return _Builder(graph).machine()


class _Builder:
    def __init__(self, graph: LocalTimerGraph) -> None:
        self.graph = graph
        self.loops = {
            (edge.source.text, timer)
            for edge in graph.edges
            if (timer := _timeout(edge.symbol)) is not None and edge.target == edge.source.text
        }
        self.timers: dict[str, dict[str, Timer]] = {
            location: self.declared(location, token) for location, token in graph.timers.items()
        }

    def error(self, message: str, at: DotToken) -> UserError:
        return UserError(message, at=self.place(at))

    def place(self, at: DotToken) -> Place:
        return Place(file=self.graph.file, line=at.line, column=at.column)

    def declared(self, location: str, token: DotToken) -> dict[str, Timer]:
        found: dict[str, Timer] = {}
        for part in filter(None, (part.strip() for part in token.text.split(","))):
            name, _, text = (word.strip() for word in part.partition("="))
            seconds = number_from_json(text) if text else None
            if not name or seconds is None or seconds <= 0:
                raise self.error(f"expected a timer with its time, such as a=3, found {part[:40]!r}", token)
            require_plausible(Fraction(seconds), at=self.place(token))
            if name in found:
                raise self.error(f"timer {name[:40]!r} is listed twice", token)
            periodic = (location, name) in self.loops
            found[name] = Timer(f"{location}.{name}", Fraction(seconds), periodic=periodic)
        return found

    def machine(self) -> StateMachine:
        received = [edge.symbol for edge in self.graph.edges if _timeout(edge.symbol) is None]
        sent = [output for edge in self.graph.edges for output in outputs_of(edge.output)]
        both = sorted({*self.listed(self.graph.inputs, received)} & {*self.listed(self.graph.outputs, sent)})
        if both:
            places = (edge.source for edge in self.graph.edges if edge.symbol in both or edge.output in both)
            at = next(places, self.graph.inputs or self.graph.outputs or DotToken("", 1, 1))
            raise self.error(f"{both[0][:40]!r} is both an input and an output, expected different names", at)
        words = Vocabulary(
            signals_in=self.listed(self.graph.inputs, received),
            signals_out=self.listed(self.graph.outputs, sent),
            inputs=(),
            outputs=(),
            variables=(),
            scope=Scope(()),
        )
        chart = DrawnChart(
            name=self.graph.name,
            words=words,
            description=Description(),
            vertices=[self.vertex(location) for location in self.graph.locations],
            arrows=[self.arrow(edge) for edge in self.graph.edges],
            initial=self.graph.initial,
            at=Place(file=self.graph.file),
            choices=(),
            timers=tuple(timer for listed in self.timers.values() for timer in listed.values()),
        )
        return state_machine(chart)

    def listed(self, given: DotToken | None, used: list[str]) -> tuple[str, ...]:
        """The symbols that edges name, or those of a list that holds them."""
        if given is None:
            return tuple(dict.fromkeys(used))
        found = symbols_of(given)
        if found is None or len(set(found)) < len(found) or not {*used} <= {*found}:
            raise self.error("expected a JSON list of different texts with all symbols of the edges", given)
        return tuple(found)

    def vertex(self, location: str) -> Vertex:
        names = [timer.name for timer in self.timers.get(location, {}).values()]
        starts: tuple[Action, ...] = tuple(StartedTimer(name, location) for name in names)
        stops: tuple[Action, ...] = tuple(map(StoppedTimer, names))
        return Vertex(name=location, entry=before(starts, NOTHING), exit=before(stops, NOTHING))

    def arrow(self, edge: LocalEdge) -> ChartTransition:
        timer = _timeout(edge.symbol)
        loop = edge.target == edge.source.text
        resets = [] if edge.resets is None else [name.strip() for name in edge.resets.text.split(",") if name.strip()]
        if resets and not loop:
            assert edge.resets is not None
            raise self.error("an edge to another location starts its timers and no others", edge.resets)
        again = tuple(StartedTimer(self.known(edge, name, edge.resets).name, edge.target) for name in resets)
        return ChartTransition(
            source=edge.source.text,
            trigger=edge.symbol if timer is None else self.known(edge, timer, None).name,
            effect=Effect(actions=again, sends=outputs_of(edge.output)),
            target=edge.target,
            way=ExitsAndEntries.INTERNAL if loop else ExitsAndEntries.EXTERNAL,
            at=self.place(edge.source),
        )

    def known(self, edge: LocalEdge, name: str, at: DotToken | None) -> Timer:
        timers = self.timers.get(edge.source.text, {})
        if name not in timers:
            message = f"location {edge.source.text[:40]!r} has no timer {name[:40]!r}{did_you_mean(name[:40], timers)}"
            raise self.error(message, edge.source if at is None else at)
        return timers[name]


def _timeout(symbol: str) -> str | None:
    match = _TIMEOUT.fullmatch(symbol)
    return None if match is None else match["timer"]


def symbols_of(token: DotToken) -> list[str] | None:
    """The texts of a JSON list; None where it is none."""
    try:
        listed = json.loads(token.text)
    except (ValueError, RecursionError):
        return None
    return listed if isinstance(listed, list) and all(isinstance(one, str) for one in listed) else None


def is_timeout(symbol: str) -> bool:
    """Whether the input of a label is the timeout of a timer."""
    return _timeout(symbol) is not None


def outputs_of(output: str) -> tuple[str, ...]:
    """The signals of an output: none for silence."""
    return tuple(part for part in (part.strip() for part in output.split("|")) if part not in _SILENT)
