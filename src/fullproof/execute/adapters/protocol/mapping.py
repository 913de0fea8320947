r"""Mapping files of ``tcp:``, ``exec:`` and ``serial:``: a protocol without a line of code.

A mapping file::

    start: mosquitto -p {port}           # of exec: the process to talk to; of tcp: a server to start, where needed
    address: 127.0.0.1:{port}            # of tcp; {port} is one that was free
    device: /dev/ttyUSB0                 # of serial, with baud: 9600 and parity: none
    ready: port                          # or {pattern: 'listening'} in what the server writes, within: 10 (seconds)
    nodelay: true                        # false: small messages may wait for each other (TCP_NODELAY)
    sessions: [c1, c2]                   # several clients: the input c1.publish is publish on c1
    open: reset                          # when sessions are opened; input: only by inputs that say so
    setup: [{expect: greeting}]          # on every new connection: {send: TEMPLATE, expect: NAME}
    teardown: ["QUIT\r\n"]               # on every connection, after each test
    reset: [reconnect, {send: "FLUSHALL\r\n", expect: ok}]   # or restart (the process), {run: COMMAND}
    frames: "\r\n"                       # see ``frame``
    inputs:                              # of an fsm by symbol, of a statemachine by signal, of an sts by gate
      get: "GET k\r\n"                   # a template, see ``template``
      connect: {open: true, send: {hex: 10 00}, answer: {until: connack}}   # also close: true, on: c1, first: [...]
    step: "SET {x}\r\n"                  # every other input; {input} is the symbol, {session} the session
    outputs: {ok: '\+OK', nil: '\$-1'}   # see ``pattern``
    ignore: ['# .*']                     # messages that do not count
    answer: 1                            # messages; or {messages: 2, until: [end, error], silence: 50 (ms)}
    fence: {send: "PING\r\n", expect: pong}   # what comes before its answer belongs to the input before it
    order: ordered                       # or bag, set: several messages of an answer sorted, and without repetitions
    join: '+'                            # between their names
    silent: none                         # of an fsm: the symbol where nothing came
    closed: closed                       # the message that stands for the end of a connection
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.adapters.command_line import check_command
from fullproof.execute.adapters.mapping import MappingFile, fill_in, read_mapping
from fullproof.execute.adapters.protocol.frame import read_framing
from fullproof.execute.adapters.protocol.pattern import MessageReader, groups_of, read_ignored, read_patterns
from fullproof.execute.adapters.protocol.place import Whereabouts, read_whereabouts
from fullproof.execute.adapters.protocol.template import TemplatePart, is_part, read_template
from fullproof.model.interface import Described, GateInterface, argument_names

_KEYS = (
    "start", "address", "device", "baud", "parity", "ready", "nodelay", "sessions", "open", "setup", "teardown",
    "reset", "frames", "inputs", "step", "outputs", "ignore", "answer", "fence", "order", "join", "silent", "closed",
)  # fmt: skip
_ANSWERING = ("answer", "fence", "order", "join", "silent")
"""Keys for systems that answer each input."""
_MOVE = ("send", "answer", "on", "open", "close", "first")
_LONGEST = 3_600_000
ORDERS = ("ordered", "bag", "set")


@dataclass(frozen=True, slots=True)
class ProtocolVocabulary:
    """What a mapping file may name of a model."""

    inputs: tuple[str, ...] | None
    """Symbols, signals or gates; None where inputs are values alone."""
    values: tuple[str, ...]
    answers: bool = True
    """Whether the system answers each input; a reactive one does not."""


def vocabulary_of(model: Described) -> ProtocolVocabulary:
    """What a mapping file for systems of a model may name."""
    interface = model.interface
    if isinstance(interface, GateInterface):
        values = dict.fromkeys(parameter.name for gate in interface.inputs.values() for parameter in gate)
        return ProtocolVocabulary(tuple(interface.inputs), tuple(values), answers=False)
    return ProtocolVocabulary(interface.named, argument_names(interface))


@dataclass(frozen=True, slots=True)
class Answer:
    """When an answer is complete: after some messages, after one of some names, or when nothing follows for a while."""

    messages: int | None = 1
    until: tuple[str, ...] = ()
    silence: float | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message to send, if any, and the names of messages of which one must come, if any."""

    send: tuple[TemplatePart, ...]
    expect: tuple[str, ...]
    session: str | None
    at: Place


