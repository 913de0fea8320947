"""The guarantee of a suite or a run, as data: a claim, its hypotheses with who is responsible for each, and a theorem.

Only this module makes the sentence of a guarantee, from the data. No other module parses a sentence: decisions use
fields.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from fullproof.core.counted import counted

_ITEMS_SHOWN = 4
"""How many states of a group, and how many groups, a sentence names."""
_FORMULAS_SHOWN = 3
_LONGEST = 200
"""Formulas, and characters of each, that a sentence quotes; the data has all of them in full."""


class Strength(Enum):
    """The strength of a guarantee."""

    PROVED = "proved"
    """A theorem proves the claim for every system that passes, under the hypotheses."""
    CITED = "cited"
    """A paper claims it; ``not_covered`` says what is missing in its proof."""
    COVERAGE = "coverage"
    """A fail is a proof; a pass states what was exercised."""
    EXERCISED = "exercised"
    """No proof: the claim states what the tests exercise."""
    NONE = "none"
    """There is no guarantee, for the ``reasons``."""
    STATED = "stated"
    """A file states a sentence, ``says``, without data: as older versions and other tools write it."""


class Voucher(Enum):
    """Who is responsible for a hypothesis."""

    TOOL = "tool"
    """fullproof has checked it."""
    USER = "user"
    """The user of the suite has to ensure it for the system."""
    RUN = "run"
    """A run shows it, as far as a run can show it."""
    OPEN = "open"
    """A solver was asked and could not decide it."""

    @property
    def words(self) -> str:
        """The text in a report."""
        return {
            Voucher.TOOL: "fullproof, which checked it",
            Voucher.USER: "the user of the system",
            Voucher.RUN: "the run",
            Voucher.OPEN: "open: a solver could not decide it",
        }[self]


class About(Enum):
    """What a hypothesis refers to; this decides where the sentence has it."""

    SYSTEM = "system"
    MODEL = "model"
    RUN = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesis:
    """``subject`` and ``text`` are a clause: *it* (the system) *is reset reliably before each test*."""

    text: str
    by: Voucher
    about: About = About.SYSTEM
    subject: str = "it"
    name: str = ""
    """Such as FH1, where the literature has one."""
    qualifier: str = ""
    """A further part of the clause, which commas set off."""
    evidence: str = ""
    """What a run has shown of it."""

    @property
    def clause(self) -> str:
        """The hypothesis as an entry of a list."""
        return f"{self.subject} {self._predicate}".strip()

    @property
    def condition(self) -> str:
        """The same as a sentence of its own."""
        return f"This holds if {self.clause}."

    @property
    def _predicate(self) -> str:
        return f"{self.text}, {self.qualifier}" if self.qualifier else self.text


@dataclass(frozen=True, slots=True)
class Theorem:
    """What proves a claim: a method or a theorem, and where it was published or is proved."""

    name: str
    citations: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text in parentheses."""
        return "; ".join((self.name, *self.citations))

    def citing(self, *more: str) -> Theorem:
        """The same theorem with further references."""
        return Theorem(self.name, (*self.citations, *more))


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """What holds for a system that passes. Two guarantees with the same data have the same sentence."""

    strength: Strength
    says: str = ""
    """The claim: what holds for a system that passes; of a suite for coverage, what a pass means."""
    passes: str = "all tests"
    """What a system has to pass."""
    hypotheses: tuple[Hypothesis, ...] = ()
    theorem: Theorem | None = None
    refutes: str = ""
    """What a fail proves, where that is stated."""
    undecided: tuple[str, ...] = ()
    """Formulas that must be unsatisfiable and that the solver could not decide."""
    not_covered: tuple[str, ...] = ()
    """What is not covered although a reader might assume it."""
    reasons: tuple[str, ...] = ()
    """Why there is no guarantee."""
    unobservable: str = ""
    """Why nothing of the system is observable, where that is the case."""
    alike: tuple[tuple[str, ...], ...] = ()
    """Groups of states that no test distinguishes and that count as one."""
    state_is_output: bool = False
    """Whether the system shows its active state, which counts as an output."""

    @property
    def exists(self) -> bool:
        """Whether there is a guarantee for a pass."""
        return self.strength is not Strength.NONE

    @property
    def sentence(self) -> str:
        """The guarantee in words."""
        return f"{self._before()}{self._core()}{self._after()}"

    @property
    def claim(self) -> str:
        """The claim alone, for a reader who has the hypotheses as a list; empty where the sentence says more."""
        is_whole = self.strength is not Strength.PROVED or self.undecided or self.unobservable or not self.hypotheses
        return "" if is_whole else f"{self._every()} {self.says}"

    def refused(self, reasons: Sequence[str]) -> Guarantee:
        """No guarantee, for these reasons and those that were known before; the guarantee itself where there are no
        reasons.
        """
        if not reasons:
            return self
        return Guarantee(
            strength=Strength.NONE,
            reasons=(*self.reasons, *reasons),
            refutes="" if self.exists else self.refutes,
            theorem=None if self.exists else self.theorem,
        )

    def assuming(self, hypothesis: Hypothesis) -> Guarantee:
        """The same under one more hypothesis."""
        return dataclasses.replace(self, hypotheses=(*self.hypotheses, hypothesis))

    def shown(self, evidence: str) -> Guarantee:
        """The same with the results of a run for the hypotheses that a run shows."""
        given = tuple(
            dataclasses.replace(h, evidence=evidence) if h.by is Voucher.RUN and h.about is About.RUN else h
            for h in self.hypotheses
        )
        return dataclasses.replace(self, hypotheses=given)

    def citing(self, *more: str) -> Guarantee:
        """The same with further grounds of its theorem."""
        return self if self.theorem is None else dataclasses.replace(self, theorem=self.theorem.citing(*more))

    def _before(self) -> str:
        blind = self.unobservable
        return f"Nothing is observable ({blind}), so a system in a wrong state passes. " if blind else ""

    def _core(self) -> str:
        match self.strength:
            case Strength.STATED:
                return self.says
            case Strength.NONE:
                fail = f" A fail proves that {self.refutes}{self._cited()}." if self.refutes else ""
                return f"No guarantee: {'; '.join(self.reasons)}.{fail}"
            case Strength.EXERCISED:
                return f"No proof{self._cited()}: {self.says}."
            case Strength.COVERAGE:
                nothing = f", and promises nothing about {'; '.join(self.not_covered)}" if self.not_covered else ""
                return f"A fail proves that {self.refutes}{self._cited()}; a pass means that {self.says}{nothing}."
            case Strength.CITED:
                where, name = (", ".join(self.theorem.citations), self.theorem.name) if self.theorem else ("", "")
                whose = f"The suite is that of {where}; according to their {name} a system that passes"
                return f"{self._uncovered()}{whose} {self.says}{self._provided()}."
            case Strength.PROVED:
                return f"{self._uncovered()}{self._every()} {self.says}{self._provided()}{self._cited()}."

    def _cited(self) -> str:
        return "" if self.theorem is None else f" ({self.theorem.text})"

    def _uncovered(self) -> str:
        return f"Not covered: {'; '.join(self.not_covered)}. " if self.not_covered else ""

    def _every(self) -> str:
        """The subject of the sentence, after the undecided formulas, where there are any."""
        shown = [h.text for h in self._hypotheses_about(About.RUN) if h.by is Voucher.RUN]
        having = f", having {' and '.join(shown)}," if shown else ""
        whole = f"every system that passes {self.passes}{having}"
        if not self.undecided:
            return whole[0].upper() + whole[1:]
        number = len(self.undecided)
        texts = "; ".join(_short(text) for text in self.undecided[:_FORMULAS_SHOWN])
        more = f" and {counted(number - _FORMULAS_SHOWN, 'more formula')}" if number > _FORMULAS_SHOWN else ""
        none = "it cannot" if number == 1 else "none of them can"
        unknown = f"the solver could not decide whether {texts}{more} can be satisfied"
        return f"Not proven: {unknown}; only if {none}, {whole}"

    def _provided(self) -> str:
        """The hypotheses on the system; hypotheses that fullproof has checked are left out."""
        given = [h for h in self._hypotheses_about(About.SYSTEM) if h.by is not Voucher.TOOL]
        if not given:
            return ""
        are_named = any(h.name for h in given)
        texts = [f"({h.name}) {h.clause}" if h.name else h.clause for h in given] if are_named else [*_elided(given)]
        if len(texts) == 1:
            return f", provided that {texts[0]}"
        is_short = len(texts) == 2 and not are_named and not given[0].qualifier
        return f", provided that {', '.join(texts[:-1])}{'' if is_short else ','} and {texts[-1]}"

    def _after(self) -> str:
        parts = []
        if self.alike:
            parts.append(f" States that no test distinguishes count as one: {alike_text(self.alike)}.")
        if self.state_is_output:
            parts.append(" The active state, which the system shows, counts as an output.")
        parts += [f" {h.condition}" for h in self._hypotheses_about(About.RUN) if h.by is Voucher.USER]
        return "".join(parts)

    def _hypotheses_about(self, about: About) -> Iterator[Hypothesis]:
        return (h for h in self.hypotheses if h.about is about)


