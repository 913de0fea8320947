"""What is wrong with ``--sut`` and can be said before a suite is generated: nothing of the system is started for it."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from fullproof.artefacts.system_spec import is_protocol
from fullproof.core.errors import Place, UserError
from fullproof.execute.adapters import Contract, Opening, open_system
from fullproof.execute.adapters.address import parse_address
from fullproof.execute.adapters.command_line import command_of
from fullproof.execute.adapters.lib_sut import library_file
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
    elif is_protocol(spec):
        _described(scheme, rest, model)
    elif scheme == "python":
        located(rest)
    elif scheme in ("exec", "restart") or (scheme == "torxakis" and rest.startswith("exec:")):
        _startable(command_of(rest.removeprefix("exec:") if scheme == "torxakis" else rest))
    elif scheme in ("tcp", "torxakis"):
        parse_address(rest, what=f"--sut {scheme}:")
    elif scheme == "fmu":
        if not Path(rest).is_file():
            raise UserError("no such file", at=Place(file=rest))
    elif scheme in ("lib", "browser") and rest and not Path(rest).is_file():
        if scheme == "browser" or "/" in rest or Path(rest).suffix:
            raise UserError("no such file", at=Place(file=rest))
        library_file(rest, Path(), at=Place(file=rest))


def _described(scheme: str, target: str, model: Model) -> None:
    from fullproof.execute.adapters.protocol.mapping import read_protocol_mapping, vocabulary_of

    if not target:
        raise UserError(f"--sut {scheme}: needs a mapping file, e.g. {scheme}:device.yaml")
    mapping = read_protocol_mapping(Path(target), scheme, vocabulary_of(model))
    if mapping.where.start is not None:
        _startable(command_of(mapping.where.start), mapping.where.folder)


def _startable(command: list[str], folder: Path = Path()) -> None:
    program = command[0] if os.sep not in command[0] else str(folder / command[0])
    if shutil.which(program) is None:
        reason = errno.EACCES if Path(program).is_file() else errno.ENOENT
        raise UserError(f"cannot start {command[0]!r}: {os.strerror(reason)}")