@dataclass(frozen=True, slots=True)
class ResetStep:
    """``reconnect``, ``restart``, ``run`` with a command, or ``exchange``."""

    kind: str
    command: str = ""
    exchange: Exchange | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolMove:
    """What is done for an input."""

    session: str
    name: str
    """The input without the prefix of its session."""
    send: tuple[TemplatePart, ...] = ()
    opens: bool = False
    closes: bool = False
    first: tuple[Exchange, ...] = ()
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolMapping:
    """Everything that a mapping file says."""

    where: Whereabouts
    sessions: tuple[str, ...]
    """One without a name where the file names none."""
    opens_at_reset: bool
    setup: tuple[Exchange, ...]
    teardown: tuple[Exchange, ...]
    reset: tuple[ResetStep, ...]
    reader: MessageReader
    moves: Mapping[str, ProtocolMove]
    step: ProtocolMove | None
    fence: Exchange | None
    order: str
    join: str
    silent: str | None
    closed: str | None

    def move(self, name: str | None) -> ProtocolMove | None:
        """What is done for the input of a name, or for one without."""
        return self.step if name is None else self.moves.get(name, self.step)


def read_protocol_mapping(path: Path, scheme: str, vocabulary: ProtocolVocabulary) -> ProtocolMapping:
    """Read a mapping file for a model, or say in one line what is wrong with it."""
    mapping = read_mapping(path, keys=_KEYS)
    for key in _ANSWERING:
        if key in mapping and not vocabulary.answers:
            raise UserError(f"{key!r} is for systems that answer each input, not for an sts", at=mapping.place(key))
    return _Reading(mapping, scheme, vocabulary, path.parent).all()


