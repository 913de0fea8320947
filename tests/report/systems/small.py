"""Systems of each kind, as Python objects and as a process; the file ``fault`` beside the caller makes them wrong."""

import json
import sys
from pathlib import Path

FAULT = Path("fault")


class Lamp:
    """An fsm; its wrong twin answers a look wrongly, and offers to be knocked at."""

    def reset(self):
        self.lit, self.wrong = False, FAULT.exists()

    def step(self, symbol):
        if symbol == "look":
            return ("on" if self.wrong else "bright") if self.lit else "dim"
        self.lit = not self.lit
        return "on" if self.lit else "off"

    def enabled(self):
        return {"press", "look", *(["knock"] if self.wrong else [])} if self.lit else {"press"}


class Scale:
    """An sfsm."""

    def reset(self):
        self.low = 2 if FAULT.exists() else 0

    def step(self, x):
        return self.low if x < 5 else 1


class Door:
    """A state machine."""

    def reset(self):
        self.wide, self.wrong = False, FAULT.exists()

    def step(self, x, trigger=None):
        sent = []
        if trigger == "open" and x < 5:
            self.wide = True
        elif trigger == "close" and self.wide:
            self.wide, sent = False, [] if self.wrong else ["beep"]
        return {"wide": self.wide, "send": sent}


class Buffer:
    """An sts."""

    def reset(self):
        self.held, self.more = [], int(FAULT.exists())

    def send(self, gate, value):
        self.held.append((gate, value))

    def receive(self, _timeout):
        return ("get", [(self.held.pop()[1] + self.more) % 10]) if self.held else None


SYSTEMS = {"fsm": Lamp, "sfsm": Scale, "statemachine": Door, "sts": Buffer}


def answers(system, message):
    """What the system says to a message of a tester."""
    if "reset" in message:
        system.reset()
        said = [{"ready": True}]
    elif "send" in message:
        gate, values = message["send"]
        system.send(gate, *values)
        said = [{"emit": system.receive(0)}]
    elif isinstance(system, Scale | Door):
        said = [{"output": system.step(**message["input"])}]
    else:
        said = [{"output": system.step(message["input"])}]
    if isinstance(system, Lamp):
        said[0]["enabled"] = sorted(system.enabled())
    return said


def serve(lines, write, kind):
    """Answer every line."""
    system = SYSTEMS[kind]()
    for line in lines:
        for answer in answers(system, json.loads(line)):
            write(json.dumps(answer) + "\n")


def _say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    serve(sys.stdin, _say, sys.argv[1])
