"""Decides whether the suite of a symbolic machine is complete: classes, what inputs offer, and the finite question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from fullproof.artefacts.request import Relation
from fullproof.certify.answers import (
    Certificate,
    Complete,
    Evidence,
    Incomplete,
    Open,
    ProofEngine,
    UndecidedCompleteness,
    up_to_tolerances,
    word_text,
)
from fullproof.certify.machine import Word
from fullproof.certify.observable_exact import conforming
from fullproof.certify.observers import ConformanceObserver, Observer, PropertyObserver
from fullproof.certify.symbolic_classes import (
    DomainExpressions,
    PartitionQuestion,
    SymbolicClasses,
    Values,
    answered,
    find_classes,
)
from fullproof.certify.symbolic_exact import SymbolicQuestion
from fullproof.certify.symbolic_search import SymbolicSearch, SymbolicSurvivor
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.language.monitor import FormulaTooLarge, monitor_of
from fullproof.language.printer import value_to_text
from fullproof.language.propositions import atomic_propositions
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm
from fullproof.model.common import Property
from fullproof.smt import open_solver

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolicDomain:
    """What a system may be: its guards and output expressions, and so many states more than the model."""

    guards: tuple[Expression, ...]
    outputs: tuple[Expression, ...]
    extra_states: int
    single: bool = False
    """Whether systems have one transition for each state and input; their guards may be joined by ``or``."""


def certify_symbolic(
    model: Sfsm,
    tests: Sequence[Sequence[Values]],
    domain: SymbolicDomain,
    *,
    relation: Relation = Relation.EQUIVALENCE,
    properties: Sequence[Property] = (),
    timeout: float,
) -> tuple[Certificate, tuple[PartitionQuestion, ...]]:
    """Decide whether a suite is complete for equivalence or a reduction, or for properties where some are named.

    Guarantee: *complete* means that every symbolic machine over the guards and outputs of the domain whose observable
    form has at most ``extra_states`` states more than that of the model, and that shows in each test the classes of
    the model, all of them being seen, is equivalent to the model (where this defines inputs), or has the properties.
    For reductions, the system shows in each test an answer to each input and none that the model does not allow, and
    is a reduction of the model: for ``reduction``, of a model and by a system that answer every input.
    *Incomplete* comes with such a machine that is not, verified. With *complete* come the questions about the
    partition into classes on which it rests.
    """
    try:
        answer, questions = _Symbolic(model, domain, properties, relation, Deadline(timeout)).decide(tests)
    except _Undecided as undecided:
        return UndecidedCompleteness(reason=str(undecided)), ()
    return up_to_tolerances(answer, model.outputs), questions


class _Undecided(Exception):
    """Why there is no answer."""


class _Symbolic:
    def __init__(
        self,
        model: Sfsm,
        domain: SymbolicDomain,
        properties: Sequence[Property],
        relation: Relation,
        deadline: Deadline,
    ) -> None:
        self._model, self._domain, self._properties, self._deadline = model, domain, properties, deadline
        self._relation = Relation.EQUIVALENCE if properties else relation
        """What passes: systems are seen to give all answers where properties are asked about."""
        alphabet = DomainExpressions(
            scope=model.scope,
            inputs=model.inputs,
            guards=tuple(dict.fromkeys((*(t.guard for t in model.transitions), *domain.guards))),
            outputs=tuple(dict.fromkeys((*(t.output for t in model.transitions), *domain.outputs))),
            propositions=tuple(dict.fromkeys(a for p in properties for a in atomic_propositions(p.formula))),
        )
        self._classes: SymbolicClasses = _sure(find_classes(alphabet, deadline))

    def decide(self, tests: Sequence[Sequence[Values]]) -> tuple[Certificate, tuple[PartitionQuestion, ...]]:
        question, words = self._question(tests)
        self._check(tuple(self._classes.questions()))
        if self._relation is Relation.REDUCTION and not question.machine.is_complete:
            raise _Undecided("reductions are decided for complete models, and this one is partial")
        bound = question.machine.states + self._domain.extra_states
        search = SymbolicSearch(
            question, words, self._relation, bound=bound, single=self._domain.single, deadline=self._deadline
        )
        for name, observer in self._observers(question):
            found = search.find(observer)
            if isinstance(found, SymbolicSurvivor):
                return self._incomplete(found, name), ()
            _sure(found)
        return self._complete(bound), tuple(self._classes.questions())

    def _question(self, tests: Sequence[Sequence[Values]]) -> tuple[SymbolicQuestion, list[Word]]:
        """The finite question: inputs of tests are numbered, and each offers some classes."""
        solver = open_solver(self._model.scope)
        number: dict[tuple[tuple[str, object], ...], int] = {}
        offers: list[tuple[int, ...]] = []
        words: list[Word] = []
        for test in tests:
            word = []
            for inputs in test:
                key = tuple(sorted(inputs.items()))
                if key not in number:
                    if self._deadline.passed():
                        raise _Undecided(f"what the inputs offer was not found within {self._deadline.seconds:g} s")
                    number[key] = len(offers)
                    offers.append(_sure(self._classes.offered(inputs, solver)))
                word.append(number[key])
            words.append(tuple(word))
        return SymbolicQuestion(self._model, self._classes, tuple(offers)), words

    def _check(self, questions: Sequence[PartitionQuestion]) -> None:
        """Ask what the partition rests on once more, each question by itself; inputs of tests were asked before."""
        if not self._classes.covers_all_signs:
            raise _Undecided("the classes leave out some combination of signs")
        for question in questions:
            if question.name.startswith("input-"):
                continue
            if self._deadline.passed():
                raise _Undecided(f"the partition was not checked within {self._deadline.seconds:g} s")
            if not _sure(answered(question)):
                raise _Undecided(f"the question {question.name} about the partition has an unexpected answer")

    def _observers(self, question: SymbolicQuestion) -> list[tuple[str, Observer]]:
        if not self._properties:
            return [("", ConformanceObserver(question.machine, self._relation))]
        return [(stated.name, self._monitor(question, stated)) for stated in self._properties]

    def _monitor(self, question: SymbolicQuestion, stated: Property) -> Observer:
        try:
            monitor = monitor_of(stated.formula)
        except FormulaTooLarge as error:
            raise _Undecided(f"{stated.name} is too large: {error}") from None
        except UserError:
            raise _Undecided(f"{stated.name} is no safety property by its form; only those are decided") from None
        alphabet = self._classes.alphabet
        first = len(alphabet.guards) + len(alphabet.outputs)
        places = [first + alphabet.propositions.index(atom) for atom in monitor.atoms]
        violated = -1 if monitor.violated is None else monitor.violated
        order = [monitor.initial, *(s for s in range(monitor.states) if s != monitor.initial)]
        number = {s: k for k, s in enumerate(order)}
        after = [
            {k: number[monitor.step(s, [signs[p] for p in places])] for k, signs in enumerate(self._classes.signs)}
            for s in order
        ]
        observer = PropertyObserver(after, number.get(violated, -1))
        if monitor.initial == monitor.violated or observer.sees(question.machine) is not None:
            raise _Undecided(f"the model violates {stated.name}")
        return observer

    def _complete(self, bound: int) -> Complete:
        wrong = f"is not {conforming(self._relation)}"
        if self._properties:
            wrong = f"violates {' or '.join(stated.name for stated in self._properties)}"
        reason = (
            f"no machine of the fault domain with at most {counted(bound, 'state')} passes the suite and {wrong}: "
            f"decided exactly over {counted(len(self._classes.signs), 'class', 'classes')}"
        )
        return Complete(method=ProofEngine.EXACT, reason=reason, evidence=Evidence(()))

    def _incomplete(self, found: SymbolicSurvivor, name: str) -> Incomplete:
        word = tuple(self._inputs_text(inputs) for inputs in found.inputs)
        states = counted(len(found.machine.states), "state")
        if found.states != len(found.machine.states):
            states += f" ({counted(found.states, 'state')} in observable form)"
        return Incomplete(
            survivor=found.machine,
            witness=word,
            reason=f"a machine of the fault domain with {states} passes and "
            f"{f'violates {name}' if name else self._differs()} after {word_text(word)} (found by exact search)",
        )

    def _differs(self) -> str:
        return "differs" if self._relation is Relation.EQUIVALENCE else f"is not {conforming(self._relation)}"

    def _inputs_text(self, values: Values) -> str:
        return "(" + ", ".join(f"{v.name} = {value_to_text(values[v.name])}" for v in self._model.inputs) + ")"


def _sure(found: T | Open) -> T:
    if isinstance(found, Open):
        raise _Undecided(found.reason)
    return found
