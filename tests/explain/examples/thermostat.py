"""A thermostat that forgets the frost: it heats with full power once, and then as if it had been switched on."""


class Thermostat:
    def reset(self):
        self.state = "off"

    def step(self, t):
        if t < 5:
            self.state = "on"  # the fault
            return 2
        if self.state == "off":
            self.state = "on" if t < 18 else "off"
        else:
            self.state = "off" if t > 22 else "on"
        return ["off", "on"].index(self.state)
