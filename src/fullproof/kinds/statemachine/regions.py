"""chart -> suite by the projections on its regions, with one guarantee: docs/proofs/regions.md."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.analysis.projection import OUTSIDE, Projection, owning_regions, projections
from fullproof.analysis.regions import ChartRegions
from fullproof.artefacts.guarantee import Guarantee, Hypothesis, Strength, Voucher
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.formats.charts.machine import flat_machine
from fullproof.generate.statemachine.claims import EQUIVALENT, notes, sequences
from fullproof.generate.statemachine.places import Inputs
from fullproof.generate.statemachine.regions import MOST_PROJECTIONS, affordable, one_suite, sends_apart
from fullproof.generate.statemachine.suite import EventQuestion, EventSuite
from fullproof.kinds.suite import GeneratedSuite, header_for
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent

PROOF = "docs/proofs/regions.md"
_DETAIL = " (after each"
"""How the figures of a single projection begin, in a sentence for all of them."""
_SHOWN = 6
"""How many projections a sentence names."""
SHARED_CELLS = 20_000
"""Configurations times events, over all projections, up to which each is tested with the inputs of all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeEvents:
    """A suite for a model, or for a projection of it, with what it guarantees."""

    method: str
    question: EventQuestion
    suite: EventSuite
    guarantee: Guarantee
    extra: int

    @property
    def states(self) -> int:
        """The states of the minimal machine of the tests."""
        finite = self.suite.finite
        return len(self.question.partition.states) if finite is None else finite.states

    @property
    def events(self) -> tuple[SignalEvent, ...]:
        """Those whose sequences the claim is about; none where it is about some sequences alone."""
        machine = self.suite.machine
        return machine.events if machine is not None and machine.is_complete else ()

    @property
    def calls(self) -> int:
        """How often the solver was asked."""
        found = self.question.justification
        return self.suite.calls + (0 if found is None else found.calls)

    @property
    def hypotheses(self) -> dict[str, str]:
        """FH1 to FH4, as far as they are needed."""
        return {} if self.suite.finite is None else {h.name: h.clause for h in self.guarantee.hypotheses if h.name}


@dataclass(frozen=True, slots=True)
class _Part:
    """A projection with its suite."""

    projection: Projection
    model: StateMachine
    made: MadeEvents

    @property
    def name(self) -> str:
        return " and ".join(self.projection.regions)

    @property
    def inputs(self) -> set[Inputs]:
        """The values of inputs that the claim is about."""
        return {event.inputs for event in self.made.events}

    @property
    def is_about_all(self) -> bool:
        """Whether the claim is about all sequences of events, or all of those of the tests."""
        return self.made.guarantee.says == EQUIVALENT


Making: TypeAlias = Callable[[StateMachine, SuiteRequest, Place, EventQuestion | None], MadeEvents]


def region_names(model: StateMachine) -> tuple[str, ...]:
    """The regions that own outputs; none of a chart with timers, whose suites are for the chart as a whole."""
    if model.chart is None or model.chart.timers:
        return ()
    return tuple(OUTSIDE if one is None else one for one in owning_regions(ChartRegions(model.chart)))


def regions_asked(model: StateMachine, request: SuiteRequest, at: Place) -> int | None:
    """The size of the sets of regions to project on; None where the suite is for the model as a whole."""
    asked = request.regions or "auto"
    names = region_names(model)
    if asked not in ("auto", "all"):
        if not asked.isascii() or not asked.isdigit() or int(asked) < 1:
            raise UserError(f"--regions must be a number from 1 on, all or auto, got {asked!r}", at=at)
        if model.chart is None or len(names) < 2:
            message = "--regions is for charts without timers in which two regions or more have outputs of their own"
            raise UserError(message, at=at)
    if model.chart is None or len(names) < 2 or asked == "all":
        return None
    size = affordable(ChartRegions(model.chart)) if asked == "auto" else int(asked)
    return None if size >= len(names) else size


