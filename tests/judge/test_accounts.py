"""Which transitions a failing execution concerns: those that the model may take after what was seen."""

from tests.judgement import event

from fullproof.artefacts.execution import Columns, Execution
from fullproof.artefacts.suite import make_test
from fullproof.formats import read_model
from fullproof.kinds import oracle_for

MACHINE = """machine: statemachine
name: m
signals: {in: [go]}
inputs: {x: int 0..9}
outputs: {y: int = 0}
initial: s
states:
  s:
    - {trigger: go, when: x < 5, do: [y = 1], to: t}
    - {trigger: go, when: x >= 5, to: s}
  t:
    - {when: x > 2, do: [y = 2], to: s}
"""


def test_of_a_state_machine_those_of_its_runs(tmp_path):
    (tmp_path / "m.yaml").write_text(MACHINE)
    inputs = (event({"trigger": "go", "x": 7}), event({"trigger": "go", "x": 3}))
    execution = Execution(make_test(inputs), Columns(inputs, [{"y": 0}, {"y": 1}]))
    account = oracle_for(read_model(tmp_path / "m.yaml")).account(execution)
    assert (account.path, account.concerned) == ((1,), (0, 2))
