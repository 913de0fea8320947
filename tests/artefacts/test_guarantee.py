"""Guarantees are data: they survive JSON, and their sentences are made from them in one place."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullproof.artefacts.guarantee import (
    ALL_ANSWERS_SHOWN,
    RESET,
    About,
    Guarantee,
    Hypothesis,
    Strength,
    Theorem,
    Voucher,
    no_guarantee,
    stated,
)
from fullproof.artefacts.guarantee_json import as_json, from_json
from fullproof.core.errors import UserError

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
lists = st.lists(words, max_size=3).map(tuple)
hypotheses = st.builds(
    Hypothesis,
    text=words,
    by=st.sampled_from(Voucher),
    about=st.sampled_from(About),
    subject=words,
    name=words,
    qualifier=words,
    evidence=words,
)
guarantees = st.builds(
    Guarantee,
    strength=st.sampled_from([one for one in Strength if one is not Strength.STATED]),
    says=words,
    passes=st.sampled_from(["all tests", "this run"]),
    hypotheses=st.lists(hypotheses, max_size=4).map(tuple),
    theorem=st.none() | st.builds(Theorem, words, lists),
    refutes=words,
    undecided=lists,
    not_covered=lists,
    reasons=lists,
    unobservable=words,
    alike=st.lists(lists, max_size=3).map(tuple),
    state_is_output=st.booleans(),
)
PROVED = Guarantee(
    strength=Strength.PROVED,
    says="is equivalent to the model",
    hypotheses=(Hypothesis(text="behaves like a machine with at most 3 states", by=Voucher.USER), RESET),
    theorem=Theorem("W-method", ("Chow 1978",)),
)


@given(guarantees)
def test_survives_json_with_its_sentence(guarantee: Guarantee) -> None:
    again = from_json(json.loads(json.dumps(as_json(guarantee))))
    assert again == guarantee
    assert again.sentence == guarantee.sentence


def test_of_a_sentence_alone_there_is_no_data() -> None:
    old = stated("Every system that passes is fine.")
    assert (as_json(old), old.sentence) == (None, "Every system that passes is fine.")
    assert old.refused(["its tests changed"]).sentence == "No guarantee: its tests changed."


def test_what_fullproof_has_checked_needs_no_proviso() -> None:
    checked = Hypothesis(about=About.MODEL, subject="the model", text="is complete", by=Voucher.TOOL)
    more = replace(PROVED, hypotheses=(checked, ALL_ANSWERS_SHOWN, *PROVED.hypotheses))
    assert more.sentence == (
        "Every system that passes all tests, having shown all its answers to each of them (complete testing "
        "assumption: --repeat K), is equivalent to the model, provided that it behaves like a machine with at most 3 "
        "states and is reset reliably before each test (W-method; Chow 1978)."
    )
    assert [h.clause for h in more.hypotheses][::3] == [
        "the model is complete",
        "it is reset reliably before each test",
    ]


def test_reasons_add_up_and_nothing_else_is_left() -> None:
    refused = replace(PROVED, alike=(("a", "b"),)).refused(["one"]).refused(["two"])
    assert refused == no_guarantee("one", "two")
    assert refused.sentence == "No guarantee: one; two."
    assert PROVED.refused([]) is PROVED
    walk = replace(no_guarantee("a random walk"), refutes="it does not conform", theorem=Theorem("ioco"))
    assert walk.refused(["two"]).sentence == (
        "No guarantee: a random walk; two. A fail proves that it does not conform (ioco)."
    )


def test_what_a_run_adds() -> None:
    parts = Hypothesis(about=About.RUN, subject="the system", text="was the same in 2 parts", by=Voucher.USER)
    framed = replace(PROVED, unobservable="no outputs", alike=(("a", "b"),), hypotheses=(ALL_ANSWERS_SHOWN, RESET))
    whole = framed.assuming(parts).shown("10 times").citing("trimmed")
    assert whole.sentence == (
        "Nothing is observable (no outputs), so a system in a wrong state passes. Every system that passes all tests, "
        "having shown all its answers to each of them (complete testing assumption: --repeat K), is equivalent to the "
        "model, provided that it is reset reliably before each test (W-method; Chow 1978; trimmed). States that no "
        "test distinguishes count as one: a = b. This holds if the system was the same in 2 parts."
    )
    assert [h.evidence for h in whole.hypotheses] == ["10 times", "", ""]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"strength": "certain"}, "'claim.strength' should be one of proved, cited"),
        ({"says": 1}, "'claim.says' should be a text"),
        ({"hypotheses": [{"text": "x", "by": "me", "about": "system"}]}, "'claim.hypotheses.by' should be one of tool"),
        ({"hypotheses": "x"}, "'claim.hypotheses' should be a list"),
        ({"hypotheses": ["x"]}, "'claim.hypotheses' should be an object"),
        ({"theorem": {"name": "x", "citations": "y"}}, "'claim.theorem.citations' should be a list"),
        ({"alike": [["a", 1]]}, "'claim.alike' should be a text"),
        ({"state_is_output": 1}, "'claim.state_is_output' should be true or false"),
    ],
)
def test_what_is_no_claim_is_one_line(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(UserError, match=complaint.split(" should", maxsplit=1)[0]) as caught:
        from_json((as_json(PROVED) or {}) | change)
    assert complaint in str(caught.value)
