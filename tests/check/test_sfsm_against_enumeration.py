"""All that is said of random small machines, against all their values."""

from collections import Counter

from hypothesis import given, settings
from tests.oracles.languages import same_language
from tests.oracles.symbolic import Enumerated
from tests.strategies.sfsms import sfsms

from fullproof.artefacts.finding import Profile, Severity
from fullproof.check import check
from fullproof.check.remarks import LISTED


def places(profile: Profile, rule: str, severity: Severity | None = None) -> Counter:
    return Counter(
        finding.where.split(" (")[0]
        for finding in profile.findings
        if finding.rule == rule and finding.where and severity in (None, finding.severity)
    )


def listed(names: list[str]) -> Counter:
    return Counter(names[:LISTED])


@given(sfsms())
@settings(max_examples=60)
def test_the_profile_is_what_all_values_say(model):
    profile, truth = check(model), Enumerated(model)
    allowed = {state: truth.results(state) for state in model.states}
    reached = truth.reachable()
    equivalent = [
        (s, r) for k, s in enumerate(model.states) for r in model.states[:k] if same_language(truth.step, s, r)
    ]
    assert profile.deterministic == all(len(found) <= 1 for here in allowed.values() for found in here.values())
    assert profile.complete == all(found for here in allowed.values() for found in here.values())
    assert profile.observable == all(
        len({y for y, _ in found}) == len(found) for here in allowed.values() for found in here.values()
    )
    assert profile.connected == (reached == set(model.states))
    assert profile.minimal == (profile.connected and not equivalent)
    merged = [finding for finding in profile.findings if finding.rule == "equivalent-states"]
    pairs = {
        (s, r)
        for finding in merged
        for k, s in enumerate(finding.witness["states"])
        for r in finding.witness["states"][:k]
    }
    assert pairs == set(equivalent)
    assert not any(finding.rule == "solver-unknown" for finding in profile.findings)


@given(sfsms())
@settings(max_examples=60)
def test_each_transition_is_judged_by_its_values(model):
    profile, truth = check(model), Enumerated(model)
    numbers: Counter = Counter()
    dead, silent, unanswered, answered_elsewhere = [], [], [], []
    for k, t in enumerate(model.transitions):
        numbers[t.source] += 1
        place = f"state {t.source}, transition {numbers[t.source]}"
        answered = {x for x, _ in truth.pairs[k]}
        if not truth.guarded[k]:
            dead.append(place)
        elif not answered:
            silent.append(place)
        elif answered < truth.guarded[k]:
            gaps = truth.guarded[k] - answered
            alone = any(not truth.results(t.source)[x] for x in gaps)
            (unanswered if alone else answered_elsewhere).append(place)
    assert places(profile, "unsatisfiable-guard") == listed(dead)
    assert places(profile, "not-well-formed") == listed(silent)
    assert places(profile, "output-out-of-range", Severity.ERROR) == listed(unanswered)
    assert places(profile, "output-out-of-range", Severity.WARNING) == listed(answered_elsewhere)


@given(sfsms())
@settings(max_examples=60)
def test_witnesses_show_what_is_said(model):
    profile, truth = check(model), Enumerated(model)
    for finding in profile.findings:
        if finding.witness is None or "states" in finding.witness:
            continue
        state = finding.where.split()[1].rstrip(",")
        given_inputs = tuple((v.name, finding.witness[v.name]) for v in model.inputs)
        results = truth.results(state)[given_inputs]
        outputs = tuple((v.name, finding.witness.get(v.name)) for v in model.outputs)
        others = tuple((v.name, finding.witness.get(v.name + "'")) for v in model.outputs)
        match finding.rule:
            case "incomplete":
                assert not results
            case "output-out-of-range" if finding.severity is Severity.ERROR:
                assert not results
            case "output-out-of-range":
                assert results
            case "nondeterministic":
                assert {outputs, others} <= {y for y, _ in results}
                assert len(results) > 1
            case "not-observable":
                assert len({target for y, target in results if y == outputs}) > 1
