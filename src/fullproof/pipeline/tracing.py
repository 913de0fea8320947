"""Which requirements a run has exercised, and which transitions a failure concerns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullproof.artefacts.matrix import Matrix, Standing, Traced
from fullproof.artefacts.trace import Trace
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.language.printing import to_text
from fullproof.model import Fsm, Model, Sfsm, StateMachine
from fullproof.model.fsm import FsmTransition
from fullproof.model.sfsm import SfsmTransition
from fullproof.model.statemachine import SmTransition

if TYPE_CHECKING:
    from fullproof.judge.semantics import Semantics

EXAMPLES = 20


@dataclass(frozen=True, slots=True)
class Account:
    """Where a failing execution went: transitions on its way, and those that the failing step should have taken."""

    path: tuple[int, ...]
    concerned: tuple[int, ...]


def account_of(model: Model, semantics: Semantics, trace: Trace) -> Account:
    """Follow an execution up to the step that was wrong, or to its end."""
    node, path = 0, list[int]()
    states = {model.initial}
    for step in trace.steps:
        move = semantics.move(node, step.input, step.output)
        if move.node < 0:
            return Account(tuple(path), _open(model, states, step.input))
        node = move.node
        path += move.transitions
        states = {_transitions(model)[k].target for k in move.transitions} or states
    rest = trace.test.inputs[len(trace.steps) :]
    return Account(tuple(path), _open(model, states, rest[0]) if rest and trace.error is not None else ())


def transition_text(model: Model, number: int) -> str:
    """A transition as reports name it."""
    t = _transitions(model)[number]
    if isinstance(t, FsmTransition):
        return f"{t.source} --{t.input}/{t.output}--> {t.target}"
    if isinstance(t, SmTransition):
        from fullproof.formats.labels import transition_label

        return f"{t.source} --{transition_label(model, t)}--> {t.target}"
    return f"{t.source} --[{to_text(t.guard)}] / {to_text(t.output)}--> {t.target}"


class Tracing:
    """Counts, as traces come in, how many tests exercised each requirement."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._of = [t.requirements for t in _transitions(model)]
        self._tests: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}
        self._last = ""
        self._seen: set[str] = set()
        self._violated: set[str] = set()
        self._monitored = False
        self.wanted = any(self._of) or bool(model.description.requirements)

    def requirements(self, transitions: Iterable[int]) -> tuple[str, ...]:
        """The requirements that transitions realise, each once."""
        return tuple(dict.fromkeys(name for k in sorted(transitions) for name in self._of[k]))

    def add(self, trace: Trace, judgement: Judgement, account: Account | None) -> None:
        """Count one execution; the repetitions of a test come one after the other and count once."""
        self._violated.update(violation.property for violation in judgement.violates or ())
        self._monitored |= judgement.violates is not None
        if not self.wanted:
            return
        if trace.test.id != self._last:
            self._last = trace.test.id
            self._seen = set()
        exercised = set(self.requirements(judgement.exercised))
        if account is not None:
            concerned = set(self.requirements(account.concerned))
            exercised |= concerned | set(self.requirements(account.path))
            if judgement.verdict in (Verdict.FAIL, Verdict.ERROR):
                self._blame(concerned, trace.test.id)
        for name in exercised - self._seen:
            self._tests[name] += 1
            known = self._examples.setdefault(name, [])
            if len(known) < EXAMPLES and trace.test.id not in known:
                known.append(trace.test.id)
        self._seen |= exercised

    def _blame(self, requirements: Iterable[str], test: str) -> None:
        for name in requirements:
            self._failed[name] += 1
            known = self._examples.setdefault(name, [])
            if test not in known:
                known.insert(0, test)
                del known[EXAMPLES:]

    def matrix(self) -> Matrix:
        """What is known now."""
        description = self._model.description
        texts = {r.name: r.text for r in description.requirements}
        properties = {p.name: to_text(p.formula) for p in description.properties}
        names = dict.fromkeys([*texts, *(name for names in self._of for name in names)])
        rows = tuple(self._row(name, texts.get(name, ""), properties.get(name, "")) for name in names)
        plain = [k for k, of in enumerate(self._of) if not of] if any(self._of) else []
        return Matrix(rows=rows, orphans=tuple(transition_text(self._model, k) for k in plain))

    def _row(self, name: str, text: str, formula: str) -> Traced:
        realising = [k for k, of in enumerate(self._of) if name in of]
        tests, failed = self._tests[name], self._failed[name]
        if failed or name in self._violated:
            standing = Standing.VIOLATED
        elif not realising and not formula:
            standing = Standing.GAP
        else:
            standing = Standing.MET if tests or (formula and self._monitored) else Standing.UNTESTED
        return Traced(
            requirement=name,
            text=text,
            transitions=tuple(transition_text(self._model, k) for k in realising),
            property=formula,
            tests=tests,
            failed=failed,
            examples=tuple(self._examples.get(name, ())),
            standing=standing,
        )


def _transitions(model: Model) -> tuple[FsmTransition, ...] | tuple[SfsmTransition, ...] | tuple[SmTransition, ...]:
    return model.transitions if isinstance(model, Fsm | Sfsm | StateMachine) else ()


def _open(model: Model, states: set[str], symbol: object) -> tuple[int, ...]:
    """The transitions that the model has for an input in some states."""
    if isinstance(model, Fsm):
        return tuple(k for k, t in enumerate(model.transitions) if t.source in states and t.input == symbol)
    if not isinstance(model, Sfsm) or not isinstance(symbol, Mapping):
        return ()
    from fullproof.language.compile import compile_expression
    from fullproof.language.scope import Scope

    scope = Scope(model.inputs, {c.name: c.value for c in model.description.constants})
    return tuple(
        k for k, t in enumerate(model.transitions) if t.source in states and compile_expression(t.guard, scope)(symbol)
    )
