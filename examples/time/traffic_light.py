"""A traffic light for pedestrians, whose clock tests turn; and three that are wrong."""

from __future__ import annotations

from typing import ClassVar


class TrafficLight:
    """Phases with times; a press counts for the green phase in which it comes."""

    least = 10.0
    times: ClassVar = {"yellow": 3.0, "walk": 8.0, "clear": 4.0}
    follows: ClassVar = {"yellow": "walk", "walk": "clear", "clear": "green"}

    def __init__(self) -> None:
        self.phase, self.left, self.asked = "green", self.least, False

    def step(self, trigger: str) -> dict[str, object]:
        if trigger == "button" and self.phase == "green":
            self.pressed()
        return self.shown()

    def pressed(self) -> None:
        if self.left > 0:
            self.asked = True
        else:
            self.enter("yellow")

    def advance(self, seconds: float) -> dict[str, object]:
        while self.left > 0 and seconds >= self.left:
            seconds -= self.left
            self.left = 0.0
            if self.phase != "green":
                self.enter(self.follows[self.phase])
            elif self.asked:
                self.enter("yellow")
        self.left = max(0.0, self.left - seconds)
        return self.shown()

    def enter(self, phase: str) -> None:
        self.phase, self.asked = phase, False
        self.left = self.times.get(phase, self.least)

    def shown(self) -> dict[str, object]:
        cars = {"green": "green", "yellow": "yellow"}.get(self.phase, "red")
        return {"cars": cars, "walk": self.phase == "walk"}


class Hasty(TrafficLight):
    """Pedestrians have a second less."""

    times: ClassVar = {"yellow": 3.0, "walk": 7.0, "clear": 4.0}


class Patient(TrafficLight):
    """Each press of the button starts the green phase of the cars again."""

    def pressed(self) -> None:
        waited = self.left > 0
        super().pressed()
        if waited:
            self.left = self.least


class Forgetful(TrafficLight):
    """A press before the end of the 10 s is lost."""

    def pressed(self) -> None:
        if self.left <= 0:
            super().pressed()
