"""A media player as people write one: a flag for power, and two variables that remember."""


class MediaPlayer:
    def __init__(self):
        self.on, self.transport, self.sound = False, "stopped", "soft"

    def step(self, trigger):
        if trigger == "power":
            self.on = not self.on
        elif self.on:
            self.transport = self.moved(trigger)
            self.sound = self.heard(trigger)
        return self.shown()

    def moved(self, trigger):
        if trigger == "stop":
            return "stopped"
        if trigger == "play":
            return "paused" if self.transport == "playing" else "playing"
        if trigger == "skip" and self.transport == "playing":
            return "searching"
        return self.transport

    def heard(self, trigger):
        if trigger == "mute":
            return "soft" if self.sound == "silent" else "silent"
        if trigger == "louder":
            return "loud"
        if trigger == "softer" and self.sound == "loud":
            return "soft"
        return self.sound

    def shown(self):
        if not self.on:
            return {"motor": "still", "lamp": False, "volume": 0}
        motor = {"playing": "turning", "searching": "searching"}.get(self.transport, "still")
        return {"motor": motor, "lamp": True, "volume": {"silent": 0, "soft": 1, "loud": 2}[self.sound]}


class ForgetsTransport(MediaPlayer):
    """Fault: switched on again, it does not go on where it was."""

    def step(self, trigger):
        if trigger == "power":
            self.transport = "stopped"
        return super().step(trigger)


class MutesLouder(MediaPlayer):
    """Fault: mute goes back to loud, whatever it was."""

    def heard(self, trigger):
        return "loud" if trigger == "mute" and self.sound == "silent" else super().heard(trigger)


class SearchesAloud(MediaPlayer):
    """Fault between two regions: searching turns the sound up."""

    def step(self, trigger):
        answer = super().step(trigger)
        if self.on and self.transport == "searching" and self.sound == "soft":
            answer["volume"] = 2
        return answer
