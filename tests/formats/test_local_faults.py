"""``thresholds``, ``exclude``, ``pairs`` and ``degree`` in the fault domain of an sfsm."""

from fractions import Fraction
from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.formats import read_model_text
from fullproof.formats.json.writer import json_lines
from fullproof.formats.yaml.writer import yaml_lines
from fullproof.language.parser import parse_expression
from fullproof.model import Sfsm
from fullproof.model.common import ExcludedPair, Pairs, Threshold

MODEL = """machine: sfsm
inputs: {{x: real 0..400, b: bool, n: int}}
outputs: {{y: real}}
initial: s
states:
  s:
    - {{when: x < 200, then: y == 0, to: s}}
    - {{when: x >= 200, then: y == x, to: s}}
fault_domain:
  {0}
"""
WHOLE = "thresholds: {x: 0.5}\n  degree: 2\n  pairs: own\n  exclude: [{when: x == 200, then: y == 0}]"


def read(domain: str) -> Sfsm:
    model = read_model_text(MODEL.format(domain), Path("m.yaml"))
    assert isinstance(model, Sfsm)
    return model


def test_what_a_fault_domain_may_say() -> None:
    domain = read(WHOLE).description.fault_domain
    assert domain.thresholds == (Threshold(variable="x", distance=Fraction(1, 2)),)
    assert (domain.degree, domain.pairs) == (2, Pairs.OWN)
    never = ExcludedPair(guard=parse_expression("x == 200"), output=parse_expression("y == 0"))
    assert domain.excluded == (never,)


@pytest.mark.parametrize(("lines", "ending"), [(yaml_lines, "yaml"), (json_lines, "json")])
def test_it_is_written_and_read_back(lines, ending: str) -> None:
    model = read(WHOLE)
    assert read_model_text("".join(lines(model)), Path(f"m.{ending}")) == model


@pytest.mark.parametrize(
    ("domain", "complaint"),
    [
        ("thresholds: {z: 1}", "line 10, column 16: unknown input 'z'"),
        ("thresholds: {b: 1}", "line 10, column 19: b is not a number and has no thresholds"),
        ("thresholds: {n: 1}", "line 10, column 19: n has no bounds"),
        ("thresholds: {x: 0}", "line 10, column 19: expected a distance above 0 such as 0.5, found '0'"),
        ("thresholds: {x: wide}", "expected a distance above 0 such as 0.5, found 'wide'"),
        ("thresholds: 3", "line 10, column 15: thresholds should be keys with values"),
        ("pairs: mine", "line 10, column 10: unknown choice of pairs 'mine'"),
        ("exclude: [{when: x > 3}]", "line 10, column 13: the key 'then' is missing in a pair of exclude"),
        ("exclude: [{when: y > 3, then: y == 0}]", "'y' is an output, a guard may only refer to inputs"),
        ("exclude: x > 3", "line 10, column 12: exclude should be a list"),
        ("degree: two", "degree should be a whole number from 0"),
    ],
)
def test_complaints_have_a_place(domain: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        read(domain)
    assert "\n" not in str(caught.value)
    assert complaint in str(caught.value)


@pytest.mark.parametrize("kind", ["fsm", "sts"])
def test_other_kinds_have_none(kind: str) -> None:
    text = f"machine: {kind}\ninitial: s\nstates:\n  s: []\nfault_domain: {{thresholds: {{x: 1}}}}\n"
    with pytest.raises(UserError, match="unknown key 'thresholds' in fault_domain"):
        read_model_text(text, Path("m.yaml"))
