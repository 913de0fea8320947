"""Lamps that fail in the middle of a test in ways that no watchdog inside their process can end."""

import ctypes
import os
import re
import signal
from pathlib import Path


def hold(library: type) -> None:
    """A call into C that no signal ends: ``PyDLL`` keeps the interpreter, ``CDLL`` lets other threads run."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - {signal.SIGQUIT})
    while True:
        library(None).pause()


class Lamp:
    """Fails in its third step, where that leaves it bright."""

    def reset(self) -> None:
        self.bright, self.steps = False, 0

    def step(self, symbol: str) -> str:
        self.steps += 1
        if symbol == "press":
            self.bright = not self.bright
        if self.steps == 3 and self.bright:
            self.fail()
        return "on" if self.bright else "off"

    def enabled(self) -> set[str]:
        return {"press", "look"}

    def snapshot(self) -> tuple[bool, int]:
        return self.bright, self.steps

    def restore(self, state: tuple[bool, int]) -> None:
        self.bright, self.steps = state

    def fail(self) -> None:
        """Work."""


class HoldsInterpreter(Lamp):
    def fail(self) -> None:
        hold(ctypes.PyDLL)


class HangsInC(Lamp):
    def fail(self) -> None:
        hold(ctypes.CDLL)


class Explodes(Lamp):
    def fail(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        re.match(r"(a+)+$", "a" * 60 + "b")


class Swallows(Lamp):
    def fail(self) -> None:
        while True:
            try:
                while True:
                    pass
            except BaseException:  # noqa: BLE001
                pass


class Crashes(Lamp):
    def fail(self) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)


class Leaves(Lamp):
    def fail(self) -> None:
        ctypes.CDLL(None)._exit(0)


class HangsInReset(Lamp):
    tests = 0

    def reset(self) -> None:
        super().reset()
        HangsInReset.tests += 1
        if HangsInReset.tests == 2:
            hold(ctypes.PyDLL)


class CrashesOnce(Lamp):
    """In one test of its life, which the file that the environment names remembers."""

    def fail(self) -> None:
        mark = Path(os.environ["LAMP_MARK"])
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), getattr(signal, os.environ["LAMP_SIGNAL"]))


class Waits(Lamp):
    """As a coroutine."""

    async def step(self, symbol: str) -> str:  # type: ignore[override]
        return super().step(symbol)

    def fail(self) -> None:
        hold(ctypes.PyDLL)


class Switch:
    """Of the example of an sts: adds what it is given; hangs in C where that makes more than 12."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.x, self.due = 0, False

    def send(self, gate: str, p: int) -> None:
        self.x += p
        self.due = True
        if self.x > 12:
            hold(ctypes.PyDLL)

    def receive(self, timeout: float) -> tuple[str, list[int]] | None:
        if self.due:
            self.due = False
            return "outX", [self.x]
        return None


class Level:
    """Of an sfsm: hangs at 7."""

    def reset(self) -> None:
        pass

    def step(self, x: int) -> int:
        if x == 7:
            hold(ctypes.PyDLL)
        return 2 * x


class Gate:
    """Of a state machine: hangs at the signal ``close``."""

    def reset(self) -> None:
        pass

    def step(self, trigger: str | None, **_: object) -> int:
        if trigger == "close":
            hold(ctypes.PyDLL)
        return 1


class NeverMade:
    def __init__(self) -> None:
        hold(ctypes.PyDLL)

    def step(self, symbol: str) -> str:
        return symbol
