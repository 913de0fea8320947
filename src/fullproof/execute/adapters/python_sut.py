"""``python:``: a class, or a factory, in a file or a module, runs inside this process.

Of an fsm, ``step(symbol)`` returns a symbol. Of an sfsm, ``step`` takes the inputs by name: an int where the value is
whole, a float where its decimal is exact, else a Fraction; it returns one output bare, several as a dict. Of a
statemachine, ``step(trigger, ...)`` takes the signal, or None, and the input attributes by name; it returns the output
attributes and, where the model sends signals, ``send``, the list of those sent; where the model has timers,
``advance(seconds)`` lets time pass and returns the same; in real time ``observe()`` returns what is seen
after a delay instead. A class without ``reset`` is made anew
for every test; ``close``, where there is one, is called at the end. All may be coroutines (``coroutines``).
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from typing import Any

from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.execute.adapters.coroutines import synchronous
from fullproof.execute.adapters.python_object import load_object
from fullproof.execute.blame import describe, is_interruption, place_of
from fullproof.execute.observation import python_symbol, python_value, read_enabled, reader_of, shown
from fullproof.execute.shield import Shield
from fullproof.execute.watchdog import Hang, Watchdog
from fullproof.model import Model
from fullproof.model.inputs import Advance
from fullproof.model.interface import Interface, answering, argument_names

_Step = Callable[[TestInput], object]


class PythonSut:
    """An object of the user's. Its exceptions pass through; the runner turns them into evidence."""

    in_process = True

    def __init__(
        self,
        make: Callable[[], Any],
        wrap: Callable[[Any], _Step],
        first: Any,
        *,
        patience: float | None,
        read: Callable[[object], object] = python_symbol,
    ) -> None:
        self._make = make
        self._read = read
        self._wrap = wrap
        self._takes_symbols = wrap is _by_symbol
        self._patience = patience
        self._stale = False
        self._object: Any = None
        self._adopt(first)

    @property
    def grey_box(self) -> bool:
        """Whether the object has ``enabled``."""
        return callable(getattr(self._object, "enabled", None))

    def reset(self) -> None:
        """Call the object's ``reset``, or make a new one."""
        reset = getattr(self._object, "reset", None)
        if self._stale or reset is None:
            self._close_object()
            self._adopt(self._make())
            self._stale = False
            reset = getattr(self._object, "reset", None)
        if reset is not None:
            reset()

    def step(self, symbol: TestInput, /) -> object:
        """Apply one input; ``_adopt`` puts a function of its own in the place of this method."""
        return self._wrap(self._object)(symbol)

    def observe(self) -> object:
        """The object's ``observe``, after a delay in real time."""
        return self._read(self._object.observe())

    def enabled(self) -> frozenset[str]:
        """The object's ``enabled``."""
        return read_enabled(self._object.enabled())

    def state(self) -> object:
        """The object's ``state``: a method, a property or an attribute; None where it has none."""
        state = getattr(self._object, "state", None)
        return state() if callable(state) else state

    def direct(self) -> tuple[Callable[[], object], Callable[[object], object]] | None:
        """The object's own reset and step, where symbols go in and come out."""
        try:
            reset = getattr(self._object, "reset", None)
            if self._stale or reset is None or not self._takes_symbols:
                return None
            return reset, self._object.step
        except BaseException as error:  # a property of the user's code: its error is reported when a test calls it
            if is_interruption(error):
                raise
            return None

    @property
    def can_return(self) -> bool:
        """Whether the object has ``snapshot`` and ``restore``."""
        try:
            return all(callable(getattr(self._object, name, None)) for name in ("snapshot", "restore"))
        except BaseException as error:  # a property of the user's
            if is_interruption(error):
                raise
            raise UserError(f"snapshot or restore raised {describe(error)}", at=place_of(error)) from error

    def snapshot(self) -> object:
        """The object's ``snapshot``."""
        return self._object.snapshot()

    def restore(self, state: object, /) -> None:
        """The object's ``restore``."""
        self._object.restore(state)

    def finish(self) -> None:
        """A call that has returned has no further output."""

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

    def _adopt(self, new: Any) -> None:
        self._object = new
        # An instance attribute instead of a method: one call less in each step.
        self.step = self._wrap(new)  # type: ignore[method-assign]

    def _close_object(self) -> None:
        # Errors while closing belong to no test.
        try:
            close = getattr(self._object, "close", None)
            if callable(close):
                close()
        except BaseException as error:
            if isinstance(error, Hang) or is_interruption(error):
                raise


