"""What suites for symbolic machines prove, as sentences with their hypotheses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fullproof.artefacts.abstraction import SymbolicAlphabet
from fullproof.artefacts.request import Relation
from fullproof.generate.symbolic.margins import Margin
from fullproof.language.printing import to_text
from fullproof.language.syntax import Expression

GENERAL = "Huang, Krafczyk and Peleska 2022, Part I"
SEPARABLE = "Huang, Krafczyk and Peleska 2022, Part II"
LOCAL = "transition witnesses; a method of this project, proved in docs/proofs/transition-witnesses.md"
ABSTRACTION = "Huang, Krafczyk and Peleska 2021"
_SHOWN = 3
_LONGEST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What is claimed of a passing system: a relation to the model, or properties by name."""

    relation: Relation
    properties: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    """Properties of which it could not be decided whether the model has them."""
    endless: tuple[str, ...] = ()
    """Properties that are not safety: carried over by Koenig's lemma."""

    def text(self) -> str:
        """The predicate of the sentence."""
        names = _listed(self.properties) if self.properties else ""
        plural = "ies" if len(self.properties) > 1 else "y"
        doubt = f" (if it does satisfy {_listed(self.doubtful)})" if self.doubtful else ""
        satisfies = f"satisfies the propert{plural} {names}, as the model does{doubt}"
        if self.relation is Relation.PROPERTY:
            return satisfies
        relation = "a reduction of" if self.relation is Relation.REDUCTION else "language-equivalent to"
        return f"is {relation} the model" + (f" and so {satisfies}" if names else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """The fault domain: which expressions a system may use, and how many states it may have."""

    alphabet: SymbolicAlphabet
    states: int
    extra_states: int
    undecided: Sequence[tuple[Expression, str]] = ()
    """Formulas that must have no solution, and of which the solver could not tell."""
    deterministic: bool = False
    """Whether only systems are covered that have one output expression and target for each state and input."""
    tolerant: bool = False
    """Whether some outputs are compared within a tolerance."""
    margin: Margin = Margin.NONE
    """Then: by how many tolerances the outputs that tests must tell apart are known to differ."""
    further: str = ""
    """What else systems may have, or never have, beginning with a comma."""
    families: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    """The same as the header of a suite has it."""


def guarantee(claim: Claim, domain: Domain, theorem: str) -> str:
    """One sentence; all of them begin with ``Every``, unless a solver left something open: then with that."""
    if claim.endless:
        what = "no safety property" if len(claim.endless) == 1 else "no safety properties"
        theorem += f"; {_listed(claim.endless)}, {what}, by Koenig's lemma: docs/proofs/ltl.md"
    seen = (
        ""
        if domain.deterministic
        else (", having shown all its answers to each of them (complete testing assumption: --repeat K),")
    )
    single = "with one transition for each state and input, " if domain.deterministic else ""
    alphabet = domain.alphabet
    total = domain.states + domain.extra_states
    alphabets = f"{_count(len(alphabet.guards), 'guard')}, {_count(len(alphabet.outputs), 'output expression')}"
    missing = _undecided(domain.undecided)
    return (
        f"{missing}{'every' if missing else 'Every'} system that passes all tests{seen} {claim.text()}, "
        "provided that it behaves like a symbolic machine "
        f"{single}over the guards and output expressions of the model and its fault domain "
        f"({alphabets}){domain.further} with at most "
        f"{_count(total, 'state')} in observable form ({domain.states:,} of the minimal model + "
        f"{domain.extra_states:,} extra){_tolerance(domain)} and is reset reliably "
        f"before each test ({theorem})."
    )


def _tolerance(domain: Domain) -> str:
    """What tolerances cost: nothing but exactness where outputs are far apart, else a hypothesis.

    A judge that accepts what is near a right output also goes on behind every transition that such an output fits, so
    that right outputs must not be near those of other transitions either, where there is a choice.
    """
    if not domain.tolerant:
        return ""
    match domain.margin:
        case Margin.TWICE:
            return ", in both cases up to the tolerance of outputs,"
        case Margin.ONCE:
            return ", gives the outputs of its expressions exactly"
        case Margin.NONE:
            others = "" if domain.deterministic else ", right ones only outside of that of other transitions,"
            return f", gives wrong outputs only outside of the tolerance of right ones{others}"


def _undecided(open_: Sequence[tuple[Expression, str]]) -> str:
    """What is missing, where anything is."""
    if not open_:
        return ""
    number = len(open_)
    texts = [_short(to_text(formula)) for formula, _ in open_[:_SHOWN]]
    more = f" and {_count(number - _SHOWN, 'more formula')}" if number > _SHOWN else ""
    formulas = f"{'; '.join(texts)}{more}"
    none = "it cannot" if number == 1 else "none of them can"
    return f"Not proven: the solver could not tell whether {formulas} can be satisfied; only if {none}, "


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
