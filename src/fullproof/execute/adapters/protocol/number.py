"""Numbers and checksums as they stand in messages."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from functools import partial

from fullproof.core.errors import UserError

_WHOLE = re.compile(r"([ui])(8|16|24|32|64)(le)?")
_FLOATS = {"f32": ">f", "f64": ">d", "f32le": "<f", "f64le": "<d"}
_LONGEST_VARINT = 10
NUMBERS = "u8, u16, u16le, u32, i16, f32, varint, decimal or hexadecimal"
"""Some encodings, for messages."""


def is_encoding(name: str) -> bool:
    """Whether there is an encoding of this name."""
    return name in _FLOATS or name in ("varint", "decimal", "hexadecimal") or _WHOLE.fullmatch(name) is not None


def encode(number: float, encoding: str) -> bytes:
    """The bytes of a number; a UserError where it does not fit. Needs: ``is_encoding``."""
    if encoding in _FLOATS:
        try:
            return struct.pack(_FLOATS[encoding], number)
        except OverflowError:
            raise UserError(f"{number} does not fit into {encoding}") from None
    if number != int(number):
        raise UserError(f"{number} is not whole, and {encoding} holds whole numbers")
    whole = int(number)
    if found := _WHOLE.fullmatch(encoding):
        try:
            return whole.to_bytes(int(found[2]) // 8, "little" if found[3] else "big", signed=found[1] == "i")
        except OverflowError:
            raise UserError(f"{whole} does not fit into {encoding}") from None
    if encoding == "decimal":
        return str(whole).encode()
    if whole < 0:
        raise UserError(f"{whole} is negative, and {encoding} holds none")
    return f"{whole:02X}".encode() if encoding == "hexadecimal" else _varint(whole)


def decode(data: bytes, encoding: str) -> int | float:
    """The number that bytes stand for; a ValueError where they stand for none."""
    if encoding in _FLOATS:
        if len(data) != struct.calcsize(_FLOATS[encoding]):
            raise ValueError(f"{len(data)} bytes are not {encoding}")
        return float(struct.unpack(_FLOATS[encoding], data)[0])
    if found := _WHOLE.fullmatch(encoding):
        if len(data) != int(found[2]) // 8:
            raise ValueError(f"{len(data)} bytes are not {encoding}")
        return int.from_bytes(data, "little" if found[3] else "big", signed=found[1] == "i")
    if encoding != "varint":
        return int(data, 16 if encoding == "hexadecimal" else 10)
    value, used = varint_at(data, 0) or (0, 0)
    if used != len(data):
        raise ValueError(f"{data!r} is not a varint")
    return value


def encoded_at(data: bytes | bytearray, position: int, encoding: str) -> tuple[int, int] | None:
    """A whole number at a position and how many bytes it takes; None where the bytes do not suffice yet.

    Needs: an encoding whose end can be seen, which ``decimal`` and ``hexadecimal`` are not.
    """
    if encoding == "varint":
        return varint_at(data, position)
    found = _WHOLE.fullmatch(encoding)
    assert found is not None
    size = int(found[2]) // 8
    if len(data) < position + size:
        return None
    return int(decode(bytes(data[position : position + size]), encoding)), size


def varint_at(data: bytes | bytearray, position: int) -> tuple[int, int] | None:
    """Seven bits in each byte, the lowest first, the eighth bit says that more follow: MQTT, Protocol Buffers."""
    value = 0
    for count, byte in enumerate(data[position : position + _LONGEST_VARINT]):
        value |= (byte & 0x7F) << (7 * count)
        if byte < 0x80:
            return value, count + 1
    if len(data) >= position + _LONGEST_VARINT:
        raise ValueError("a varint of more than 10 bytes")
    return None


def _varint(whole: int) -> bytes:
    found = bytearray()
    while True:
        whole, low = whole >> 7, whole & 0x7F
        found.append(low | (0x80 if whole else 0))
        if not whole:
            return bytes(found)


def _crc16(data: bytes, *, polynomial: int, start: int, reflected: bool) -> int:
    value = start
    for byte in data:
        value ^= byte if reflected else byte << 8
        for _ in range(8):
            if reflected:
                value = (value >> 1) ^ (polynomial if value & 1 else 0)
            else:
                value = ((value << 1) ^ (polynomial if value & 0x8000 else 0)) & 0xFFFF
    return value


def _xor(data: bytes) -> int:
    value = 0
    for byte in data:
        value ^= byte
    return value


def _internet(data: bytes) -> int:
    padded = data + b"\0" * (len(data) % 2)
    total: int = sum(struct.unpack(f">{len(padded) // 2}H", padded))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


CHECKSUMS: dict[str, tuple[Callable[[bytes], int], str]] = {
    "sum8": (lambda data: sum(data) & 0xFF, "u8"),
    "lrc": (lambda data: -sum(data) & 0xFF, "u8"),
    "xor8": (_xor, "u8"),
    "internet": (_internet, "u16"),
    "crc16-modbus": (partial(_crc16, polynomial=0xA001, start=0xFFFF, reflected=True), "u16le"),
    "crc16-ccitt": (partial(_crc16, polynomial=0x1021, start=0xFFFF, reflected=False), "u16"),
    "crc16-xmodem": (partial(_crc16, polynomial=0x1021, start=0, reflected=False), "u16"),
    "crc32": (zlib.crc32, "u32"),
}
"""By name: what is computed, and how it is written unless the mapping file says otherwise."""
