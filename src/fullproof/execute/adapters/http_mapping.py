"""How inputs become HTTP requests, and how outputs and enabled inputs are read from the answers.

A mapping file::

    url: http://127.0.0.1:8080
    headers: {Authorization: 'Bearer ${TOKEN}'}     # ${NAME}: from the environment, so that no file holds a secret
    reset: POST /reset                              # or a list of requests and commands, {run: COMMAND}; or none
    inputs:                                         # of an fsm, by symbol; of a statemachine, by signal
      coin: POST /coins
      push: {request: POST /arm, body: {force: 3}}
      login: {request: POST /login, form: {user: ada}, capture: {token: json token}}   # {token} in later requests
      renew: {request: POST /renew, headers: {If-Match: '{tag}', Authorization: null}}   # of this request alone; null:
                                                    # without one that all others have
      pay: [GET /cart, 'POST /pay/{cart}']          # a sequence; the output is read from the last answer
    step: {request: POST /step, body: {speed: '{x}'}}   # every other input; {x} is an input's value, {input} the symbol
                                                    # of an fsm, {trigger} the signal of a statemachine or null
    advance: {request: POST /clock, body: {seconds: '{seconds}'}}   # of a statemachine with timers: lets time pass
    observe: GET /state                             # the same in real time: what is seen after a delay
    output: json state.name                         # or: status, text, header NAME; of an sfsm: keys y: json force;
                                                    # of a statemachine besides send: json signals
    symbols: {'402': refused, 2xx: fine}            # what was read -> the model's symbol; 2xx: all other such statuses
    accept: [409, 5xx]                              # statuses from 400 on that come with an output, or any; other
                                                    # answers of such a status are errors, unless output is status
    unavailable: [404, 405]                         # of an fsm with that key: statuses for an input that is not offered
    enabled: json actions                           # or {request: GET /actions, read: json names}
    state: json state.name                          # the active state, for --observe state
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.execute.adapters.command_line import check_command
from fullproof.execute.adapters.mapping import MappingFile, fill_in, read_mapping
from fullproof.execute.sut import SutError
from fullproof.model.interface import Interface, output_names

_KEYS = (
    "url", "headers", "reset", "inputs", "step", "advance", "observe", "output", "symbols", "accept", "enabled",
    "state", "unavailable",
)  # fmt: skip
_REQUEST = re.compile(r"(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (/\S*)")

_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True, slots=True)
class Request:
    """``POST /step`` with a body that is sent as JSON, or as a form."""

    method: str
    path: str
    body: object = None
    form: bool = False
    capture: Mapping[str, ResponseReading] = field(default_factory=dict)
    """Values for later requests, and where they are read from the answer."""
    headers: Mapping[str, str | None] = field(default_factory=dict)
    """In the place of those of all requests, whatever the case of their names; None: without that one."""


@dataclass(frozen=True, slots=True)
class ResetCommand:
    """A command that brings the system into its initial state, or a part of it."""

    command: str
    folder: Path


@dataclass(frozen=True, slots=True)
class ResponseReading:
    """``status``, ``text``, ``json PATH`` or ``header NAME``."""

    kind: str
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpMapping:
    """Everything that a mapping file says; the defaults are those of a server that speaks our JSON protocol."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    reset: tuple[Request | ResetCommand, ...] = (Request("POST", "/reset"),)
    inputs: Mapping[str, tuple[Request, ...]] = field(default_factory=dict)
    """Of several requests the last answer holds the output."""
    step: tuple[Request, ...] = (Request("POST", "/step", {"input": "{input}"}),)
    advance: tuple[Request, ...] = (Request("POST", "/advance", {"advance": "{seconds}"}),)
    observe: tuple[Request, ...] = (Request("POST", "/observe"),)
    """Of a model with timers: what lets time pass, and what is asked after a delay in real time."""
    outputs: Mapping[str, ResponseReading] = field(default_factory=lambda: {"": ResponseReading("json", "output")})
    """Of an fsm under the empty name."""
    symbols: Mapping[str, str] = field(default_factory=dict)
    accept: frozenset[int] | None = frozenset()
    """Statuses from 400 on that are answers; None: all of them."""
    unavailable: frozenset[int] = frozenset()
    """Statuses that say that the input is not offered: the answer is the model's symbol for that."""
    enabled: ResponseReading | None = None
    enabled_request: Request | None = None
    state: ResponseReading | None = None
    may_offer: bool = False
    """Whether answers may name the enabled inputs, or the state, without having to."""

    def accepts(self, status: int) -> bool:
        """Whether an answer of this status may hold an output, although it says that the request was refused."""
        return self.accept is None or status in self.accept


