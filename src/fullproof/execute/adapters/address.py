"""``HOST:PORT``, with brackets around the colons of IPv6."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.core.errors import UserError


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str, *, what: str) -> Address:
    """Read ``HOST:PORT``; ``what`` names the option in the error."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not (port.isascii() and port.isdecimal()) or len(port) > 5 or int(port) > 65535:
        raise UserError(f"{what}{text}: expected HOST:PORT, e.g. localhost:4000")
    try:
        check_host(host)
    except ValueError as error:
        raise UserError(f"{what}{text}: {error}; expected HOST:PORT, e.g. localhost:4000") from None
    return Address(host, int(port))


def check_host(host: str) -> None:
    """Raise a ValueError where no resolver could be asked for this name: a part of it is empty or too long."""
    try:
        host.encode("idna")
    except UnicodeError as error:
        raise ValueError(f"{host[:80]!r} is not a name of a host ({error.__cause__ or error})") from None
    if not host.isprintable() or " " in host:
        raise ValueError(f"{host[:80]!r} is not a name of a host")
