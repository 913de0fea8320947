"""What is wrong with ``--sut`` and can be said before a suite is generated: nothing of the system is started for it."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.execute.adapters import Contract, Opening, open_system
from fullproof.execute.adapters.address import parse_address
from fullproof.execute.adapters.command_line import command_of
from fullproof.execute.adapters.python_object import located
from fullproof.execute.adapters.registered import adapter_for
from fullproof.model import Model


def check_spec(spec: str, model: Model, contract: Contract, opening: Opening) -> None:
    """Raise the UserError that opening the system would raise later, as far as that is seen without starting it."""
    scheme, colon, rest = spec.partition(":")
    if not colon or scheme == "model":
        open_system(spec, model, contract, opening)  # a model that plays is only read
    elif scheme not in contract.schemes:
        adapter_for(spec, model, contract)
    elif scheme == "python":
        located(rest)
    elif scheme in ("exec", "restart") or (scheme == "torxakis" and rest.startswith("exec:")):
        _startable(command_of(rest.removeprefix("exec:") if scheme == "torxakis" else rest))
    elif scheme in ("tcp", "torxakis"):
        parse_address(rest, what=f"--sut {scheme}:")
    elif scheme in ("lib", "browser") and rest and not Path(rest).is_file():
        raise UserError("no such file", at=Place(file=rest))


def _startable(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        reason = errno.EACCES if Path(command[0]).is_file() else errno.ENOENT
        raise UserError(f"cannot start {command[0]!r}: {os.strerror(reason)}")
