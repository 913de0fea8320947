"""A real browser, driven by Playwright in a thread of its own, so that the caller needs no event loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from fullproof.core.errors import UserError
from fullproof.execute.adapters.secrets import public_spec

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

_T = TypeVar("_T")
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_VARIABLE = "FULLPROOF_BROWSER"
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_CALL = re.compile(r"^(?:Error: )?(?:\w+\.\w+: )?")
_STARTING = 60.0
_ENDING = 5.0


def find_browser() -> str:
    """The browser to start, or a UserError that names the places searched."""
    if named := os.environ.get(_VARIABLE):
        if (found := shutil.which(named)) is None:
            raise UserError(f"{_VARIABLE} names {named}, which is not a program")
        return found
    for name in _NAMES:
        if (found := shutil.which(name)) is not None:
            return found
    looked = ", ".join(_NAMES[:3])
    raise UserError(f"there is no Chromium: looked for {looked} in PATH; {_VARIABLE} may name one")


class Chromium:
    """One browser at a time; where it has ended, the next ``browser()`` starts another."""

    def __init__(self, executable: str) -> None:
        try:
            import playwright.async_api  # noqa: F401
        except ImportError as error:
            wanted = "pip install 'fullproof[browser]'"
            raise UserError(f"systems in a browser need the package playwright: {wanted}") from error
        self._executable = executable
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._starting: asyncio.Lock | None = None
        self._loop = asyncio.new_event_loop()
        # Failures of calls whose result is not needed any more, e.g. because the browser was ended, are ignored.
        self._loop.set_exception_handler(lambda *_: None)
        self._thread = threading.Thread(target=self._loop.run_forever, name="browser", daemon=True)
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, _T], *, limit: float | None) -> _T:
        """Wait for work in the browser's thread; a TimeoutError where it takes longer than the limit."""
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, limit), self._loop)
        try:
            return future.result()
        except BaseException:  # such as the user's Ctrl-C, which arrives here and not in the thread
            future.cancel()
            raise

    def start(self) -> None:
        """Start the browser, or say in one line why not."""
        from playwright.async_api import Error

        try:
            self.call(self.browser(), limit=_STARTING)
        except TimeoutError:
            raise UserError(f"{self._executable} did not start within {_STARTING:g} s") from None
        except (Error, OSError) as error:
            raise UserError(f"cannot start {self._executable}: {first_line(error)}") from error

    async def browser(self) -> Browser:
        """The browser that runs, or a new one."""
        from playwright.async_api import async_playwright

        if self._starting is None:
            self._starting = asyncio.Lock()
        async with self._starting:
            if self._playwright is None:
                self._playwright = await async_playwright().start()
            if self._browser is None or not self._browser.is_connected():
                self._browser = await self._playwright.chromium.launch(
                    executable_path=self._executable,
                    args=list(_FLAGS),
                    handle_sigint=False,  # Ctrl-C reaches only this process, which ends the browser
                    handle_sigterm=False,
                    handle_sighup=False,
                    timeout=_STARTING * 1000,
                )
            return self._browser

    async def end_browser(self) -> None:
        """End the browser that runs, with everything in it."""
        browser, self._browser = self._browser, None
        if browser is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(browser.close(), _ENDING)

    def close(self) -> None:
        """End the browser, its driver and the thread; may be called twice."""
        if not self._thread.is_alive():
            return
        with contextlib.suppress(Exception):
            self.call(self._end(), limit=2 * _ENDING)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_ENDING)
        if not self._thread.is_alive():
            self._loop.close()

    async def _end(self) -> None:
        await self.end_browser()
        if self._playwright is not None:
            await self._playwright.stop()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


def first_line(error: BaseException) -> str:
    """Playwright's message, without its call log and without secrets in URLs."""
    text = str(error).strip()
    if not text:
        return type(error).__name__
    return public_spec(_CALL.sub("", text.splitlines()[0]))
