"""What a command prints: JSON for scripts, text for people, nothing when quiet."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

from fullproof.artefacts.notes import note_lines
from fullproof.artefacts.progress import Progress as ProgressCallback
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.replies import fields_of
from fullproof.artefacts.suite import json_value
from fullproof.cli.process import visible
from fullproof.core.counted import counted
from fullproof.core.status import listening

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress, ProgressColumn

    from fullproof.artefacts.guarantee import Guarantee


@dataclass(frozen=True, kw_only=True)
class Output:
    """The output channels of a command."""

    as_json: bool
    quiet: bool
    verbose: bool = False
    """Whether all notes are printed, and not only those that warn or change what a pass means."""
    stream: TextIO | None = None
    """Instead of standard output."""

    @property
    def stdout(self) -> TextIO:
        """Where the answer goes."""
        return self.stream or sys.stdout

    @cached_property
    def console(self) -> Console:
        """Standard output, with colours on a terminal."""
        from rich.console import Console

        # Names of models are data: brackets and colons in them are neither markup nor emoji.
        return Console(file=self.stdout, highlight=False, markup=False, emoji=False, soft_wrap=not self.stdout.isatty())

    def answer(self, reply: object, *text: RenderableType) -> None:
        """Print the answer: the fields as JSON, or the text."""
        if self.as_json:
            fields = reply if isinstance(reply, Mapping) else fields_of(reply)
            text_form = json.dumps(fields, ensure_ascii=not _is_utf8(self.stdout), default=_jsonable)
            self.stdout.write(text_form + "\n")
        elif not self.quiet:
            for part in text:
                self.console.print(_visible(part))
        self.stdout.flush()

    def notes(self, notes: Iterable[str]) -> None:
        """Print notes beside the answer on standard error."""
        if not self.quiet:
            sys.stderr.writelines(f"{visible(line)}\n" for line in note_lines(notes, verbose=self.verbose))

    def announced(self, tests: int | None, guarantee: Guarantee) -> None:
        """Say on a terminal, before the first test, what a run will prove."""
        if self.quiet or self.as_json or not sys.stderr.isatty():
            return
        size = "" if tests is None else f"{counted(tests, 'test')}. "
        # The bar has one line, which this text takes; the bar is drawn anew below.
        sys.stderr.write(f"\r\x1b[2K{visible(size + guarantee.sentence)}\n")
        sys.stderr.flush()

    @contextmanager
    def progress(self, what: str, *, before: str = "") -> Iterator[ProgressCallback]:
        """Return a callback that updates a progress bar on a terminal and does nothing elsewhere.

        The bar says ``what`` is done, and until the first item is done what is done ``before``, where that is given.
        """
        if self.quiet or self.as_json or not sys.stderr.isatty():
            yield unheard
            return
        with _bar(what, before or what) as callback:
            yield callback

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Show on a terminal that something is going on, and what work reports of itself; nothing elsewhere."""
        if self.quiet or self.as_json or not sys.stderr.isatty():
            yield
            return
        from rich.progress import SpinnerColumn, TextColumn

        with _display(SpinnerColumn(), TextColumn("{task.description}", markup=False)) as bar:
            task = bar.add_task(what, total=None)
            with listening(lambda text: bar.update(task, description=visible(text))):
                yield


@contextmanager
def _bar(what: str, before: str) -> Iterator[ProgressCallback]:
    import time

    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    begin = shown = time.monotonic()
    with _display(*columns) as bar:
        task = bar.add_task(before, total=None, rate="")

        def move(done: int, total: int | None, /, steps: int = 0) -> None:
            nonlocal shown
            now = time.monotonic()
            # Updating a bar costs more than many tests: ten updates a second are enough.
            if now - shown > 0.1 or done == total:
                shown = now
                speed = f"{steps / (now - begin):,.0f} steps/s" if steps and now > begin else ""
                bar.update(task, description=what, completed=done, total=total, rate=speed)

        yield move


def _display(*columns: ProgressColumn) -> Progress:
    """On standard error only: rich would redirect standard output as well, which may be a file."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    )


def _visible(part: RenderableType) -> RenderableType:
    from rich.text import Text

    if isinstance(part, str):
        return visible(part)
    if isinstance(part, Text):
        part.plain = visible(part.plain)  # as long as before, so the colours stay where they are
    return part


def _is_utf8(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "") == "utf8"


def _jsonable(value: object) -> object:
    if isinstance(value, Fraction):
        return json_value(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (frozenset, set)):
        return sorted(value)
    return str(value)
