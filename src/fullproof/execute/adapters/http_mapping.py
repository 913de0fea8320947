"""How inputs become HTTP requests, and how outputs and enabled inputs are read from the answers.

A mapping file::

    url: http://127.0.0.1:8080
    headers: {Authorization: 'Bearer ${TOKEN}'}     # ${NAME}: from the environment, so that no file holds a secret
    reset: POST /reset
    inputs:                                         # of an fsm, by symbol; of a statemachine, by signal
      coin: POST /coins
      push: {request: POST /arm, body: {force: 3}}
    step: {request: POST /step, body: {speed: '{x}'}}   # every other input; {x} is an input's value, {input} the symbol
                                                    # of an fsm, {trigger} the signal of a statemachine or null
    output: json state.name                         # or: status, text, header NAME; of an sfsm: keys y: json force;
                                                    # of a statemachine besides send: json signals
    symbols: {'402': refused}                       # what was read -> the model's symbol
    accept: [409, 422]                              # statuses from 400 on that come with an output, or any; other
                                                    # answers of such a status are errors, unless output is status
    enabled: json actions                           # or {request: GET /actions, read: json names}
    state: json state.name                          # the active state, for --observe state
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.execute.adapters.mapping import MappingFile, fill_in, read_mapping
from fullproof.execute.sut import SutError
from fullproof.model.interface import Interface, output_names

_KEYS = ("url", "headers", "reset", "inputs", "step", "output", "symbols", "accept", "enabled", "state")
_REQUEST = re.compile(r"(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (/\S*)")


@dataclass(frozen=True, slots=True)
class Request:
    """``POST /step`` with a body that is sent as JSON."""

    method: str
    path: str
    body: object = None


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
    reset: Request = Request("POST", "/reset")
    inputs: Mapping[str, Request] = field(default_factory=dict)
    step: Request = Request("POST", "/step", {"input": "{input}"})
    outputs: Mapping[str, ResponseReading] = field(default_factory=lambda: {"": ResponseReading("json", "output")})
    """Of an fsm under the empty name."""
    symbols: Mapping[str, str] = field(default_factory=dict)
    accept: frozenset[int] | None = frozenset()
    """Statuses from 400 on that are answers; None: all of them."""
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
        given["headers"] = {name: fill_in(headers.text(name) or "", at=headers.place(name)) for name in headers}
    for key in ("reset", "step"):
        if key in mapping:
            given[key] = _request(mapping, key)
    if (inputs := mapping.part("inputs")) is not None:
        _check_symbols(inputs, interface)
        given["inputs"] = {symbol: _request(inputs, symbol) for symbol in inputs}
    given["outputs"] = _outputs(mapping, interface)
    if (symbols := mapping.part("symbols")) is not None:
        given["symbols"] = {text: symbols.text(text) for text in symbols}
    if "state" in mapping:
        given["state"] = _reading(mapping, "state")
    if "accept" in mapping:
        given["accept"] = _accepted(mapping)
    if "enabled" in mapping:
        if mapping.is_text("enabled"):
            given["enabled"] = _reading(mapping, "enabled")
        else:
            part = mapping.part("enabled", ("request", "read"))
            assert part is not None
            given["enabled"] = _reading(part, "read")
            given["enabled_request"] = _request(part, "request")
    return HttpMapping(**given)  # type: ignore[arg-type]


def _accepted(mapping: MappingFile) -> frozenset[int] | None:
    found = set()
    for text, place in mapping.texts("accept"):
        if text == "any" and mapping.is_text("accept"):
            return None
        if not (len(text) == 3 and text.isdecimal() and text.isascii() and 400 <= int(text) <= 599):
            raise UserError(f"{text!r} is not a status from 400 to 599; expected some of them, or any", at=place)
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


def _request(mapping: MappingFile, key: str) -> Request:
    if mapping.is_text(key):
        return parse_request(mapping.text(key) or "", at=mapping.place(key))
    part = mapping.part(key, ("request", "body"))
    if part is None or "request" not in part:
        raise UserError("expected a request such as 'POST /step'", at=mapping.place(key))
    request = parse_request(part.text("request") or "", at=part.place("request"))
    return Request(request.method, request.path, part.plain("body") if "body" in part else None)


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
