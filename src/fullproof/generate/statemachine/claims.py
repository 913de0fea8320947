"""What a suite for a state machine guarantees: docs/proofs/statemachine-suites.md, Theorem 1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import comb, prod

from fullproof.artefacts.guarantee import About, Guarantee, Hypothesis, Strength, Voucher
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.partition import ClassPartition
from fullproof.core.counted import counted
from fullproof.generate.statemachine.suite import EventSuite
from fullproof.generate.statemachine.undetected import undetected_notes
from fullproof.language.printer import value_to_text
from fullproof.language.types import Variable
from fullproof.language.values import count_of
from fullproof.model import StateMachine
from fullproof.model.common import FaultDomain

PROOF = "docs/proofs/statemachine-suites.md"
EQUIVALENT = "is equivalent to the model"


def guarantee(model: StateMachine, domain: FaultDomain, suite: EventSuite, *, extra_states: int) -> Guarantee:
    """What is not covered, and the theorem with its hypotheses."""
    assert suite.finite is not None
    method = suite.finite.method
    return Guarantee(
        strength=Strength.PROVED,
        says=EQUIVALENT,
        hypotheses=(_checked(model, suite), *_hypotheses(model, domain, suite, extra_states=extra_states)),
        theorem=method.theorem.citing(PROOF),
        not_covered=_not_covered(model, suite, extra_states=extra_states),
    )


def finite_part(whole: Guarantee, suite: EventSuite, doubts: tuple[str, ...]) -> Guarantee:
    """The guarantee for a part of the model, which does not depend on classes: FH1 and FH2 alone are assumed."""
    kept = tuple(h for h in whole.hypotheses if h.name in ("FH1", "FH2"))
    return replace(
        whole,
        says=f"answers like the model on {sequences(suite)}",
        hypotheses=kept,
        not_covered=(
            f"all other sequences, since {'; '.join(doubts)}",
            *(text for text in whole.not_covered if "unless FH3" not in text),
        ),
    )


def _checked(model: StateMachine, suite: EventSuite) -> Hypothesis:
    """The hypotheses that fullproof has checked on the model."""
    text = (
        "has no other events than those of the tests"
        if _takes_all_events(model, suite)
        else "has the classes that the tests are chosen from"
    )
    return Hypothesis(about=About.MODEL, subject="the model", text=text, by=Voucher.TOOL)


def _hypotheses(
    model: StateMachine, domain: FaultDomain, suite: EventSuite, *, extra_states: int
) -> Iterator[Hypothesis]:
    """FH1 to FH4 as they are needed for this suite."""
    assert suite.finite is not None
    states = suite.finite.states
    total = states + extra_states
    on = sequences(suite)
    rest = ", one of them for all other sequences," if suite.finite.is_partial else ""
    inexact = any(variable.tolerance is not None for variable in model.outputs)
    exact = ", means the model's value where one is within the tolerance" if inexact else ""
    first = f"is deterministic, answers every event{exact} and is reset reliably before each test"
    yield Hypothesis(name="FH1", text=first, by=Voucher.USER)
    yield Hypothesis(
        name="FH2",
        subject="",
        text=f"on {on} it behaves like a machine with at most {counted(total, 'state')} "
        f"({states:,} of the minimal model{rest} + {extra_states:,} extra)",
        by=Voucher.USER,
    )
    if _takes_all_events(model, suite):
        return
    yield Hypothesis(name="FH3", subject="", text=_third(model, domain), by=Voucher.USER)
    widths = ", ".join(f"{p.variable} by {value_to_text(p.width)}" for p in domain.paving)
    within = f"within intervals ({widths}) of a trigger class" if widths else "within a trigger class"
    yield Hypothesis(
        name="FH4",
        subject="",
        text=f"a fault shows everywhere {within} or on a facet of its boundary, so that a system that errs at all errs "
        "on some of these sequences",
        by=Voucher.USER,
    )


def sequences(suite: EventSuite) -> str:
    """The words that a claim is about."""
    assert suite.machine is not None
    count = counted(len(suite.machine.events), "event")
    if suite.finite is None or not suite.finite.is_partial:
        return f"sequences of {count} of the tests"
    places = counted(len(suite.machine.places), "chosen configuration")
    if suite.machine.is_closed:
        return f"those sequences of {count} of the tests that keep the model within {places}"
    steps = counted(suite.machine.steps, "chosen step")
    return f"those sequences of {count} of the tests that take the model by {steps} alone within {places}"


def _third(model: StateMachine, domain: FaultDomain) -> str:
    if domain.degree is None:
        return "one data point of each class shows a wrong transformation"
    count = len(model.inputs) + len(model.outputs) + len(model.variables)
    points = comb(domain.degree + count, domain.degree)
    return (
        f"transformations are polynomials of degree {domain.degree} ({points} independent points each), and a wrong "
        "one shows at such points"
    )


def _takes_all_events(model: StateMachine, suite: EventSuite) -> bool:
    assert suite.finite is not None and suite.machine is not None
    return not suite.finite.is_partial and _all_there_are(model.inputs) * len(_signals(model)) == len(
        suite.machine.events
    )


def _signals(model: StateMachine) -> tuple[str | None, ...]:
    return (None, *model.signals_in)


def _all_there_are(inputs: tuple[Variable, ...]) -> int:
    """How many inputs there are; 0 where there are infinitely many."""
    return prod(count_of(variable.type) or 0 for variable in inputs)


def _not_covered(model: StateMachine, suite: EventSuite, *, extra_states: int) -> tuple[str, ...]:
    """What is not covered although a reader might assume it; nothing for a machine of control states tested on all
    events.
    """
    assert suite.finite is not None
    found = list[str]()
    complete = _takes_all_events(model, suite)
    if model.variables or model.outputs or not complete:
        further = "any configurations"
        if extra_states:
            further = f"more than {counted(extra_states, 'configuration')}"
        found.append(
            f"faults that lead to {further} (a control state with values) which the model does not "
            "reach by the chosen events, as a wrong target or a lost assignment can"
        )
        if suite.identified is not None:
            found[-1] += (
                f" (after each of the {suite.identified.steps:,} steps of the cover the tests tell the class reached "
                "from all others, which finds many of these faults and proves nothing about them)"
            )
    if not complete:
        found.append("faults that show only at other values than those tested, unless FH3 and FH4 hold for them")
    if suite.missing:
        found.append(
            f"faults that show only in {suite.missing:,} of {suite.wanted:,} pairs of a state class and a letter, "
            "which the tests do not meet"
        )
    if suite.thin:
        found.append(f"what {counted(suite.thin, 'step')} with too few independent data points leave open")
    if suite.identified is not None and suite.identified.never:
        found.append(f"what tells {counted(len(suite.identified.never), 'pair')} of classes apart, which no test does")
    return tuple(found)


def notes(suite: EventSuite, partition: ClassPartition, model: StateMachine) -> tuple[str, ...]:
    """Notes for the user on how the suite was found."""
    cover, found = suite.cover, list[str]()
    never = [c for k, c in enumerate(partition.states) if k not in cover.classes]
    if never and cover.steps:
        states = sorted({c.state for c in never})
        names = ", ".join(states[:8]) + (f" and {len(states) - 8} more" if len(states) > 8 else "")
        found.append(
            f"no concrete path was found to {len(never)} of {len(partition.states)} state classes (of {names})"
        )
    if not cover.in_time:
        found.append("the time for the transition cover was over before all places had been tried (--timeout)")
    if suite.thin:
        found.append(
            f"{counted(suite.thin, 'step has', 'steps have')} fewer independent data points than FH3 asks for: "
            f"no more were found"
        )
    if not suite.starts_in_class:
        found.append("the initial state does not wait for an event: Definition 1 says nothing about the first one")
    if suite.identified is not None:
        found += undetected_notes(suite.identified, partition, model)
    if suite.open:
        found.append(f"the solver left {counted(suite.open, 'question')} for inputs open, which counts as not reached")
    return (*map(MeaningNote, found), *(() if suite.finite is None else suite.finite.notes))
