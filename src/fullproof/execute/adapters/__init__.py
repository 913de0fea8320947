"""The only room that opens sockets, processes and browsers."""

from __future__ import annotations

from fullproof.core.errors import UserError
from fullproof.execute.play import Play
from fullproof.execute.sut import Sut
from fullproof.model import Fsm, Model, Sfsm, StateMachine
from fullproof.model.state_output import unobserved

_SCHEMES = ("python", "exec", "restart", "tcp", "http", "https", "lib", "browser", "model")


def open_sut(
    spec: str, model: Model, *, seed: int = 0, step_timeout: float | None = 10.0, play: Play | None = None
) -> Sut:
    """Open the system that ``--sut`` names, for a model of its kind; a UserError where there is none. Close it after.

    ``step_timeout`` bounds each answer of an out-of-process system and the constructor of a Python one.
    ``model:`` needs ``play``, which sets a model in motion.
    """
    if not isinstance(model, Fsm | Sfsm | StateMachine):
        raise UserError(f"systems for models of kind {model.kind} cannot be run in this version")
    if model.description.unobserved is not None:
        from fullproof.execute.observing import ObservingSut

        plain = unobserved(model)
        return ObservingSut(open_sut(spec, plain, play=play, seed=seed, step_timeout=step_timeout), plain)
    scheme, colon, rest = spec.partition(":")
    match scheme if colon else None:
        case "python":
            from fullproof.execute.adapters.python_sut import open_python

            return open_python(rest, model, step_timeout=step_timeout)
        case "exec" | "restart":
            from fullproof.execute.adapters.exec_sut import open_exec

            return open_exec(rest, model, step_timeout=step_timeout, restart=scheme == "restart")
        case "tcp":
            from fullproof.execute.adapters.tcp_sut import open_tcp

            return open_tcp(rest, model, step_timeout=step_timeout)
        case "model":
            from fullproof.execute.adapters.model_sut import open_model

            assert play is not None
            return open_model(rest, model, seed=seed, play=play)
        case "http" | "https":
            from fullproof.execute.adapters.http_sut import open_http

            return open_http(spec, model, step_timeout=step_timeout)
        case "lib":
            from fullproof.execute.adapters.lib_sut import open_lib

            return open_lib(rest, model, step_timeout=step_timeout)
        case "browser":
            from fullproof.execute.adapters.browser_sut import open_browser

            return open_browser(rest, model, step_timeout=step_timeout)
        case None:
            wanted = "python:FILE.py:Name, exec:COMMAND, tcp:HOST:PORT, http://HOST:PORT, lib:FILE.so"
            raise UserError(f"--sut {spec}: expected {wanted}, browser:MAPPING.yaml or model:FILE")
        case _:
            from fullproof.execute.adapters.registered import ANSWERING, open_registered

            system: Sut = open_registered(
                spec, model, needs=ANSWERING, known=_SCHEMES, seed=seed, step_timeout=step_timeout
            )
            return system


__all__ = ["open_sut"]
