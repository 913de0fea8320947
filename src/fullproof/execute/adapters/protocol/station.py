"""The tester's side of a protocol: sessions, exchanges on them, and the next message from any of them."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Mapping

from fullproof.core.deadline import Deadline
from fullproof.execute.adapters.lines import Closed, Lines, for_first_answer
from fullproof.execute.adapters.protocol.frame import UntilSilence
from fullproof.execute.adapters.protocol.link import MessageLink, Plant, wait_for
from fullproof.execute.adapters.protocol.mapping import Exchange, ProtocolMapping
from fullproof.execute.adapters.protocol.pattern import Message
from fullproof.execute.adapters.protocol.place import STARTING
from fullproof.execute.adapters.protocol.template import TemplatePart, rendered
from fullproof.execute.observation import shown
from fullproof.execute.sut import SutError, no_answer

_SERVER = "\0server"
"""No session has this name."""
_MOST = 10_000
"""Messages that are skipped while one is waited for."""


class Station:
    """The sessions of one system. Messages are observed; whether they are right is not decided here."""

    def __init__(self, mapping: ProtocolMapping, *, step_timeout: float | None) -> None:
        self._mapping = mapping
        self._timeout = step_timeout
        self._plant = Plant(mapping.where, step_timeout)
        self._links: dict[str, MessageLink] = {}
        self._ended: dict[str, Closed] = {}
        self._closed: deque[Message] = deque()
        self._captured: dict[str, str] = {}
        self._heard = 0.0
        self._fresh = False
        self._server_ended = False
        self._answered = False

    def deadline(self) -> Deadline:
        """For the next answer; the first one of a process may take longer, since a start is not a step."""
        starting = self._mapping.where.scheme == "exec" and not self._answered
        return Deadline(for_first_answer(self._timeout, STARTING) if starting else self._timeout)

    def start(self) -> None:
        """Start what is to be started, and open the sessions."""
        self._plant.start()
        self._server_ended = False
        self._fresh = True
        if self._mapping.opens_at_reset:
            self.open_all()

    def reset(self) -> None:
        """Bring the system into its initial state, by the steps of the mapping file."""
        self._closed.clear()
        if not self._fresh:
            self._tear_down()
        for step in self._mapping.reset:
            match step.kind:
                case "reconnect" if not self._fresh:
                    self.leave()
                case "restart" if not self._fresh:
                    self.leave()
                    self._plant.stop()
                case "run":
                    self._plant.run(step.command)
                case "exchange":
                    self.start()
                    assert step.exchange is not None
                    session = step.exchange.session or self._mapping.sessions[0]
                    if session not in self._links:
                        self.open(session)
                    self.exchange(step.exchange, session, skip=True)
        self.start()
        self._captured.clear()
        self._fresh = False

    def open_all(self) -> None:
        """Open the sessions that are not open."""
        for session in self._mapping.sessions:
            if session not in self._links or session in self._ended:
                self.open(session)

    def open(self, session: str) -> None:
        """A new connection for a session."""
        self.shut(session)
        self._links[session] = self._plant.connect()
        self._answered = False
        for exchange in self._mapping.setup:
            self.exchange(exchange, session)

    def shut(self, session: str) -> None:
        """End a session; what it has received goes with it."""
        self._ended.pop(session, None)
        if (link := self._links.pop(session, None)) is not None:
            self._end(link)

    def leave(self, *, at_once: bool = False) -> None:
        """End all sessions."""
        self._closed.clear()
        for session in list(self._links):
            if at_once:
                self._links.pop(session).kill()
                self._ended.pop(session, None)
            else:
                self.shut(session)

    def stop(self, *, at_once: bool = False) -> None:
        """End all sessions and the server."""
        self.leave(at_once=at_once)
        self._plant.stop()

    def is_open(self, session: str) -> bool:
        """Whether the session has a connection that has not ended."""
        return session in self._links and session not in self._ended

    def send(self, session: str, parts: tuple[TemplatePart, ...], values: Mapping[str, str]) -> None:
        """Send a message. Where the connection has ended, that is what is observed next."""
        message = rendered(parts, {**self._captured, "port": self._plant.port, "session": session, **values})
        if not self.is_open(session):
            self._report_end(session, Closed("is not connected"))
            return
        try:
            self._links[session].lines.send(message, Deadline(self._timeout))
        except Closed:
            return  # what was received before is read first, and the end is found then
        except SutError as error:
            raise self._plant.blamed(SutError(f"does not take an input: {error.reason}")) from error

    def exchange(self, exchange: Exchange, session: str, *, skip: bool = False) -> None:
        """Send, and wait for an expected message; another one is an error, unless those before are skipped."""
        session = exchange.session or session
        if exchange.send:
            self.send(session, exchange.send, {})
        if not exchange.expect:
            return
        deadline = self.deadline()
        for _ in range(_MOST):
            message = self.next(None, deadline)
            assert message is not None
            if message.session == session and message.label in exchange.expect:
                return
            if message.session == session and message.label == self._mapping.closed:
                raise self._plant.blamed(SutError("closed the connection instead of answering a message of the tester"))
            if not skip:
                wanted = " or ".join(exchange.expect)
                raise SutError(f"answered {shown(message.text())} to a message of the tester, expected {wanted}")
        raise SutError("goes on sending messages instead of answering a reset")

    def next(self, quiet: float | None, deadline: Deadline) -> Message | None:
        """The next message of any session; None where nothing has come for ``quiet`` seconds (None: wait for it).

        SutError where the deadline passes, or where a connection ends and the mapping file has no name for that.
        """
        began = time.monotonic()
        while True:
            if (message := self._taken(silent=False)) is not None:
                return message
            framing = self._mapping.reader.framing
            limits = [quiet]
            if isinstance(framing, UntilSilence) and any(link.lines.buffer for link in self._links.values()):
                limits.append(framing.seconds)
            since = time.monotonic() - max(began, self._heard)
            left = min([limit - since for limit in limits if limit is not None], default=math.inf)
            if left <= 0:
                message = self._taken(silent=True) if isinstance(framing, UntilSilence) else None
                if message is not None or (quiet is not None and since >= quiet):
                    return message
                continue
            if deadline.passed() and quiet != 0:
                raise self._unanswered(deadline)
            self._wait(min(left, deadline.left()))

    def arrived(self) -> Message | None:
        """A message that has already come, without waiting."""
        self._wait(0)
        return self._taken(silent=False)

    def _wait(self, seconds: float) -> None:
        watched = {name: link.lines for name, link in self._links.items() if name not in self._ended}
        server = self._plant.lines()
        if server is not None and not self._server_ended:
            watched[_SERVER] = server
        for name, closed in wait_for(watched, None if seconds == math.inf else seconds).items():
            if name == _SERVER:
                self._plant.note()
                self._server_ended = closed is not None
                continue
            self._heard = time.monotonic()
            if closed is not None:
                self._ended[name] = closed

    def _taken(self, *, silent: bool) -> Message | None:
        """A message that is complete, of the first session that has one; the end of a session comes after all."""
        for session in self._mapping.sessions:
            if session not in self._links:
                continue
            lines: Lines = self._links[session].lines
            message = self._mapping.reader.take(lines.buffer, session, silent=silent or session in self._ended)
            if message is not None:
                self._answered = True
                self._captured |= {name: str(value) for name, value in message.values.items()}
                return message
            if session in self._ended:
                self._report_end(session, self._ended[session])
        return self._closed.popleft() if self._closed else None

    def _report_end(self, session: str, closed: Closed) -> None:
        link = self._links.pop(session, None)
        self._ended.pop(session, None)
        if self._mapping.closed is None:
            error = SutError(f"died: {closed.reason}") if link is None else link.exit_error(closed)
            if link is not None:
                link.kill()
            raise self._plant.blamed(error)
        if link is not None:
            self._end(link)
        self._closed.append(Message(self._mapping.closed, session, b"", label=self._mapping.closed))

    def _unanswered(self, deadline: Deadline) -> SutError:
        rest = {name: bytes(link.lines.buffer[:200]) for name, link in self._links.items() if link.lines.buffer}
        lines = [
            f"received{f' on {name}' if name else ''}, and no message so far: {data!r}" for name, data in rest.items()
        ]
        lines += [tail for link in self._links.values() if (tail := link.tail())]
        return self._plant.blamed(no_answer(deadline.seconds, evidence="\n".join(lines)))

    def _tear_down(self) -> None:
        """The end of the last test: what goes wrong in it costs a new start, not the next test."""
        try:
            for session in self._mapping.sessions:
                for exchange in self._mapping.teardown:
                    if self.is_open(session):
                        self.exchange(exchange, session, skip=True)
        except SutError:
            self.stop(at_once=True)

    def _end(self, link: MessageLink) -> None:
        if self._mapping.where.scheme == "exec":
            link.kill()
        else:
            link.close()