def read_http_mapping(path: Path, interface: Interface) -> HttpMapping:
    """Read a mapping file; what it does not say is as in a server that speaks our JSON protocol."""
    mapping = read_mapping(path, keys=_KEYS)
    url = mapping.text("url")
    if url is None:
        raise UserError("expected a key 'url', e.g. http://127.0.0.1:8080", at=Place(file=str(path)))
    given: dict[str, object] = {"url": fill_in(url, at=mapping.place("url"))}
    if (headers := mapping.part("headers")) is not None:
        given["headers"] = {name: text for name, text in _headers(headers).items() if text is not None}
    if "reset" in mapping:
        given["reset"] = _reset(mapping, path.parent)
    given |= _steps(mapping, interface)
    if (inputs := mapping.part("inputs")) is not None:
        _check_symbols(inputs, interface)
        given["inputs"] = {symbol: _requests(inputs, symbol) for symbol in inputs}
    given["outputs"] = _outputs(mapping, interface)
    if (symbols := mapping.part("symbols")) is not None:
        given["symbols"] = {text: symbols.text(text) for text in symbols}
    if "state" in mapping:
        given["state"] = _reading(mapping, "state")
    if "accept" in mapping:
        given["accept"] = _accepted(mapping)
    given["unavailable"] = _unavailable(mapping, interface)
    if "enabled" in mapping:
        if mapping.is_text("enabled"):
            given["enabled"] = _reading(mapping, "enabled")
        else:
            part = mapping.part("enabled", ("request", "read"))
            assert part is not None
            given["enabled"] = _reading(part, "read")
            given["enabled_request"] = _request(part, "request")
    return HttpMapping(**given)  # type: ignore[arg-type]


def _steps(mapping: MappingFile, interface: Interface) -> dict[str, object]:
    """The requests for inputs in general, and for delays."""
    found: dict[str, object] = {}
    for key in [key for key in ("step", "advance", "observe") if key in mapping]:
        if key != "step" and not interface.has_time:
            raise UserError(f"{key!r} is for a model with timers", at=mapping.place(key))
        found[key] = _requests(mapping, key)
    return found


def _unavailable(mapping: MappingFile, interface: Interface) -> frozenset[int]:
    if "unavailable" not in mapping:
        return frozenset()
    if interface.unavailable is None:
        raise UserError("the model has no 'unavailable' symbol to report", at=mapping.place("unavailable"))
    return _statuses(mapping, "unavailable", "some of them")


def _accepted(mapping: MappingFile) -> frozenset[int] | None:
    if mapping.is_text("accept") and mapping.text("accept") == "any":
        return None
    return _statuses(mapping, "accept", "some of them, or any")


def _statuses(mapping: MappingFile, key: str, expected: str) -> frozenset[int]:
    found: set[int] = set()
    for text, place in mapping.texts(key):
        if text in ("4xx", "5xx"):
            found.update(range(int(text[0]) * 100, int(text[0]) * 100 + 100))
            continue
        if not (len(text) == 3 and text.isdecimal() and text.isascii() and 400 <= int(text) <= 599):
            raise UserError(f"{text!r} is not a status from 400 to 599; expected {expected}", at=place)
        found.add(int(text))
    return frozenset(found)


def _check_symbols(inputs: MappingFile, interface: Interface) -> None:
    if interface.named is None:
        raise UserError("'inputs' are the symbols of an fsm; use 'step' for values", at=inputs.place(""))
    what = "input signal" if interface.has_events else "input"
    for symbol in inputs:
        if symbol not in interface.named:
            raise UserError(f"{symbol!r} is not an {what} of the model", at=inputs.place(symbol))


