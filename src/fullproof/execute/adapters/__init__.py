"""The only package that opens sockets, processes and browsers: one opener for systems of both contracts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from fullproof.artefacts.system_spec import is_protocol
from fullproof.core.errors import Place, UserError
from fullproof.model import Model
from fullproof.model.interface import answering

_WITH_CLOCK = ("python", "exec", "restart", "tcp", "http", "https", "lib", "browser", "fmu")
"""Systems by which tests let time pass without waiting."""
StandIn: TypeAlias = Callable[[Any, Any, Place, int], Any]
"""Makes a system of a model, another model that plays it, the file of that one, and a seed; or raises a UserError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How systems are opened."""

    stand_in: StandIn
    seed: int = 0
    step_timeout: float | None = 10.0
    """Bounds each answer of an out-of-process system and the constructor of a Python one."""
    isolated: bool = False
    """Whether a reactive Python system has a process of its own; others have one in a ``Crew``."""
    waits: bool = False
    """Whether delays pass in real time: systems are observed after them, and are not asked to let time pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """The contract between tester and system, and how the built-in adapters open systems."""

    open: Callable[[str, Any, Opening], Any]
    """Opens a system by its spec, whose scheme is one of ``schemes``."""
    adopt: Callable[[Callable[..., Any], Any, Opening], Any]
    """Makes a system, in this process, by a class or a factory."""
    schemes: tuple[str, ...]
    wanted: str
    """What a spec looks like."""
    members: tuple[str, ...]
    """What a system has."""


def open_system(spec: str, model: Model, contract: Contract, opening: Opening) -> Any:
    """Open the system that ``--sut`` names; a UserError where there is none. Close it after."""
    scheme, colon, rest = spec.partition(":")
    if not colon:
        raise UserError(f"--sut {spec}: expected {contract.wanted}")
    if scheme == "model":
        return _played(rest, model, opening)
    if scheme in contract.schemes:
        return contract.open(spec, model, opening)
    from fullproof.execute.adapters.registered import open_registered

    return open_registered(spec, model, contract, opening)


def _played(target: str, model: Model, opening: Opening) -> Any:
    """Let another model play the system; the kind says which ones can."""
    from fullproof.formats import read_model

    if not target:
        raise UserError("--sut model: needs a model file, e.g. model:mutant.yaml")
    other, at = read_model(Path(target)), Place(file=target)
    played = opening.stand_in(model, other, at, opening.seed)
    if opening.waits and hasattr(played, "in_real_time"):
        played.in_real_time()
    return played


def _open_answering(spec: str, model: Any, opening: Opening) -> Any:
    scheme, _, rest = spec.partition(":")
    limit, waits = opening.step_timeout, opening.waits
    if answering(model).has_time and not waits and (scheme not in _WITH_CLOCK or is_protocol(spec)):
        known = ", ".join(f"{name}:" for name in (*_WITH_CLOCK, "model"))
        which = f"{scheme}: with a mapping file of messages" if is_protocol(spec) else f"{scheme}:"
        raise UserError(
            f"--sut {which} cannot let time pass, which {model.name} waits for; {known} can, and --clock real waits"
        )
    if is_protocol(spec):
        from fullproof.execute.adapters.protocol.answering_sut import open_protocol

        return open_protocol(scheme, rest, model, step_timeout=limit)
    match scheme:
        case "python":
            from fullproof.execute.adapters.python_sut import open_python

            return open_python(rest, model, step_timeout=limit, waits=waits)
        case "exec" | "restart":
            from fullproof.execute.adapters.exec_sut import open_exec

            return open_exec(rest, model, step_timeout=limit, restart=scheme == "restart")
        case "tcp":
            from fullproof.execute.adapters.tcp_sut import open_tcp

            return open_tcp(rest, model, step_timeout=limit)
        case "http" | "https":
            from fullproof.execute.adapters.http_sut import open_http

            return open_http(spec, model, step_timeout=limit)
        case "lib":
            from fullproof.execute.adapters.lib_sut import open_lib

            return open_lib(rest, model, step_timeout=limit, waits=waits)
        case "fmu":
            from fullproof.execute.adapters.fmu_sut import open_fmu

            if waits:
                raise UserError("--sut fmu: has a clock of its own, which tests turn: not with --clock real")
            return open_fmu(rest, model, step_timeout=limit)
        case _:
            from fullproof.execute.adapters.browser_sut import open_browser

            return open_browser(rest, model, step_timeout=limit, waits=waits)


def _adopt_answering(make: Callable[..., Any], model: Any, opening: Opening) -> Any:
    from fullproof.execute.adapters.python_sut import open_object

    limit, waits = opening.step_timeout, opening.waits
    return open_object(make, model, name=factory_name(make), step_timeout=limit, waits=waits)


def _adopt_reactive(make: Callable[..., Any], model: Any, opening: Opening) -> Any:
    from fullproof.execute.adapters.reactive.python import open_object

    return open_object(make, model, name=factory_name(make), step_timeout=opening.step_timeout)


def factory_name(make: Any) -> str:
    """The name of a class or a factory for messages."""
    while isinstance(make, partial):
        make = make.func
    return str(getattr(make, "__qualname__", type(make).__name__))


def _open_reactive(spec: str, model: Any, opening: Opening) -> Any:
    scheme, _, rest = spec.partition(":")
    if scheme == "python" and opening.isolated:
        from fullproof.execute.adapters.reactive.isolated import open_isolated

        return open_isolated(rest, model, step_timeout=opening.step_timeout)
    if scheme == "python":
        from fullproof.execute.adapters.reactive.python import open_python

        return open_python(rest, model, step_timeout=opening.step_timeout)
    if is_protocol(spec):
        from fullproof.execute.adapters.protocol.reactive_sut import open_reactive_protocol

        return open_reactive_protocol(scheme, rest, model, step_timeout=opening.step_timeout)
    from fullproof.execute.adapters.reactive.lines import open_lines

    return open_lines(spec, model, step_timeout=opening.step_timeout)


ANSWERING = Contract(
    open=_open_answering,
    adopt=_adopt_answering,
    schemes=("python", "exec", "restart", "tcp", "http", "https", "lib", "fmu", "browser", "serial", "model"),
    wanted="python:FILE.py:Name, exec:COMMAND, tcp:HOST:PORT, http://HOST:PORT, lib:FILE.so, fmu:FILE.fmu, "
    "browser:MAPPING.yaml, "
    "serial:MAPPING.yaml or model:FILE",
    members=("in_process", "grey_box", "reset", "step", "enabled", "finish", "discard", "close"),
)
"""Systems that answer each input with one output: ``Sut``."""
REACTIVE = Contract(
    open=_open_reactive,
    adopt=_adopt_reactive,
    schemes=("python", "exec", "tcp", "torxakis", "serial", "model"),
    wanted="python:FILE.py:Name, exec:COMMAND, tcp:HOST:PORT, torxakis:HOST:PORT, torxakis:exec:COMMAND or model:FILE",
    members=("in_process", "synchronous", "reset", "send", "receive", "discard", "close"),
)
"""Reactive systems: ``ReactiveSut``."""

__all__ = ["ANSWERING", "REACTIVE", "Contract", "Opening", "StandIn", "factory_name", "open_system"]
