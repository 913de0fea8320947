"""A temperature alarm, and two that have gone wrong."""


class Alarm:
    """As specified; of the two answers allowed at the limit it always gives the careful one."""

    LIMIT, HYSTERESIS = 100, 10

    def reset(self):
        self.alarmed = False

    def step(self, temperature):
        if temperature > self.LIMIT:
            self.alarmed = True
        elif temperature < self.LIMIT - self.HYSTERESIS:
            self.alarmed = False
        if self.alarmed:
            return "siren"
        return "lamp" if temperature == self.LIMIT else "off"


class CryingWolf(Alarm):
    """Sounds the siren at the limit already."""

    def step(self, temperature):
        if temperature == self.LIMIT:
            self.alarmed = True
        return super().step(temperature)


class LateSiren(Alarm):
    """From the lamp it takes a moment to get to the siren: at the first measurement above the limit it is still on."""

    def reset(self):
        super().reset()
        self.warned = False

    def step(self, temperature):
        signal = super().step(temperature)
        if signal == "siren" and self.warned:
            signal = "lamp"
        self.warned = temperature == self.LIMIT and signal == "lamp"
        return signal
