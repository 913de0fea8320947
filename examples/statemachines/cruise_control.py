"""A cruise control, and one whose programmer forgot that the driver may set a new speed while it is on."""


class CruiseControl:
    """What examples/statemachines/cruise-control.yaml describes."""

    def reset(self) -> None:
        """Switch it off and forget the target."""
        self.on, self.target, self.throttle = False, 0, 0

    def step(self, trigger: str | None, speed: float, brake: bool) -> float:
        """An event, if any, and what the sensors say; the answer is the throttle."""
        if self.on and (brake or speed < 30):
            self.on, self.throttle = False, 0
        elif trigger == "set" and speed >= 30 and not brake:
            self.throttle = 0
            self.remember(speed)
            self.on = True
        elif trigger == "resume" and speed >= 30 and not brake and (self.on or self.target >= 30):
            self.throttle = 2 * (self.target - speed)
            self.on = True
        return self.throttle

    def remember(self, speed: float) -> None:
        """Take a new target."""
        self.target = speed


class Stubborn(CruiseControl):
    """Keeps its first target while it is on: nobody sees it before the driver resumes."""

    def remember(self, speed: float) -> None:
        """Take a new target, unless there is one in use."""
        if not self.on:
            self.target = speed
