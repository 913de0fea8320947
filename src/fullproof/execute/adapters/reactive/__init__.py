"""Systems that answer when they like: models, Python objects, processes or servers that speak lines, and others."""

from __future__ import annotations

from fullproof.core.errors import UserError
from fullproof.execute.reactive import ReactiveSut
from fullproof.model import Sts

_SCHEMES = ("python", "exec", "tcp", "torxakis", "model")
_WANTED = "python:FILE.py:Name, exec:COMMAND, tcp:HOST:PORT, torxakis:HOST:PORT, torxakis:exec:COMMAND or model:FILE"


def open_reactive(
    spec: str, model: Sts, *, seed: int = 0, step_timeout: float | None = 10.0, isolated: bool = False
) -> ReactiveSut:
    """Open the system that ``--sut`` names; a UserError where there is none. Close it after.

    A Python system that is ``isolated`` has a process of its own.
    ``step_timeout`` bounds the answer to a reset, and the constructor of a Python object.
    """
    scheme, colon, rest = spec.partition(":")
    match scheme if colon else None:
        case "model":
            from fullproof.execute.adapters.reactive.model import open_model

            return open_model(rest, model, seed=seed)
        case "python" if isolated:
            from fullproof.execute.adapters.reactive.isolated import open_isolated

            return open_isolated(rest, model, step_timeout=step_timeout)
        case "python":
            from fullproof.execute.adapters.reactive.python import open_python

            return open_python(rest, model, step_timeout=step_timeout)
        case "exec" | "tcp" | "torxakis":
            from fullproof.execute.adapters.reactive.lines import open_lines

            return open_lines(spec, model, step_timeout=step_timeout)
        case None:
            raise UserError(f"--sut {spec}: expected {_WANTED}")
        case _:
            from fullproof.execute.adapters.registered import REACTIVE, open_registered

            system: ReactiveSut = open_registered(
                spec, model, needs=REACTIVE, known=_SCHEMES, seed=seed, step_timeout=step_timeout
            )
            return system


__all__ = ["open_reactive"]
