"""Two circuit breakers from PyPI, ``pybreaker`` and ``circuitbreaker``, whose clock tests turn; and wrong ones."""

from __future__ import annotations

import datetime as real
from typing import Any

import circuitbreaker
import pybreaker


class Clock:
    """The time of the libraries, which stands still between delays."""

    seconds = 0.0

    @classmethod
    def monotonic(cls) -> float:
        return cls.seconds


class Date(real.datetime):
    """The date of that time."""

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return real.datetime.fromtimestamp(Clock.seconds, tz)


circuitbreaker.monotonic = Clock.monotonic
pybreaker.datetime = Date


class Broken(Exception):
    """What a failing call raises."""


def good() -> None:
    """A call that works."""


def bad() -> None:
    """A call that does not."""
    raise Broken


class PyBreaker:
    """pybreaker 1.4."""

    refusal: type[Exception] = pybreaker.CircuitBreakerError
    seconds = 30

    def reset(self) -> None:
        self.breaker = self.made()

    def made(self) -> Any:
        return pybreaker.CircuitBreaker(fail_max=2, reset_timeout=self.seconds, throw_new_error_on_trip=False)

    def called(self, function: Any) -> None:
        self.breaker.call(function)

    def step(self, trigger: str) -> list[str]:
        try:
            self.called(good if trigger == "good" else bad)
        except self.refusal:
            return ["refused"]
        except Broken:
            return ["failed"]
        return ["done"]

    def advance(self, seconds: float) -> list[str]:
        Clock.seconds += float(seconds)
        return []


class PyBreakerInMinutes(PyBreaker):
    """Somebody took the time for minutes."""

    seconds = 30 * 60


class CircuitBreaker(PyBreaker):
    """circuitbreaker 2.1."""

    refusal = circuitbreaker.CircuitBreakerError

    def made(self) -> Any:
        return circuitbreaker.CircuitBreaker(failure_threshold=2, recovery_timeout=self.seconds)

    def called(self, function: Any) -> None:
        self.breaker.decorate(function)()


class CircuitBreakerTooEarly(CircuitBreaker):
    """It tries again after 20 s."""

    seconds = 20


class Unguarded(CircuitBreaker):
    """The method ``call`` of that library counts failures, and refuses nothing: only what is decorated is guarded."""

    def called(self, function: Any) -> None:
        self.breaker.call(function)


class Restless(CircuitBreaker):
    """A call that is refused starts the 30 s again, as if it had failed."""

    def step(self, trigger: str) -> list[str]:
        answer = super().step(trigger)
        if answer == ["refused"]:
            self.breaker._opened = Clock.seconds
        return answer
