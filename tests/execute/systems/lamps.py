"""Lamps in Python: one right, many wrong in their own way. ``press`` switches, ``look`` only looks."""

import contextlib
import os
import subprocess
import sys
import time
from enum import Enum, StrEnum


class Lamp:
    def __init__(self):
        self.lit = False

    def reset(self):
        self.lit = False

    def step(self, symbol):
        if symbol == "press":
            self.lit = not self.lit
        return "on" if self.lit else "off"


class GreyLamp(Lamp):
    """Cannot be pressed while it is on."""

    def enabled(self):
        return {"look"} if self.lit else {"press", "look"}


class StuckLamp(Lamp):
    """Does not go out any more."""

    def step(self, symbol):
        self.lit = self.lit or symbol == "press"
        return "on" if self.lit else "off"


class Chatterbox(Lamp):
    def step(self, symbol):
        print("said by print")  # noqa: T201
        os.write(1, b"said by the descriptor\n")
        if symbol == "look":
            subprocess.run([sys.executable, "-c", "print('said by a child')"], check=True)
        return super().step(symbol)


class Voice(StrEnum):
    ON = "on"
    OFF = "off"


class OldVoice(str, Enum):  # noqa: UP042
    ON = "on"
    OFF = "off"


class EnumLamp(Lamp):
    def step(self, symbol):
        return Voice.ON if super().step(symbol) == "on" else OldVoice.OFF


class NoReset:
    made = 0

    def __init__(self):
        NoReset.made += 1
        self.inner = Lamp()

    def step(self, symbol):
        return self.inner.step(symbol)


class Counting(Lamp):
    """A base for faults at a certain step in the life of one object."""

    steps = 0

    def step(self, symbol):
        self.steps += 1
        self.fault(symbol)
        return super().step(symbol)

    def fault(self, symbol):
        raise NotImplementedError


class CrashAtThird(Counting):
    def fault(self, symbol):
        if self.steps == 3:
            raise RuntimeError("the bulb\nis broken")


class ExitAtThird(Counting):
    def fault(self, symbol):
        if self.steps == 3:
            sys.exit(7)


class SleepAtThird(Counting):
    def fault(self, symbol):
        if self.steps == 3:
            time.sleep(60)


class SpinAtThird(Counting):
    """Swallows every Exception while it spins."""

    def fault(self, symbol):
        while self.steps == 3:
            with contextlib.suppress(Exception):
                time.monotonic()


class BadReset(Lamp):
    def reset(self):
        raise OSError("no power")


class HangingReset(Lamp):
    def reset(self):
        time.sleep(60)


class AnswersFraction(Lamp):
    def step(self, symbol):
        return 0.5


class Unprintable:
    def __repr__(self):
        raise RuntimeError("nobody may look at me")


class AnswersUnprintable(Lamp):
    def step(self, symbol):
        return Unprintable()


class UnprintableError(Exception):
    def __str__(self):
        raise RuntimeError("no message either")


class RaisesUnprintable(Lamp):
    def step(self, symbol):
        raise UnprintableError


class BadEnabled(Lamp):
    def enabled(self):
        return 5


class NeedsArgument:
    def __init__(self, port):
        self.port = port

    def step(self, symbol):
        return "on"


class NoStep:
    def reset(self):
        pass

    def stpe(self, symbol):
        return "on"


class StepTakesTwo(Lamp):
    def step(self, symbol, other):
        return "on"


class BrokenConstructor(Lamp):
    def __init__(self):
        raise ConnectionError("no lamp on the bus")


class SlowConstructor(Lamp):
    def __init__(self):
        time.sleep(60)


class Closing(Lamp):
    closed = 0

    def close(self):
        Closing.closed += 1
        raise RuntimeError("cannot even close")


class HangingClose(Lamp):
    def close(self):
        time.sleep(60)


class House:
    Kitchen = Lamp


def make_lamp():
    return Lamp()


def make_nothing():
    return None


NOT_CALLABLE = 3