class _Reading:
    """What the parts of a file share while it is read."""

    def __init__(self, mapping: MappingFile, scheme: str, vocabulary: ProtocolVocabulary, folder: Path) -> None:
        self._file, self._scheme, self._vocabulary, self._folder = mapping, scheme, vocabulary, folder
        self._sessions = tuple(fill_in(text, at=at) for text, at in mapping.texts("sessions")) or ("",)
        framing = read_framing(mapping)
        patterns = read_patterns(mapping, framing, self._sessions)
        self._reader = MessageReader(framing, patterns, read_ignored(mapping, framing, self._sessions))
        self._labels = {pattern.name for pattern in patterns} | {text for text, _ in mapping.texts("closed")}
        self._names = {"input", "session", "port", *vocabulary.values, *groups_of(patterns)}

    def all(self) -> ProtocolMapping:
        mapping = self._file
        fence = self._exchanges(mapping, "fence")
        if len(fence) > 1 or any(not exchange.expect for exchange in fence):
            raise UserError(
                "expected one message with its answer: {send: ..., expect: NAME}", at=mapping.place("fence")
            )
        answer = self._answer(mapping, Answer(messages=None if fence else 1))
        moves, step = self._moves(answer)
        self._check_complete(fence=bool(fence))
        return ProtocolMapping(
            where=read_whereabouts(mapping, self._scheme, self._folder),
            sessions=self._sessions,
            opens_at_reset=mapping.choice("open", ("reset", "input"), "reset") == "reset",
            setup=self._exchanges(mapping, "setup"),
            teardown=self._exchanges(mapping, "teardown"),
            reset=self._reset(),
            reader=self._reader,
            moves=moves,
            step=step,
            fence=fence[0] if fence else None,
            order=mapping.choice("order", ORDERS, "ordered"),
            join=mapping.text("join") or "+",
            silent=mapping.text("silent"),
            closed=mapping.text("closed"),
        )

    def _check_complete(self, *, fence: bool) -> None:
        if len(self._sessions) > 1 and self._vocabulary.answers and not fence and "answer" not in self._file:
            wanted = (
                "expected a 'fence', an 'answer' with a 'silence', or 'answer: 1' where only one of them is answered"
            )
            raise UserError(f"several sessions: when is an answer complete? {wanted}", at=self._file.place("answer"))

    def _moves(self, answer: Answer) -> tuple[dict[str, ProtocolMove], ProtocolMove | None]:
        given, known = self._file.part("inputs"), self._vocabulary.inputs
        if given is not None and known is None:
            raise UserError("'inputs' are names; use 'step' for values", at=self._file.place("inputs"))
        moves: dict[str, ProtocolMove] = {}
        used = set()
        for name in known or ():
            prefix, dot, rest = name.partition(".")
            split = dot and prefix in self._sessions
            key = name if given is None or name in given or not split else rest
            if given is not None and key in given:
                used.add(key)
                moves[name] = self._move(given, key, answer, prefix if split else None, rest if split else name)
            elif "step" in self._file:
                moves[name] = self._move(self._file, "step", answer, prefix if split else None, rest if split else name)
            else:
                raise UserError(f"does not say what to send for the input {name!r}", at=self._file.place("inputs"))
        for key in given or ():
            if key not in used:
                assert given is not None
                reason = f"{key!r} is not an input of the model{did_you_mean(key, known or ())}"
                raise UserError(reason, at=given.place(key))
        if known is None and "step" not in self._file:
            raise UserError("expected a key 'step' with what to send for values", at=self._file.place("step"))
        step = self._move(self._file, "step", answer, None, "") if "step" in self._file and self._steps() else None
        return moves, step

    def _steps(self) -> bool:
        """Whether there are inputs without a name."""
        return self._vocabulary.inputs is None or "trigger" in self._vocabulary.values

    def _move(self, given: MappingFile, key: str, answer: Answer, session: str | None, name: str) -> ProtocolMove:
        if not given.is_keys(key) or is_part(given, key):
            send = read_template(given, key, self._names)
            return ProtocolMove(session=self._session(session, given.place(key)), name=name, send=send, answer=answer)
        part = given.part(key, _MOVE)
        assert part is not None
        if not any(word in part for word in ("send", "open", "close")):
            raise UserError("expected what to 'send', or 'open: true' or 'close: true'", at=given.place(key))
        return ProtocolMove(
            session=self._session(part.text("on") or session, part.place("on")),
            name=name,
            send=read_template(part, "send", self._names) if "send" in part else (),
            opens=part.choice("open", ("true", "false"), "false") == "true",
            closes=part.choice("close", ("true", "false"), "false") == "true",
            first=self._exchanges(part, "first"),
            answer=self._answer(part, answer),
        )

    def _session(self, name: str | None, at: Place) -> str:
        if name is None and len(self._sessions) > 1:
            example = f"{self._sessions[0]}.NAME as the input, or 'on: {self._sessions[0]}'"
            raise UserError(f"does not say which session it is for; expected {example}", at=at)
        found = self._sessions[0] if name is None else name
        if found not in self._sessions:
            hint = did_you_mean(found, self._sessions) or f"; expected {', '.join(self._sessions)}"
            raise UserError(f"{found!r} is not a session{hint}", at=at)
        return found

    def _answer(self, part: MappingFile, default: Answer) -> Answer:
        if "answer" not in part:
            return default
        if part.is_text("answer"):
            return Answer(part.whole("answer", most=1000))
        given = part.part("answer", ("messages", "until", "silence"))
        if given is None or not list(given):
            raise UserError("expected some of messages, until and silence", at=part.place("answer"))
        silence = given.whole("silence", least=1, most=_LONGEST)
        until = self._known(given, "until")
        return Answer(given.whole("messages", most=1000), until, None if silence is None else silence / 1000)

    def _known(self, part: MappingFile, key: str) -> tuple[str, ...]:
        for name, at in part.texts(key):
            if self._reader.patterns and name not in self._labels:
                hint = did_you_mean(name, self._labels) or f"; expected {', '.join(sorted(self._labels))}"
                raise UserError(f"{name!r} is not a name in 'outputs'{hint}", at=at)
        return tuple(name for name, _ in part.texts(key))

    def _exchanges(self, part: MappingFile, key: str) -> tuple[Exchange, ...]:
        if key not in part:
            return ()
        entries = part.listed(key)
        return tuple(self._exchange(entries, entry) for entry in entries)

    def _exchange(self, entries: MappingFile, entry: str) -> Exchange:
        at = entries.place(entry)
        if entries.is_text(entry) or is_part(entries, entry):
            return Exchange(read_template(entries, entry, self._names), (), None, at)
        given = entries.part(entry, ("send", "expect", "on"))
        assert given is not None
        if "send" not in given and "expect" not in given:
            raise UserError("expected what to 'send' or to 'expect'", at=at)
        send = read_template(given, "send", self._names) if "send" in given else ()
        session = given.text("on")
        if session is not None:
            self._session(session, given.place("on"))
        return Exchange(send, self._known(given, "expect"), session, at)

    def _reset(self) -> tuple[ResetStep, ...]:
        if "reset" not in self._file:
            return (ResetStep("reconnect"),)
        entries = self._file.listed("reset")
        return tuple(self._reset_step(entries, entry) for entry in entries)

    def _reset_step(self, entries: MappingFile, entry: str) -> ResetStep:
        if entries.is_text(entry):
            kind = entries.choice(entry, ("reconnect", "restart"), "")
            if kind == "restart" and "start" not in self._file:
                wanted = "'restart' needs a key 'start' with the command of the process"
                raise UserError(wanted, at=entries.place(entry))
            return ResetStep(kind)
        part = entries.part(entry)
        if part is not None and "run" in part:
            part = entries.part(entry, ("run",))
            assert part is not None
            command = fill_in(part.text("run") or "", at=part.place("run"))
            return ResetStep("run", command=check_command(command, at=part.place("run")))
        return ResetStep("exchange", exchange=self._exchange(entries, entry))