def suite_by_regions(
    model: StateMachine,
    size: int,
    request: SuiteRequest,
    sha256: str,
    at: Place,
    *,
    make: Making,
) -> GeneratedSuite:
    """The suites of all projections on so many regions as one suite, which is judged on all outputs."""
    assert model.chart is not None
    begin = time.perf_counter()
    regions = ChartRegions(model.chart)
    listed = projections(regions, size)
    if len(listed) > MOST_PROJECTIONS:
        message = f"there are {len(listed):,} sets of {size} regions, more than {MOST_PROJECTIONS:,}: a smaller number?"
        raise UserError(message, at=at)
    parts: list[_Part] = []
    for one in listed:
        machine = flat_machine(one.chart)
        parts.append(_Part(one, machine, make(machine, request, at, None)))
    parts = _with_shared_inputs(parts, request, at, make)
    events, words = one_suite([part.made.suite for part in parts])
    proven = _guarantee(regions, parts, size)
    header = header_for(model, request, sha256=sha256, method=parts[0].made.method, guarantee=proven)
    first = parts[0].made
    return GeneratedSuite(
        header=dataclasses.replace(header, regions=size, events=tuple(part.made.events for part in parts)),
        model=model,
        alphabet=events,
        words=words,
        states=sum(part.made.states for part in parts),
        notes=tuple(_notes(regions, parts, size, asked=request.regions)),
        seconds=time.perf_counter() - begin,
        details={
            "events": len(events),
            "regions": [_figures(part) for part in parts],
            "fsm_method": sorted({p.made.suite.finite.method.name for p in parts if p.made.suite.finite is not None}),
            "fault_hypotheses": {h.name: h.clause for h in proven.hypotheses if h.name},
            "solver_calls": sum(part.made.calls for part in parts),
            "not_reached": sum(part.made.suite.missing for part in parts),
            "configurations": None if first.suite.machine is None else _configurations(parts),
        },
    )


def _with_shared_inputs(parts: list[_Part], request: SuiteRequest, at: Place, make: Making) -> list[_Part]:
    """The parts with one set of inputs for all, as the theorem has it, where that is not too much.

    A region may wrongly react to values that only guards of other regions distinguish; the model does not, so that
    its own classes have no tests for that.
    """
    shared = dict.fromkeys(event.inputs for part in parts for event in part.made.events)
    signals = 1 + len(parts[0].model.signals_in)
    places = sum(len(part.made.suite.machine.places) for part in parts if part.made.suite.machine is not None)
    if places * signals * len(shared) > SHARED_CELLS:
        return parts
    found: list[_Part] = []
    for part in parts:
        if part.made.events and part.inputs < shared.keys():
            question = dataclasses.replace(part.made.question, inputs=tuple(shared))
            part = dataclasses.replace(part, made=make(part.model, request, at, question))
        found.append(part)
    return found


def _is_shared(parts: Sequence[_Part]) -> bool:
    """Whether all parts are about sequences of the same events."""
    return all(part.made.events and part.inputs == parts[0].inputs for part in parts)


def whole_region(model: StateMachine, made: MadeEvents, extra: int) -> dict[str, object]:
    """The field ``regions`` of a suite for all regions together; nothing for a model without regions."""
    names = region_names(model)
    if len(names) < 2:
        return {}
    cone = [] if model.chart is None else list(ChartRegions(model.chart).names)
    return {"regions": [{"regions": list(names), "states": made.states, "extra_states": extra, "cone": cone}]}


def _figures(part: _Part) -> dict[str, object]:
    return {
        "regions": list(part.projection.regions),
        "states": part.made.states,
        "extra_states": part.made.extra,
        "cone": list(part.projection.cone),
    }


def _configurations(parts: Sequence[_Part]) -> int:
    return sum(len(part.made.suite.machine.places) for part in parts if part.made.suite.machine is not None)


