class Turnstile:
    def reset(self):
        self.paid = 0

    def step(self, signal):
        if signal == "coin":
            self.paid += 1
            return "unlock" if self.paid == 1 else "thanks"
        if self.paid:
            self.paid -= 1  # should be: self.paid = 0
            return "lock"
        return "beep"
