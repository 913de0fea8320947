"""Traces of transition systems that others recorded: one input or output a line, and silence where the log says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.execution import Event, Execution, Received, Sent, Silence
from fullproof.artefacts.suite import Test
from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.recorded_log import LogLine, LogMapping, RecordedTrace, log_lines, translated
from fullproof.judge.sts import StsOracle
from fullproof.language.types import Value
from fullproof.language.values import in_range, value_from_json
from fullproof.model.sts import Gate, Sts

_SILENT: Mapping[str, object] = {"silence": True}
"""How a line says that the system was silent, where a mapping does not say otherwise."""


def recorded_conversations(model: Sts, path: Path, mapping: LogMapping) -> Iterator[RecordedTrace]:
    """The traces of a log, in the order of their first lines.

    A line is an input, an output, or silence. Silence is also what a mapping's ``gap`` says: so many seconds between
    two lines of a trace; nothing is known of the time after the last line. A trace that the model leaves, by an input
    that it does not take, is not ``reached``: ioco says nothing of what follows.
    """
    found: dict[str, _Conversation] = {}
    for line in log_lines(path, mapping):
        found.setdefault(line.trace, _Conversation(model, mapping)).add(line)
    oracle = StsOracle(StsSemantics(model))
    for count, (name, one) in enumerate(found.items(), 1):
        test = Test(inputs=(), id=name or "log")
        seen = Execution(test=test, events=tuple(one.events), number=count, synchronous=not mapping.crossing)
        astray = oracle.knowledge(seen).astray
        yield RecordedTrace(name, seen._replace(reached=not astray), tuple(one.lines))


class _Conversation:
    """The events of one trace so far, and the line of each."""

    def __init__(self, model: Sts, mapping: LogMapping) -> None:
        self.events: list[Event] = []
        self.lines: list[int] = []
        self._model, self._mapping = model, mapping
        self._last: Fraction | None = None

    def add(self, line: LogLine) -> None:
        """Add what a line says, after the silence before it."""
        mapping = self._mapping
        self._wait(line)
        if line.says(mapping.silence or _SILENT):
            self._saw(Silence(), line)
            return
        sent, emitted = mapping.input or "send", mapping.output or "emit"
        if not line.has(sent) and not line.has(emitted):
            raise line.lacking(sent, emitted)
        if line.has(sent):
            gates = {gate.name: gate for gate in self._model.inputs}
            name, raw = self._gate(line, sent, mapping.inputs)
            if name not in gates:
                raise UserError(f"{name!r} is not an input gate of the model{did_you_mean(name, gates)}", at=line.at)
            self._saw(Sent(name, _values(gates[name], raw, line)), line)
        if line.has(emitted):
            outputs = {gate.name: gate for gate in self._model.outputs}
            name, raw = self._gate(line, emitted, mapping.outputs)
            if name not in outputs:
                # Whatever it is, the system has said it: that is for the judge, as in a run.
                self._saw(Received(name, ()), line)
            else:
                self._saw(Received(name, _values(outputs[name], raw, line, bounded=False)), line)

    def _saw(self, event: Event, line: LogLine) -> None:
        self.events.append(event)
        self.lines.append(line.number)

    def _wait(self, line: LogLine) -> None:
        """Silence, where the line came late after the one before it."""
        where = self._mapping.time
        if where is None:
            return
        if not line.has(where):
            raise line.lacking(where)
        now = _seconds(line.taken(where), line)
        if self._last is not None and now < self._last:
            raise UserError("the time is earlier than that of the line before in this trace", at=line.at)
        if self._mapping.gap is not None and self._last is not None and now - self._last >= Fraction(self._mapping.gap):
            self._saw(Silence(), line)
        self._last = now

    def _gate(self, line: LogLine, where: str | Mapping[str, str], names: Mapping[str, object]) -> tuple[str, object]:
        """The name of a gate in the words of the model, and its values as they were recorded."""
        found, apart = line.taken(where), self._mapping.values
        if apart is None and isinstance(found, list) and found:
            name, raw = translated(found[0], names), found[1] if len(found) > 1 else []
        else:
            name, raw = translated(found, names), [] if apart is None else line.taken(apart)
        if not isinstance(name, str):
            raise UserError("expected a gate: its name, or a list of its name and its values", at=line.at)
        return name, [] if raw is None else raw


def _values(gate: Gate, raw: object, line: LogLine, *, bounded: bool = True) -> tuple[Value, ...]:
    """The values of a gate, from a list in the order of its parameters, or by their names.

    Those of an output may be outside of its types, which the judge says; an input that no tester could have given is a
    mistake in the log.
    """
    names = [one.name for one in gate.parameters]
    if isinstance(raw, Mapping):
        if (missing := [name for name in names if name not in raw]) and gate.parameters:
            raise UserError(f"{gate.name}: no value of {missing[0]!r}", at=line.at)
        raw = [raw[name] for name in names]
    if not isinstance(raw, Sequence) or isinstance(raw, str) or len(raw) != len(names):
        raise UserError(f"{gate.name} has {len(names)} values ({', '.join(names) or 'none'})", at=line.at)
    values = tuple(value_from_json(one, p.type, at=line.at) for one, p in zip(raw, gate.parameters, strict=True))
    for value, one in zip(values, gate.parameters, strict=True):
        if bounded and not in_range(value, one.type):
            raise UserError(f"{gate.name}: the value of {one.name} is outside its type", at=line.at)
    return values


def _seconds(raw: object, line: LogLine) -> Fraction:
    """A time as seconds: a number, or a date as ISO 8601 has it."""
    try:
        if isinstance(raw, str):
            then = datetime.fromisoformat(raw)
            since = (then if then.tzinfo else then.replace(tzinfo=UTC)) - datetime(1970, 1, 1, tzinfo=UTC)
            return Fraction(since.days * 86_400 + since.seconds) + Fraction(since.microseconds, 1_000_000)
        if isinstance(raw, int | float) and not isinstance(raw, bool):
            return Fraction(str(raw))
    except ValueError:
        pass
    raise UserError("expected a time: seconds, or a date such as 2024-05-01T12:00:00.250Z", at=line.at)
