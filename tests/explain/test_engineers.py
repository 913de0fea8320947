"""Faulty systems as people write them: the shortest sequence, the sentence about it and the cause are right."""

from pathlib import Path

import pytest

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import Relation, RunRequest, SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.pipeline.runs import run_suite

THERMOSTAT = """
machine: sfsm
name: thermostat
inputs: {t: int -20..50}
outputs: {heat: bool, alarm: bool}
initial: cool
states:
  cool:
    - {when: t < 18, then: heat and not alarm, to: warm}
    - {when: t >= 18 and t < 40, then: not heat and not alarm, to: cool}
    - {when: t >= 40, then: not heat and alarm, to: hot}
  warm:
    - {when: t <= 22, then: heat and not alarm, to: warm}
    - {when: t > 22 and t < 40, then: not heat and not alarm, to: cool}
    - {when: t >= 40, then: not heat and alarm, to: hot}
  hot:
    - {when: t >= 35, then: not heat and alarm, to: hot}
    - {when: t < 35, then: not heat and not alarm, to: cool}
"""
THERMOSTAT_SYSTEM = """
class System:
    def reset(self):
        self.state = "cool"

    def step(self, t):
        if t >= (END if self.state == "hot" else 40):
            self.state = "hot"
        elif self.state != "hot" and t < (18 if self.state == "cool" else 23):
            self.state = "warm"
        else:
            self.state = "cool"
        return {"heat": self.state == "warm", "alarm": self.state == "hot"}
"""
KETTLE = """
machine: statemachine
name: kettle
signals: {in: ["on", "off", boil], out: [click, beep]}
inputs: {t: int 0..120}
outputs: {power: int 0..2 = 0}
variables: {n: int 0..5 = 0}
initial: idle
states:
  idle:
    - {trigger: "on", when: t < 100, do: [power = 2, n = 0], to: heating}
    - {trigger: "on", when: t >= 100, send: [beep], to: idle}
  heating:
    - {trigger: "off", do: [power = 0], send: [click], to: idle}
    - {trigger: boil, when: t >= 100 and n < 2, do: [n = n + 1, power = 1], to: heating}
    - {trigger: boil, when: t >= 100 and n >= 2, do: [power = 0], send: [click], to: idle}
"""
KETTLE_SYSTEM = """
class System:
    def reset(self):
        self.hot, self.n, self.power = False, 0, 0

    def step(self, trigger=None, t=0):
        send = []
        if not self.hot and trigger == "on":
            self.hot = t < LIMIT
            self.power, send = (2, []) if self.hot else (self.power, ["beep"])
            self.n = START if self.hot else self.n
        elif self.hot and trigger == "boil" and t >= 100 and self.n < 2:
            self.n, self.power = self.n + 1, 1
        elif self.hot and (trigger == "off" or trigger == "boil" and t >= 100):
            self.hot, self.power, send = False, 0, ["click"]
        return {"power": self.power, "send": send}
"""
LOCK = """
machine: fsm
name: lock
initial: shut
states:
  shut: [{when: one, then: ok, to: half}, {when: two, then: ok, to: shut}, {when: enter, then: wrong, to: shut}]
  half: [{when: one, then: ok, to: half}, {when: two, then: ok, to: full}, {when: enter, then: wrong, to: shut}]
  full: [{when: one, then: ok, to: half}, {when: two, then: ok, to: shut}, {when: enter, then: open, to: shut}]
"""
LOCK_SYSTEM = """
class System:
    def reset(self):
        self.keys = []

    def step(self, symbol):
        keys, self.keys = self.keys[-2:], [] if symbol == "enter" else [*self.keys, symbol]
        BREAK
        return "ok" if symbol != "enter" else "open" if keys == ["one", "two"] else "wrong"
"""
DOOR = """
machine: fsm
name: door
initial: l0
ignore: {inputs: ['1', '2', enter, close], output: nothing}
states:
  l0: [{when: '1', then: ok, to: l1}, {when: '2', then: ok, to: l0}, {when: enter, then: wrong, to: l0}]
  l1: [{when: '1', then: ok, to: l1}, {when: '2', then: ok, to: l2}, {when: enter, then: wrong, to: l0}]
  l2: [{when: '1', then: ok, to: l1}, {when: '2', then: ok, to: l0}, {when: enter, then: open, to: unlocked}]
  unlocked: [{when: close, then: closed, to: l0}]
"""
DOOR_SYSTEM = """
class System:
    keys = {
        "l0": {"1": ("ok", "l1"), "2": ("ok", "l0"), "enter": ("wrong", "l0")},
        "l1": {"1": ("ok", "l1"), "2": ("ok", "l2"), "enter": ("wrong", "l0"), "close": ("noise", "l1")},
        "l2": {"1": ("ok", "l1"), "2": ("ok", "l0"), "enter": ("open", "unlocked")},
        "unlocked": {"close": ("closed", "l2")},
    }

    def reset(self):
        self.state, self.wrong = "l0", 0

    def step(self, key):
        answer, self.state = self.keys[self.state].get(key, ("nothing", self.state))
        self.wrong += answer == "wrong"
        return "nothing" if self.wrong >= BLOCKED else answer
"""
LIFT = """
machine: sts
name: lift
variables: {at: int 0..3 = 0, want: int 0..3 = 0}
inputs: {call: {f: int 0..3}}
outputs: {moved: {f: int 0..3}, opened: {f: int 0..3}}
initial: idle
states:
  idle: [{gate: call, set: {want: f}, to: going}]
  going:
    - {gate: moved, when: f == at + 1 and want > at, set: {at: f}, to: going}
    - {gate: moved, when: f == at - 1 and want < at, set: {at: f}, to: going}
    - {gate: opened, when: f == at and at == want, to: idle}
"""
LIFT_SYSTEM = """
class System:
    def reset(self):
        self.at, self.out = 0, []

    def send(self, gate, want):
        if self.at == 2 and want == 0:
            CRASH
        while self.at != want:
            self.at += 1 if want > self.at else STEP
            self.out.append(("moved", (self.at,)))
        self.out.append(("opened", (self.at,)))

    def receive(self, timeout):
        return self.out.pop(0) if self.out else None
"""


