"""Two regions that are active at the same time, by the library transitions; the answer is the active states."""

from transitions.extensions import HierarchicalMachine

REGION = {"children": ["1", "2"], "initial": "1"}
STATES = ["idle", {"name": "P", "parallel": [{"name": "x", **REGION}, {"name": "y", **REGION}]}]


class Regions:
    def reset(self):
        self.machine = HierarchicalMachine(states=STATES, initial="idle", ignore_invalid_triggers=True)
        self.machine.add_transition("start", "idle", "P")
        self.machine.add_transition("stop", "P_x_1", "idle")  # leaves both regions
        self.machine.add_transition("stop", "P_y_1", "P_y_2")  # stays in its region

    def step(self, symbol):
        self.machine.trigger(symbol)
        active = self.machine.state
        return "+".join(active) if isinstance(active, list) else active
