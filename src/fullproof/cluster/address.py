"""Where the work of ``--cluster`` is done."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.core.errors import UserError

_MOST = 1_000


@dataclass(frozen=True, slots=True)
class Local:
    """A number of worker processes on this machine, for the time of the command."""

    workers: int


@dataclass(frozen=True, slots=True)
class Remote:
    """The scheduler of an existing Dask cluster."""

    host: str
    port: int


Address: TypeAlias = Local | Remote


def read_address(text: str) -> Address:
    """Read ``local:N`` or ``dask://HOST:PORT``."""
    if found := re.fullmatch(r"local:(\d{1,9})", text, re.ASCII):
        workers = int(found[1])
        if not 1 <= workers <= _MOST:
            raise UserError(f"--cluster {text}: expected 1 to {_MOST:,} workers")
        return Local(workers)
    if found := re.fullmatch(r"dask://([\w.-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})/?", text, re.ASCII):
        port = int(found[2])
        if not 1 <= port <= 65_535:
            raise UserError(f"--cluster {text}: {port} is not a port, expected 1 to 65535")
        return Remote(found[1], port)
    raise UserError(f"--cluster {text}: expected dask://HOST:PORT or local:N, such as dask://10.0.0.5:8786 or local:4")
