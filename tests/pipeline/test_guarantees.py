"""Every method of every kind says what it guarantees as data, and of each hypothesis who vouches for it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fullproof.artefacts.guarantee import About, Guarantee, Strength, Voucher
from fullproof.artefacts.guarantee_json import as_json, from_json
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.core.errors import NOWHERE
from fullproof.formats import read_model
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.kinds.statemachine.suite import METHODS as STATEMACHINE_METHODS
from fullproof.kinds.sts.purposes import METHODS as PURPOSE_METHODS
from fullproof.kinds.sts.purposes import RANDOM_WALK
from fullproof.pipeline.suites import generate_suite

LAMP = """
machine: fsm
name: lamp
initial: off
states:
  off: [{when: press, then: click, to: on}, {when: hold, then: none, to: off}]
  on: [{when: press, then: clack, to: off}, {when: hold, then: none, to: on}]
"""
CHOOSY = LAMP.replace("then: none, to: on", "then: none, to: on}, {when: press, then: click, to: on")
PARTIAL = LAMP.replace(", {when: hold, then: none, to: on}", "")
LIMIT = """
machine: sfsm
name: limit
inputs: {x: int 0..9}
outputs: {y: int 0..1}
initial: low
states:
  low: [{when: x < 5, then: y == 0, to: low}, {when: x >= 5, then: y == 1, to: high}]
  high: [{when: x < 5, then: y == 0, to: low}, {when: x >= 5, then: y == 0, to: high}]
properties: {R1: G(x < 5 -> y == 0)}
"""
ECHO = """
machine: sts
name: echo
variables: {v: int = 0}
inputs: {put: {p: int}}
outputs: {got: {p: int}}
initial: idle
states:
  idle: [{gate: put, when: 1 <= p <= 3, set: {v: p}, to: full}]
  full: [{gate: got, when: p == v, to: idle}]
"""
DOOR = """
machine: statemachine
name: door
signals: {in: [open, shut], out: []}
inputs: {x: real 0..9}
outputs: {y: real = 0}
initial: closed
states:
  closed: [{trigger: open, when: x > 3, do: [y = 1], to: opened}]
  opened: [{trigger: shut, do: [y = 0], to: closed}]
"""
EQUAL, PROPERTY = Relation.EQUIVALENCE, Relation.PROPERTY


def cases() -> Iterator[tuple[str, str, Relation | None, Strength]]:
    """Model, method, relation, and how far the guarantee goes."""
    yield from ((LAMP, name, None, Strength.PROVED) for name in EQUIVALENCE_METHODS)
    yield CHOOSY, "wp", None, Strength.PROVED
    for model in (CHOOSY, PARTIAL):
        for relation in (Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION, Relation.LANGUAGE_EQUIVALENCE):
            yield model, "counting", relation, Strength.PROVED
    yield CHOOSY, "counting", Relation.REDUCTION, Strength.PROVED
    yield PARTIAL, "counting", None, Strength.PROVED
    for name in ("general", "separable", "abstraction", "local"):
        yield from ((LIMIT, name, relation, Strength.PROVED) for relation in (EQUAL, PROPERTY))
    yield LIMIT, "general", Relation.REDUCTION, Strength.PROVED
    yield from ((ECHO, name, None, Strength.COVERAGE) for name in PURPOSE_METHODS)
    special = {"paper": Strength.CITED, "relaxed": Strength.EXERCISED}
    for name in STATEMACHINE_METHODS:
        yield DOOR, name, None, special.get(name, Strength.PROVED)


@pytest.mark.parametrize(("text", "method", "relation", "strength"), list(cases()))
def test_every_method_says_what_it_guarantees_as_data(
    tmp_path: Path, text: str, method: str, relation: Relation | None, strength: Strength
) -> None:
    path = tmp_path / "model.yaml"
    path.write_text(text)
    properties = ("R1",) if relation is Relation.PROPERTY else ()
    request = SuiteRequest(method=method, relation=relation, properties=properties, extra_states=0)
    guarantee = generate_suite(read_model(path), request, sha256="", at=NOWHERE).header.guarantee
    assert guarantee.strength is strength
    check(guarantee)
    if strength in (Strength.PROVED, Strength.CITED):
        by = {h.by for h in guarantee.hypotheses if h.about is About.SYSTEM}
        assert Voucher.USER in by, "a bound on the system is for its user to know"
    if properties:
        assert [h.by for h in guarantee.hypotheses if h.clause == "the model satisfies R1"] == [Voucher.TOOL]


def check(guarantee: Guarantee) -> None:
    """The data survives JSON, the sentence has all that is not checked, and each hypothesis names who vouches."""
    assert from_json(json.loads(json.dumps(as_json(guarantee)))) == guarantee
    assert guarantee.theorem is not None
    assert all(h.clause and isinstance(h.by, Voucher) and h.by.words for h in guarantee.hypotheses)
    said = [h.text for h in guarantee.hypotheses if h.about is not About.MODEL]
    said += [*guarantee.not_covered, *guarantee.reasons, *guarantee.theorem.citations]
    assert all(text in guarantee.sentence for text in said)


def test_a_walk_has_none_and_says_what_a_fail_proves() -> None:
    check(RANDOM_WALK)
    assert RANDOM_WALK.sentence == "No guarantee: a random walk. A fail proves that the system does not conform (ioco)."
