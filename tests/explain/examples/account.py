"""The account of the tutorial, as it is after the first mending."""


class Account:
    def reset(self):
        self.failures = 0
        self.known = False

    def step(self, event):
        if event == "wait":
            if self.failures < 3:
                return "nothing"
            self.failures = 0
            return "unlocked"
        if self.failures >= 3:
            return "locked"
        if event == "right":
            self.known = self.failures == 0
            self.failures = 0
            return "welcome"
        if self.known:
            self.known = False
            return "denied"
        self.failures += 1
        return "locked" if self.failures == 3 else "denied"
