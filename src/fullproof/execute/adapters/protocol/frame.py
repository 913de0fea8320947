r"""How a stream of bytes is cut into messages.

In a mapping file::

    frames: "\r\n"                            # a delimiter ends each message
    frames: {size: 8}                          # each has 8 bytes
    frames: {length: u16, at: 2, plus: 2}      # the length stands at byte 2 and counts what follows it, and 2 more
    frames: {silence: 50}                      # a message is what comes until nothing has come for 50 ms
                                               # no frames: the patterns of the outputs cut the stream
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fullproof.core.errors import UserError
from fullproof.execute.adapters.mapping import MappingFile
from fullproof.execute.adapters.protocol.number import encoded_at, is_encoding
from fullproof.execute.json_protocol import LONGEST_LINE
from fullproof.execute.sut import SutError


@dataclass(frozen=True, slots=True)
class Delimited:
    """A message ends where the delimiter begins, which is no part of it."""

    delimiter: bytes

    def cut(self, buffer: bytearray) -> bytes | None:
        """Take the next message from the buffer; None where it is not complete."""
        end = buffer.find(self.delimiter)
        return None if end < 0 else _taken(buffer, end, drop=len(self.delimiter))


@dataclass(frozen=True, slots=True)
class FixedSize:
    """All messages are equally long."""

    size: int

    def cut(self, buffer: bytearray) -> bytes | None:
        """Take the next message from the buffer; None where it is not complete."""
        return None if len(buffer) < self.size else _taken(buffer, self.size)


@dataclass(frozen=True, slots=True)
class LengthField:
    """A message carries the number of bytes that follow its length field, less ``plus``."""

    encoding: str
    at: int
    plus: int

    def cut(self, buffer: bytearray) -> bytes | None:
        """Take the next message from the buffer; None where it is not complete."""
        try:
            found = encoded_at(buffer, self.at, self.encoding)
        except ValueError as error:
            raise SutError(f"unexpected output: {error} where the length of a message belongs") from None
        if found is None:
            return None
        length, size = found
        end = self.at + size + length + self.plus
        if end <= 0 or end > LONGEST_LINE:
            raise SutError(f"unexpected output: a message of {end} bytes")
        return None if len(buffer) < end else _taken(buffer, end)


@dataclass(frozen=True, slots=True)
class UntilSilence:
    """A message ends where nothing follows for a while."""

    seconds: float

    def cut(self, _buffer: bytearray) -> bytes | None:
        """Only the clock ends a message: see ``Station``."""
        return None


Framing: TypeAlias = Delimited | FixedSize | LengthField | UntilSilence


def read_framing(mapping: MappingFile) -> Framing | None:
    """What a mapping file says about messages; None where the patterns cut the stream."""
    if "frames" not in mapping:
        return None
    if mapping.is_text("frames"):
        delimiter = (mapping.text("frames") or "").encode()
        if not delimiter:
            raise UserError('expected a delimiter such as "\\r\\n"', at=mapping.place("frames"))
        return Delimited(delimiter)
    part = mapping.part("frames", ("size", "length", "at", "plus", "silence"))
    if part is None or sum(key in part for key in ("size", "length", "silence")) != 1:
        wanted = 'a delimiter such as "\\r\\n", or one of size, length and silence'
        raise UserError(f"expected {wanted}", at=mapping.place("frames"))
    if (size := part.whole("size", least=1, most=LONGEST_LINE)) is not None:
        return FixedSize(size)
    if (silence := part.whole("silence", least=1, most=3_600_000)) is not None:
        return UntilSilence(silence / 1000)
    encoding = part.text("length") or ""
    if not is_encoding(encoding) or encoding[0] not in "uv":
        wanted = "expected u8, u16, u16le, u32, u32le or varint"
        raise UserError(f"{encoding!r} is not a length in front of bytes, {wanted}", at=part.place("length"))
    return LengthField(encoding, part.whole("at") or 0, part.whole("plus", least=-(1 << 20)) or 0)


def _taken(buffer: bytearray, end: int, *, drop: int = 0) -> bytes:
    message = bytes(buffer[:end])
    del buffer[: end + drop]
    return message
