"""The kind ``sfsm``: symbolic finite state machines, with guards and output expressions over values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.kinds.kind import (
    NO_CERTIFICATE,
    NO_REGIONS,
    NOT_ADAPTIVE,
    NOT_SHRUNK,
    CompletenessAsked,
    Kind,
)
from fullproof.kinds.methods import Method
from fullproof.kinds.shared import stand_in
from fullproof.model import Sfsm

if TYPE_CHECKING:
    from fullproof.artefacts.finding import Profile
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.artefacts.suite import SuiteHeader, TestInput
    from fullproof.certify.answers import Certificate
    from fullproof.core.errors import Place
    from fullproof.judge.oracle import Oracle
    from fullproof.kinds.classes import ClassesAsked
    from fullproof.kinds.comparison import Asked
    from fullproof.kinds.score import ScoringBasis
    from fullproof.kinds.sfsm.classes import ReadClasses
    from fullproof.kinds.sfsm.comparison import SfsmConformance
    from fullproof.kinds.sfsm.game import SfsmGame
    from fullproof.kinds.sfsm.player import SfsmPlayer
    from fullproof.kinds.sfsm.score import SfsmScorer
    from fullproof.kinds.suite import GeneratedSuite
    from fullproof.kinds.suspects import FaultSuspect, ProbesAsked, SuspectFaults
    from fullproof.model.common import Property
    from fullproof.mutate.engine import ListedFaults


def _check(model: Sfsm) -> Profile:
    from fullproof.check import check

    profile = check(model)
    if not model.description.properties:
        return profile
    from fullproof.check.remarks import arranged
    from fullproof.kinds.sfsm.properties import property_findings

    return replace(profile, findings=arranged((*profile.findings, *property_findings(model))))


def _classes(model: Sfsm, asked: ClassesAsked) -> ReadClasses:
    from fullproof.kinds.sfsm.classes import classes_of

    return classes_of(model, asked)


def _idle(model: Sfsm, request: object) -> Mapping[str, str]:
    from fullproof.kinds.sfsm.idle import idle

    return idle(model, request)


def _compare(model: Sfsm, asked: Asked) -> SfsmConformance:
    from fullproof.kinds.sfsm.comparison import SfsmConformance

    return SfsmConformance(model, asked)


def _certify(model: Sfsm, tests: Sequence[tuple[TestInput, ...]], asked: CompletenessAsked) -> Certificate:
    if asked.faults is not None:
        from fullproof.kinds.sfsm.fault_members import certify_named_values

        return certify_named_values(model, tests, asked)
    from fullproof.kinds.sfsm.certification import certify_sfsm

    return certify_sfsm(model, tests, asked)


def _named_faults(model: Sfsm, request: SuiteRequest, at: Place) -> str | None:
    from fullproof.formats.document.named_faults import named_faults_text
    from fullproof.kinds.sfsm.named_faults import faults_asked

    found = faults_asked(model, request, at)
    return None if found is None else named_faults_text(found)


def _tested(model: Sfsm) -> tuple[Relation, ...]:
    stated = (Relation.PROPERTY,) if model.description.properties else ()
    return (Relation.EQUIVALENCE, Relation.REDUCTION, *stated)


def _player(model: Sfsm, dice: Random) -> SfsmPlayer:
    from fullproof.kinds.sfsm.player import SfsmPlayer

    return SfsmPlayer(model, dice)


def _game(model: Sfsm, dice: Random) -> SfsmGame:
    from fullproof.kinds.sfsm.game import SfsmGame

    return SfsmGame(model, _player(model, dice))


def _suite(model: Sfsm, request: SuiteRequest, sha256: str, at: Place) -> GeneratedSuite:
    from fullproof.kinds.sfsm.suite import suite_for

    return suite_for(model, request, sha256, at)


def _faults(model: Sfsm, request: SuiteRequest) -> ListedFaults[Sfsm]:
    """The faults inside the fault domain of the model, and those with guards and outputs that the request adds."""
    from fullproof.kinds.options import extra_states_of
    from fullproof.kinds.sfsm.derived import derived_faults
    from fullproof.kinds.sfsm.fault_members import mutants_named
    from fullproof.mutate.sfsm import fault_alphabet, sfsm_faults

    named = mutants_named(model, request)
    if named is not None:
        return named
    derived = derived_faults(model, request)
    alphabet = fault_alphabet(model, guards=derived.guards, outputs=derived.outputs)
    return sfsm_faults(model, alphabet, extra_states=extra_states_of(model, request))


def _scorer(model: Sfsm, basis: ScoringBasis) -> SfsmScorer:
    from fullproof.kinds.sfsm.score import SfsmScorer

    return SfsmScorer(model, basis)


def _widened(model: Sfsm, header: SuiteHeader, at: Place) -> Sfsm:
    from fullproof.kinds.sfsm.claimed import with_domain

    return with_domain(model, header, at)


def _monitored(model: Sfsm, relation: Relation, names: Sequence[str], at: Place) -> tuple[Property, ...]:
    if relation is not Relation.PROPERTY and not names:
        return ()
    from fullproof.kinds.sfsm.properties import monitored

    return monitored(model, names, at)


def _admits_all(model: Sfsm) -> bool:
    from fullproof.kinds.sfsm.suspects import admits_all

    return admits_all(model)


def _probes(model: Sfsm, machine: Sfsm, asked: ProbesAsked) -> Iterable[Sequence[TestInput]]:
    from fullproof.kinds.sfsm.probes import probes_of

    return probes_of(model, machine, asked)


def _suspects(model: Sfsm, asked: SuspectFaults) -> Iterator[Iterable[FaultSuspect]]:
    from fullproof.kinds.sfsm.suspects import suspects_of

    return suspects_of(model, asked)


def _oracle(model: Sfsm, relation: Relation, properties: Sequence[Property]) -> Oracle:
    from fullproof.judge.oracle import Oracle
    from fullproof.judge.properties import PropertyOracle
    from fullproof.judge.sfsm import SfsmSemantics

    if relation is Relation.PROPERTY or properties:
        return PropertyOracle(model, properties, Relation.EQUIVALENCE if relation is Relation.PROPERTY else relation)
    return Oracle(SfsmSemantics(model, relation), relation)


def _formulas(model: Sfsm) -> tuple[tuple[str, str], ...]:
    from fullproof.kinds.sfsm.classes import shown_formulas

    return shown_formulas(model)


def _simpler(model: Sfsm) -> Callable[[TestInput], Iterator[TestInput]]:
    from fullproof.kinds.sfsm.simpler import simpler

    return simpler(model)


def _moves(model: Sfsm, alphabet: Sequence[TestInput]) -> Mapping[int, Mapping[int, int]]:
    from fullproof.kinds.shared import single_moves
    from fullproof.language.compile import compile_expression

    admits = [(t, compile_expression(t.guard, model.scope)) for t in model.transitions]
    return single_moves(
        model,
        (
            (t.source, k, t.target)
            for t, guard in admits
            for k, symbol in enumerate(alphabet)
            if isinstance(symbol, Mapping) and guard(symbol)
        ),
    )


_METHODS = (
    Method("general", "language partition testing", "Huang, Krafczyk and Peleska 2022, tables 2.4 and 5.1"),
    Method("separable", "separable alphabets", "Huang, Krafczyk and Peleska 2022, algorithms 1 and 2"),
    Method("abstraction", "finite abstraction", "Huang, Krafczyk and Peleska 2021"),
    Method("local", "transition witnesses", "a method of this project, see docs/proofs/transition-witnesses.md"),
)

SFSM: Kind[Sfsm] = Kind(
    name=Sfsm.kind,
    plural="symbolic machines",
    relation=Relation.EQUIVALENCE,
    compared=(
        Relation.EQUIVALENCE,
        Relation.REDUCTION,
        Relation.QUASI_REDUCTION,
        Relation.STRONG_REDUCTION,
        Relation.PROPERTY,
    ),
    has_expressions=True,
    check=_check,
    certify=_certify,
    named_faults=_named_faults,
    moves=_moves,
    classes=_classes,
    compare=_compare,
    suite=_suite,
    shrunk=None,
    methods=lambda _model, _relation: _METHODS,
    tested=_tested,
    faults=_faults,
    scorer=_scorer,
    widened=_widened,
    monitored=_monitored,
    judged=(Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.PROPERTY),
    oracle=_oracle,
    player=_player,
    interface=lambda model: model.interface,
    adaptive=None,
    admits_all=_admits_all,
    is_partial=lambda _: True,  # whether it is takes a proof; which inputs it admits is seen as a test goes along
    formulas=_formulas,
    stand_in=partial(stand_in, _player),
    suspects=_suspects,
    probes=_probes,
    simpler=_simpler,
    game=_game,
    idle=_idle,
    reasons={
        "--regions": NO_REGIONS,
        "--adaptive": NOT_ADAPTIVE,
        "--certificate": NO_CERTIFICATE,
        "--shrink": NOT_SHRUNK,
    },
)
