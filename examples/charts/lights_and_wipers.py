"""The controller of a car's lights, indicators and wipers: three units that share one bus."""

LAMPS = {"dark": "parking", "parking": "low", "low": "dark", "high": "dark"}
WIPED = {"still": 0, "slow": 1, "fast": 2, "washing": 3}


class Car:
    def __init__(self):
        self.driving = False
        self.stop()

    def stop(self):
        self.lights, self.blink, self.wipers = "dark", "none", "still"

    def step(self, trigger):
        before = self.blink
        if trigger == "ignition":
            self.driving = not self.driving
            self.stop()
        elif self.driving:
            wipers = self.wiping(trigger)
            self.lights, self.blink, self.wipers = self.lit(trigger), self.blinking(trigger), wipers
        click = trigger in ("left", "right", "hazard") and self.blink not in ("none", before)
        return {
            "beam": self.lights, "blink": self.blink, "wiper": WIPED[self.wipers], "send": ["click"] if click else [],
        }  # fmt: skip

    def lit(self, trigger):
        if trigger == "lamp":
            return LAMPS[self.lights]
        if trigger == "flash":
            return {"low": "high", "high": "low"}.get(self.lights, self.lights)
        return self.lights

    def blinking(self, trigger):
        if trigger == "hazard":
            return "none" if self.blink == "both" else "both"
        if self.blink == "both":
            return "both"
        if trigger in ("left", "right"):
            return trigger
        return "none" if trigger == "cancel" else self.blink

    def wiping(self, trigger):
        if trigger == "wash":
            return "washing"
        if trigger == "dry":
            return "slow" if self.wipers == "washing" else "still"
        if trigger == "wipe" and self.wipers == "still":
            return "fast" if self.lights == "high" else "slow"
        return "fast" if trigger == "wipe" and self.wipers == "slow" else self.wipers


class HazardEndsByCancel(Car):
    """Fault: the lever cancels the hazard lights."""

    def blinking(self, trigger):
        return "none" if trigger == "cancel" else super().blinking(trigger)


class WipersIgnoreLights(Car):
    """Fault: the wipers do not ask for the lights."""

    def wiping(self, trigger):
        return "slow" if trigger == "wipe" and self.wipers == "still" else super().wiping(trigger)


class WashingDarkens(Car):
    """Fault between two regions: washing while indicating switches the lights off."""

    def step(self, trigger):
        if self.driving and trigger == "wash" and self.blink == "left":
            self.lights = "dark"
        return super().step(trigger)
