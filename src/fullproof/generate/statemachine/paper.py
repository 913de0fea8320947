"""The suite of paper 003, section 7, unchanged: TC . A^(<= m) . W on the abstract machine, W_O, k data points.

TC is the transition cover of the abstract machine by concrete words (``step_cover``), k of them for each step where a
degree is given (section 6). Each is followed by every word of W that is feasible from the place reached, and each of
these by a path to every transition that writes outputs (W_O). Theorem 3 of the paper is not regarded as proved:
docs/proofs/statemachine-suites.md, section 4, has a faulty system that passes these tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fullproof.artefacts.guarantee import Guarantee, Hypothesis, Strength, Theorem, Voucher
from fullproof.artefacts.words import word_list
from fullproof.core.counted import counted
from fullproof.core.errors import UserError
from fullproof.generate.statemachine.abstract_machine import AbstractLetter, abstract_machine
from fullproof.generate.statemachine.places import MachinePlace, Word
from fullproof.generate.statemachine.suite import Chosen, EventQuestion, EventSuite, covered_events, maximal
from fullproof.model.inputs import SignalEvent

MOST_WORDS = 300_000
NEAR = 400
"""How many places a search for a transition that writes outputs visits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFacts:
    """The status of the paper's hypotheses for a suite."""

    classes: int
    words: int
    """How many words W has."""
    infeasible: int
    """How often a word of W could not be executed to its end after a word of TC . A^(<= m)."""
    alike: tuple[tuple[int, int], ...]
    """Classes that no word distinguishes, not even by transformations."""
    silent: int
    """How many transitions that write outputs were not reached from some place."""


def paper_events(question: EventQuestion, *, extra_states: int) -> tuple[EventSuite, PaperFacts]:
    """Build the suite. Needs: a justified partition, else there is no abstract machine."""
    chosen = covered_events(question)
    assert question.justification is not None and chosen.covering is not None
    machine = abstract_machine(question.model, question.partition, question.justification, chosen.letters)
    characterising, alike = machine.characterisation()
    making = _Making(question, chosen)
    words = making.words(characterising, extra_states=extra_states)
    listed = maximal(words)
    events = tuple(dict.fromkeys(event for word in listed for event in word))
    number = {event: k for k, event in enumerate(events)}
    suite = EventSuite(
        events=events,
        words=word_list([number[event] for event in word] for word in listed),
        letters=len(chosen.letters) * len(question.partition.signals),
        cover=chosen.cover,
        wanted=chosen.covering.wanted,
        missing=len(chosen.cover.missing),
        thin=sum(len(steps) < chosen.covering.points for steps in chosen.cover.steps.values()),
        calls=chosen.places.calls,
        open=chosen.places.open,
        starts_in_class=chosen.places.start()[1] is not None,
    )
    facts = PaperFacts(
        classes=len(question.partition.states),
        words=len(characterising),
        infeasible=making.infeasible,
        alike=alike,
        silent=making.silent,
    )
    return suite, facts


