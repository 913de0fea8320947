"""``browser:``: a web page in a real browser; inputs are actions on its elements, outputs are what it shows.

``browser:MAPPING.yaml`` names a mapping file (see ``browser_mapping``). Of an fsm the page is a grey box: an input is
enabled where its element is visible, enabled and not covered. A test begins in a fresh context, where no cookie,
storage or timer of another one survives; ``reset: document`` opens the page again in the same context instead, after
clearing cookies and the storage of its origin, which is about three times as fast. The history of the tab survives, and
what the page has stored at other origins.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.execute.adapters.browser_mapping import (
    Action,
    BrowserMapping,
    ClickSource,
    Input,
    Reset,
    filled,
    matched,
    read_browser_mapping,
)
from fullproof.execute.adapters.browser_process import Chromium, find_browser, first_line
from fullproof.execute.adapters.browser_tab import Tab, open_tab, plain
from fullproof.execute.adapters.mapping import spelt
from fullproof.execute.adapters.secrets import public_spec
from fullproof.execute.observation import reader_of, signals_in_text, written
from fullproof.execute.sut import SutError, no_answer
from fullproof.language.types import Variable
from fullproof.model import Model
from fullproof.model.inputs import SENDS, Advance
from fullproof.model.interface import Interface, answering

if TYPE_CHECKING:
    from playwright.async_api import Browser

_T = TypeVar("_T")
_OPENING = 60.0
"""Seconds that a context may take to open, before the page under test comes into play."""
_LOADING = 10.0
"""Seconds that a page may take to load, at least: loading depends on the machine more than answering does."""
_CLOSING = 5.0
_RETIRED = 4
"""Contexts that may be closing at the same time."""
_CHECK = "selectors => selectors.map(s => { try { document.querySelector(s) } catch (e) { return e.message } })"
_STATE = "\0state"
"""The key of the state among what was read: no output has such a name."""


class BrowserSut:
    """A page behind the contract of a system."""

    in_process = False

    def __init__(
        self,
        chromium: Chromium,
        mapping: BrowserMapping,
        interface: Interface,
        *,
        step_timeout: float | None,
        waits: bool = False,
    ) -> None:
        self._turns = interface.has_time and not waits
        """Whether the clock of the page stands still between delays."""
        self._passed = Fraction(0)
        self._chromium = chromium
        self._mapping = mapping
        self._interface = interface
        self._read_answer = reader_of(interface)
        self._given: dict[str, str] = {}
        self._timeout = step_timeout
        self._script = _script(mapping, keeps=waits)
        self._tab: Tab | None = None
        self._spare: tuple[Browser, asyncio.Task[Tab | None]] | None = None
        self._retired: set[asyncio.Task[None]] = set()
        self._enabled: frozenset[str] = frozenset()
        self._state: object = None

    @property
    def grey_box(self) -> bool:
        """Whether inputs have elements of their own: of an fsm."""
        return self._interface.outputs is None

    def reset(self) -> None:
        """Load the page where nothing of an earlier test is left."""
        tab = self._tab
        if tab is not None and self._mapping.reset is Reset.DOCUMENT:
            seen = self._call(tab.renew(), self._loading())
        else:
            self._tab = tab = self._call(self._fresh(), _OPENING)
            seen = self._call(tab.load(), self._loading())
        tab.complain()
        self._given = {}
        self._passed = Fraction(0)
        self._enabled = frozenset(seen.get("offered", ()))

    def step(self, symbol: TestInput, /) -> object:
        """Do what the mapping says for an input, read the outputs.

        Where the model has a symbol for inputs that are not offered, that is the answer while its element is missing,
        covered or disabled.
        """
        if isinstance(symbol, Advance):
            return self._advance(symbol.seconds)
        name = self._interface.name_of(symbol) or ""
        given = self._mapping.inputs.get(name, self._mapping.step)
        assert given is not None
        if self._interface.unavailable is not None and name in self._mapping.inputs and name not in self._enabled:
            return self._interface.unavailable
        if self._interface.outputs is not None:
            given = filled(given, self._spelt(symbol))
        tab = self._tab
        assert tab is not None
        return self._seen(tab, self._perform(tab, given))

    def observe(self) -> object:
        """What the page shows after a delay in real time."""
        tab = self._tab
        assert tab is not None
        return self._seen(tab, tab.run((), first=False))

    def _advance(self, seconds: Fraction) -> object:
        """Turn the clock of the page; it counts whole milliseconds, so that rests are kept for the next time."""
        before = int(self._passed * 1000)
        self._passed += seconds
        tab = self._tab
        assert tab is not None
        tab.dialogs.clear()
        return self._seen(tab, tab.pass_time(int(self._passed * 1000) - before))

    def _seen(self, tab: Tab, work: Coroutine[Any, Any, Mapping[str, Any]]) -> object:
        """What the page shows after some work."""
        seen = self._call(work, self._timeout)
        tab.complain()
        self._enabled = frozenset(seen.get("offered", ()))
        readings = self._readings(tab, seen["readings"])
        self._state = readings.pop(_STATE)
        return self._symbol(readings[""]) if self._interface.outputs is None else self._values(readings)

    def _spelt(self, symbol: TestInput) -> Mapping[str, str]:
        """The values of an input; where an event has none, those before it."""
        given = self._interface.arguments(symbol).items()
        old = self._given if self._interface.has_events else {}
        self._given = {**old, **{name: spelt(value) for name, value in given}}
        return self._given

    def enabled(self) -> frozenset[str]:
        """The inputs whose elements could be used when the page was last looked at."""
        return self._enabled

    def state(self) -> object:
        """What the page said the state is after the last step."""
        shown = self._state
        if shown is None:
            return None
        text = str(shown).lower() if isinstance(shown, bool) else str(shown)
        return self._mapping.symbols.get(text, text)

    def finish(self) -> None:
        """Raise for errors that came after the last answer."""
        if self._tab is not None:
            self._tab.complain()

    def discard(self) -> None:
        """Leave this page; a fresh context is opened at the next reset."""
        tab, self._tab = self._tab, None
        if tab is not None:
            with contextlib.suppress(TimeoutError, SutError):
                self._call(self._retire(tab), _CLOSING)

    def close(self) -> None:
        """End the browser."""
        self._tab = None
        self._chromium.close()

    def check(self) -> None:
        """Raise a UserError where the page cannot be opened or a selector is none."""
        tab = self._call(self._fresh(), _OPENING)
        try:
            listed = list(self._mapping.selectors())
            faults = self._call(tab.page.evaluate(_CHECK, [selector for selector, _ in listed]), _OPENING)
            for (selector, at), fault in zip(listed, faults, strict=True):
                if fault is not None:
                    raise UserError(f"{selector!r} is no CSS selector", at=at)
            self._call(tab.load(), self._loading())
        except SutError as error:
            raise UserError(f"cannot open {public_spec(self._mapping.page)}: {error.reason}") from error
        finally:
            self._tab = tab
            self.discard()

    def _call(self, work: Coroutine[Any, Any, _T], limit: float | None) -> _T:
        from playwright.async_api import Error

        try:
            return self._chromium.call(work, limit=limit)
        except TimeoutError:
            evidence = "" if self._tab is None else self._tab.evidence()
            raise no_answer(limit, evidence=evidence) from None
        except Error as error:
            evidence = "" if self._tab is None else self._tab.evidence()
            raise SutError(first_line(error), evidence=evidence) from error

    def _loading(self) -> float | None:
        return None if self._timeout is None else max(self._timeout, _LOADING)

    async def _fresh(self) -> Tab:
        """A page in a context of its own; the next one is opened while this one is used."""
        if self._tab is not None:
            await self._retire(self._tab)
        browser = await self._chromium.browser()
        tab = await self._take_spare(browser)
        if tab is None or tab.page.is_closed() or tab.crashed:
            tab = await open_tab(browser, self._mapping, self._script, turned=self._turns)
        if self._mapping.reset is Reset.CONTEXT:
            self._spare = (browser, asyncio.create_task(self._prepare(browser)))
        return tab

    async def _prepare(self, browser: Browser) -> Tab | None:
        try:
            return await open_tab(browser, self._mapping, self._script, turned=self._turns)
        except Exception:  # noqa: BLE001  # whatever befell it, another one is opened
            return None

    async def _take_spare(self, browser: Browser) -> Tab | None:
        if self._spare is None:
            return None
        (home, task), self._spare = self._spare, None
        if home is not browser:
            task.cancel()  # its browser has ended, and would never answer
            return None
        return await task

    async def _retire(self, tab: Tab) -> None:
        """Close a context, without waiting for it unless there are too many."""
        task = asyncio.create_task(self._close(tab))
        self._retired.add(task)
        task.add_done_callback(self._retired.discard)
        while len(self._retired) > _RETIRED:
            await asyncio.wait(self._retired, return_when=asyncio.FIRST_COMPLETED)

    async def _close(self, tab: Tab) -> None:
        try:
            await asyncio.wait_for(tab.context.close(), _CLOSING)
        except TimeoutError:
            await self._chromium.end_browser()
        except Exception:  # noqa: BLE001  # it is gone already, and so is what it was good for
            return

    async def _perform(self, tab: Tab, given: Input) -> Mapping[str, Any]:
        tab.dialogs.clear()
        seen: Mapping[str, Any] = {}
        first = True
        for batch in _batches(given.actions, self._mapping.events):
            if _is_real(batch[0], self._mapping.events):
                await tab.act_for_real(batch[0], first=first)
                batch = ()
                first = False
            seen = await tab.run(batch, first=first)
            first = False
        return seen

    def _readings(self, tab: Tab, raw: Sequence[object]) -> dict[str, object]:
        """What was read for each output: the first reading that found something, else None."""
        found: dict[str, object] = {}
        rest = iter(raw)
        for name, readings in (*self._mapping.outputs.items(), (_STATE, self._mapping.state)):
            values = [
                matched(r, ", ".join(tab.dialogs) if r.kind == "dialog" else v)
                for r, v in zip(readings, rest, strict=False)
            ]
            seen = [value for value in values if value is not None and value != ""]
            if name in self._mapping.joins and seen:
                found[name] = self._mapping.joins[name].join(map(_text, seen))
            else:
                found[name] = seen[0] if seen else None
        return found

    def _symbol(self, value: object) -> str:
        if value is None:
            if self._mapping.silent is None:
                wanted = "; 'silent' in the mapping file may give a symbol for that"
                raise SutError(f"the page shows no output{wanted}", evidence=self._evidence())
            return self._mapping.silent
        return self._mapping.symbols.get(_text(value), _text(value))

    def _values(self, readings: Mapping[str, object]) -> object:
        variables = self._interface.outputs or ()
        for variable in variables:
            if readings[variable.name] is None:
                raise SutError(f"the page shows nothing for {variable.name}", evidence=self._evidence())
        values: dict[str, object] = {v.name: self._typed(readings[v.name], v) for v in variables}
        if self._interface.signals_out:
            values[SENDS] = signals_in_text(readings[SENDS])
        return self._read_answer(values)

    def _typed(self, value: object, variable: Variable) -> object:
        if not isinstance(value, str):
            return value
        return written(self._mapping.symbols.get(value, value), variable)

    def _evidence(self) -> str:
        return "" if self._tab is None else self._tab.evidence()


def open_browser(target: str, model: Model, *, step_timeout: float | None, waits: bool = False) -> BrowserSut:
    """Start a browser for the page that a mapping file names, or say in one line why not."""
    if not target:
        raise UserError("--sut browser: needs a mapping file, e.g. browser:page.yaml")
    interface = answering(model)
    mapping = read_browser_mapping(Path(target), interface)
    chromium = Chromium(find_browser())
    system = BrowserSut(chromium, mapping, interface, step_timeout=step_timeout, waits=waits)
    try:
        chromium.start()
        system.check()
    except BaseException:
        system.close()
        raise
    return system


def _script(mapping: BrowserMapping, *, keeps: bool) -> str:
    """The script of the page with what it has to look for, and whether it keeps what comes between the steps."""
    text = resources.files(__package__).joinpath("browser_page.js").read_text(encoding="utf-8")
    config = {
        "offered": {symbol: plain(given.offered) for symbol, given in mapping.inputs.items()},
        "readings": [{"kind": r.kind, "selector": r.selector, "name": r.name} for r in mapping.readings()],
        "settle": mapping.settle,
        "ready": mapping.ready,
        "keeps": keeps,
    }
    return text.replace("CONFIG;", json.dumps(config) + ";", 1)


def _batches(actions: Sequence[Action], events: ClickSource) -> Iterator[tuple[Action, ...]]:
    """Fields are filled together with the action after them, since that one may leave the page."""
    batch: list[Action] = []
    for action in actions:
        if _is_real(action, events) and batch:
            yield tuple(batch)
            batch = []
        batch.append(action)
        if action.verb != "fill":
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_real(action: Action, events: ClickSource) -> bool:
    by_hand = ("click", "check", "uncheck") if events is ClickSource.REAL else ()
    return action.verb in (*by_hand, "press", "type", "double click", "hover", "reload", "back", "forward")
