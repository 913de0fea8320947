"""``python:``: a class or factory with ``reset()``, ``send(gate, *values)`` and ``receive(timeout)``.

``receive`` returns ``(gate, values)``, or None where no output came within the time: observed silence. Whole numbers
are ints, decimals floats, other rationals Fractions. Outputs may be under way while an input is given, e.g. where the
object stands for a system behind a wire: no order between the two is assumed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from fullproof.core.errors import UserError
from fullproof.execute.adapters.coroutines import synchronous
from fullproof.execute.adapters.python_object import load_object
from fullproof.execute.adapters.reactive.reading import Emissions
from fullproof.execute.blame import describe, is_interruption, place_of
from fullproof.execute.observation import python_value, shown
from fullproof.execute.reactive import Gated
from fullproof.execute.shield import Shield
from fullproof.execute.sut import SutError
from fullproof.execute.watchdog import Hang, Watchdog
from fullproof.language.types import Value


class PythonReactive:
    """An object of the user's. Its exceptions pass through; the tester turns them into evidence."""

    in_process = True
    synchronous = False

    def __init__(self, make: Callable[[], Any], first: Any, model: Gated, *, patience: float | None) -> None:
        self._make = make
        self._object = first
        self._emissions = Emissions(model)
        self._patience = patience
        self._stale = False

    def reset(self) -> None:
        """Call the object's ``reset``, or make a new one."""
        reset = getattr(self._object, "reset", None)
        if self._stale or reset is None:
            self._close_object()
            self._object = self._make()
            self._stale = False
            reset = getattr(self._object, "reset", None)
        if reset is not None:
            reset()

    def send(self, gate: str, values: tuple[Value, ...]) -> None:
        """Give an input."""
        self._object.send(gate, *map(python_value, values))

    def receive(self, timeout: float) -> tuple[str, tuple[Value, ...]] | None:
        """The next output."""
        raw = self._object.receive(timeout)
        if raw is None:
            return None
        match raw:
            case (str(gate), values) if isinstance(values, list | tuple):
                return self._emissions.read(gate, values)
            case _:
                raise SutError(f"receive returned {shown(raw)}, expected (gate, values) or None")

    def discard(self) -> None:
        """Make a new object at the next reset: this one may have been interrupted anywhere."""
        self._stale = True

    def close(self) -> None:
        """Close the object where it can be closed."""
        if self._object is not None:
            with Shield(), Watchdog(self._patience) as watchdog, contextlib.suppress(Hang):
                watchdog.watch([])
                self._close_object()
                watchdog.rest()
        self._object = None

    def _close_object(self) -> None:
        try:
            close = getattr(self._object, "close", None)
            if callable(close):
                close()
        except BaseException as error:  # errors while closing belong to no test
            if isinstance(error, Hang) or is_interruption(error):
                raise


def open_python(target: str, model: Gated, *, step_timeout: float | None) -> PythonReactive:
    """Load and make the object, or say in one line why not."""
    with Shield():
        name, make = load_object(target)
    return open_object(make, model, name=name, step_timeout=step_timeout)


def open_object(make: Callable[..., Any], model: Gated, *, name: str, step_timeout: float | None) -> PythonReactive:
    """Make the object with a class or a factory, or say in one line why not."""
    make = synchronous(make)
    with Shield(), Watchdog(step_timeout) as watchdog:
        watchdog.watch([])
        try:
            first = make()
            missing = [method for method in ("send", "receive") if not callable(getattr(first, method, None))]
        except Hang:
            raise UserError(f"{name}() did not return within {step_timeout:g} s (--step-timeout)") from None
        except BaseException as error:  # the user's constructor runs here
            if is_interruption(error):
                raise
            raise UserError(f"{name}() raised {describe(error)}", at=place_of(error)) from error
        finally:
            watchdog.rest()
        if missing:
            wanted = "reset(), send(gate, *values) and receive(timeout)"
            raise UserError(f"{name} has no method {missing[0]}; a system for an sts has {wanted}")
        return PythonReactive(make, first, model, patience=step_timeout)
