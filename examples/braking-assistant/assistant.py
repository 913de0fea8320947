"""A braking assistant, and two that have gone wrong."""


class Assistant:
    """As specified."""

    LIMIT, HYSTERESIS = 200.0, 10.0

    def reset(self):
        self.braking = False

    def step(self, speed):
        if self.braking:
            self.braking = self.keeps_braking(speed)
        else:
            self.braking = speed > self.LIMIT
        if self.braking:
            return self.force(speed - self.LIMIT)
        return 1.0 if speed == self.LIMIT else 0.0

    def keeps_braking(self, speed):
        return speed >= self.LIMIT - self.HYSTERESIS

    def force(self, excess):
        return 2.0 + excess / 100


class ReleasesEarly(Assistant):
    """Off by one: releases the brakes at 190 km/h, not below."""

    def keeps_braking(self, speed):
        return speed > self.LIMIT - self.HYSTERESIS


class BrakesTooHard(Assistant):
    """Somebody thought that the force should grow with the square of the excess, as air drag does."""

    def force(self, excess):
        return 2.0 + excess**2 / 100
