"""The text of a file, or a UserError in one line."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fullproof.core.errors import Place, UserError

BYTE_ORDER_MARK = "\ufeff"


def read_source(path: Path) -> str:
    r"""Return the text with line ends as ``\n``; a byte order mark is dropped.

    Raises UserError for a file that is missing, a folder, unreadable, not UTF-8 (with the line) or blank.
    """
    with readable(path):
        data = path.read_bytes()
    text = decode(data, file=str(path)).removeprefix(BYTE_ORDER_MARK)
    if not text.strip():
        raise UserError("the file is empty", at=Place(file=str(path)))
    return text


def source_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, each with its number, without ever holding the whole file."""
    with readable(path), path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            text = decode(raw, file=str(path), first_line=number)
            text = (text.removeprefix(BYTE_ORDER_MARK) if number == 1 else text).strip("\n")
            if text.strip():
                yield number, text


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Convert an error of the operating system about a file to one line for the user."""
    at = Place(file=str(path))
    try:
        yield
    except FileNotFoundError:
        raise UserError("no such file", at=at) from None
    except IsADirectoryError:
        raise UserError("is a folder, expected a file", at=at) from None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror or error}", at=at) from None
    except ValueError as error:
        if "null byte" not in str(error):
            raise
        raise UserError("cannot be read: the name has a NUL character", at=at) from None


class TextPlaces:
    """Where the characters of a text stand."""

    def __init__(self, text: str, *, file: str) -> None:
        self.file = file
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(self, offset: int) -> tuple[int, int]:
        """The line and the column of a character, both from 1."""
        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def place(self, offset: int) -> Place:
        """The place of a character."""
        line, column = self.position(offset)
        return Place(file=self.file, line=line, column=column)


def decode(data: bytes, *, file: str, first_line: int = 1) -> str:
    """Decode UTF-8 and unify the line ends; ``first_line`` is the number of the first line of ``data``."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first_line
        column = error.start - data.rfind(b"\n", 0, error.start)
        message = f"byte 0x{data[error.start]:02x} is not UTF-8, expected a text file"
        raise UserError(message, at=Place(file=file, line=line, column=column)) from None
    if "\0" in text:
        line, column = TextPlaces(text, file=file).position(text.index("\0"))
        at = Place(file=file, line=line + first_line - 1, column=column)
        raise UserError("the character U+0000 is not allowed, expected a text file", at=at)
    return text.replace("\r\n", "\n").replace("\r", "\n")