def open_python(target: str, model: Model, *, step_timeout: float | None, waits: bool = False) -> PythonSut:
    """Load and make the object, or say in one line why not."""
    with Shield():
        name, make = load_object(target)
    return open_object(make, model, name=name, step_timeout=step_timeout, waits=waits)


def open_object(
    make: Callable[[], Any], model: Model, *, name: str, step_timeout: float | None, waits: bool = False
) -> PythonSut:
    """Make the object with a class or a factory, or say in one line why not."""
    make = synchronous(make)
    with Shield(), Watchdog(step_timeout) as watchdog:
        watchdog.watch([])
        try:
            first = make()
        except Hang:
            raise UserError(f"{name}() did not return within {step_timeout:g} s (--step-timeout)") from None
        except BaseException as error:  # the user's constructor runs here
            if is_interruption(error):
                raise
            hint = "; make it in a coroutine, an 'async def' that returns it" if _needs_loop(error) else ""
            raise UserError(f"{name}() raised {describe(error)}{hint}", at=place_of(error)) from error
        finally:
            watchdog.rest()
        _check_step(first, name, model)
        interface = answering(model)
        _check_time(first, name, model.name, interface, waits=waits)
        read = python_symbol if interface.outputs is None else reader_of(interface)
        return PythonSut(make, _wrapper(interface), first, patience=step_timeout, read=read)


def _needs_loop(error: BaseException) -> bool:
    return isinstance(error, RuntimeError) and "no running event loop" in str(error)


def _wrapper(interface: Interface) -> Callable[[Any], _Step]:
    return _by_symbol if interface.outputs is None else lambda made: _step_by_name(made, interface)


def _by_symbol(made: Any) -> _Step:
    return _step_by_symbol(made.step)


def _step_by_symbol(raw: Callable[[object], object]) -> _Step:
    def step(symbol: TestInput, /) -> object:
        output = raw(symbol)
        return output if type(output) is str else python_symbol(output)

    return step


def _step_by_name(made: Any, interface: Interface) -> _Step:
    raw, arguments, read = made.step, interface.arguments, reader_of(interface)

    def step(symbol: TestInput, /) -> object:
        if isinstance(symbol, Advance):
            return read(made.advance(python_value(symbol.seconds)))
        given = arguments(symbol).items()
        return read(raw(**{name: None if value is None else python_value(value) for name, value in given}))

    return step


def _check_step(made: Any, name: str, model: Model) -> None:
    try:
        step = getattr(made, "step", None)
    except BaseException as error:  # a property of the user's
        if is_interruption(error):
            raise
        raise UserError(f"{name}.step raised {describe(error)}", at=place_of(error)) from error
    if step is not None and not callable(step):
        raise UserError(f"{name}.step is not a method but {shown(step)}")
    if step is None:
        methods = [m for m in dir(made) if not m.startswith("_")]
        has = f"; it has {', '.join(methods[:6])}" if methods else ""
        raise UserError(f"{name} has no method step{has}")
    try:
        signature = inspect.signature(step)
    except (TypeError, ValueError):
        return  # a callable of C code: the first step will tell
    names = argument_names(answering(model))
    try:
        if names:
            signature.bind(**dict.fromkeys(names))
        else:
            signature.bind(None)
    except TypeError:
        wanted = "the inputs by name: " + ", ".join(names) if names else "one input symbol"
        raise UserError(f"{name}.step{signature} does not take {wanted}") from None


def _check_time(made: Any, name: str, model: str, interface: Interface, *, waits: bool) -> None:
    """A system of a model with timers has a method for delays."""
    if not interface.has_time:
        return
    if waits and not callable(getattr(made, "observe", None)):
        raise UserError(f"{name} has no method observe(), which says what is seen after a delay (--clock real)")
    if not waits and not callable(getattr(made, "advance", None)):
        others = "; with observe() instead, --clock real can wait" if not hasattr(made, "observe") else ""
        others = others or "; it has observe(): --clock real waits"
        raise UserError(f"{name} has no method advance(seconds), by which tests of {model} let time pass{others}")
