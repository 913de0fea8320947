"""Ceiling speed monitoring, and two monitors that have gone wrong."""

LEVELS = ["supervising", "warned", "slowing", "stopping"]
ANSWERS = {
    "warned": {"display": "warning", "brake": "none"},
    "slowing": {"display": "intervention", "brake": "service"},
    "stopping": {"display": "intervention", "brake": "emergency"},
}


class Monitor:
    """As specified."""

    def reset(self):
        self.level = "supervising"

    def step(self, speed, ceiling):
        excess = speed - ceiling
        if self.released(speed, excess):
            self.level = "supervising"
        self.level = max(self.level, self.demanded(excess), key=LEVELS.index)
        if self.level != "supervising":
            return ANSWERS[self.level]
        return {"display": "overspeed" if excess > 0 else "normal", "brake": "none"}

    def released(self, speed, excess):
        return speed == 0 if self.level == "stopping" else excess <= 0

    def demanded(self, excess):
        if excess > 7.5:
            return "stopping"
        if excess > 5.5:
            return "slowing"
        return "warned" if excess > 4 else "supervising"


class ReleasesOnTheMove(Monitor):
    """Treats the emergency brake like the service brake: released as soon as the train is slow enough."""

    def released(self, speed, excess):
        return excess <= 0


class ForgetsTheWarning(Monitor):
    """The warning goes out when the excess drops below its threshold, and the driver speeds up again."""

    def released(self, speed, excess):
        if self.level == "warned":
            return excess <= 4
        return super().released(speed, excess)