class _Making:
    def __init__(self, question: EventQuestion, chosen: Chosen) -> None:
        assert chosen.covering is not None
        self._places = chosen.places
        self._pool = chosen.covering.pool
        self._letters = range(len(chosen.letters))
        self._signals = question.partition.signals
        self._steps = [step for steps in chosen.cover.steps.values() for step in steps]
        self._events = tuple(dict.fromkeys(event for step in self._steps for event in step.word))
        outputs = {v.name for v in question.model.outputs}
        self._writing = [
            number
            for number, t in enumerate(question.model.transitions)
            if t.sends or any(action.variable in outputs for action in t.actions)
        ]
        self._ways: dict[MachinePlace, dict[int, Word]] = {}
        self.infeasible = 0
        self.silent = 0

    def words(self, characterising: Sequence[Sequence[AbstractLetter]], *, extra_states: int) -> set[Word]:
        """TC . A^(<= m) . W, each followed by W_O."""
        found: set[Word] = set()
        for word, place in self._reached(extra_states):
            ends = {(word, place)}
            for suffix in characterising:
                longer, end, whole = self._continued(word, place, suffix)
                self.infeasible += not whole
                ends.add((longer, end))
            for longer, end in ends:
                ways = self._to_outputs(end)
                self.silent += len(self._writing) - len(ways)
                found.add(longer)
                found.update(longer + way for way in ways.values())
            if len(found) > MOST_WORDS:
                raise UserError(
                    f"the suite would have more than {MOST_WORDS:,} tests: fewer extra states, or partition?"
                )
        return found

    def _reached(self, extra_states: int) -> Iterator[tuple[Word, MachinePlace]]:
        start, _ = self._places.start()
        layer = {(): start} | {step.word: step.reaction.place for step in self._steps}
        yield from layer.items()
        for _ in range(extra_states):
            layer = {(*word, event): after for word, place in layer.items() for event, after in self._following(place)}
            if len(layer) > MOST_WORDS:
                raise UserError(
                    f"the suite would have more than {MOST_WORDS:,} tests: fewer extra states, or partition?"
                )
            yield from layer.items()

    def _following(self, place: MachinePlace) -> Iterator[tuple[SignalEvent, MachinePlace]]:
        for letter in self._letters:
            for signal in self._signals:
                found = self._step(place, (letter, signal))
                if found is not None:
                    yield found

    def _step(self, place: MachinePlace, letter: AbstractLetter) -> tuple[SignalEvent, MachinePlace] | None:
        for inputs in self._pool.pick(place.memory, letter[0], most=1):
            event = SignalEvent(letter[1], inputs)
            reaction = self._places.react(place, event)
            if reaction is not None:
                return event, reaction.place
        return None

    def _continued(
        self, word: Word, place: MachinePlace, suffix: Iterable[AbstractLetter]
    ) -> tuple[Word, MachinePlace, bool]:
        """The longest prefix of a word of W that is feasible from a place."""
        for letter in suffix:
            found = self._step(place, letter)
            if found is None:
                return word, place, False
            word, place = (*word, found[0]), found[1]
        return word, place, True

    def _to_outputs(self, place: MachinePlace) -> dict[int, Word]:
        """W_O: a shortest path to each transition that writes outputs, by events in use."""
        if place not in self._ways:
            found: dict[int, Word] = {}
            waiting: list[tuple[MachinePlace, Word]] = [(place, ())]
            met = {place}
            for here, word in waiting:
                if len(found) == len(self._writing) or len(met) > NEAR:
                    break
                for event in self._events:
                    reaction = self._places.react(here, event)
                    if reaction is None:
                        continue
                    for number in reaction.transitions:
                        if number in self._writing:
                            found.setdefault(number, (*word, event))
                    if reaction.place not in met:
                        met.add(reaction.place)
                        waiting.append((reaction.place, (*word, event)))
            self._ways[place] = found
        return self._ways[place]


def paper_guarantee(suite: EventSuite, facts: PaperFacts, *, extra_states: int) -> Guarantee:
    """What is not covered, and what the paper claims."""
    open_ends = [
        "faults that break the hypotheses below, and a gap in the paper's Theorem 3: two classes are distinguished by "
        "their transformations, which a test sees only where the values that it reached make them differ, so that a "
        "wrong target can pass (docs/proofs/statemachine-suites.md, section 4, has an example)"
    ]
    if suite.missing:
        open_ends.append(f"{suite.missing:,} of {suite.wanted:,} pairs of a state class and a letter were not reached")
    if facts.alike:
        open_ends.append(f"{len(facts.alike):,} pairs of classes are distinguished by no word, as Theorem 1 needs")
    if facts.infeasible:
        open_ends.append(f"in {facts.infeasible:,} cases a word of W is not feasible where it should be executed")
    if suite.thin:
        open_ends.append(
            f"{counted(suite.thin, 'step has', 'steps have')} fewer independent data points than FH3 asks for"
        )
    total = facts.classes + extra_states
    bound = f"at most {total:,} state classes ({facts.classes:,} + {extra_states:,} extra)"
    given = {
        "FH1": ("it", "is a deterministic machine over the same attributes"),
        "FH2": ("its behaviour", f"has a partition with {bound}"),
        "FH3": ("the data points of the tests", "show whether a transformation is right"),
        "FH4": ("every trapdoor", "contains a trigger class, or its boundary, within an interval of the paving"),
    }
    source = (
        f"Huang and Peleska, section 7 (transition cover, characterisation set of "
        f"{counted(facts.words, 'word')}, output "
        "identification)"
    )
    return Guarantee(
        strength=Strength.CITED,
        says="is equivalent to the model",
        hypotheses=tuple(
            Hypothesis(name=name, subject=subject, text=text, by=Voucher.USER)
            for name, (subject, text) in given.items()
        ),
        theorem=Theorem("Theorem 3", (source,)),
        not_covered=tuple(open_ends),
    )
