"""A microwave oven whose timer survives a pause: it goes on counting, down to the last minute."""


class Microwave:
    def reset(self):
        self.left, self.mode = 0, "set"

    def step(self, event):
        if event == "clear":
            self.left, self.mode = 0, "set"
            return "0"
        if event == "plus":
            if self.mode != "set":
                return "nothing"
            self.left = min(3, self.left + 1)
            return str(self.left)
        if event == "start":
            if not self.left or self.mode == "cook":
                return "nothing"
            self.mode = "cook"
            return "hum"
        if event == "pause":
            if self.mode != "cook":
                return "nothing"
            self.mode = "pause"
            return "stop"
        if self.mode == "pause" and self.left > 1:
            self.left -= 1  # the fault
        if self.mode != "cook":
            return "nothing"
        self.left -= 1
        if self.left:
            return "hum"
        self.mode = "set"
        return "ready"
