"""Mutants of transition systems: all kinds, each once, as people say it, and with a meaning wherever they go."""

from pathlib import Path

import pytest
from tests.shared import ROOT

from fullproof.analysis.ioco import Differs, ioco
from fullproof.formats import read_model, read_model_text
from fullproof.formats.table import model_text
from fullproof.language.printer import to_text
from fullproof.mutate import mutants_of
from fullproof.mutate.sts import StsOperator, sts_faults

SMALL = """machine: sts
name: shop
variables: {paid: int 0..9 = 0, left: real = 4}
inputs: {coin: {v: int 1..5}, buy: {}}
outputs: {item: {}, sorry: {}, credit: {amount: int}, shown: {sum: int}}
initial: idle
states:
  idle:
    - {gate: coin, when: paid + v <= 9, set: {paid: paid + v}, to: told}
    - {gate: coin, when: paid + v > 9, to: told}
    - {gate: buy, when: paid >= 3, set: {paid: paid - 3, left: left / 2}, to: giving}
    - {gate: buy, when: paid < 3, to: refusing}
  told:
    - {gate: credit, when: amount == paid, to: idle}
  giving:
    - {gate: item, to: checking}
  refusing:
    - {gate: sorry, to: checking}
  checking:
    - {gate: tau, to: idle}
"""


@pytest.fixture(scope="module")
def small():
    return read_model_text(SMALL, Path("m.yaml"))


def named(model, where):
    (found,) = [m.model for m in mutants_of(model, sts_faults()).mutants if m.where == where]
    return found


def test_faults_are_said_as_people_say_them(small):
    made = mutants_of(small, sts_faults()).mutants
    said = {(m.operator, m.where) for m in made}
    assert {operator for operator, _ in said} == {one.value for one in StsOperator} and len(said) == len(made)
    assert {
        ("guard", "guard paid > 3 instead of paid >= 3 on idle --buy--> giving"),
        ("guard", "no guard instead of paid < 3 on idle --buy--> refusing"),
        ("guard", "guard amount == paid + 1 instead of amount == paid on told --credit--> idle"),
        ("assignment", "paid = paid + 3 instead of paid = paid - 3 on idle --buy--> giving"),
        ("assignment", "left = left / 2 missing on idle --buy--> giving"),
        ("output", "output sorry instead of item on giving --item--> checking"),
        ("output", "output shown instead of credit on told --credit--> idle"),
        ("transfer", "target idle instead of told on idle --coin--> told where paid + v > 9"),
        ("remove", "no switch refusing --sorry--> checking"),
    } <= said


def test_a_wrong_guard_of_an_input_goes_first(small):
    found = named(small, "guard paid >= 2 instead of paid >= 3 on idle --buy--> giving")
    guards = [to_text(t.guard) for t in found.transitions if t.gate == "buy"]
    assert guards == ["paid >= 2", "paid < 3 and not paid >= 2"]
    assert isinstance(ioco(small, found, depth=4, timeout=None), Differs)


def test_another_output_has_the_values_of_the_first(small):
    found = named(small, "output shown instead of credit on told --credit--> idle")
    assert [to_text(t.guard) for t in found.transitions if t.gate == "shown"] == ["sum == paid"]


def test_mutants_have_a_meaning_wherever_they_go(small):
    """Each can be read again and compared: no range, nothing divided by what may be 0, no internal circle."""
    made = mutants_of(small, sts_faults()).mutants
    for mutant in made:
        again = read_model_text(model_text(mutant.model), Path("m.yaml"))
        assert again.transitions == mutant.model.transitions
        assert ioco(small, again, depth=4, timeout=None) is not None
    assert not any("target checking" in m.where and "--tau-->" in m.where for m in made)
    assert not any(" / paid" in m.where or " / v" in m.where for m in made)


@pytest.mark.parametrize("name", ["bounded-queue", "login", "invite"])
def test_mutants_of_examples_differ_or_conform(name):
    model = read_model(ROOT / "examples" / "protocols" / name / "model.yaml")
    made = mutants_of(model, sts_faults(), sample=6, seed=1).mutants
    assert len(made) == 6
    assert any(isinstance(ioco(model, mutant.model, depth=6, timeout=None), Differs) for mutant in made)