def _guarantee(regions: ChartRegions, parts: Sequence[_Part], size: int) -> Guarantee:
    """One guarantee of those of the projections; none where one of them has none."""
    doubts = [
        f"for {part.name}, {reason}"
        for part in parts
        if part.made.guarantee.strength is not Strength.PROVED
        for reason in part.made.guarantee.reasons or ("its suite has no proof",)
    ]
    first = parts[0].made.guarantee
    if first.theorem is None or doubts:
        return Guarantee(strength=Strength.NONE, reasons=tuple(dict.fromkeys(doubts)) or ("nothing is proved",))
    count = len(owning_regions(regions))
    hypotheses = dict.fromkeys(h for part in parts for h in part.made.guarantee.hypotheses if h.name != "FH2")
    order = ", up to the order of signals of different regions within a step"
    rest = dict.fromkeys(text.split(_DETAIL)[0] for part in parts for text in part.made.guarantee.not_covered)
    complete = [part.inputs for part in parts if part.made.events]
    own = [f"faults by which what is seen of a {_set(size)} depends on values of inputs that its own tests do not have"]
    return Guarantee(
        strength=Strength.PROVED,
        says=_claim(parts) + (order if sends_apart(regions, [p.projection for p in parts]) else ""),
        hypotheses=(*_ordered(dict.fromkeys(_of_regions(h, parts) for h in hypotheses)), _bound(parts, size)),
        theorem=first.theorem.citing(PROOF),
        not_covered=(
            f"faults by which more than {counted(size, 'region')} of {count} act on each other (--regions {size + 1}), "
            f"where what is seen of {'one' if size == 1 else size} of them needs more states than that",
            *(own if any(one != complete[0] for one in complete) else ()),
            *rest,
        ),
    )


def _claim(parts: Sequence[_Part]) -> str:
    """Equivalence, or the sequences that are, for every projection, among those that its claim is about."""
    some = [part for part in parts if not part.is_about_all]
    if not some:
        return EQUIVALENT
    named = "; ".join(f"for {part.name}, {sequences(part.made.suite)}" for part in some[:_SHOWN])
    more = f"; and so on for {len(some) - _SHOWN} more" if len(some) > _SHOWN else ""
    return f"answers like the model on the sequences that the tests of every projection are about ({named}{more})"


def _of_regions(hypothesis: Hypothesis, parts: Sequence[_Part]) -> Hypothesis:
    """FH4 says whose trigger classes are meant: a projection has only those that its guards distinguish."""
    if hypothesis.name != "FH4":
        return hypothesis
    whose = "every projection" if _is_shared(parts) else "the projection that shows the fault"
    return dataclasses.replace(hypothesis, qualifier=f"where the trigger classes are those of {whose}")


def _ordered(hypotheses: dict[Hypothesis, None]) -> list[Hypothesis]:
    """Those about the model and FH1 first; each name once."""
    return list({h.name or h.text: h for h in sorted(hypotheses, key=lambda h: h.name)}.values())


def _bound(parts: Sequence[_Part], size: int) -> Hypothesis:
    """FH2 for all projections."""
    extra = parts[0].made.extra
    named = ", ".join(f"{part.name}: {part.made.states:,} + {extra}" for part in parts[:_SHOWN])
    more = f" and {len(parts) - _SHOWN} more" if len(parts) > _SHOWN else ""
    on = "the sequences that its own tests are about"
    if _is_shared(parts):
        on = f"sequences of {counted(len(parts[0].made.events), 'event')} of the tests"
    return Hypothesis(
        name="FH2",
        subject="",
        text=f"every output belongs to a {_set(size)} of which what is seen behaves, on {on}, "
        f"like a machine with at most as many states as the model has there when minimal + {extra} extra "
        f"({named}{more})",
        by=Voucher.USER,
    )


def _set(size: int) -> str:
    return "region" if size == 1 else f"set of {size} regions"


def _notes(regions: ChartRegions, parts: Sequence[_Part], size: int, *, asked: str | None) -> list[str]:
    count = len(owning_regions(regions))
    chosen = "" if asked not in (None, "auto") else ", the largest number that auto can afford"
    sets = f"{counted(len(parts), 'projection')} on {counted(size, 'region')} of {count}{chosen}"
    found: list[str] = [MeaningNote(f"the suite is for {sets}: faults between more regions may pass (--regions)")]
    whole = [part.name for part in parts if part.projection.whole]
    if whole:
        named = ", ".join(whole[:_SHOWN])
        found.append(MeaningNote(f"the cone of influence of {named} is all regions"))
    for part in parts:
        found += [
            type(note)(f"{part.name}: {note}") if isinstance(note, MeaningNote) else note
            for note in notes(part.made.suite, part.made.question.partition, part.model)
        ]
    return list(dict.fromkeys(found))
