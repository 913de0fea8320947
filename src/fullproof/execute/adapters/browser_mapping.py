"""How inputs become actions on a web page, and where outputs are read from it.

A mapping file::

    page: index.html                     # beside this file, or a URL
    headers: {Authorization: 'Bearer ${TOKEN}'}     # ${NAME}: from the environment, so that no file holds a secret
    reset: context                       # a fresh context for each test; or document: faster, see browser_sut
    inputs:                              # of an fsm, by symbol; of a statemachine, by signal
      coin: click '#coin'
      name: [fill '#name' with Ada, press Enter on '#name']
      pay: {do: [fill '#pin' with 1234, click '#ok'], enabled: '#ok'}   # default: the element of the first action
    step:                                # of an sfsm; of an fsm for every other input, with {input}; of a
                                         # statemachine for every other event, with {trigger}
      - fill '#speed' with {x}
      - click '#set'
    output: text '#display'              # of an sfsm: keys y: number '#force'; of a statemachine besides send;
                                         # {all: [text '#a', count li], join: ' '}: several readings in one
    symbols: {Welcome: welcome}          # what was read -> the model's symbol
    silent: 'null'                       # of an fsm: the symbol where there is nothing to read
    state: attribute data-state of body  # the active state, for --observe state; symbols are for it, too
    dialogs: dismiss                     # or accept: alert, confirm and prompt
    events: script                       # or real: clicks by a mouse that the page can trust
    settle: 0.05                         # seconds to wait after each action
    ready: '#app.ready'                  # what must be visible before anything is read

Selectors are CSS, and stand in quotes where YAML would take their ``#`` for the beginning of a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TypeVar

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.execute.adapters.mapping import MappingFile, fill_in, read_mapping
from fullproof.model.interface import Interface, output_names

_KEYS = (
    "page", "headers", "reset", "inputs", "step", "output", "symbols", "silent", "dialogs", "events", "settle", "ready",
    "state",
)  # fmt: skip
_SELECTOR = r"(?P<selector>'[^']*'|\"[^\"]*\"|.+?)"
_ACTIONS = (
    re.compile(rf"(?P<verb>click|double click|hover|uncheck)\s+{_SELECTOR}"),
    re.compile(r"(?P<verb>reload|back|forward)"),
    re.compile(rf"(?P<verb>check)\s+{_SELECTOR}(?:\s+with\s+(?P<value>.*))?"),
    re.compile(rf"(?P<verb>fill|select|type)\s+{_SELECTOR}\s+with\s+(?P<value>.*)"),
    re.compile(rf"(?P<verb>press)\s+(?P<value>\S+)(?:\s+on\s+{_SELECTOR})?"),
)
_READINGS = (
    re.compile(rf"(?P<kind>text|number|value|checked|visible|new|count)\s+{_SELECTOR}"),
    re.compile(rf"(?P<kind>attribute)\s+(?P<name>[\w:.-]+)\s+of\s+{_SELECTOR}"),
    re.compile(r"(?P<kind>dialog)"),
)
_MATCHING = re.compile(r"(?P<reading>.+)\s+matching\s+(?P<pattern>.+)", re.DOTALL)
_Choice = TypeVar("_Choice", bound=Enum)


class Reset(Enum):
    """How a test begins: with a fresh context, or with a fresh document in the same one."""

    CONTEXT = "context"
    DOCUMENT = "document"


class Dialogs(Enum):
    """What is answered to alert, confirm and prompt."""

    DISMISS = "dismiss"
    ACCEPT = "accept"


class ClickSource(Enum):
    """Who clicks: a script in the page, or the browser's own mouse."""

    SCRIPT = "script"
    REAL = "real"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """``click``, ``double click``, ``hover``, ``check``, ``uncheck``, ``fill``, ``select``, ``type`` or ``press`` on
    the element that a selector names; or ``reload``, ``back``, ``forward`` and ``press`` where it is empty.
    """

    verb: str
    selector: str
    value: str = ""
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementReading:
    """What is read of an element: ``text``, ``number``, ``value``, ``checked``, ``visible``, ``new``, ``attribute``;
    of several ``count``; or ``dialog``, what was said in one.
    """

    kind: str
    selector: str = ""
    name: str = ""
    pattern: re.Pattern[str] | None = None
    """The part that counts: the first group, or all that matches."""
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What is done for an input; it is enabled where the element of ``offered`` can be used."""

    actions: tuple[Action, ...]
    offered: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserMapping:
    """Everything that a mapping file says."""

    page: str
    """A URL."""
    outputs: Mapping[str, tuple[ElementReading, ...]]
    """Of an fsm under the empty name; the first reading that finds something counts, unless they are joined."""
    joins: Mapping[str, str] = field(default_factory=dict)
    """By output: what stands between several readings that all count."""
    inputs: Mapping[str, Input] = field(default_factory=dict)
    """Of an fsm: all symbols of the model; of a statemachine: signals for which something is done of its own."""
    step: Input | None = None
    """Of an sfsm, and of a statemachine for events that have nothing of their own."""
    headers: Mapping[str, str] = field(default_factory=dict)
    symbols: Mapping[str, str] = field(default_factory=dict)
    silent: str | None = None
    reset: Reset = Reset.CONTEXT
    dialogs: Dialogs = Dialogs.DISMISS
    events: ClickSource = ClickSource.SCRIPT
    settle: float = 0.0
    ready: str | None = None
    ready_at: Place = NOWHERE
    state: tuple[ElementReading, ...] = ()
    """Where the active state is read; the first reading that finds something counts."""

    def readings(self) -> Iterator[ElementReading]:
        """All that is read after a step, in order: outputs, then the state."""
        for readings in self.outputs.values():
            yield from readings
        yield from self.state

    def selectors(self) -> Iterator[tuple[str, Place]]:
        """All selectors, each with its place; those with values to fill in are left out."""
        for given in (*self.inputs.values(), *([self.step] if self.step else [])):
            for action in (*given.actions, given.offered):
                if action.selector and "{" not in action.selector:
                    yield action.selector, action.at
        yield from ((reading.selector, reading.at) for reading in self.readings() if reading.selector)
        if self.ready is not None:
            yield self.ready, self.ready_at


def read_browser_mapping(path: Path, interface: Interface) -> BrowserMapping:
    """Read a mapping file for a model, or say in one line what is wrong with it."""
    mapping = read_mapping(path, keys=_KEYS)
    page = mapping.text("page")
    if page is None:
        raise UserError("expected a key 'page', e.g. index.html or http://127.0.0.1:8080", at=Place(file=str(path)))
    symbols = mapping.part("symbols")
    silent = mapping.text("silent")
    if silent is not None and interface.outputs is not None:
        raise UserError("'silent' is a symbol of an fsm; this model always has values", at=mapping.place("silent"))
    settle = mapping.plain("settle") if "settle" in mapping else 0
    if not isinstance(settle, int | float) or isinstance(settle, bool) or not 0 <= settle <= 3600:
        raise UserError("expected seconds, e.g. settle: 0.05", at=mapping.place("settle"))
    general = _input(mapping, "step") if "step" in mapping else None
    outputs = _outputs(mapping, interface)
    return BrowserMapping(
        page=_url(fill_in(page, at=mapping.place("page")), path, mapping.place("page")),
        outputs={name: readings for name, (readings, _) in outputs.items()},
        joins={name: join for name, (_, join) in outputs.items() if join is not None},
        inputs=_inputs(mapping, interface, general),
        step=None if interface.outputs is None else _needed(general, mapping),
        headers=_headers(mapping),
        symbols={} if symbols is None else {text: symbols.text(text) or "" for text in symbols},
        silent=silent,
        reset=_choice(mapping, "reset", Reset.CONTEXT),
        dialogs=_choice(mapping, "dialogs", Dialogs.DISMISS),
        events=_choice(mapping, "events", ClickSource.SCRIPT),
        settle=float(settle),
        ready=None if (ready := mapping.text("ready")) is None else _unquoted(ready),
        ready_at=mapping.place("ready"),
        state=tuple(parse_reading(text, at=at) for text, at in mapping.texts("state")) if "state" in mapping else (),
    )


def parse_action(text: str, *, at: Place = NOWHERE) -> Action:
    """Read ``fill '#name' with Ada``."""
    for pattern in _ACTIONS:
        if found := pattern.fullmatch(text.strip()):
            parts = found.groupdict()
            value = _unquoted(parts.get("value") or "")
            selector = _unquoted(parts.get("selector") or "")
            return Action(verb=parts["verb"], selector=selector, value=value, at=at)
    wanted = (
        "click S, double click S, hover S, check S, uncheck S, fill S with VALUE, type S with VALUE, "
        "select S with VALUE or press KEY on S, where S is a selector, or reload, back or forward"
    )
    raise UserError(f"{text!r} is not an action, expected {wanted}", at=at)


def parse_reading(text: str, *, at: Place = NOWHERE) -> ElementReading:
    """Read ``text '#display'``, or ``text '#display' matching ([0-9]+) items``."""
    regex = None
    if whole := _MATCHING.fullmatch(text.strip()):
        try:
            regex = re.compile(_unquoted(whole["pattern"]))
        except re.error as error:
            raise UserError(f"{whole['pattern']!r} is not a regular expression: {error}", at=at) from None
    for pattern in _READINGS:
        if found := pattern.fullmatch(whole["reading"] if whole else text.strip()):
            parts = found.groupdict()
            selector, name = _unquoted(parts.get("selector") or ""), parts.get("name") or ""
            return ElementReading(kind=parts["kind"], selector=selector, name=name, pattern=regex, at=at)
    wanted = (
        "text S, number S, value S, checked S, visible S, new S, count S, attribute NAME of S, where S is a selector, "
        "or dialog, each with or without 'matching REGEX'"
    )
    raise UserError(f"{text!r} does not say what to read, expected {wanted}", at=at)


def matched(reading: ElementReading, value: object) -> object:
    """What counts of a value that was read: all of it, or the part that a regular expression finds."""
    if reading.pattern is None or not isinstance(value, str):
        return value
    found = reading.pattern.search(value)
    return None if found is None else found[1 if reading.pattern.groups else 0]


def filled(given: Input, values: Mapping[str, str]) -> Input:
    """The input with values in the place of ``{x}``."""

    def fill(action: Action) -> Action:
        selector, value = action.selector, action.value
        for name, text in values.items():
            selector, value = selector.replace("{" + name + "}", text), value.replace("{" + name + "}", text)
        return Action(verb=action.verb, selector=selector, value=value, at=action.at)

    return Input(actions=tuple(map(fill, given.actions)), offered=fill(given.offered))


def _headers(mapping: MappingFile) -> Mapping[str, str]:
    part = mapping.part("headers")
    if part is None:
        return {}
    return {name: fill_in(part.text(name) or "", at=part.place(name)) for name in part}


def _inputs(mapping: MappingFile, interface: Interface, general: Input | None) -> Mapping[str, Input]:
    part = mapping.part("inputs")
    if part is not None and interface.named is None:
        raise UserError("'inputs' are the symbols of an fsm; use 'step' for values", at=mapping.place("inputs"))
    what = "input signal" if interface.has_events else "input"
    for name in part or ():
        if name not in (interface.named or ()):
            assert part is not None
            raise UserError(f"{name!r} is not an {what} of the model", at=part.place(name))
    if interface.outputs is not None:
        return {} if part is None else {signal: _input(part, signal) for signal in part}
    inputs = {}
    for symbol in interface.symbols:
        if part is not None and symbol in part:
            inputs[symbol] = filled(_input(part, symbol), {"input": symbol})
        elif general is not None:
            inputs[symbol] = filled(general, {"input": symbol})
        else:
            raise UserError(f"does not say what to do for the input {symbol!r}", at=mapping.place("inputs"))
    return inputs


def _needed(general: Input | None, mapping: MappingFile) -> Input:
    if general is None:
        wanted = "expected a key 'step' with actions, e.g. - fill '#speed' with {x}"
        raise UserError(wanted, at=mapping.place("step"))
    return general


def _input(mapping: MappingFile, key: str) -> Input:
    offered = None
    if not mapping.is_keys(key):
        listed = mapping.texts(key)
    else:
        part = mapping.part(key, ("do", "enabled"))
        assert part is not None
        listed = part.texts("do")
        if (selector := part.text("enabled")) is not None:
            offered = Action(verb="click", selector=_unquoted(selector), at=part.place("enabled"))
    actions = tuple(_filled_from_environment(parse_action(text, at=at)) for text, at in listed)
    if not actions:
        raise UserError("expected an action such as click '#ok'", at=mapping.place(key))
    return Input(actions=actions, offered=offered or actions[0])


def _filled_from_environment(action: Action) -> Action:
    return Action(verb=action.verb, selector=action.selector, value=fill_in(action.value, at=action.at), at=action.at)


def _outputs(mapping: MappingFile, interface: Interface) -> Mapping[str, tuple[tuple[ElementReading, ...], str | None]]:
    names = output_names(interface)
    part = mapping.part("output") if mapping.is_keys("output") else None
    if part is None or ("all" in part and len(names) == 1):
        readings, join = _readings(mapping, "output")
        if not readings:
            raise UserError("expected a key 'output', e.g. text '#display'", at=mapping.place("output"))
        if len(names) > 1:
            raise UserError(f"expected how to read each of {', '.join(names)}", at=mapping.place("output"))
        return {names[0]: (readings, join)}
    part = mapping.part("output", names)
    assert part is not None
    if missing := [name for name in names if name not in part]:
        raise UserError(f"does not say how to read {missing[0] or 'the output'}", at=mapping.place("output"))
    return {name: _readings(part, name) for name in names}


def _readings(mapping: MappingFile, key: str) -> tuple[tuple[ElementReading, ...], str | None]:
    """Readings of which the first that finds something counts, or all with a text between them."""
    if not mapping.is_keys(key):
        return tuple(parse_reading(text, at=at) for text, at in mapping.texts(key)), None
    part = mapping.part(key, ("all", "join"))
    assert part is not None
    if "all" not in part:
        raise UserError("expected a key 'all' with readings", at=mapping.place(key))
    join = part.text("join") if "join" in part else " "
    return tuple(parse_reading(text, at=at) for text, at in part.texts("all")), join or ""


def _choice(mapping: MappingFile, key: str, default: _Choice) -> _Choice:
    text = mapping.text(key)
    if text is None:
        return default
    choices = {choice.value: choice for choice in type(default)}
    if text not in choices:
        raise UserError(f"{text!r} is not known here, expected {' or '.join(choices)}", at=mapping.place(key))
    return choices[text]


def _url(page: str, path: Path, at: Place) -> str:
    if re.match(r"(https?|file)://", page):
        return page
    name, mark, rest = re.fullmatch(r"([^?#]*)([?#]?)(.*)", page, re.DOTALL).groups()  # type: ignore[union-attr]
    file = path.parent / name
    if not file.is_file():
        raise UserError(f"there is no page {name!r} beside the mapping file", at=at)
    return file.resolve().as_uri() + mark + rest


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
