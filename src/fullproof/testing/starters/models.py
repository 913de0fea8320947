"""A small model of each kind, and a system that conforms to it."""

from __future__ import annotations

MODELS = {
    "fsm": """\
# What the system has to do. An input (when), the answer (then), the state after it (to).
machine: fsm
name: $name
initial: locked
states:
  locked:
    - {when: coin, then: unlock, to: open}
    - {when: push, then: beep, to: locked}
  open:
    - {when: coin, then: thanks, to: open}
    - {when: push, then: lock, to: locked}
""",
    "sfsm": """\
# What the system has to do. Conditions on the inputs (when), on the outputs (then), the state after it (to).
machine: sfsm
name: $name
inputs: {temp: int -20..60}
outputs: {heater: bool}
initial: idle
states:
  idle:
    - {when: temp < 18, then: heater == true, to: heating}
    - {when: temp >= 18, then: heater == false, to: idle}
  heating:
    - {when: temp > 21, then: heater == false, to: idle}
    - {when: temp <= 21, then: heater == true, to: heating}
""",
    "statemachine": """\
# What the system has to do. Signals come in, attributes are set (do), signals are sent (send).
machine: statemachine
name: $name
signals: {in: [open, close], out: [beep]}
inputs: {code: int 0..99}
outputs: {unlocked: bool = false}
initial: locked
states:
  locked:
    - {trigger: open, when: code == 42, do: [unlocked = true], send: [beep], to: unlocked}
  unlocked:
    - {trigger: close, do: [unlocked = false], to: locked}
""",
    "sts": """\
# What the system may do. Inputs and outputs have values; an output may come at any time where a state has one.
machine: sts
name: $name
variables: {kept: int 0..9 = 0}
inputs: {put: {x: int 0..9}, take: {}}
outputs: {item: {y: int 0..9}}
initial: empty
states:
  empty:
    - {gate: put, set: {kept: x}, to: full}
  full:
    - {gate: take, to: giving}
  giving:
    - {gate: item, when: y == kept, to: empty}
""",
}

SYSTEMS = {
    "fsm": '''\
"""The system under test: replace what it does, and keep the methods."""


class System:
    def reset(self):
        self.open = False

    def step(self, symbol):
        if symbol == "coin":
            answer = "thanks" if self.open else "unlock"
            self.open = True
        else:
            answer = "lock" if self.open else "beep"
            self.open = False
        return answer
''',
    "sfsm": '''\
"""The system under test: replace what it does, and keep the methods."""


class System:
    def reset(self):
        self.heating = False

    def step(self, temp):
        self.heating = temp <= 21 if self.heating else temp < 18
        return self.heating
''',
    "statemachine": '''\
"""The system under test: replace what it does, and keep the methods."""


class System:
    def reset(self):
        self.unlocked = False
        self.code = 0

    def step(self, trigger=None, code=None):
        self.code = self.code if code is None else code
        sent = []
        if not self.unlocked and trigger == "open" and self.code == 42:
            self.unlocked = True
            sent = ["beep"]
        elif self.unlocked and trigger == "close":
            self.unlocked = False
        return {"unlocked": self.unlocked, "send": sent}
''',
    "sts": '''\
"""The system under test: replace what it does, and keep the methods."""


class System:
    def reset(self):
        self.kept = None
        self.waiting = []

    def send(self, gate, *values):
        if gate == "put" and self.kept is None:
            self.kept = values[0]
        elif gate == "take" and self.kept is not None and not self.waiting:
            self.waiting.append(("item", (self.kept,)))

    def receive(self, timeout):
        if not self.waiting:
            return None  # silence
        self.kept = None
        return self.waiting.pop()
''',
}

C_SYSTEMS = {
    "fsm": """\
/* The system under test: replace what it does, and keep the functions. Inputs: 0 coin, 1 push. */
#include <stdbool.h>

static bool is_open;

void system_reset(void)
{
    is_open = false;
}

const char *system_step(int input)
{
    bool before = is_open;
    is_open = input == 0;
    if (input == 0)
        return before ? "thanks" : "unlock";
    return before ? "lock" : "beep";
}
""",
    "sfsm": """\
/* The system under test: replace what it does, and keep the functions. */
#include <stdbool.h>

static bool heating;

void system_reset(void)
{
    heating = false;
}

bool system_step(long long temp)
{
    heating = heating ? temp <= 21 : temp < 18;
    return heating;
}
""",
}
C_STEPS = {"fsm": "const char *system_step(int input)", "sfsm": "bool system_step(long long temp)"}