ALL_ANSWERS_SHOWN = Hypothesis(
    about=About.RUN,
    by=Voucher.RUN,
    subject="it has",
    text="shown all its answers to each of them (complete testing assumption: --repeat K)",
)
"""The complete testing assumption, of a run of a suite."""
RESET = Hypothesis(text="is reset reliably before each test", by=Voucher.USER)
OUTSIDE_TOLERANCES = Hypothesis(text="gives wrong outputs only outside of the tolerance of right ones", by=Voucher.USER)
ENABLED_SHOWN = Hypothesis(text="shows the inputs that it enables", by=Voucher.RUN)


def no_guarantee(*reasons: str) -> Guarantee:
    """No guarantee, for these reasons."""
    return Guarantee(strength=Strength.NONE, reasons=reasons)


def stated(sentence: str) -> Guarantee:
    """A guarantee of which only the sentence is known."""
    return Guarantee(strength=Strength.STATED, says=sentence)


def alike_text(groups: Sequence[Sequence[str]]) -> str:
    """``a = b; c = d``: states that are not distinguished, some of them where there are many."""
    shown = "; ".join(_few(group) for group in groups[:_ITEMS_SHOWN])
    return shown + ("; ..." if len(groups) > _ITEMS_SHOWN else "")


def _few(group: Sequence[str]) -> str:
    return " = ".join(group[:_ITEMS_SHOWN]) + (" = ..." if len(group) > _ITEMS_SHOWN else "")


def _elided(given: Sequence[Hypothesis]) -> Iterator[str]:
    """The clauses in sequence; a subject equal to that of the previous clause is not repeated."""
    before = ""
    for one in given:
        whole = one.clause
        yield whole[len(one.subject) + 1 :] if one.subject and one.subject == before else whole
        before = one.subject


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
