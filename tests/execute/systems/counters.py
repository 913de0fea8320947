"""Counters for the example of paper 001, as Python objects."""

import time


class Counter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total = 0
        self.waiting = []

    def send(self, gate, p):
        assert gate == "inX"
        self.total += p
        self.waiting.append(("outX", (self.total,)))
        if self.total > 15:
            self.waiting.append(("done", ()))

    def receive(self, timeout):
        return self.waiting.pop(0) if self.waiting else None


class Forgetful(Counter):
    def send(self, gate, p):
        super().send(gate, p)
        if self.total > 15:
            self.waiting = self.waiting[1:]


class Silent(Counter):
    def receive(self, timeout):
        return None


class Odd(Counter):
    def receive(self, timeout):
        return 42


class Raising(Counter):
    def send(self, gate, p):
        raise RuntimeError("no, thank you")


class Hanging(Counter):
    def send(self, gate, p):
        time.sleep(60)


class Halfway:
    def send(self, gate, p):
        pass
