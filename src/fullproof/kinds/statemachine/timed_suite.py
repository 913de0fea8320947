"""State machines with timers: from options and the model to a fault domain, to a suite, and to its certificate."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from fullproof.artefacts.guarantee import RESET, About, Guarantee, Hypothesis, Strength, Theorem, Voucher, no_guarantee
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.request import Relation, StateDomain, SuiteRequest
from fullproof.artefacts.written_states import written_states
from fullproof.core.errors import NOWHERE, NothingToDo, Place, UserError
from fullproof.kinds.fsm.named_faults import METHOD, asked_faults
from fullproof.kinds.options import extra_states_of
from fullproof.kinds.statemachine.tolerances import outside_tolerances
from fullproof.kinds.suite import GeneratedSuite, header_for
from fullproof.language.durations import duration_of, duration_to_text
from fullproof.model import StateMachine
from fullproof.model.inputs import Advance, SignalEvent, TestInput
from fullproof.model.named_faults import OF_TIMERS, TIMED_MEANINGS, FaultName, NamedFaults

if TYPE_CHECKING:
    from fullproof.analysis.timed_abstraction import TimedAbstraction
    from fullproof.certify.answers import Certificate
    from fullproof.certify.timed_domain import TimedDomain
    from fullproof.certify.timed_member import TimedWord
    from fullproof.kinds.kind import CompletenessAsked
    from fullproof.model.timed import TimedMachine
    from fullproof.mutate.engine import ListedFaults

_DEFAULT = NamedFaults(
    names=(FaultName.TRANSFER, FaultName.OUTPUT, FaultName.DURATION, FaultName.START),
    at_most=2,
)
"""Where neither the request nor the model names faults."""


def timed_faults(
    model: StateMachine, request: SuiteRequest, at: Place = NOWHERE, *, given: NamedFaults | None = None
) -> NamedFaults:
    """The faults that are given, or that a request or the model names, or the default; with margin and tolerance."""
    found = given or model.description.fault_domain.faults or _DEFAULT
    if request.faults is not None:
        found, _ = asked_faults(request.faults)
    if request.since is not None or found.changed_since is not None:
        raise UserError("what changed since an older model is known of finite machines without timers alone", at=at)
    if found.alternatives or found.transitions is not None:
        raise UserError("alternatives of transitions can be listed for finite machines without timers alone", at=at)
    shortest = min(timer.duration for timer in model.timers)
    margin = _seconds(request.margin, "--margin") or found.margin or shortest / 10
    tolerance = _seconds(request.tolerance, "--tolerance") or found.tolerance or 2 * margin
    return dataclasses.replace(found, margin=margin, tolerance=tolerance)


def _seconds(text: str | None, option: str) -> Fraction | None:
    if text is None:
        return None
    try:
        found = duration_of(text, {})
    except UserError as error:
        raise UserError(f"{option}: {error.message}") from None
    if found == 0:
        raise UserError(f"{option} must be above 0 s")
    return found


def faults_text(model: StateMachine, request: SuiteRequest, at: Place) -> str | None:
    """The fault domain that a request or the model asks for, as the head of a suite has it; None without timers."""
    from fullproof.formats.document.named_faults import named_faults_text

    if not model.timers:
        if request.faults is not None or request.since is not None:
            raise UserError("--faults is for state machines with timers, and for finite machines", at=at)
        return None
    return named_faults_text(timed_faults(model, request, at))


def timed_mutants(model: StateMachine, request: SuiteRequest) -> ListedFaults[StateMachine]:
    """The single faults of timers, for mutants."""
    from fullproof.mutate.engine import ListedFaults
    from fullproof.mutate.statemachine_timers import timer_faults

    asked = timed_faults(model, request)
    assert asked.tolerance is not None
    names = {name.value for name in asked.names if name in OF_TIMERS}
    if not names:
        known = ",".join(sorted(name.value for name in OF_TIMERS))
        raise UserError(f"mutants of a model with timers have faults of its timers: --faults {known}, or one of them")
    every = timer_faults(model, tolerance=asked.tolerance)
    return ListedFaults(lambda machine: (one for one in every.each(machine) if one.operator in names), every.identity)


def domain_of(
    model: StateMachine, faults: NamedFaults, extra: int, at: Place = NOWHERE, *, delays: Collection[Fraction] = ()
) -> tuple[TimedAbstraction, TimedDomain]:
    """The finite timed machine of a model, and the domain over it; a UserError where there is none."""
    from fullproof.analysis.timed_abstraction import timed_abstraction
    from fullproof.certify.timed_domain import timed_domain

    try:
        whole = timed_abstraction(model)
        domain = timed_domain(
            whole.machine,
            faults,
            margin=faults.margin,
            tolerance=faults.tolerance,
            extra=extra,
            delays=delays,
        )
    except UserError as error:
        raise UserError(error.message, at=at if error.at == NOWHERE else error.at) from None
    return whole, domain


def timed_suite_for(model: StateMachine, request: SuiteRequest, sha256: str, at: Place) -> GeneratedSuite:
    """Generate by counterexamples. Where the time ends before, the suite so far has no guarantee."""
    from fullproof.artefacts.words import word_list
    from fullproof.certify.mutation_machine import size_text
    from fullproof.certify.timed_suite import timed_suite
    from fullproof.formats.document.named_faults import named_faults_text

    _refuse(request, at)
    begin = time.perf_counter()
    faults, extra = timed_faults(model, request, at), extra_states_of(model, request)
    whole, domain = domain_of(model, faults, extra, at)
    if not domain.decisions:
        raise NothingToDo("nothing of the model may be wrong, so there is nothing to test", at=at)
    made = timed_suite(domain, seconds=request.timeout, reset_cost=request.reset_cost)
    size = size_text(domain.size())
    proven = no_guarantee(made.undecided) if made.undecided else timed_guarantee(whole.machine, faults, size, extra)
    proven = outside_tolerances(proven, model.outputs)
    header = header_for(model, request, sha256=sha256, method=METHOD, guarantee=proven)
    delays = sorted({symbol for word in made.words for symbol in word if symbol < 0}, reverse=True)
    number = {delay: len(whole.events) + k for k, delay in enumerate(delays)}
    waits: tuple[TestInput, ...] = tuple(Advance(domain.seconds(-delay)) for delay in delays)
    waiting = sum((-symbol for word in made.words for symbol in word if symbol < 0), 0)
    return GeneratedSuite(
        header=dataclasses.replace(header, faults=named_faults_text(faults)),
        model=model,
        alphabet=(*whole.events, *waits),
        words=word_list([number.get(symbol, symbol) for symbol in word] for word in made.words),
        states=max(len(whole.machine.locations), written_states(model)),
        notes=_notes(domain),
        seconds=time.perf_counter() - begin,
        details={
            "faults": {"name": faults.text(TIMED_MEANINGS), "size": size},
            "timers": [{"name": t.name, "seconds": float(t.duration), "periodic": t.periodic} for t in model.timers],
            "margin": float(faults.margin or 0),
            "tolerance": float(faults.tolerance or 0),
            "waiting": float(domain.seconds(waiting)),
        },
        undecided=(made.undecided,) if made.undecided else (),
    )


def _refuse(request: SuiteRequest, at: Place) -> None:
    if request.relation not in (None, Relation.EQUIVALENCE):
        raise UserError("suites for a statemachine are for equivalence", at=at)
    if request.domain is not StateDomain.STATES:
        raise UserError("suites for a statemachine are for --domain states", at=at)
    if request.regions not in (None, "auto"):
        raise UserError("--regions is for charts without timers", at=at)
    if request.method not in ("auto", METHOD):
        message = f"method {request.method!r} knows no time; use {METHOD!r} or 'auto' for a model with timers"
        raise UserError(message, at=at)


def _notes(domain: TimedDomain) -> tuple[str, ...]:
    from fullproof.certify.timed_member import MemberRuns
    from fullproof.certify.timed_product import hidden_locations
    from fullproof.check.remarks import some_of

    hidden = hidden_locations(MemberRuns(domain))
    if not hidden:
        return ()
    reason = "reached only behind a race of timers, or left within the margin (see check)"
    return (MeaningNote(f"the suite says nothing of {some_of(hidden)}: {reason}"),)


def timed_guarantee(machine: TimedMachine, faults: NamedFaults, size: str, extra_states: int) -> Guarantee:
    """For equivalence among the members of a domain with timers, on runs that keep the margin and have no race.

    Races need a location in which two timers run.
    """
    states = f" and {extra_states:,} further state{'s' if extra_states > 1 else ''}" if extra_states else ""
    margin, instead = duration_to_text(faults.margin or Fraction(0)), faults.text(TIMED_MEANINGS)
    races = ", up to races of timers," if any(len(timers) > 1 for timers in machine.running) else ""
    return Guarantee(
        strength=Strength.PROVED,
        says=f"is equivalent to the model{races} wherever inputs keep {margin} away from its timeouts",
        hypotheses=(
            Hypothesis(
                about=About.MODEL,
                subject="the model",
                text="is deterministic and has finitely many states with values",
                by=Voucher.TOOL,
            ),
            Hypothesis(
                text=f"behaves like the model, in which moves and timers may have instead: {instead}{states}",
                qualifier=f"a domain of {size}",
                by=Voucher.USER,
            ),
            RESET,
        ),
        theorem=Theorem("no member of the domain survives: decided over all real delays", ("docs/proofs/time.md",)),
    )


def certify_timed(model: StateMachine, tests: Sequence[tuple[TestInput, ...]], asked: CompletenessAsked) -> Certificate:
    """Whether every member of the domain that answers all tests as the model does is equivalent to it."""
    from fullproof.certify.answers import up_to_tolerances
    from fullproof.certify.timed_check import certify_timed_domain
    from fullproof.formats.document.named_faults import named_faults_of_text

    if asked.faults is None:
        faults = timed_faults(model, SuiteRequest())
    else:
        faults = timed_faults(model, SuiteRequest(), given=named_faults_of_text(asked.faults, "the fault domain"))
    events = [[_event(model, symbol) for symbol in test] for test in tests]
    delays = {symbol.seconds for test in events for symbol in test if isinstance(symbol, Advance)}
    whole, domain = domain_of(model, faults, asked.extra_states, delays=delays)
    answer = certify_timed_domain(domain, [_word(whole, domain, test) for test in events], seconds=asked.seconds)
    return up_to_tolerances(answer, model.outputs)


def _event(model: StateMachine, symbol: TestInput) -> Advance | SignalEvent:
    """An input of a suite, which may be a plain object where the suite has no head."""
    found = symbol if isinstance(symbol, Advance | SignalEvent) else model.interface.decode(symbol)
    if (misfit := model.interface.misfit(found)) is not None:
        raise UserError(f"the suite has {misfit}")
    assert isinstance(found, Advance | SignalEvent)
    return found


def _word(whole: TimedAbstraction, domain: TimedDomain, test: Sequence[Advance | SignalEvent]) -> TimedWord:
    """A test as numbers; a delay of 0 s is none."""
    number = {event: k for k, event in enumerate(whole.events)}
    found = []
    for symbol in test:
        if isinstance(symbol, Advance):
            found += [-int(symbol.seconds / domain.unit)] if symbol.seconds else []
        elif symbol not in number:
            raise UserError(f"the suite has an event that the finite machine of the model lacks: {symbol.written()}")
        else:
            found.append(number[symbol])
    return tuple(found)
