"""``http:``: a server; each input is a request, each answer holds the output.

``http://HOST:PORT/PATH`` is a server that speaks our JSON protocol (``POST /reset`` and ``POST /step``);
``http:FILE.yaml`` names a mapping file (see ``http_mapping``). Redirections are not followed: they are answers.
"""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import SplitResult, quote, urlencode, urlsplit

from fullproof.artefacts.suite import TestInput, json_input, json_value
from fullproof.artefacts.system_spec import is_mapping_file
from fullproof.core.errors import UserError
from fullproof.execute.adapters.address import check_host
from fullproof.execute.adapters.command_line import run_command
from fullproof.execute.adapters.http_mapping import (
    HttpMapping,
    Request,
    ResetCommand,
    ResponseReading,
    follow,
    read_http_mapping,
)
from fullproof.execute.adapters.http_wire import Response, Wire
from fullproof.execute.observation import Written, read_enabled, read_symbol, reader_of, shown, signals_in_text
from fullproof.execute.sut import SutError, no_answer
from fullproof.model import Model
from fullproof.model.inputs import SENDS, Advance
from fullproof.model.interface import Interface, answering

_REFUSED = 400
"""From this status on an answer says that the request was not served."""


class _Answer:
    """One answer and how to read it."""

    def __init__(self, response: Response) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.body

    def read(self, reading: ResponseReading) -> object:
        match reading.kind:
            case "status":
                return Written(self.status)
            case "header":
                value = self.headers.get(reading.path)
                if value is None:
                    raise SutError(f"the answer has no header {reading.path!r}")
                return Written(value)
            case "text":
                return Written(self.body.decode("utf-8", "replace").strip())
            case _:
                return follow(self.json(), reading.path)

    def json(self) -> object:
        try:
            return json.loads(self.body)
        except ValueError:
            text = shown(self.body.decode("utf-8", "replace"))
            raise SutError(f"answered {text} with status {self.status}, expected JSON") from None


class _Disconnected(SutError):
    """The connection ended before the answer began."""


