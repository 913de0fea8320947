"""Systems that treat the process they run in as their own."""

import asyncio
import atexit
import contextlib
import os
import sys
import threading
import time


class Polite:
    def step(self, symbol: str) -> str:
        return "on"


class ClosesStreams(Polite):
    def step(self, symbol: str) -> str:
        sys.stdout.close()
        sys.stderr.close()
        return "on"


class LosesStreams(Polite):
    def step(self, symbol: str) -> str:
        sys.stdout = sys.stderr = None
        return "on"


class ClosesDescriptors(Polite):
    def step(self, symbol: str) -> str:
        for number in (1, 2):
            with contextlib.suppress(OSError):
                os.close(number)
        return "on"


class Chatters(Polite):
    def __init__(self) -> None:
        threading.Thread(target=self.chatter, daemon=True).start()
        atexit.register(print, "goodbye")

    def chatter(self) -> None:
        while True:
            sys.stdout.write("thread\n")
            os.write(1, b"raw\n")
            time.sleep(0.0001)


class Interrupts(Polite):
    def step(self, symbol: str) -> str:
        raise KeyboardInterrupt


class Cancels(Polite):
    def step(self, symbol: str) -> str:
        raise asyncio.CancelledError


class InterruptsAtTheEnd(Polite):
    def close(self) -> None:
        raise KeyboardInterrupt


class InterruptsAtTheBeginning(Polite):
    def __init__(self) -> None:
        raise KeyboardInterrupt


class BrokenProperty:
    @property
    def step(self) -> object:
        raise RuntimeError("no step today")


class StepIsNumber:
    step = 5


class AnswersObject(Polite):
    def step(self, symbol: str) -> object:
        return object()
