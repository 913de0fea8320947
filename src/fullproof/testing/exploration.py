"""A Python class as a reference model -> the finite machine that it is, as far as a bound on states allows.

States are reached breadth first, so that the machine depends on nothing but the class and its inputs. An object is
copied before each input where it can be; else the inputs that lead to a state are given once more to a new one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from fullproof.artefacts.progress import Progress
from fullproof.artefacts.questions import ExploreRequest, StateEquality
from fullproof.artefacts.replies import ExploreReply
from fullproof.core.errors import UserError
from fullproof.execute.adapters.coroutines import synchronous
from fullproof.execute.blame import describe, is_interruption, place_of
from fullproof.execute.object_state import EqualStates, NotComparable
from fullproof.execute.observation import python_symbol, read_enabled
from fullproof.execute.sut import SutError
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

_LONGEST_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """The machine of a class; not complete where states are missing beyond the bound."""

    model: Fsm
    is_complete: bool
    how: str
    """When two states count as one, in words."""

    def reply(self, output: str | None) -> ExploreReply:
        """The answer of ``explore``."""
        return ExploreReply(
            name=self.model.name,
            states=len(self.model.states),
            transitions=len(self.model.transitions),
            complete=self.is_complete,
            equality=self.how,
            output=output,
        )


def explore_class(make: Callable[..., Any], name: str, request: ExploreRequest, *, progress: Progress) -> Explored:
    """Explore the objects that a class or factory makes.

    Guarantee: where it is complete, the machine answers every sequence of inputs as the class does, if the state of an
    object is all that its answers depend on; with ``behaviour``, if states with the same answers to all
    sequences of ``depth`` inputs are the same. Each transition is taken twice, so that answers which depend on more are
    noticed.
    """
    inputs = _inputs(make, request)
    walker = _Walker(synchronous(make), name)
    numbers = _by_value(walker) if request.states is StateEquality.VALUE else _by_behaviour(walker, inputs, request)
    search = _Search(walker, numbers, inputs, request.most)
    search.run(progress)
    used = sorted({edge.output for edge in search.edges}, key=[edge.output for edge in search.edges].index)
    model = Fsm(
        name=request.name or name,
        initial="s0",
        states=tuple(f"s{number}" for number in range(len(search.words))),
        inputs=tuple(inputs),
        outputs=tuple(used),
        transitions=tuple(search.edges),
    )
    equal = "states with equal data count as one"
    alike = f"states with the same answers to all sequences of {request.depth} inputs count as one"
    how = equal if request.states is StateEquality.VALUE else alike
    return Explored(model=model, is_complete=search.is_complete, how=how)


def reference_class(spec: str) -> tuple[str, Callable[..., Any]]:
    """The name and the class of ``python:FILE.py:Name``."""
    from fullproof.execute.adapters.python_object import load_object

    scheme, _, rest = spec.partition(":")
    if scheme != "python":
        raise UserError(f"{spec}: expected python:FILE.py:Name or python:package.module:Name")
    return load_object(rest)


def _inputs(make: Any, request: ExploreRequest) -> list[str]:
    given = [name.strip() for text in request.inputs for name in text.split(",") if name.strip()]
    found = given or list(getattr(make, "INPUTS", ()))
    if not found or not all(isinstance(name, str) for name in found):
        raise UserError("no inputs: give --inputs NAME,NAME,... or the class an attribute INPUTS, a list of texts")
    return list(dict.fromkeys(found))


class _Walker:
    """Gives inputs to objects of the class."""

    def __init__(self, make: Callable[[], Any], name: str) -> None:
        self._make = make
        self._name = name

    def at(self, word: Sequence[str]) -> Any:
        """A new object after these inputs."""
        thing = self._guarded((), self._make)
        if callable(reset := getattr(thing, "reset", None)):
            self._guarded((), reset)
        if not callable(getattr(thing, "step", None)):
            raise UserError(f"{self._name} has no method step")
        for place, symbol in enumerate(word):
            self.step(thing, symbol, word[:place])
        return thing

    def step(self, thing: Any, symbol: str, before: Sequence[str]) -> str:
        """The output of an input, given after others."""
        raw = self._guarded((*before, symbol), lambda: thing.step(symbol))
        try:
            return python_symbol(raw)
        except SutError as error:
            raise UserError(f"{self._name} {error.reason}, after the inputs {_shown((*before, symbol))}") from None

    def offers(self, thing: Any, symbol: str) -> bool:
        """Whether an input is defined here, which an object with ``enabled`` says."""
        enabled = getattr(thing, "enabled", None)
        if not callable(enabled):
            return True
        try:
            return symbol in read_enabled(enabled())
        except SutError as error:
            raise UserError(f"{self._name} {error.reason}") from None

    def copied(self, thing: Any) -> Any | None:
        """A copy, or None where the object cannot be copied."""
        try:
            return copy.deepcopy(thing)
        except Exception:  # noqa: BLE001  # code of the user may run here; replaying its inputs is always possible
            return None

    def _guarded(self, word: Sequence[str], call: Callable[[], Any]) -> Any:
        try:
            return call()
        except BaseException as error:
            if is_interruption(error) or isinstance(error, UserError):
                raise
            when = f" after the inputs {_shown(word)}" if word else ""
            reason = f"{self._name} raised {describe(error)}{when}"
            hint = "; inputs that a state does not take are those that its method enabled() leaves out" if word else ""
            raise UserError(reason + hint, at=place_of(error)) from error


def _shown(word: Sequence[str]) -> str:
    dots = "..., " if len(word) > _LONGEST_SHOWN else ""
    return dots + ", ".join(word[-_LONGEST_SHOWN:])


_Numbers = Callable[[Any, Sequence[str]], int]
"""The number of the state of an object that some inputs have led to."""


def _by_value(walker: _Walker) -> _Numbers:
    first = walker.at(())
    states = EqualStates(copy.deepcopy if walker.copied(first) is not None else None)

    def number(thing: Any, _: Sequence[str]) -> int:
        try:
            return states.number(thing)
        except NotComparable as error:
            raise UserError(f"{error}: use --states behaviour") from None
        except Exception as error:  # the user's __eq__, __reduce__ or __repr__
            raise UserError(f"comparing states raised {describe(error)}", at=place_of(error)) from error

    return number


def _by_behaviour(walker: _Walker, inputs: Sequence[str], request: ExploreRequest) -> _Numbers:
    known: dict[tuple[object, ...], int] = {}

    def number(_: Any, word: Sequence[str]) -> int:
        answers: list[object] = []
        for tail in product(inputs, repeat=request.depth):
            thing, seen = walker.at(word), list[str]()
            for place, symbol in enumerate(tail):
                if not walker.offers(thing, symbol):
                    break
                seen.append(walker.step(thing, symbol, (*word, *tail[:place])))
            answers.append(tuple(seen))
        return known.setdefault(tuple(answers), len(known))

    return number


@dataclass
class _Search:
    """Breadth first over states; ``words`` are the inputs that lead to each."""

    walker: _Walker
    numbers: _Numbers
    inputs: Sequence[str]
    most: int
    words: list[tuple[str, ...]] = field(default_factory=list)
    edges: list[FsmTransition] = field(default_factory=list)
    is_complete: bool = True

    def run(self, progress: Progress) -> None:
        """Take every input in every state."""
        self._names = {self.numbers(self.walker.at(()), ()): 0}
        self.words.append(())
        done = 0
        while done < len(self.words):
            self._leave(done)
            done += 1
            progress(done, None, steps=len(self.edges))

    def _leave(self, state: int) -> None:
        word = self.words[state]
        here = self.walker.at(word)
        for symbol in self.inputs:
            if not self.walker.offers(here, symbol):
                continue
            thing = self.walker.copied(here)
            if thing is None:
                thing = self.walker.at(word)
            output = self.walker.step(thing, symbol, word)
            number = self.numbers(thing, (*word, symbol))
            again = self.walker.at(word)
            second = self.walker.step(again, symbol, word)
            if second != output or self.numbers(again, (*word, symbol)) != number:
                answers = f"answers {output!r}, then {second!r}" if second != output else "reaches two states"
                raise UserError(
                    f"the class {answers} after the same inputs {_shown((*word, symbol))}: its answers depend on more "
                    "than its state"
                )
            target = self._names.get(number)
            if target is None:
                if len(self.words) >= self.most:
                    self.is_complete = False
                    continue
                target = self._names[number] = len(self.words)
                self.words.append((*word, symbol))
            self.edges.append(FsmTransition(f"s{state}", symbol, output, f"s{target}"))
