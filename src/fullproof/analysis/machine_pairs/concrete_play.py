"""Two state machines execute the same events with concrete values, to find where their observable outputs differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from fullproof.analysis.run_to_completion import (
    CompletedRun,
    Configuration,
    RunGoesWrong,
    RunToCompletion,
)
from fullproof.language.types import Value
from fullproof.language.values import coerce, in_range
from fullproof.model import StateMachine
from fullproof.model.inputs import SENDS, SignalEvent

_DIGITS = (0, 1, 2, 3)


Word: TypeAlias = tuple[SignalEvent, ...]
Seen: TypeAlias = Mapping[str, object]
"""What an observer sees after an event: output attributes and, where there are any, the signals sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDifference:
    """A word whose last event is answered differently; ``answers`` are common to all events before it."""

    word: Word
    answers: tuple[Seen, ...]
    expected: Seen
    observed: Seen | None
    """None where the other machine goes wrong, as ``reason`` says."""
    reason: str


class ModelUndefined(Exception):
    """The model goes wrong or has several runs: the other machine may do anything from there on."""


class Playing:
    """A model and another machine, both from their initial states."""

    def __init__(self, model: StateMachine, other: StateMachine) -> None:
        self.model = RunToCompletion(model)
        self.other = RunToCompletion(other)
        self._signals = bool(model.signals_out)
        self._outputs = [v.name for v in model.outputs]
        self._inputs = {v.name: v.type for v in model.inputs}

    def difference(self, word: Iterable[SignalEvent]) -> ShownDifference | None:
        """The first event of a word that is answered differently, with what was seen before."""
        here, there = self.model.start, self.other.start
        done: list[SignalEvent] = []
        answers: list[Seen] = []
        for event in word:
            done.append(event)
            try:
                mine = only_run(self.model, here, event)
            except (RunGoesWrong, ModelUndefined):
                return None
            expected = self.seen(self.model, mine)
            try:
                theirs = only_run(self.other, there, event)
            except (RunGoesWrong, ModelUndefined) as wrong:
                reason = f"the other machine goes wrong: {wrong}"
                return ShownDifference(
                    word=tuple(done), answers=tuple(answers), expected=expected, observed=None, reason=reason
                )
            observed = self.seen(self.other, theirs)
            if observed != expected:
                reason = "the model does not allow the output"
                return ShownDifference(
                    word=tuple(done), answers=tuple(answers), expected=expected, observed=observed, reason=reason
                )
            answers.append(expected)
            here, there = mine.end, theirs.end
        return None

    def seen(self, machine: RunToCompletion, run: CompletedRun) -> Seen:
        """What a run shows."""
        values = machine.values(run.end)
        shown: dict[str, object] = {name: values[name] for name in self._outputs}
        return shown | ({SENDS: list(run.sent)} if self._signals else {})

    def simplified(self, found: ShownDifference) -> ShownDifference:
        """The same difference, at the same event, with simpler values where such are found."""
        for place in range(len(found.word)):
            for name in self._inputs:
                for value in self._simpler(name, found.word[place].values[name]):
                    event = SignalEvent.of(found.word[place].signal, {**found.word[place].values, name: value})
                    word = (*found.word[:place], event, *found.word[place + 1 :])
                    shown = self.difference(word)
                    if shown is not None and len(shown.word) == len(found.word):
                        found = shown
                        break
        return found

    def _simpler(self, name: str, value: Value) -> Sequence[Value]:
        """Values with fewer digits, the simplest first; none where the value is simple already."""
        type_ = self._inputs[name]
        if isinstance(value, bool | str):
            return []
        tried = [Fraction(0), Fraction(1), *(round(Fraction(value), digits) for digits in _DIGITS)]
        fitting = [coerce(v, type_) for v in dict.fromkeys(map(Fraction, tried)) if _fits(v, value)]
        return [v for v in fitting if in_range(v, type_)]


def _fits(candidate: Fraction, value: Value) -> bool:
    """Simpler than the value, and of its kind."""
    assert not isinstance(value, bool | str)
    whole = candidate.denominator == 1
    return (whole or isinstance(value, Fraction)) and _size(candidate) < _size(Fraction(value))


def _size(value: Fraction) -> tuple[int, int]:
    return value.denominator, abs(value.numerator)


def only_run(machine: RunToCompletion, before: Configuration, event: SignalEvent) -> CompletedRun:
    """The run that an event starts. Raises RunGoesWrong, and ModelUndefined where several runs end differently."""
    runs = machine.runs(before, event.signal, event.values)
    if len({(run.end, run.sent) for run in runs}) > 1:
        raise ModelUndefined(f"several transitions are enabled at once in {before.state!r}")
    return runs[0]
