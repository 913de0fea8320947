"""An insulin pump, and two that have gone wrong."""


class Pump:
    """As specified."""

    def reset(self):
        self.suspended = False

    def step(self, glucose):
        if glucose < 70:
            self.suspended = True
        elif glucose >= self.resumes_at():
            self.suspended = False
        if self.suspended:
            return {"rate": 0.0, "alert": "danger" if glucose < 54 else "attention"}
        return {"rate": self.rate(glucose), "alert": "silent"}

    def resumes_at(self):
        return 80

    def rate(self, glucose):
        return min(4.0, 1.0 + max(0, glucose - 140) / 50)


class StopAndGo(Pump):
    """No hysteresis: delivers again as soon as 70 mg/dL are reached."""

    def resumes_at(self):
        return 70


class Overdose(Pump):
    """The upper limit of the rate got lost when the formula was rewritten."""

    def rate(self, glucose):
        return 1.0 + max(0, glucose - 140) / 50