@pytest.fixture
def run(tmp_path: Path):
    """The record of a run of a model against a system, in which texts are replaced."""

    def done(model: str, system: str, *, suite: SuiteRequest | None = None, patience: float = 10.0, **replaced: str):
        for name, text in replaced.items():
            assert name in system
            system = system.replace(name, text)
        (tmp_path / "model.yaml").write_text(model)
        (tmp_path / "system.py").write_text(system)
        request = RunRequest(
            sut=f"python:{tmp_path / 'system.py'}:System",
            suite=suite or SuiteRequest(),
            isolate=False,
            silence=0.02,
            step_timeout=patience,
            shrink_failures=100.0,
        )
        return run_suite(tmp_path / "model.yaml", request, progress=unheard).record

    return done


def test_the_models_are_those_of_the_right_systems(run):
    for model, system, right in (
        (THERMOSTAT, THERMOSTAT_SYSTEM, {"END": "35"}),
        (KETTLE, KETTLE_SYSTEM, {"LIMIT": "100", "START": "0"}),
        (LOCK, LOCK_SYSTEM, {"BREAK": "pass"}),
    ):
        assert run(model, system, **right).result.verdict is Verdict.PASS


@pytest.mark.parametrize(("end", "shortest"), [("30", [40, 30]), pytest.param("38", [40, 35], marks=pytest.mark.slow)])
def test_a_limit_that_lies_far_from_where_it_should_is_found(run, end, shortest):
    """No typical mistake explains it; the values that were tried on the way to the shortest sequence show where."""
    (group,) = run(THERMOSTAT, THERMOSTAT_SYSTEM, END=end).groups
    assert [given["t"] for given in group.shortest] == shortest
    assert group.cause.faults == (f"limit {end} instead of 35 for t in hot",)
    assert group.cause.is_confirmed


HEATER = """
machine: sfsm
inputs: {t: int -20..500}
outputs: {heat: bool}
initial: idle
states:
  idle: [{when: t < 18, then: heat, to: heating}, {when: t >= 18, then: not heat, to: idle}]
  heating: [{when: t <= 22, then: heat, to: heating}, {when: t > 22, then: not heat, to: idle}]
"""
HEATER_SYSTEM = """
class System:
    def reset(self):
        self.heat = False

    def step(self, t):
        self.heat = self.heat or t < 18
        return self.heat
"""


def test_a_limit_that_no_input_passes_is_found(run):
    """Values near the right limit would come nearer to the end of the range by a few in each round."""
    (group,) = run(HEATER, HEATER_SYSTEM).groups
    assert group.cause.faults == ("limit 500 instead of 22 for t in heating",)
    assert group.cause.is_confirmed


FAN = """
machine: sfsm
inputs: {t: int 0..50}
outputs: {runs: bool, beeps: bool}
initial: off
states:
  off: [{when: t < 30, then: not runs and not beeps, to: off}, {when: t >= 30, then: runs and beeps, to: on}]
  on: [{when: t > 20, then: runs and not beeps, to: on}, {when: t <= 20, then: not runs and not beeps, to: off}]
"""
FAN_SYSTEM = """
class System:
    def reset(self):
        self.on = False

    def step(self, t):
        starts, self.on = not self.on and t >= 30, t > 20 if self.on else t >= 30
        answer = {"runs": self.on and not starts, "beeps": starts}
        self.on = self.on and not (starts and FORGETS)
        return answer
"""


