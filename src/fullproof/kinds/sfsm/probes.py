"""Tests that confirm the cause of a failing symbolic machine: a system that passes them behaves like one machine."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE, UserError
from fullproof.kinds.sfsm.claimed import claimed_expressions
from fullproof.kinds.sfsm.question import question_of
from fullproof.kinds.suspects import ProbesAsked
from fullproof.language.parser import parse_expression
from fullproof.language.printer import value_to_text
from fullproof.language.syntax import Expression
from fullproof.language.types import IntType, RealType
from fullproof.model import Sfsm
from fullproof.model.common import FaultDomain
from fullproof.model.state_output import unobserved

if TYPE_CHECKING:
    from fullproof.artefacts.suite import TestInput
    from fullproof.kinds.suite import GeneratedSuite


def probes_of(model: Sfsm, machine: Sfsm, asked: ProbesAsked) -> Iterator[Sequence[TestInput]]:
    """A suite that is complete for the typical faults of the machine, and for the guards and outputs of the model.

    It also has tests with the least and the largest inputs: a boundary that moved far shows there. Systems may have as
    many states as the machine was written with, though some of those may be equivalent, and as many more than the
    minimal model as the run says. Where that takes more than the steps that are left, the extra states of the run are
    tested with the guards and outputs of its fault domain alone, and typical faults without them. A UserError at the
    end says that the steps are not enough for that either. Steps alone bound the solver, so that no clock decides.
    """
    typical = _described(machine, _typical(model))
    least = _states(machine)
    known = _states(model) if asked.extra_states else 0
    written = max(0, len(machine.states) - least)
    more = max(written, known + asked.extra_states - least)
    first = _suite(typical, 0, mutate=True)
    larger = _Larger(typical, first, least, asked)
    found = larger.of(more)
    if found is None and more > written:
        wide, claimed = larger.of(written), _claimed(model, asked)
        if wide is not None and claimed is not None:
            of_run = _suite(_described(machine, claimed), more, mutate=False)
            found = asked.afforded(chain(wide, _words(of_run)))
    if found is None:
        yield from () if asked.is_over() else _words(first)
        raise UserError("a suite for all systems that the run is about is too large")
    yield from found


@dataclasses.dataclass(frozen=True, slots=True)
class _Larger:
    """Suites for systems with more states, each only where the steps may be enough."""

    machine: Sfsm
    first: GeneratedSuite
    """The one for systems with as many states as the machine has."""
    states: int
    asked: ProbesAsked

    def of(self, extra: int) -> Iterable[Sequence[TestInput]] | None:
        """The words of the suite with extra states; None where it takes more steps than are left."""
        if extra == 0:
            return list(_words(self.first))
        # After each state all words of one input more than extra states are tested, and each input of a suite ends one
        # of those words at most: a suite has about this many inputs at least.
        inputs = self.first.details["representatives"]
        assert isinstance(inputs, int)
        if self.states * inputs ** (extra + 1) > self.asked.steps:
            return None
        return self.asked.afforded(_words(_suite(self.machine, extra, mutate=True)))


def _states(machine: Sfsm) -> int:
    """How many states it has at least. A wider fault domain does not change that, and takes long."""
    plain = SuiteRequest(extra_states=0)
    return question_of(_described(machine, FaultDomain()), plain, at=NOWHERE).letters.states


def _described(machine: Sfsm, domain: FaultDomain) -> Sfsm:
    description = dataclasses.replace(machine.description, fault_domain=domain, properties=())
    return dataclasses.replace(machine, description=description)


def _typical(model: Sfsm) -> FaultDomain:
    """The expressions of the model and of its fault domain, and the ends of the ranges of inputs."""
    named, own = model.description.fault_domain, unobserved(model)
    assert isinstance(own, Sfsm)
    return FaultDomain(
        guards=tuple(dict.fromkeys((*named.guards, *(t.guard for t in own.transitions), *_ends(model)))),
        outputs=tuple(dict.fromkeys((*named.outputs, *(t.output for t in model.transitions)))),
    )


def _claimed(model: Sfsm, asked: ProbesAsked) -> FaultDomain | None:
    """The expressions of the fault domain of the run; None where it has more than a list of them."""
    named, given = model.description.fault_domain, asked.domain
    families = named.thresholds or named.degree is not None if given is None else given.families
    if families:
        return None
    guards, outputs = ((), ()) if given is None else claimed_expressions(model, given, at=NOWHERE)
    return FaultDomain(
        guards=tuple(dict.fromkeys((*named.guards, *guards, *(t.guard for t in model.transitions)))),
        outputs=tuple(dict.fromkeys((*named.outputs, *outputs, *(t.output for t in model.transitions)))),
    )


def _suite(machine: Sfsm, extra: int, *, mutate: bool) -> GeneratedSuite:
    """A suite by the method that asks least of the solver, else by one that asks for more.

    ``general`` takes a twentieth of the time of ``separable`` where outputs are hard to distinguish.
    """
    from fullproof.kinds.sfsm.suite import suite_for

    request = SuiteRequest(mutate_guards=mutate, mutate_outputs=mutate, extra_states=extra)
    try:
        return suite_for(machine, dataclasses.replace(request, method="general"), "", NOWHERE)
    except UserError:
        return suite_for(machine, dataclasses.replace(request, method="separable"), "", NOWHERE)


def _words(suite: GeneratedSuite) -> Iterator[Sequence[TestInput]]:
    return (test.inputs for test in suite.tests())


def _ends(model: Sfsm) -> Iterator[Expression]:
    for variable in model.inputs:
        if isinstance(variable.type, IntType | RealType):
            for sign, end in (("<=", variable.type.low), (">=", variable.type.high)):
                if end is not None:
                    yield parse_expression(f"{variable.name} {sign} {value_to_text(end)}")