class HttpSut:
    """A system behind a server; one connection is kept as long as the server keeps it."""

    in_process = False

    def __init__(self, mapping: HttpMapping, interface: Interface, *, step_timeout: float | None) -> None:
        self._mapping = mapping
        self._interface = interface
        self._read_answer = reader_of(interface)
        self._given: dict[str, object] = {}
        self._captured: dict[str, object] = {}
        self._timeout = step_timeout
        self._url: SplitResult = _checked(mapping.url)
        self._wire = Wire(self._url, step_timeout)
        self._enabled: frozenset[str] | None = None
        self._state: object = None

    @property
    def grey_box(self) -> bool:
        """Whether the server says which inputs are enabled."""
        return self._enabled is not None

    def reset(self) -> None:
        """The requests and commands of a reset; statuses from 400 on must be accepted by the mapping file."""
        self._given = {}
        self._captured = {}
        answer = None
        for step in self._mapping.reset:
            if isinstance(step, ResetCommand):
                run_command(step.command, step.folder, timeout=self._timeout)
                continue
            try:
                answer = self._ask(step, {})
            except _Disconnected:
                # A server may close a connection that it has kept for a while, and a reset may be asked for twice.
                answer = self._ask(step, {})
            if answer.status >= _REFUSED and not self._mapping.accepts(answer.status):
                raise SutError(f"answered status {answer.status} to a reset")
        if answer is not None or self._mapping.enabled_request is not None:
            self._look(answer)

    def step(self, symbol: TestInput, /) -> object:
        """The request for an input; the output is read from the answer."""
        if isinstance(symbol, Advance):
            return self._asked(self._mapping.advance, {"seconds": json_value(symbol.seconds)})
        name = self._interface.name_of(symbol)
        requests = self._mapping.step if name is None else self._mapping.inputs.get(name, self._mapping.step)
        return self._asked(requests, {"input": json_input(symbol), **self._values(symbol)})

    def observe(self) -> object:
        """The request for what is seen after a delay in real time."""
        return self._asked(self._mapping.observe, {})

    def _asked(self, requests: Sequence[Request], values: Mapping[str, object]) -> object:
        for request in requests[:-1]:
            answer = self._ask(request, values)
            if answer.status in self._mapping.unavailable:
                return self._interface.unavailable
            self._check(answer, f"{request.method} {request.path}", answers=False)
        answer = self._ask(requests[-1], values)
        if answer.status in self._mapping.unavailable:
            return self._interface.unavailable
        self._check(answer, "an input")
        self._look(answer)
        self._state = self._shown_state(answer)
        return self._read(answer)

    def _shown_state(self, answer: _Answer) -> object:
        if self._mapping.state is not None:
            return answer.read(self._mapping.state)
        document = answer.json() if self._mapping.may_offer and answer.body else None
        return document.get("state") if isinstance(document, dict) else None

    def _check(self, answer: _Answer, what: str, *, answers: bool = True) -> None:
        """An error status is not an output, unless the mapping reads or accepts it."""
        mapping = self._mapping
        reads_status = answers and any(reading.kind == "status" for reading in mapping.outputs.values())
        if answer.status >= _REFUSED and not reads_status and not mapping.accepts(answer.status):
            text = shown(answer.body[:200].decode("utf-8", "replace"))
            raise SutError(f"answered status {answer.status} to {what}, with {text}")

    def _values(self, symbol: TestInput) -> Mapping[str, object]:
        """The values of an input; where an event has none, those before it."""
        given = self._interface.arguments(symbol)
        old = self._given if self._interface.has_events else {}
        self._given = {**old, **{name: None if value is None else json_value(value) for name, value in given.items()}}
        return self._given

    def enabled(self) -> frozenset[str]:
        """What the server says is enabled."""
        if self._enabled is None:
            raise SutError("no longer says which inputs are enabled")
        return self._enabled

    def state(self) -> object:
        """What the last answer said the state is."""
        return self._state

    def finish(self) -> None:
        """HTTP has no unsolicited output."""

    def discard(self) -> None:
        """Leave this connection."""
        self.close()
        self._enabled = None

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()

    def _read(self, answer: _Answer) -> object:
        readings = self._mapping.outputs
        if self._interface.outputs is None:
            reading = next(iter(readings.values()))
            raw = answer.read(reading)
            text = raw if isinstance(raw, str) else json.dumps(raw)
            in_class = f"{text[:1]}xx" if reading.kind == "status" else text
            for known in (text, in_class):
                if known in self._mapping.symbols:
                    return self._mapping.symbols[known]
            return read_symbol(raw)
        if "" in readings:
            return self._read_answer(answer.read(readings[""]))
        read = {name: answer.read(reading) for name, reading in readings.items()}
        if self._interface.signals_out:
            read[SENDS] = signals_in_text(read[SENDS])
        return self._read_answer(read)

    def _look(self, answer: _Answer | None) -> None:
        mapping = self._mapping
        if mapping.enabled is None:
            if mapping.may_offer and answer is not None:
                document = answer.json() if answer.body else {}
                offered = document.get("enabled") if isinstance(document, dict) else None
                self._enabled = None if offered is None else read_enabled(offered)
            return
        if mapping.enabled_request is not None:
            answer = self._ask(mapping.enabled_request, {})
            self._check(answer, "the question what is enabled")
        assert answer is not None
        self._enabled = read_enabled(answer.read(mapping.enabled))

    def _ask(self, request: Request, values: Mapping[str, object]) -> _Answer:
        values = {**self._captured, **values}
        path = self._url.path.rstrip("/") + _in_path(request.path, values)
        filled = None if request.body is None else _filled(request.body, values)
        body, kind = _encoded(filled, form=request.form)
        headers = _headers(
            self._mapping.headers, request.headers, values, {} if body is None else {"Content-Type": kind}
        )
        try:
            answer = _Answer(self._wire.exchange(request.method, path, body, headers))
        except SutError:
            self.close()
            raise
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError) as error:
            self.close()
            raise _Disconnected("died: closed the connection without an answer") from error
        except TimeoutError:
            self.close()
            raise no_answer(self._timeout) from None
        except http.client.IncompleteRead as error:
            self.close()
            raise SutError("the answer ended before its last chunk: the body is too short") from error
        except ValueError as error:  # a value that was captured may hold what no request can
            self.close()
            what = f"{request.method} {request.path}"  # and not the error, which quotes headers, and secrets in them
            raise SutError(f"{what} cannot be sent: a header has characters that HTTP does not allow") from error
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise SutError(
                f"no answer from {self._url.netloc.rpartition('@')[2]}: {error or type(error).__name__}"
            ) from error
        if answer.status < _REFUSED:
            self._captured |= {name: answer.read(reading) for name, reading in request.capture.items()}
        return answer