def _outputs(mapping: MappingFile, interface: Interface) -> Mapping[str, ResponseReading]:
    names = output_names(interface)
    if "output" not in mapping and interface.has_events:
        return {"": ResponseReading("json", "output")}
    if "output" not in mapping:
        return {name: ResponseReading("json", f"output.{name}" if len(names) > 1 else "output") for name in names}
    if mapping.is_text("output"):
        if len(names) > 1:
            raise UserError(f"expected how to read each of {', '.join(names)}", at=mapping.place("output"))
        return {names[0]: _reading(mapping, "output")}
    part = mapping.part("output", names)
    assert part is not None
    if missing := [name for name in names if name not in part]:
        raise UserError(f"does not say how to read {missing[0] or 'the output'}", at=mapping.place("output"))
    return {name: _reading(part, name) for name in names}


def _reset(mapping: MappingFile, folder: Path) -> tuple[Request | ResetCommand, ...]:
    if mapping.is_text("reset") and mapping.text("reset") == "none":
        return ()
    found: list[Request | ResetCommand] = []
    entries = mapping.listed("reset")
    for entry in entries:
        part = entries.part(entry) if entries.is_keys(entry) else None
        if part is not None and "run" in part:
            command = (entries.part(entry, ("run",)) or part).text("run") or ""
            at = part.place("run")
            found.append(ResetCommand(check_command(fill_in(command, at=at), at=at), folder))
        else:
            found.append(_request(entries, entry))
    return tuple(found)


def _requests(mapping: MappingFile, key: str) -> tuple[Request, ...]:
    entries = mapping.listed(key)
    found = tuple(_request(entries, entry) for entry in entries)
    if not found:
        raise UserError("expected a request such as 'POST /step'", at=mapping.place(key))
    return found


def _request(mapping: MappingFile, key: str) -> Request:
    if mapping.is_text(key):
        return parse_request(mapping.text(key) or "", at=mapping.place(key))
    part = mapping.part(key, ("request", "body", "form", "capture", "headers"))
    if part is None or "request" not in part:
        raise UserError("expected a request such as 'POST /step'", at=mapping.place(key))
    request = parse_request(part.text("request") or "", at=part.place("request"))
    if "form" in part and ("body" in part or not part.is_keys("form")):
        raise UserError("a form has keys with values, and is in the place of a body", at=part.place("form"))
    captured = part.part("capture")
    capture = {} if captured is None else {name: _reading(captured, name) for name in captured}
    body = part.plain("form") if "form" in part else part.plain("body") if "body" in part else None
    own = part.part("headers")
    return Request(request.method, request.path, body, "form" in part, capture, {} if own is None else _headers(own))


def _headers(part: MappingFile) -> dict[str, str | None]:
    """Headers by their names; None for those that are null."""
    found: dict[str, str | None] = {}
    for name in part:
        if _HEADER.fullmatch(name) is None:
            raise UserError(f"{name!r} cannot be the name of a header", at=part.place(name))
        text = None if part.plain(name) is None else fill_in(part.text(name) or "", at=part.place(name))
        if text is not None and not text.isprintable():
            raise UserError("a header has no line breaks and control characters", at=part.place(name))
        found[name] = text
    return found


def parse_request(text: str, *, at: Place = NOWHERE) -> Request:
    """Read ``POST /step``."""
    found = _REQUEST.fullmatch(text.strip())
    if found is None:
        raise UserError(f"{text!r} is not a request, expected one such as 'POST /step'", at=at)
    return Request(found[1], found[2])


def _reading(mapping: MappingFile, key: str) -> ResponseReading:
    text = mapping.text(key) or ""
    kind, _, path = text.strip().partition(" ")
    needs_path = kind == "header"
    if kind not in ("status", "text", "json", "header") or (needs_path and not path) or (kind == "status" and path):
        wanted = "expected status, text, json PATH or header NAME"
        raise UserError(f"{text!r} does not say what to read, {wanted}", at=mapping.place(key))
    return ResponseReading(kind, path.strip())


def follow(document: object, path: str) -> object:
    """The part of a JSON document at ``a.b.0.c``; an empty path is all of it."""
    for name in path.split(".") if path else ():
        if isinstance(document, Mapping) and name in document:
            document = document[name]
        elif isinstance(document, list) and name.isdecimal() and int(name) < len(document):
            document = document[int(name)]
        else:
            raise SutError(f"the answer has no {path!r}")
    return document
