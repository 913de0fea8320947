"""The kind ``fsm``: finite Mealy machines, which may be partial and nondeterministic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.kinds.kind import NO_REGIONS, CompletenessAsked, Kind
from fullproof.kinds.shared import checked, stand_in
from fullproof.model import Fsm

if TYPE_CHECKING:
    from fullproof.artefacts.execution import Execution
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.artefacts.suite import TestInput
    from fullproof.certify.answers import Certificate, Complete, Open
    from fullproof.certify.certificate_check import Accepted, Rejected
    from fullproof.core.errors import Place
    from fullproof.judge.oracle import Oracle
    from fullproof.kinds.comparison import Asked
    from fullproof.kinds.conduct import RunOrder
    from fullproof.kinds.fsm.adaptive import Adaptive
    from fullproof.kinds.fsm.comparison import FsmConformance
    from fullproof.kinds.fsm.game import FsmGame
    from fullproof.kinds.fsm.player import FsmPlayer
    from fullproof.kinds.fsm.score import FsmScorer
    from fullproof.kinds.methods import Method
    from fullproof.kinds.score import ScoringBasis
    from fullproof.kinds.suite import GeneratedSuite
    from fullproof.kinds.suspects import FaultSuspect, ProbesAsked, SuspectFaults
    from fullproof.model.common import Property
    from fullproof.mutate.fsm import FsmFaults


def _certify(model: Fsm, tests: Sequence[tuple[TestInput, ...]], asked: CompletenessAsked) -> Certificate:
    from fullproof.certify import certify

    words = [tuple(map(str, test)) for test in tests]
    if asked.faults is None:
        return certify(model, words, extra_states=asked.extra_states, timeout=asked.seconds, relation=asked.relation)
    if asked.relation is not Relation.EQUIVALENCE:
        from fullproof.certify.answers import UndecidedCompleteness

        reason = f"faults by name are decided for equivalence, not for {asked.relation.value}"
        return UndecidedCompleteness(reason=reason)
    from fullproof.certify.named_check import certify_named
    from fullproof.formats.document.named_faults import named_faults_of_text

    faults = named_faults_of_text(asked.faults, "the fault domain of the suite")
    return certify_named(model, words, faults, extra_states=asked.extra_states, timeout=asked.seconds)


def _certificate(
    model: Fsm, words: Sequence[tuple[str, ...]], answer: Complete, extra_states: int, seconds: float
) -> str | Open:
    from fullproof.certify.certificate import certificate

    return certificate(model, words, answer, extra_states=extra_states, timeout=seconds)


def _certificate_hindrance(model: Fsm) -> str | None:
    from fullproof.certify.machine import obstacle

    return obstacle(model)


def _check_certificate(model: Fsm, words: Sequence[tuple[str, ...]], text: bytes) -> Accepted | Rejected:
    from fullproof.certify.certificate_check import check_certificate

    return check_certificate(model, words, text)


def _named_faults(model: Fsm, request: SuiteRequest, at: Place) -> str | None:
    from fullproof.kinds.fsm.named_faults import faults_text

    return faults_text(model, request, at)


def _idle(model: Fsm, request: object) -> Mapping[str, str]:
    from fullproof.kinds.fsm.idle import idle

    return idle(model, request)


def _compare(model: Fsm, asked: Asked) -> FsmConformance:
    from fullproof.kinds.fsm.comparison import FsmConformance

    return FsmConformance(model, asked)


def _methods(model: Fsm, relation: Relation) -> tuple[Method, ...]:
    from fullproof.kinds.fsm.methods import methods_for

    return methods_for(model, relation)


def _player(model: Fsm, dice: Random) -> FsmPlayer:
    from fullproof.kinds.fsm.player import FsmPlayer

    return FsmPlayer(model, dice)


def _game(model: Fsm, dice: Random) -> FsmGame:
    from fullproof.kinds.fsm.game import FsmGame

    return FsmGame(model, _player(model, dice))


def _suite(model: Fsm, request: SuiteRequest, sha256: str, at: Place) -> GeneratedSuite:
    from fullproof.kinds.fsm.suite import suite_for

    return suite_for(model, request, sha256, at)


def _shrunk(suite: GeneratedSuite, request: SuiteRequest, at: Place) -> GeneratedSuite:
    from fullproof.kinds.fsm.shrink import shrunk

    return shrunk(suite, request, at)


def _faults(model: Fsm, request: SuiteRequest) -> FsmFaults:
    from fullproof.kinds.fsm.named_faults import listed_faults
    from fullproof.kinds.options import extra_states_of
    from fullproof.mutate.fsm import FsmFaults

    listed = listed_faults(model, request)
    if listed is not None:
        return listed
    return FsmFaults(model, extra_states=extra_states_of(model, request))


def _scorer(model: Fsm, basis: ScoringBasis) -> FsmScorer:
    from fullproof.kinds.fsm.score import FsmScorer

    return FsmScorer(model, basis)


def _probes(model: Fsm, machine: Fsm, asked: ProbesAsked) -> Iterable[Sequence[TestInput]]:
    from fullproof.kinds.fsm.suspects import probes_of

    return probes_of(model, machine, asked)


def _suspects(model: Fsm, asked: SuspectFaults) -> Iterator[Iterable[FaultSuspect]]:
    from fullproof.kinds.fsm.suspects import suspects_of

    return suspects_of(model, asked)


def _closest(model: Fsm, seen: Sequence[Execution]) -> FaultSuspect | None:
    from fullproof.kinds.fsm.suspects import closest_suspect

    return closest_suspect(model, seen)


def _oracle(model: Fsm, relation: Relation, _properties: Sequence[Property]) -> Oracle:
    from fullproof.judge.fsm import FsmSemantics
    from fullproof.judge.oracle import Oracle

    return Oracle(FsmSemantics(model, relation), relation)


def _distinguishable(model: Fsm) -> int:
    from fullproof.analysis.minimise import prime
    from fullproof.analysis.observable import observable
    from fullproof.analysis.table import relation_table

    return prime(observable(relation_table(model)).relation).relation.states


def _adaptive(model: Fsm, order: RunOrder) -> Adaptive:
    from fullproof.kinds.fsm.adaptive import adaptive_for

    return adaptive_for(model, order)


def _moves(model: Fsm, alphabet: Sequence[TestInput]) -> Mapping[int, Mapping[int, int]]:
    from fullproof.kinds.shared import single_moves

    numbers = {symbol: number for number, symbol in enumerate(alphabet)}
    return single_moves(model, ((t.source, numbers[t.input], t.target) for t in model.transitions))


_TESTED = (Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION)

FSM: Kind[Fsm] = Kind(
    name=Fsm.kind,
    plural="finite machines",
    relation=Relation.EQUIVALENCE,
    compared=(*_TESTED, Relation.LANGUAGE_EQUIVALENCE),
    names_merged_states=True,
    check=checked,
    certify=_certify,
    certificate=_certificate,
    check_certificate=_check_certificate,
    certificate_hindrance=_certificate_hindrance,
    distinguishable=_distinguishable,
    named_faults=_named_faults,
    moves=_moves,
    classes=None,
    compare=_compare,
    suite=_suite,
    shrunk=_shrunk,
    methods=_methods,
    tested=lambda _: _TESTED,
    faults=_faults,
    scorer=_scorer,
    judged=(Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, *sorted(GREY_BOX, key=str)),
    oracle=_oracle,
    player=_player,
    interface=lambda model: model.interface,
    adaptive=_adaptive,
    is_partial=lambda model: model.is_partial,
    stand_in=partial(stand_in, _player),
    suspects=_suspects,
    probes=_probes,
    closest=_closest,
    game=_game,
    idle=_idle,
    reasons={
        "classes": "their inputs and outputs are symbols, each a class of its own",
        "--regions": NO_REGIONS,
    },
)