@pytest.mark.parametrize("forgets", [False, True])
def test_what_comes_after_a_wrong_output_decides_about_its_cause(run, forgets):
    """The output alone is wrong, or the target, too, which only shows behind it."""
    (group,) = run(FAN, FAN_SYSTEM, FORGETS=str(forgets)).groups
    assert [given["t"] for given in group.shortest] == [30]
    if forgets:
        assert group.cause is None or not group.cause.is_confirmed
    else:
        assert group.cause.faults == ("output not runs and beeps instead of runs and beeps on off -> on",)
        assert group.cause.is_confirmed


def test_a_limit_of_two_transitions_of_a_state_machine_is_one_fault(run):
    (group,) = run(KETTLE, KETTLE_SYSTEM, LIMIT="90", START="0").groups
    assert group.shortest == ({"t": 90, "trigger": "on"},)
    assert group.cause.faults == ("limit 90 instead of 100 for t in idle",)
    assert group.cause.is_confirmed


def test_a_shorter_sequence_gives_all_values_that_tests_give(run):
    """A system that does not keep values that are left out would show another fault, which no test asks for."""
    (group,) = run(KETTLE, KETTLE_SYSTEM, LIMIT="100", START="self.n").groups
    assert len(group.shortest) == 6
    assert all("t" in given for given in group.shortest)
    assert group.cause.faults == ("action n = 0 missing on idle --on--> heating",)


def test_other_names_of_outputs_are_one_cause(run):
    system = LOCK_SYSTEM.replace('"ok"', '"OK"').replace('"open"', '"OPEN"').replace('"wrong"', '"WRONG"')
    record = run(LOCK, system, BREAK="pass")
    (group,) = record.groups
    assert set(group.cause.faults) == {
        f"output {name.upper()} instead of {name} everywhere" for name in ("ok", "open", "wrong")
    }
    assert group.cause.is_confirmed
    assert len(group.tests) == len(record.result.failures)


def test_two_faults_are_two_entries(run):
    """The one that is the quickest to be seen does not hide the other."""
    deep, shallow = run(DOOR, DOOR_SYSTEM, BLOCKED="99").groups
    assert deep.title == "after `close`, `enter` answers open instead of wrong"
    assert deep.shortest == ("1", "2", "enter", "close", "enter")
    assert shallow.shortest == ("1", "close")
    assert len(deep.cause.faults) == 2
    assert deep.cause.is_confirmed


def test_tests_are_not_said_to_show_a_fault_that_they_do_not_reach(run):
    """The search comes across a fault that is quicker to be seen; no cause connects it with what the tests show."""
    for group in run(DOOR, DOOR_SYSTEM, BLOCKED="3").groups:
        assert group.title == "after `enter`, `enter` answers nothing instead of wrong"
        assert group.shortest == ("enter", "enter", "enter")


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ("raise ValueError('jammed')", "`enter`: raised ValueError: jammed ("),
        ("return 3.7", "`enter`: answered 3.7 (float), expected an output symbol"),
    ],
)
def test_a_breakdown_is_no_answer(run, broken, sentence):
    group = run(LOCK, LOCK_SYSTEM, BREAK=f"if symbol == 'enter': {broken}").groups[0]
    assert group.title.startswith(sentence)
    assert group.shortest == ("enter",)


@pytest.mark.slow
def test_a_system_that_hangs_is_waited_for_where_there_is_time(run):
    group = run(LOCK, LOCK_SYSTEM, patience=1.0, BREAK="while symbol == 'enter' and len(keys) == 2: pass").groups[0]
    assert len(group.shortest) == 3
    assert "no answer within 1 s" in group.title


def test_a_violated_property_stands_in_front(run):
    model = THERMOSTAT + "properties: {SAFE: G(alarm -> X(alarm or t < 35))}\n"
    suite = SuiteRequest(properties=("SAFE",), relation=Relation.PROPERTY)
    group = run(model, THERMOSTAT_SYSTEM, suite=suite, END="38").groups[0]
    assert group.title.startswith("SAFE is violated: after `t = 40`, `t = 35` answers heat = false, alarm = false")


def test_the_input_on_which_a_reactive_system_breaks_down_is_kept(run):
    (group,) = run(LIFT, LIFT_SYSTEM, CRASH="raise ValueError('motor')", STEP="-1").groups
    assert group.title.startswith("after `call(0)`: raised ValueError: motor (")
    assert group.shortest == (["call", [2]], ["call", [0]])


def test_a_reactive_system_is_held_to_values(run):
    group = run(LIFT, LIFT_SYSTEM, CRASH="pass", STEP="(-2 if self.at == 3 and want < 2 else -1)").groups[0]
    assert group.title in {f"after `call({k})`, the system answers moved(1) instead of moved(2)" for k in (0, 1)}
    assert len(group.shortest) == 2
