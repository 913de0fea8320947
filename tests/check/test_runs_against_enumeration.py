"""All that is said of random small systems, against all their runs. Where nothing is claimed, nothing can be wrong."""

from hypothesis import event, given, settings
from tests.check.models import named
from tests.oracles.runs import StateMachineRuns, StsRuns
from tests.strategies.systems import statemachines, stss

from fullproof.artefacts.finding import Finding, Profile, Severity
from fullproof.check import check
from fullproof.check.running.verdicts import DOUBT
from fullproof.language.syntax import Expression
from fullproof.language.values import in_range
from fullproof.model.sts import TAU


def agrees(claim: bool | None, truth: bool, what: str) -> None:
    event(f"{what}: {claim}")
    assert claim is None or claim == truth, what


def transition_of(model, finding: Finding) -> int:
    """The number of the transition that a place such as ``state s0, transition 2 (...)`` names."""
    _, source, _, number = finding.where.split()[:4]
    own = [k for k, t in enumerate(model.transitions) if t.source == source.rstrip(",")]
    return own[int(number) - 1]


def guards_of(model, finding: Finding) -> list[Expression]:
    """The guards of the two transitions that ``state s0, transitions 1 and 3`` names."""
    _, source, _, first, _, second = finding.where.split()
    own = [t.guard for t in model.transitions if t.source == source.rstrip(",")]
    return [own[int(first) - 1], own[int(second) - 1]]


def spelt_out(profile: Profile, rule: str) -> list[Finding]:
    return [finding for finding in named(profile, rule) if finding.where]


def check_common(model, profile: Profile, truth, visited: set[str]) -> None:
    agrees(profile.connected, visited == set(model.states), "connected")
    for finding in named(profile, "unreachable-state"):
        assert not visited & set(finding.witness["states"])
    for rule in ("unsatisfiable-guard", "never-taken"):
        for finding in spelt_out(profile, rule):
            assert transition_of(model, finding) not in truth.taken
    left = spelt_out(profile, "range-left")
    for finding in left:
        if finding.severity is Severity.ERROR:
            name = next(label for label in finding.witness if label.endswith("'")).rstrip("'")
            assert (transition_of(model, finding), name) in truth.leaving
            assert not in_range(finding.witness[f"{name}'"], truth.types[name])
    assert bool(truth.leaving) <= bool(left)
    assert truth.nondeterministic <= bool(named(profile, "nondeterministic"))
    unsure = bool(named(profile, "reachability-unknown"))
    event(f"reachability left open: {unsure}")
    if not unsure and not truth.leaving:
        silent = {
            transition_of(model, f) for rule in ("unsatisfiable-guard", "never-taken") for f in spelt_out(profile, rule)
        }
        unreachable = {k for k, t in enumerate(model.transitions) if t.source not in visited}
        if len(silent) < 5:
            assert set(range(len(model.transitions))) - truth.taken == silent | unreachable


@given(stss() | stss(gates=("a", "o", "d", TAU, TAU)))
@settings(max_examples=120)
def test_transition_systems(model):
    profile, truth = check(model), StsRuns(model)
    agrees(profile.deterministic, not (truth.nondeterministic or truth.internal), "deterministic")
    visited = {location for location, _ in truth.states}
    check_common(model, profile, truth, visited)
    agrees(profile.complete, not truth.refused, "complete")
    assert profile.observable == profile.deterministic
    assert profile.minimal is None
    for finding in named(profile, "quiescent"):
        for part in finding.where.removeprefix("location ").replace(" and ", ", ").split(", "):
            word = part.split()[0]
            assert word in truth.silent or not word.startswith("l")
    endless = named(profile, "divergence")
    event(f"divergence: {len(endless)}, open: {bool(named(profile, 'divergence-unknown'))}")
    if truth.diverges():
        assert endless or named(profile, "divergence-unknown")
    else:
        assert all(finding.message.endswith(DOUBT) for finding in endless)
    for finding in spelt_out(profile, "nondeterministic"):
        if "no run is known" not in finding.message:
            gate = finding.message.split()[0]
            evaluated = truth.scopes[gate]
            assert all(evaluated.holds(guard, finding.witness) for guard in guards_of(model, finding))


@given(statemachines())
@settings(max_examples=80)
def test_state_machines(model):
    profile, truth = check(model), StateMachineRuns(model)
    agrees(profile.deterministic, not truth.nondeterministic, "deterministic")
    check_common(model, profile, truth, truth.visited)
    agrees(profile.complete, not truth.stuck, "complete")
    for finding in named(profile, "choice-incomplete"):
        if finding.severity is Severity.ERROR:
            assert finding.where.split()[-1] in truth.stuck
    for finding in spelt_out(profile, "nondeterministic"):
        if "no run is known" not in finding.message:
            assert all(truth.evaluated.holds(guard, finding.witness) for guard in guards_of(model, finding))
    livelocks = named(profile, "livelock")
    event(f"livelock: {[f.severity.value for f in livelocks]}, open: {bool(named(profile, 'livelock-unknown'))}")
    if truth.has_livelock():
        assert livelocks or named(profile, "livelock-unknown")
    else:
        assert not any(finding.severity is Severity.ERROR for finding in livelocks)
