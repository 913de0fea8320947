"""Where a protocol is spoken: with a process, over TCP or over a serial line."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.execute.adapters.address import parse_address
from fullproof.execute.adapters.command_line import check_command
from fullproof.execute.adapters.mapping import MappingFile, fill_in
from fullproof.execute.adapters.protocol.pattern import compiled

_NEEDED = {"tcp": ("address", "127.0.0.1:1883"), "exec": ("start", "./server"), "serial": ("device", "/dev/ttyUSB0")}
_ELSEWHERE = {"address": "tcp", "device": "serial", "baud": "serial", "parity": "serial", "nodelay": "tcp"}
_PARITIES = ("none", "even", "odd")
STARTING = 10
"""Seconds that a process has to become ready, unless the mapping file says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabouts:
    """How to reach the system."""

    scheme: str
    folder: Path
    """Of the mapping file: processes start there."""
    start: str | None
    address: str
    """With ``{port}`` where one is to be chosen."""
    device: str
    baud: int
    parity: str
    nodelay: bool
    ready: re.Pattern[bytes] | None
    """What the process writes when it is ready; None: when its port can be connected to, or at once."""
    within: int

    def with_port(self, text: str) -> tuple[str, str]:
        """A text with a free port in the place of ``{port}``, and that port."""
        if "{port}" not in text:
            return text, ""
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = str(server.getsockname()[1])
        return text.replace("{port}", port), port


def read_whereabouts(mapping: MappingFile, scheme: str, folder: Path) -> Whereabouts:
    """What a mapping file says about where its protocol is spoken."""
    needed, example = _NEEDED[scheme]
    if needed not in mapping:
        raise UserError(f"expected a key {needed!r}, e.g. {example}", at=mapping.place(needed))
    for key, home in _ELSEWHERE.items():
        if key in mapping and scheme != home:
            raise UserError(f"{key!r} is for {home}:, this is {scheme}:", at=mapping.place(key))
    start = _text(mapping, "start")
    if start is not None:
        check_command(start, at=mapping.place("start"))
    address = _text(mapping, "address") or ""
    if address:
        _check_address(address, mapping.place("address"), has_start=start is not None)
    ready, within = _ready(mapping, has_start=start is not None)
    return Whereabouts(
        scheme=scheme,
        folder=folder,
        start=start,
        address=address,
        device=_text(mapping, "device") or "",
        baud=mapping.whole("baud", least=1) or 9600,
        parity=mapping.choice("parity", _PARITIES, "none"),
        nodelay=mapping.choice("nodelay", ("true", "false"), "true") == "true",
        ready=ready,
        within=within,
    )


def _check_address(address: str, at: Place, *, has_start: bool) -> None:
    if "{port}" in address and not has_start:
        raise UserError("a {port} that was free needs a key 'start' with the server to start there", at=at)
    try:
        parse_address(address.replace("{port}", "1"), what="")
    except UserError as error:
        raise UserError(error.message, at=at) from None


def _ready(mapping: MappingFile, *, has_start: bool) -> tuple[re.Pattern[bytes] | None, int]:
    if "ready" not in mapping:
        return None, STARTING
    at = mapping.place("ready")
    if not has_start:
        raise UserError("'ready' needs a key 'start' with the process to wait for", at=at)
    if mapping.is_text("ready"):
        mapping.choice("ready", ("port",), "port")
        return None, STARTING
    part = mapping.part("ready", ("pattern", "within"))
    assert part is not None
    text = part.text("pattern")
    within = part.whole("within", least=1, most=3600) or STARTING
    return (None if text is None else compiled(text, at=part.place("pattern"))), within


def _text(mapping: MappingFile, key: str) -> str | None:
    text = mapping.text(key)
    return None if text is None else fill_in(text, at=mapping.place(key))
