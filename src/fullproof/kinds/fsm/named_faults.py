"""Fault domains by name: from options and the model to a suite, and to the answer whether a suite is complete."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from fullproof.artefacts.guarantee import RESET, About, Guarantee, Hypothesis, Strength, Theorem, Voucher, no_guarantee
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.request import Relation, StateDomain, SuiteRequest
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline
from fullproof.core.errors import NOWHERE, NothingToDo, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.kinds.fsm.changes import change_between
from fullproof.kinds.options import extra_states_of
from fullproof.kinds.suite import GeneratedSuite, header_for
from fullproof.model import Fsm, Model
from fullproof.model.fsm import FsmTransition
from fullproof.model.named_faults import FaultName, NamedFaults

if TYPE_CHECKING:
    from fullproof.certify.mutation_machine import MutationMachine
    from fullproof.certify.named_suite import NamedSuite
    from fullproof.mutate.fsm_listed import AlternativeFaults

M = TypeVar("M")
METHOD = "faults"
_AFFORDED = 50_000
"""Inputs of a suite for the larger domain with which the search may start."""


def named_faults_for(
    model: Fsm, request: SuiteRequest, at: Place = NOWHERE, *, finite: Callable[[Model, Place], Fsm] | None = None
) -> NamedFaults | None:
    """The faults that a request or the model names; None where neither does.

    ``finite``: what makes a finite machine of an older model, where the kind is another one.
    """
    stated = stated_faults(model, request, at)
    if stated is None or stated[0].changed_since is None:
        return None if stated is None else stated[0]
    old = older(stated[1], finite or _as_it_is)
    return change_between(old, model, at=Place(file=str(stated[1]))).limiting(stated[0])


def stated_faults(model: Model, request: SuiteRequest, at: Place) -> tuple[NamedFaults, Path] | None:
    """The faults as a request or the model names them, and the file of the older model where they name one."""
    found = model.description.fault_domain.faults
    here = Path(at.file).parent if at.file else Path()
    if request.faults is not None:
        found, here = asked_faults(request.faults)
    if request.since is not None:
        if found is None:
            found = NamedFaults(names=(FaultName.TRANSFER, FaultName.OUTPUT))
        found, here = dataclasses.replace(found, changed_since=str(request.since)), Path()
    if found is None or found.changed_since is None:
        return None if found is None else (found, here)
    path = here / found.changed_since
    if not path.exists():
        raise UserError(f"{path}: no such file, so what has changed is not known", at=found.at("key", "changed_since"))
    return found, path


def asked_faults(text: str) -> tuple[NamedFaults, Path]:
    """The faults that an option names, or the file that it names does; and the folder of that file."""
    from fullproof.formats.document.named_faults import read_faults_file

    known = {name.value: name for name in FaultName}
    parts = [part.strip() for part in text.split(",")]
    if all(part in known for part in parts):
        return NamedFaults(names=tuple(dict.fromkeys(known[part] for part in parts))), Path()
    path = Path(text)
    if path.suffix in (".yaml", ".yml", ".json") or path.is_file():
        return read_faults_file(path), path.parent
    wrong = next(part for part in parts if part not in known)
    hint = did_you_mean(wrong, known) or f"; expected {', '.join(known)}, or a file"
    raise UserError(f"--faults: {wrong!r} is no fault{hint}")


def older(path: Path, meant: Callable[[Model, Place], M]) -> M:
    """An older model, as ``meant`` reads it."""
    from fullproof.formats import read_model

    return meant(read_model(path), Place(file=str(path)))


def _as_it_is(model: Model, at: Place) -> Fsm:
    if not isinstance(model, Fsm):
        raise UserError(f"this is a model of kind {model.kind}, and a finite machine was expected", at=at)
    return model


def domain_of(model: Fsm, faults: NamedFaults, extra_states: int, at: Place = NOWHERE) -> MutationMachine:
    """The mutation machine of a model; a UserError where the model has none."""
    from fullproof.certify.machine import obstacle
    from fullproof.certify.mutation_machine import mutation_machine

    hindrance = obstacle(model)
    if hindrance is not None:
        raise UserError(f"faults by name are for complete deterministic machines: {hindrance}", at=at)
    try:
        return mutation_machine(model, faults, extra=extra_states)
    except UserError as error:
        raise UserError(error.message, at=at if error.at == NOWHERE else error.at) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForAnother:
    """What a finite machine is for a model of another kind that is tested by it."""

    called: str = "the model"
    over: Callable[[int], MutationMachine] | None = None
    """The domain for so many extra states, where faults are in other words than those of the machine."""


_ITSELF = ForAnother()


def suite_for_faults(
    model: Fsm,
    request: SuiteRequest,
    faults: NamedFaults,
    sha256: str,
    at: Place,
    *,
    stands_for: ForAnother = _ITSELF,
) -> GeneratedSuite:
    """Generate by counterexamples. Where the time ends before, the suite so far has no guarantee."""
    from fullproof.artefacts.words import word_list
    from fullproof.certify.mutation_machine import size_text
    from fullproof.certify.named_suite import named_suite
    from fullproof.certify.tree import maximal
    from fullproof.formats.document.named_faults import named_faults_text

    if request.relation not in (None, Relation.EQUIVALENCE):
        raise UserError(f"faults by name are tested for equivalence, not for {request.relation.value}", at=at)
    if request.method not in ("auto", METHOD):
        raise UserError(f"method {request.method!r} is not for faults by name; use {METHOD!r} or 'auto'", at=at)
    if request.domain is not StateDomain.STATES:
        message = f"faults by name are a fault domain of their own, and --domain {request.domain.value} is another one"
        raise UserError(message, at=at)
    begin, clock = time.perf_counter(), Deadline(request.timeout)
    extra = extra_states_of(model, request)
    domain = domain_of(model, faults, extra, at) if stands_for.over is None else stands_for.over(extra)
    if not domain.choices or domain.at_most == 0:
        raise NothingToDo("no transition of the model may be wrong, so there is nothing to test", at=at)
    first = _larger_suite(model, request, domain, clock)
    if first is not None and domain.is_everything:
        made = _trimmed(model, request, first.words, domain, clock)
    else:
        known = None if first is None else first.words
        made = named_suite(domain, known, clock=clock, reset_cost=request.reset_cost, seed=request.seed)
    size = size_text(domain.size())
    guarantee = (
        no_guarantee(made.undecided) if made.undecided else faults_guarantee(faults, size, extra, stands_for.called)
    )
    if made.note and first is not None and made.words == tuple(maximal(first.words)):
        guarantee = dataclasses.replace(guarantee, theorem=first.theorem)
    header = header_for(model, request, sha256=sha256, method=METHOD, guarantee=guarantee)
    return GeneratedSuite(
        header=dataclasses.replace(header, faults=named_faults_text(faults)),
        model=model,
        alphabet=model.inputs,
        words=word_list(sorted(list(word) for word in made.words)),
        states=len(model.states),
        notes=(MeaningNote(made.note),) if made.note else (),
        seconds=time.perf_counter() - begin,
        details={"faults": {"name": faults.text(), "size": size}},
        undecided=(made.undecided,) if made.undecided else (),
    )


@dataclass(frozen=True, slots=True)
class _LargerSuite:
    """Words that are complete for more machines than those of a domain, and what proves it."""

    words: list[tuple[int, ...]]
    theorem: Theorem


def _larger_suite(model: Fsm, request: SuiteRequest, domain: MutationMachine, clock: Deadline) -> _LargerSuite | None:
    """A suite for all machines with as many states as those of the domain, to start with; None where it is too large.

    Every machine of the domain is one of them, so that the suite is complete for the domain, too.
    """
    from fullproof.certify.machine import minimal
    from fullproof.generate.finite.suite import finite_suite

    extra = domain.states - minimal(domain.model).states
    asked = dataclasses.replace(request, method="auto", faults=None, since=None, relation=None)
    try:
        suite = finite_suite(model, asked, extra_states=extra, clock=clock)
    except UserError:
        return None
    sizes = [(len(piece), piece.total) for piece in suite.words.chunks()]
    if sum(inputs for _, inputs in sizes) > _AFFORDED:
        return None
    theorem = suite.guarantee.theorem
    if theorem is None:
        return None
    return _LargerSuite(
        [tuple(word.tolist()) for piece in suite.words.chunks() for word in piece],
        Theorem(
            f"complete for all machines with as many states as those of the domain: {theorem.name}", theorem.citations
        ),
    )


def _trimmed(
    model: Fsm, request: SuiteRequest, first: list[tuple[int, ...]], domain: MutationMachine, clock: Deadline
) -> NamedSuite:
    """The suite for all machines with as many states, trimmed as ``--shrink`` does: the domain has nothing less."""
    from fullproof.certify.machine import minimal
    from fullproof.certify.named_suite import NamedSuite
    from fullproof.certify.shrink import Ended, ShrinkLimits, shrink

    number = {name: k for k, name in enumerate(model.inputs)}
    result = shrink(
        model,
        [[model.inputs[symbol] for symbol in word] for word in first],
        extra_states=domain.states - minimal(domain.model).states,
        limits=ShrinkLimits(seconds=None if request.timeout is None else clock.left()),
        reset_cost=request.reset_cost,
        seed=request.seed,
    )
    note = f"the suite was not trimmed: {result.reason}" if result.ended is Ended.REFUSED else ""
    return NamedSuite(tuple(tuple(number[symbol] for symbol in word) for word in result.words), "", note)


def faults_guarantee(faults: NamedFaults, size: str, extra_states: int, stands_for: str = "the model") -> Guarantee:
    """For equivalence among the machines of a fault domain by name.

    ``stands_for``: what the machine is called, where a model of another kind is tested by it.
    """
    states = ""
    if extra_states:
        further = counted(extra_states, "further state")
        states = f", and {further}, where anything may happen and where these transitions may lead"
    return Guarantee(
        strength=Strength.PROVED,
        says="is equivalent to the model",
        hypotheses=(
            Hypothesis(
                about=About.MODEL,
                subject="the model",
                text="is deterministic and completely specified",
                by=Voucher.TOOL,
            ),
            Hypothesis(
                text=f"behaves like {stands_for}, in which each transition may have instead: {faults.text()}{states}",
                qualifier=f"a domain of {size}",
                by=Voucher.USER,
            ),
            RESET,
        ),
        theorem=Theorem("no machine of the domain survives: decided exactly", ("Petrenko and Yevtushenko 1992",)),
    )


def faults_text(model: Fsm, request: SuiteRequest, at: Place) -> str | None:
    """The fault domain by name that a request or the model asks for, as the head of a suite has it."""
    from fullproof.formats.document.named_faults import named_faults_text

    found = named_faults_for(model, request, at)
    return None if found is None else named_faults_text(found)


def listed_faults(model: Fsm, request: SuiteRequest) -> AlternativeFaults | None:
    """The single faults of the domain by name, for mutants, those with the states of the model.

    None where no faults are named.
    """
    from fullproof.certify.machine import spare_output
    from fullproof.mutate.fsm_listed import AlternativeFaults

    faults = named_faults_for(model, request)
    if faults is None:
        return None
    domain = domain_of(model, faults, 0)
    states = (model.initial, *(s for s in model.states if s != model.initial))
    # Outputs that only an older model has are outputs that the model does not have, and numbered behind its own.
    outputs = dict(enumerate(model.outputs))
    spare = spare_output(model)
    return AlternativeFaults(
        model,
        [
            FsmTransition(states[s], model.inputs[i], outputs.get(output, spare), states[target])
            for (s, i), target, output in domain.single_faults()
            if max(s, target) < len(states)
        ],
    )


def is_member(model: Fsm, mutant: Fsm, faults: str, extra_states: int) -> bool:
    """Whether a machine with the states of the model belongs to a fault domain by name; others are not looked at."""
    from fullproof.formats.document.named_faults import named_faults_of_text

    cells = {(t.source, t.input): t for t in mutant.transitions}
    wanted = {(s, i) for s in model.states for i in model.inputs}
    if mutant.initial != model.initial or cells.keys() != wanted or len(cells) != len(mutant.transitions):
        return False
    domain = domain_of(model, named_faults_of_text(faults, "the fault domain of the suite"), extra_states)
    number = {s: k for k, s in enumerate((model.initial, *(s for s in model.states if s != model.initial)))}
    output = {o: k for k, o in enumerate(model.outputs)}
    wrong = 0
    for s, i in wanted:
        way = number[cells[s, i].target], output.get(cells[s, i].output, domain.other)
        cell = number[s], model.inputs.index(i)
        if way[1] not in domain.choices_of(*cell).get(way[0], ()):
            return False
        wrong += way != domain.own(*cell)
    return domain.at_most is None or wrong <= domain.at_most
