"""Which requirements a run has exercised, and which transitions a failure concerns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.matrix import Matrix, Standing, Traced
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.language.printer import to_text
from fullproof.model import Model
from fullproof.model.unflattened import drawn_transitions

if TYPE_CHECKING:
    from fullproof.judge.accounts import Account

EXAMPLES = 20


def transition_text(model: Model, number: int) -> str:
    """A transition as reports name it."""
    from fullproof.formats.labels import transition_name

    return transition_name(model, drawn_transitions(model)[number])


class Tracing:
    """Counts, as traces come in, how many tests exercised each requirement."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._of = [t.requirements for t in drawn_transitions(model)]
        self._tests: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}
        self._last = ""
        self._seen: set[str] = set()
        self._known: dict[str, set[str]] = {}
        self._violated: set[str] = set()
        self._monitored = False
        self.wanted = any(self._of) or bool(model.description.requirements)

    def requirements(self, transitions: Iterable[int]) -> tuple[str, ...]:
        """The requirements that transitions realise, each once."""
        return tuple(dict.fromkeys(name for k in sorted(transitions) for name in self._of[k]))

    def add(self, trace: Execution, judgement: Judgement, account: Account | None) -> None:
        """Count one execution; repetitions of a test that come one after the other count once."""
        self._violated.update(violation.property for violation in judgement.violates or ())
        self._monitored |= judgement.violates is not None
        if not self.wanted:
            return
        if trace.test.id != self._last:
            self._last = trace.test.id
            # A test of a reactive system may be repeated later in the run.
            self._seen = self._known.setdefault(self._last, set()) if trace.events else set()
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
        """The matrix so far."""
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
