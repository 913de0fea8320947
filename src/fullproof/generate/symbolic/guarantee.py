"""What suites for symbolic machines prove, and under which hypotheses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fullproof.artefacts.abstraction import SymbolicAlphabet
from fullproof.artefacts.guarantee import (
    ALL_ANSWERS_SHOWN,
    OUTSIDE_TOLERANCES,
    RESET,
    About,
    Guarantee,
    Hypothesis,
    Strength,
    Theorem,
    Voucher,
)
from fullproof.artefacts.request import Relation
from fullproof.core.counted import counted
from fullproof.generate.symbolic.margins import Margin
from fullproof.language.printer import to_text
from fullproof.language.syntax import Expression

GENERAL = "Huang, Krafczyk and Peleska 2022, Part I"
SEPARABLE = "Huang, Krafczyk and Peleska 2022, Part II"
LOCAL = "transition witnesses; a method of this project, proved in docs/proofs/transition-witnesses.md"
ABSTRACTION = "Huang, Krafczyk and Peleska 2021"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The claim about a passing system: a relation to the model, or properties by name."""

    relation: Relation
    properties: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    """Properties for which it is undecided whether the model satisfies them."""
    endless: tuple[str, ...] = ()
    """Properties that are not safety: carried over by Koenig's lemma."""
    partial: bool = False
    """Whether the model leaves inputs undefined."""

    def text(self) -> str:
        """The predicate of the sentence."""
        names = _listed(self.properties) if self.properties else ""
        plural = "ies" if len(self.properties) > 1 else "y"
        doubt = f" (if it does satisfy {_listed(self.doubtful)})" if self.doubtful else ""
        satisfies = f"satisfies the propert{plural} {names}, as the model does{doubt}"
        if self.relation is Relation.PROPERTY:
            return satisfies
        relation, meaning = _RELATIONS[self.relation, self.partial]
        return f"is {relation} the model{meaning}" + (f" and so {satisfies}" if names else "")


_ANYTHING = "what the model leaves undefined may do anything"
_ALLOWED = " (wherever the model defines an input, it answers, and as the model allows"
_RELATIONS = {
    (Relation.EQUIVALENCE, False): ("language-equivalent to", ""),
    (Relation.EQUIVALENCE, True): (
        "quasi-equivalent to",
        f" (wherever the model defines an input, it gives the model's answers, all of them and no others; {_ANYTHING})",
    ),
    (Relation.REDUCTION, False): ("a reduction of", ""),
    (Relation.QUASI_REDUCTION, False): ("a quasi-reduction of", f"{_ALLOWED})"),
    (Relation.QUASI_REDUCTION, True): ("a quasi-reduction of", f"{_ALLOWED}; {_ANYTHING})"),
}
"""The relation of a system to the model and its meaning, for complete models and for partial ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionDomain:
    """The fault domain: which expressions a system may use, and how many states it may have."""

    alphabet: SymbolicAlphabet
    states: int
    extra_states: int
    undecided: Sequence[tuple[Expression, str]] = ()
    """Formulas that must be unsatisfiable and that the solver could not decide."""
    deterministic: bool = False
    """Whether only systems are covered that have one output expression and target for each state and input."""
    tolerant: bool = False
    """Whether some outputs are compared within a tolerance."""
    margin: Margin = Margin.NONE
    """Then: by how many tolerances the outputs that tests must distinguish are known to differ."""
    further: str = ""
    """Further parts of the fault domain as text, beginning with a comma."""
    families: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    """The fault domain in the form of a suite's header."""
    assumptions: Sequence[Expression] = ()
    """The assumptions on the environment."""


def guarantee(claim: Claim, domain: ExpressionDomain, theorem: Theorem) -> Guarantee:
    """The claim for this fault domain; undecided formulas are named in it."""
    if claim.endless:
        what = "no safety property" if len(claim.endless) == 1 else "no safety properties"
        theorem = theorem.citing(f"{_listed(claim.endless)}, {what}, by Koenig's lemma: docs/proofs/ltl.md")
    single = "with one transition for each state and input, " if domain.deterministic else ""
    alphabet = domain.alphabet
    total = domain.states + domain.extra_states
    alphabets = f"{counted(len(alphabet.guards), 'guard')}, {counted(len(alphabet.outputs), 'output expression')}"
    machine = Hypothesis(
        text=f"behaves like a symbolic machine {single}over the guards and output expressions of the model and its "
        f"fault domain ({alphabets}){domain.further} with at most {counted(total, 'state')} in observable form "
        f"({domain.states:,} of the minimal model + {domain.extra_states:,} extra)",
        by=Voucher.USER,
    )
    undecided = tuple(to_text(formula) for formula, _ in domain.undecided)
    return Guarantee(
        strength=Strength.PROVED,
        says=claim.text(),
        hypotheses=(
            *_of_the_model(claim, len(undecided)),
            *(() if domain.deterministic else (ALL_ANSWERS_SHOWN,)),
            *of_the_system(machine, domain),
        ),
        theorem=theorem,
        undecided=undecided,
    )


def of_the_system(machine: Hypothesis, domain: ExpressionDomain) -> tuple[Hypothesis, ...]:
    """The hypothesis on its behaviour, and those on tolerances, its environment and resets."""
    return (*_within_tolerance(machine, domain), *_of_the_environment(domain), RESET)


def _of_the_environment(domain: ExpressionDomain) -> Iterator[Hypothesis]:
    """The inputs that are referred to, where these are not all within their types."""
    if domain.assumptions:
        listed = _listed([to_text(assumption) for assumption in domain.assumptions])
        yield Hypothesis(subject="its environment", text=f"keeps {listed}", by=Voucher.USER)


def _of_the_model(claim: Claim, undecided: int) -> Iterator[Hypothesis]:
    """The hypotheses on the model, with the solver's answers."""
    for name in claim.properties:
        by = Voucher.OPEN if name in claim.doubtful else Voucher.TOOL
        yield Hypothesis(about=About.MODEL, subject="the model", text=f"satisfies {name}", by=by)
    if undecided:
        one = undecided == 1
        yield Hypothesis(
            about=About.MODEL,
            subject="the undecided formula" if one else f"none of the {undecided:,} undecided formulas",
            text="cannot be satisfied" if one else "can be satisfied",
            by=Voucher.OPEN,
        )


def _within_tolerance(machine: Hypothesis, domain: ExpressionDomain) -> tuple[Hypothesis, ...]:
    """The effect of tolerances: only exactness is lost where outputs are far apart, else a hypothesis is added.

    A judge that accepts outputs near a right output also continues after every transition that such an output fits, so
    that right outputs must not be near those of other transitions either, where there is a choice.
    """
    if not domain.tolerant:
        return (machine,)
    match domain.margin:
        case Margin.TWICE:
            return (replace(machine, qualifier="in both cases up to the tolerance of outputs"),)
        case Margin.ONCE:
            return machine, Hypothesis(text="gives the outputs of its expressions exactly", by=Voucher.USER)
        case Margin.NONE:
            others = "" if domain.deterministic else "right ones only outside of that of other transitions"
            return machine, replace(OUTSIDE_TOLERANCES, qualifier=others)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
