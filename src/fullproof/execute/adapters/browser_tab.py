"""One page in a separate context, and its asynchronous events: errors, dialogs, other windows, crashes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fullproof.execute.adapters.browser_mapping import Action, BrowserMapping, Dialogs
from fullproof.execute.adapters.browser_process import first_line
from fullproof.execute.adapters.secrets import public_spec
from fullproof.execute.sut import SutError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Dialog, Page, Request

_RUN = "given => window.__fullproof ? window.__fullproof.run(given) : {url: location.href}"
_AIM = "given => window.__fullproof.aim(given)"
_FORGET = "if (!document.referrer) { window.name = ''; try { sessionStorage.clear() } catch { /* there is none */ } }"
"""Only in a document that nothing has led to: one that the page goes on to may find what was stored for it."""
_EPOCH = 1_600_000_000
"""The date of a page whose clock the tests turn: each test sees the same one."""
_FRAMES = "window.__fullproof?.keepFrames()"
"""Frames are drawn although the clock stands still, so that a page can show its answer."""
_POLL = 0.005
_KEPT = 20
"""Messages of a page that are kept as evidence."""
_LONGEST = 2_000


class Tab:
    """A page under test. All methods run in the browser's thread."""

    def __init__(self, context: BrowserContext, page: Page, mapping: BrowserMapping) -> None:
        self.context = context
        self.page = page
        self._mapping = mapping
        self._session: CDPSession | None = None
        self.errors: deque[str] = deque(maxlen=_KEPT)
        self.dialogs: deque[str] = deque(maxlen=_KEPT)
        self._messages: deque[str] = deque(maxlen=_KEPT)
        self._windows: deque[str] = deque(maxlen=_KEPT)
        self.crashed = False
        self._asked = ""
        """The address of the last navigation: the address of a page that cannot be loaded is not informative."""
        page.on("pageerror", lambda error: self.errors.append((error.stack or str(error))[:_LONGEST]))
        page.on("console", lambda message: self._messages.append(f"{message.type}: {message.text}"[:_LONGEST]))
        page.on("crash", lambda _: setattr(self, "crashed", True))
        page.on("dialog", self._answer)
        page.on("request", self._note_navigation)
        context.on("page", lambda other: self._windows.append(other.url))

    async def load(self) -> Mapping[str, Any]:
        """Open the page under test and see what it offers."""
        await self._go()
        return await self.run((), first=True)

    async def renew(self) -> Mapping[str, Any]:
        """Open the page under test again, without what it has stored.

        What is stored can be cleared only after the old document has gone, since its timers might store more. The
        session's storage cannot be reached then, so that the new document clears it before any script of its own.
        """
        await self.page.goto("about:blank", timeout=0, wait_until="commit")
        if self._session is None:
            self._session = await self.context.new_cdp_session(self.page)
            await self._session.send("Page.enable")
        parts = urlsplit(self._mapping.page)
        origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        await self.context.clear_cookies()
        await self._session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        added = await self._session.send("Page.addScriptToEvaluateOnNewDocument", {"source": _FORGET})
        for heard in (self.errors, self.dialogs, self._messages, self._windows):
            heard.clear()
        await self._go()
        await self._forget(added)
        return await self.run((), first=True)

    async def _forget(self, script: Any) -> None:
        """At once: a page that goes elsewhere by itself may have stored something for the next one."""
        from playwright.async_api import Error

        assert self._session is not None
        try:
            await self._session.send("Page.removeScriptToEvaluateOnNewDocument", script)
        except Error as error:
            # A page that has gone on to another process in the meantime has left the script behind.
            if "Script not found" not in str(error):
                raise

    async def run(self, actions: Sequence[Action], *, first: bool) -> Mapping[str, Any]:
        """Act by script, let the page settle, follow it where it goes, and look."""
        given = {"actions": list(map(plain, actions)), "first": first}
        seen = await self._ask(_RUN, given)
        while "leaving" in seen or "loading" in seen:
            self._check_place(seen.get("leaving"))
            await asyncio.sleep(_POLL)
            seen = await self._ask(_RUN, {"actions": [], "first": False})
        self._check_place(seen.get("url"))
        if "blocked" in seen:
            raise SutError(seen["blocked"])
        return seen

    async def pass_time(self, milliseconds: int) -> Mapping[str, Any]:
        """Turn the clock of the page forward, timer by timer, and look."""
        await self.run((), first=True)  # what is there before is not new
        if milliseconds:
            await self.page.clock.run_for(milliseconds)
        return await self.run((), first=False)

    async def act_for_real(self, action: Action, *, first: bool) -> None:
        """Click with the browser's mouse, press a key of its keyboard, use its buttons."""
        if not action.selector:
            if first:
                await self.run((), first=True)  # what is there before is not new
            await self._use_browser(action)
            return
        aim = await self._ask(_AIM, {"action": plain(action), "first": first})
        if "blocked" in aim:
            raise SutError(aim["blocked"])
        if action.verb == "press":
            await self.page.keyboard.press(action.value)
        elif action.verb == "type":
            await self.page.keyboard.type(action.value)
        elif action.verb == "hover":
            await self.page.mouse.move(aim["x"], aim["y"])
        elif "done" not in aim and "leaving" not in aim:
            await self.page.mouse.click(aim["x"], aim["y"], click_count=2 if action.verb == "double click" else 1)

    async def _use_browser(self, action: Action) -> None:
        match action.verb:
            case "press":
                await self.page.keyboard.press(action.value)
            case "reload":
                await self.page.reload(timeout=0, wait_until="commit")
            case "back":
                await self.page.go_back(timeout=0, wait_until="commit")
            case _:
                await self.page.go_forward(timeout=0, wait_until="commit")

    def complain(self) -> None:
        """Raise where the page has failed in a way that its outputs do not show."""
        if self.crashed:
            raise SutError("died: the page crashed", evidence=self.evidence())
        if self.errors:
            raise SutError(f"uncaught {self.errors[0].splitlines()[0]}", evidence=self.evidence())
        if self._windows:
            raise SutError(f"opened another window: {public_spec(self._windows[0])}", evidence=self.evidence())

    def evidence(self) -> str:
        """Console messages and errors of the page."""
        lines = [*self.errors, *self._messages, *(f"dialog: {message}" for message in self.dialogs)]
        return public_spec("\n".join(lines))

    async def _go(self) -> None:
        answer = await self.page.goto(self._mapping.page, timeout=0, wait_until="commit")
        if answer is not None and answer.status >= 400:
            raise SutError(f"answered status {answer.status} for {public_spec(self._mapping.page)}")

    async def _ask(self, script: str, given: object) -> Mapping[str, Any]:
        from playwright.async_api import Error

        try:
            answer = await self.page.evaluate(script, given)
        except Error as error:
            if "context was destroyed" in error.message or "navigat" in error.message:
                return {"leaving": None}
            raise SutError(self._explained(first_line(error)), evidence=self.evidence()) from error
        assert isinstance(answer, dict)
        return answer

    def _explained(self, reason: str) -> str:
        if self.crashed or "crashed" in reason:
            return "died: the page crashed"
        if "has been closed" in reason:
            return "died: the page or the browser was closed"
        return reason

    def _check_place(self, url: str | None) -> None:
        if url is None or _stays(url, self._mapping.page):
            return
        if url.startswith("chrome-error:"):
            if not self._asked or _stays(self._asked, self._mapping.page):
                raise SutError("went to a page that cannot be loaded", evidence=self.evidence())
            url = self._asked
        raise SutError(f"went away to {public_spec(url)}", evidence=self.evidence())

    def _note_navigation(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self._asked = request.url

    async def _answer(self, dialog: Dialog) -> None:
        from playwright.async_api import Error

        self.dialogs.append(dialog.message[:_LONGEST])
        try:
            if self._mapping.dialogs is Dialogs.ACCEPT:
                await dialog.accept()
            else:
                await dialog.dismiss()
        except Error:
            return  # the page has gone, and its dialog with it


async def open_tab(browser: Browser, mapping: BrowserMapping, script: str, *, turned: bool = False) -> Tab:
    """A blank page in a fresh context: nothing of another test is in it. Where ``turned``, its clock stands still."""
    context = await browser.new_context(accept_downloads=False, extra_http_headers=dict(mapping.headers))
    await context.add_init_script(script)
    if turned:
        await context.clock.install(time=_EPOCH)
        await context.clock.pause_at(_EPOCH + 1)
        await context.add_init_script(_FRAMES)
    return Tab(context, await context.new_page(), mapping)


def plain(action: Action) -> dict[str, str]:
    """An action as the page's script takes it."""
    return {"verb": action.verb, "selector": action.selector, "value": action.value}


def _stays(url: str, page: str) -> bool:
    """Whether a URL belongs to the system: the same server, or of files the same folder."""
    here, there = urlsplit(page), urlsplit(url)
    if here.scheme == "file":
        folder = here.path.rpartition("/")[0] + "/"
        return there.scheme == "file" and there.path.startswith(folder)
    return (there.scheme, there.netloc.rpartition("@")[2]) == (here.scheme, here.netloc.rpartition("@")[2])
