"""Learning with AALpy: an equivalence oracle of complete suites, exact within the bound on the system's states."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Unpack

from fullproof.artefacts.notes import WarningNote, note_texts
from fullproof.artefacts.options import from_options
from fullproof.artefacts.progress import Progress
from fullproof.artefacts.questions import LearnRequest
from fullproof.artefacts.replies import LearnReply
from fullproof.core.counted import counted
from fullproof.core.errors import Bug, UserError
from fullproof.core.interrupts import telling
from fullproof.core.status import report_status
from fullproof.model import Fsm
from fullproof.testing.aalpy_models import from_aalpy
from fullproof.testing.inquiry import AnswerTakenBack, Inquiry
from fullproof.testing.keywords import LearnKeywords
from fullproof.testing.systems import as_system, described, resettable

try:
    from aalpy.base import SUL

    from fullproof.testing.complete_oracle import CompleteOracle
except ModuleNotFoundError as error:
    raise UserError("learning needs the library AALpy: pip install 'fullproof[learn]'") from error

__all__ = ["CompleteOracle", "Learnt", "learn", "learn_system"]

_Steps = Mapping[tuple[str, str], tuple[str, str]]
"""Output and target by state and input."""
_TIMID = WarningNote(
    "with --extra-states 0 a hypothesis is tested for as many states as it has: learning ends with one state where all "
    "states answer each single input alike at first; give --extra-states 1 or more"
)


def _shallow(states: int, extra: int, inputs: int) -> tuple[WarningNote, ...]:
    """A warning where the model says next to nothing, since no difference was seen with few inputs."""
    if extra == 0:
        return (_TIMID,)
    if states > 1 or inputs == 0:
        return ()
    return (
        WarningNote(
            "the model has one state: each input had the same answer in all tests, but a system that takes more than "
            f"{extra} inputs to change its answers needs more --extra-states than {extra}"
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """A learnt model and what it took: hypotheses, sequences of inputs that were run, and their inputs in all."""

    model: Fsm
    states: int
    rounds: int
    tests: int
    steps: int
    reused: int
    """Tests of which all answers were known."""
    resumed: int
    """Sequences that the journal had answered."""
    extra_states: int
    guarantee: str
    notes: tuple[str, ...] = ()

    def reply(self, output: str | None) -> LearnReply:
        """The answer of ``learn``."""
        return LearnReply(
            name=self.model.name,
            states=self.states,
            extra_states=self.extra_states,
            rounds=self.rounds,
            tests=self.tests,
            inputs=self.steps,
            reused=self.reused,
            resumed=self.resumed,
            guarantee=self.guarantee,
            output=output,
            notes=note_texts(self.notes),
        )

    def header(self) -> tuple[str, ...]:
        """What the file of the model says of it."""
        warnings = [str(note) for note in self.notes if isinstance(note, WarningNote)]
        return (f"Learnt from a system with {self.cost}.", self.guarantee, *warnings)

    @property
    def cost(self) -> str:
        """What was asked, in words."""
        rounds = counted(self.rounds, "hypothesis", "hypotheses")
        return f"{counted(self.tests, 'test')}, {counted(self.steps, 'input')} and {rounds}"


def learn(sut: Any, inputs: Sequence[str], **options: Unpack[LearnKeywords]) -> Learnt:
    """Learn the model of a system that answers symbols by symbols (L#, Vaandrager et al. 2022, by AALpy).

    ``sut`` is what ``fullproof.run`` takes. Options: those of the command ``learn``, such as ``extra_states``,
    ``output``, ``journal``, ``resume``. Guarantee: the model is equivalent to the system, if that is deterministic, is
    reset reliably, and has at most ``extra_states`` states more than the model.
    """
    return learn_system(sut, inputs, from_options(LearnRequest, options))


def learn_system(sut: Any, inputs: Sequence[str], request: LearnRequest, *, progress: Progress | None = None) -> Learnt:
    """Learn by a request; the model is written where it says. ``progress`` hears of each test."""
    from fullproof.execute.shield import Shield
    from fullproof.formats.table import check_target, write_model
    from fullproof.kinds.systems import open_sut

    if not inputs or isinstance(inputs, str) or not all(isinstance(symbol, str) for symbol in inputs):
        raise UserError(f"inputs must be a list of texts, got {str(inputs)[:60]!r}")
    if request.output is not None:
        check_target(request.output)
    unknown = Fsm(name=request.name, initial="s0", states=("s0",), inputs=tuple(inputs), outputs=(), transitions=())
    system = resettable(as_system(sut), "fullproof.learn")
    with Shield():
        opened = open_sut(system, unknown, step_timeout=request.step_timeout)
        try:
            inquiry = Inquiry(opened, repeats=request.repeats, step_timeout=request.step_timeout, progress=progress)
            with _journalled(inquiry, described(system), inputs, request):
                found = _learnt(inquiry, list(inputs), request)
        finally:
            opened.close()
    if request.output is not None:
        write_model(found.model, request.output, header=found.header())
    return found


@contextmanager
def _journalled(inquiry: Inquiry, sut: str, inputs: Sequence[str], request: LearnRequest) -> Iterator[None]:
    """Keep all questions in the journal, and say after an interruption how to go on with it."""
    from fullproof.formats.journal.questions import QuestionJournal

    if request.journal is None:
        if request.resume:
            raise UserError("--resume needs the journal to go on with: give --journal FILE")
        yield
        return
    journal = QuestionJournal(request.journal, sut=sut, inputs=inputs, resume=request.resume)
    try:
        inquiry.keep(journal)
        if (kept := journal.kept) is not None:
            note = f"the journal of earlier learning was kept as {kept}: --resume --journal {kept} goes on with it"
            inquiry.notes.append(WarningNote(note))
        with telling(lambda: _so_far(inquiry), "to go on, give --resume"):
            yield
    finally:
        journal.close()


def _so_far(inquiry: Inquiry) -> str:
    return f"{counted(inquiry.cost.resets, 'test')} and {counted(inquiry.cost.inputs, 'input')} are in the journal"


def _learnt(inquiry: Inquiry, inputs: list[str], request: LearnRequest) -> Learnt:
    while True:
        asked = _Asked(inquiry)
        oracle = CompleteOracle(inputs, asked, extra_states=request.extra_states, method=request.method)
        growth = oracle.progress = _Growth(inquiry)
        try:
            found = from_aalpy(_by_lsharp(inputs, asked, oracle), name=request.name)
            _check_resets(inquiry, found)
        except AnswerTakenBack:
            continue
        break
    shallow = _shallow(len(found.states), request.extra_states, len(inputs))
    return Learnt(
        model=found,
        states=len(found.states),
        rounds=oracle.rounds,
        tests=inquiry.cost.resets,
        steps=inquiry.cost.inputs,
        reused=oracle.reused,
        resumed=inquiry.resumed,
        extra_states=request.extra_states,
        guarantee=oracle.guarantee,
        notes=(*shallow, *inquiry.notes, *growth.notes),
    )


def _by_lsharp(inputs: list[str], asked: SUL, oracle: CompleteOracle) -> Any:
    from aalpy.learning_algs import run_Lsharp

    return run_Lsharp(
        inputs,
        asked,
        oracle,
        automaton_type="mealy",
        extension_rule="SepSeq",
        separation_rule="SepSeq",
        cache_and_non_det_check=False,
        print_level=0,
    )


def _check_resets(inquiry: Inquiry, model: Fsm) -> None:
    """Leave the system once in each state, and ask after the reset what distinguishes that state from the first."""
    step = {(t.source, t.input): (t.output, t.target) for t in model.transitions}
    for state, word in _ways(model, step).items():
        if state != model.initial:
            inquiry.check_reset(word, _distinguishing(model, step, state))


def _ways(model: Fsm, step: _Steps) -> dict[str, tuple[str, ...]]:
    """A shortest sequence of inputs to each state."""
    found: dict[str, tuple[str, ...]] = {model.initial: ()}
    queue = deque(found)
    while queue:
        state = queue.popleft()
        for symbol in model.inputs:
            target = step[state, symbol][1]
            if target not in found:
                found[target] = (*found[state], symbol)
                queue.append(target)
    return found


def _distinguishing(model: Fsm, step: _Steps, state: str) -> tuple[str, ...]:
    """A shortest sequence that a state answers otherwise than the first one. Needs: the model is minimal."""
    queue: deque[tuple[str, str, tuple[str, ...]]] = deque([(model.initial, state, ())])
    seen = {(model.initial, state)}
    while queue:
        one, other, word = queue.popleft()
        for symbol in model.inputs:
            (said, there), (answered, elsewhere) = step[one, symbol], step[other, symbol]
            if said != answered:
                return (*word, symbol)
            if (there, elsewhere) not in seen:
                seen.add((there, elsewhere))
                queue.append((there, elsewhere, (*word, symbol)))
    raise Bug("two states of a learnt model are equivalent")


class _Growth:
    """Tells how the machine grows and what it costs."""

    def __init__(self, inquiry: Inquiry) -> None:
        self._cost = inquiry.cost
        self.notes: list[str] = []

    def __call__(self, rounds: int, states: int) -> None:
        """A hypothesis with so many states, at its first test or a later one."""
        said = f"hypothesis {rounds}: {counted(states, 'state')}"
        cost = self._cost
        if rounds > len(self.notes):
            spent = f"{counted(cost.inputs, 'input')} and {counted(cost.resets, 'reset')}"
            self.notes.append(f"{said}, after {spent}")
        report_status(lambda: f"learning: {said}, {counted(cost.inputs, 'input')}, {counted(cost.resets, 'reset')}")


class _Asked(SUL):  # type: ignore[misc]
    """A system as AALpy asks it: every question once."""

    def __init__(self, inquiry: Inquiry) -> None:
        super().__init__()
        self.known = inquiry.known
        self._inquiry = inquiry

    def query(self, word: Sequence[str]) -> list[str]:
        return self._inquiry.answers(word)

    def compared(self, word: Sequence[Hashable], wanted: Sequence[Any]) -> list[Any]:
        """The outputs, up to the first that is not as wanted."""
        return self._inquiry.answers([str(symbol) for symbol in word], wanted=wanted)

    def pre(self) -> None:
        """Questions are whole sequences."""

    def post(self) -> None:
        """Questions are whole sequences."""

    def step(self, letter: str) -> object:
        """AALpy asks for it in ``query`` alone, which is another one here."""
        raise Bug(f"{letter!r} was asked for alone: questions are whole sequences")
