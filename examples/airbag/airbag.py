"""An airbag controller, and two that have gone wrong."""


class Airbag:
    """As specified."""

    CRASH, SEVERE = 20, 40

    def reset(self):
        self.samples = 0
        self.spent = False

    def step(self, deceleration, occupied):
        self.samples = self.samples + 1 if deceleration >= self.CRASH else 0
        if self.spent or self.samples < 2 or not occupied:
            return "none"
        self.spent = True
        return "full" if deceleration >= self.SEVERE else "low"


class CountsPotholes(Airbag):
    """Counts samples above the threshold, whether or not they follow each other: two potholes fire it."""

    def step(self, deceleration, occupied):
        before = self.samples
        fire = super().step(deceleration, occupied)
        self.samples = max(self.samples, before)
        return fire


class FiresTwice(Airbag):
    """The low stage is not remembered, so it fires again; but there is no second charge."""

    def step(self, deceleration, occupied):
        fire = super().step(deceleration, occupied)
        if fire == "low":
            self.spent = False
        return fire
