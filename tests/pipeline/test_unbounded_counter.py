"""A counter without bounds beside a guard on an input: the guard is seen on both sides of its boundary."""

from pathlib import Path

from fullproof import generate, run

GATE = """\
machine: statemachine
name: gate
signals: {in: [approach, leave, tick], out: [alarm, bell]}
inputs: {speed: int 0..400}
outputs: {arm: 'enum up, down, moving = up'}
variables: {count: int = 0}
initial: open
choices: [fast]
states:
  open: [{trigger: approach, do: [count = count + 1], to: fast}]
  fast:
    - {when: speed > 100, do: [arm = down], send: alarm, to: closed}
    - {when: speed <= 100, do: [arm = moving], send: bell, to: closing}
  closing:
    - {trigger: tick, do: [arm = down], to: closed}
    - {trigger: approach, do: [count = count + 1], to: closing}
  closed:
    - {trigger: approach, do: [count = count + 1], to: closed}
    - {trigger: leave, when: count > 1, do: [count = count - 1], to: closed}
    - {trigger: leave, when: count <= 1, do: [count = 0, arm = up], to: open}
"""


def test_a_boundary_behind_a_choice_point(tmp_path: Path) -> None:
    model, wrong, suite = (tmp_path / name for name in ("gate.yaml", "wrong.yaml", "suite.jsonl"))
    model.write_text(GATE)
    wrong.write_text(GATE.replace("speed > 100", "speed >= 100").replace("speed <= 100", "speed < 100"))
    made = generate(model, output=suite)
    assert "since the classes split without end by the values of count" in made.guarantee
    assert "answers like the model on those sequences" in made.guarantee
    found = run(model, f"model:{wrong}", suite=suite, shrink_failures=0)
    assert found.verdict == "fail"
    assert found.coverage == {"transitions": 8, "of": 8}
