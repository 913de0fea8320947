"""failures -> cause: the faults that explain all observations, distinguished by further tests on the system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from fullproof.artefacts.diagnosis import ChangedTransition, Diagnosis, SearchEnd
from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.core.errors import UserError
from fullproof.explain.trials import Trials, key_of
from fullproof.kinds import kind_of, oracle_for
from fullproof.kinds.suspects import Allows, FaultsToTry, FaultSuspect, ProbesAsked, explaining_offers
from fullproof.model.state_output import plain
from fullproof.pipeline.diagnosis import SeenExecutions, Suspected, allows, suspects

if TYPE_CHECKING:
    from fullproof.model import Model

STEPS = 3_000
"""Inputs and resets of the tests that distinguish faults."""
_ROUNDS = 12
"""How often an explanation may be refuted and another one looked for."""
_APART = 40
"""Tests that distinguish two faults."""
_SECONDS = 10.0
_DEPTH = 6
"""How far two state machines are compared, which is what ends the comparison; the seconds are a safety net."""


@dataclass(frozen=True, slots=True)
class SystemEvidence:
    """What is known of a failing system."""

    model: Model
    faults: FaultsToTry
    failing: Sequence[Execution]
    run: SeenExecutions
    trials: list[Execution] = field(default_factory=list)
    """Executions of the tests that were run after it."""
    refuting: list[Execution] = field(default_factory=list)
    """Executions of the run, not in memory before, that refute an explanation."""
    alone: list[Allows] = field(default_factory=list)
    """For each fault of the cause, where it has several, whether the model with it alone allows executions."""

    def seen(self) -> SeenExecutions:
        """Everything that a cause has to explain."""
        kept = [*self.run.kept, *self.refuting, *self.trials]
        return SeenExecutions(self.run.count + len(self.trials), kept, self.run.rest)


def diagnosis_of(evidence: SystemEvidence, live: Trials[Any] | None) -> Diagnosis | None:
    """The cause; ``live`` runs further tests, where the system is at hand and always answers alike."""
    inquiry = _Inquiry(evidence, live)
    suspected, found = _suspected(evidence), list[FaultSuspect]()
    for _ in range(_ROUNDS):
        if suspected is None:
            return None
        before, found = len(evidence.trials), inquiry.settled(list(suspected.found))
        if found or len(evidence.trials) == before or (live is not None and live.spent):
            break
        suspected = _suspected(evidence)
    assert suspected is not None
    known_so_far = Diagnosis(
        explanations=(), observations=evidence.run.count, candidates=suspected.tried, ended=suspected.ended
    )
    is_closest = not found
    for _ in range(_ROUNDS if is_closest and suspected.ended is SearchEnd.ALL else 0):
        closest = kind_of(evidence.model).closest(evidence.model, evidence.seen().kept)
        if closest is None:
            break
        closest = explaining_offers(closest, evidence.faults.relation, evidence.failing, allows)
        if not closest.allows(evidence.seen().kept):  # it does not explain what the system offers
            break
        wrong = next((trace for trace in evidence.run.rest() if not closest.allows((trace,))), None)
        if wrong is not None:
            evidence.refuting.append(wrong)
        elif found := inquiry.settled([closest]):
            break
    first = found[0] if found else None
    evidence.alone[:] = () if first is None else first.alone
    if first is None and not suspected.tried:
        return None  # no fault concerns what was seen, such as an input that is offered and must not be
    return replace(
        known_so_far,
        explanations=tuple(dict.fromkeys(suspect.text for suspect in found)),
        faults=() if first is None else first.faults or (first.text,),
        is_confirmed=first is not None and inquiry.is_confirmed and _is_certain(first, evidence.failing[0]),
        further=len(evidence.trials),
        changes=_changes(evidence.model, first),
        is_closest=is_closest,
    )


def _suspected(evidence: SystemEvidence) -> Suspected | None:
    return suspects(evidence.model, evidence.faults, evidence.failing, evidence.seen())


def _changes(model: Model, first: FaultSuspect | None) -> tuple[ChangedTransition, ...]:
    machine = None if first is None else first.drawn or first.make()
    if machine is None:
        return ()
    from fullproof.explain.differences import changed_transitions

    return changed_transitions(plain(model), plain(machine))


@dataclass(slots=True)
class _Inquiry:
    """Runs tests until one explanation is left, or none, or no test tells those that are left apart."""

    evidence: SystemEvidence
    live: Trials[Any] | None
    is_confirmed: bool = False
    is_open: bool = False
    """Whether there was no suite to decide it by."""
    _ran: set[object] = field(default_factory=set)

    def settled(self, found: list[FaultSuspect]) -> list[FaultSuspect]:
        """The explanations that nothing refutes; of those that are equivalent the first."""
        self.is_open = False
        if self.live is None or not found:
            return found
        for word in islice(self._apart(found), _APART):
            found[:] = self._left(found, word)
        if len(found) == 1:
            for word in self._probes(found[0]):
                found[:] = self._left(found, word, behind=True)
                if not found:
                    break
        self.is_confirmed = len(found) == 1 and not self.is_open and bool(self.evidence.trials)
        return found

    def _left(self, found: Sequence[FaultSuspect], word: Sequence[Any], *, behind: bool = False) -> list[FaultSuspect]:
        """Those that allow what the system answers to a word; with ``behind`` also what it answers after a failure."""
        assert self.live is not None
        self._ran.add(tuple(map(key_of, word)))
        execution = self.live.once(word)
        if execution is None:
            self.is_open = True
            return list(found)
        if execution.error is not None:  # what the rest of the word would have shown is not known
            self.is_open = True
        whole = self.live.whole(execution) if behind else execution
        if behind and _was_cut(whole, word):
            self.is_open = True
        left = [part for suspect in found for part in suspect.after((whole,))]
        self.evidence.trials.append(execution if len(left) == len(found) else whole)
        return left

    def _apart(self, found: list[FaultSuspect]) -> Iterator[Sequence[Any]]:
        """Words that distinguish two explanations; equivalent ones are dropped. ``found`` shrinks meanwhile."""
        place = 1
        while place < len(found):
            assert self.live is not None
            if self.live.spent:
                self.is_open = True
                return
            before = len(found)
            try:
                word = _difference(found[0], found[place], shows_offers=self.shows_offers)
            except UserError:
                place += 1
                continue
            if word is None:
                del found[place]
            elif tuple(map(key_of, word)) in self._ran:
                place += 1
            else:
                yield word
                place = place if len(found) == before else 1

    @property
    def shows_offers(self) -> bool:
        """Whether the system says which inputs it offers."""
        return any(trace.shows_offers for trace in self.evidence.failing)

    def _probes(self, suspect: FaultSuspect) -> Iterator[Sequence[Any]]:
        """Tests that a system passes which behaves like the machine with a fault, and others hardly."""
        machine = suspect.make()
        if machine is None:
            self.is_open = True
            return
        assert self.live is not None
        live, faults = self.live, self.evidence.faults
        asked = ProbesAsked(
            extra_states=faults.extra_states, domain=faults.domain, steps=live.left, is_over=lambda: live.spent
        )
        try:
            for word in live.made(kind_of(machine).probes(self.evidence.model, machine, asked)):
                yield word
                if self.is_open:
                    return
        except UserError:
            self.is_open = True


def _was_cut(execution: Execution, word: Sequence[Any]) -> bool:
    """Whether a test ended behind a failure, where nothing says which inputs a partial model allows."""
    done, offered = len(execution.steps), execution.enabled_at_end
    return not execution.events and done < len(word) and (offered is None or word[done] in offered)


def _is_certain(suspect: FaultSuspect, execution: Execution) -> bool:
    """Whether the machine with a fault says what is answered in an execution, and not only that this may be."""
    machine = suspect.make()
    if machine is None:
        return False
    semantics, node = oracle_for(machine, Relation.REDUCTION).semantics, 0
    for step in execution.steps:
        if node < 0 or len(semantics.allowed(node, step.input)) != 1:
            return False
        node = semantics.move(node, step.input, step.output).node
    return True


def _difference(one: FaultSuspect, other: FaultSuspect, *, shows_offers: bool) -> Sequence[Any] | None:
    """A word to which two machines with faults answer differently; None where they are equivalent.

    A partial machine allows all machines that do more than it: both directions are asked, and where a system shows what
    it offers, that has to be equal.
    """
    from fullproof.kinds.comparison import Asked

    left, right = one.make(), other.make()
    if left is None or right is None:
        raise UserError("there is no machine to compare")
    kind, relation = kind_of(left), Relation.EQUIVALENCE
    if shows_offers and Relation.LANGUAGE_EQUIVALENCE in kind.compared:
        relation = Relation.LANGUAGE_EQUIVALENCE
    asked, is_partial = Asked(relation=relation, depth=_DEPTH, timeout=_SECONDS), kind.is_partial
    ways = ((left, right), (right, left)) if is_partial(left) or is_partial(right) else ((left, right),)
    for model, machine in ways:
        answer = kind.compare(model, asked).compare(machine)
        if answer.conforms is None:
            raise UserError("undecided")
        difference = getattr(answer, "difference", None)
        if difference is not None:
            return tuple(difference.inputs)
    return None