def open_http(spec: str, model: Model, *, step_timeout: float | None) -> HttpSut:
    """Connect to a server, or say in one line why not. ``spec`` is all of ``http:...``."""
    interface = answering(model)
    scheme, _, rest = spec.partition(":")
    if is_mapping_file(rest):
        mapping = read_http_mapping(Path(rest), interface)
    else:
        url = rest if rest.startswith(("http://", "https://")) else f"{scheme}:{rest}"
        mapping = HttpMapping(url=url, may_offer=True)
    system = HttpSut(mapping, interface, step_timeout=step_timeout)
    url_parts = _checked(mapping.url)
    try:
        with contextlib.closing(Wire(url_parts, step_timeout)) as wire:
            wire.connect()
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        host = url_parts.netloc.rpartition("@")[2]
        raise UserError(f"cannot connect to {host}: {getattr(error, 'strerror', None) or error}") from error
    return system


def _checked(url: str) -> SplitResult:
    wanted = "expected http://HOST:PORT or http:MAPPING.yaml"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
        check_host(host or "")
    except ValueError as error:
        raise UserError(f"--sut {url}: {error}; {wanted}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise UserError(f"--sut {url}: {wanted}")
    return parts


def _encoded(body: object, *, form: bool) -> tuple[bytes | None, str]:
    """The bytes of a body and their type."""
    if not form:
        return (None if body is None else json.dumps(body).encode()), "application/json"
    assert isinstance(body, dict)
    fields = {key: "" if value is None else value for key, value in body.items()}
    return urlencode(fields, doseq=True).encode(), "application/x-www-form-urlencoded"


def _headers(
    common: Mapping[str, str], own: Mapping[str, str | None], values: Mapping[str, object], usual: Mapping[str, str]
) -> dict[str, str]:
    """The headers of one request: its own ones before those of all requests, and these before the usual ones."""
    found: dict[str, tuple[str, str | None]] = {}
    for given in (usual, common, own):
        found |= {name.lower(): (name, text) for name, text in given.items()}
    return {name: _in_header(text, values) for name, text in found.values() if text is not None}


def _in_header(text: str, values: Mapping[str, object]) -> str:
    filled = _filled(text, values)
    return "" if filled is None else filled if isinstance(filled, str) else json.dumps(filled)


def _in_path(path: str, values: Mapping[str, object]) -> str:
    for name, value in values.items():
        path = path.replace("{" + name + "}", quote("" if value is None else str(value), safe=""))
    return path


def _filled(body: object, values: Mapping[str, object]) -> object:
    """The body with values in place of ``{x}``; where that is the whole text, the value keeps its type."""
    match body:
        case dict():
            return {key: _filled(part, values) for key, part in body.items()}
        case list():
            return [_filled(part, values) for part in body]
        case str():
            for name, value in values.items():
                if body == "{" + name + "}":
                    return value
            for name, value in values.items():
                body = body.replace("{" + name + "}", "" if value is None else str(value))
            return body
        case _:
            return body
