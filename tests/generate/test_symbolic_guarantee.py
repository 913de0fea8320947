"""The sentences say what they rest on."""

from fullproof.artefacts.abstraction import SymbolicAlphabet
from fullproof.artefacts.guarantee import Theorem
from fullproof.artefacts.request import Relation
from fullproof.generate.symbolic.guarantee import Claim, ExpressionDomain, guarantee
from fullproof.kinds.sfsm.question import undecided_notes
from fullproof.language.parser import parse_expression

ALPHABET = SymbolicAlphabet(guards=(parse_expression("x > 0"),), outputs=(parse_expression("y == x"),))


def undecided(*texts: str) -> tuple:
    return tuple((parse_expression(text), "timeout") for text in texts)


def test_plain() -> None:
    text = guarantee(
        Claim(relation=Relation.EQUIVALENCE),
        ExpressionDomain(alphabet=ALPHABET, states=2, extra_states=1),
        Theorem("paper"),
    )
    assert text.sentence == (
        "Every system that passes all tests, having shown all its answers to each of them (complete testing "
        "assumption: --repeat K), is language-equivalent to the model, provided that it behaves like a symbolic "
        "machine over the guards and output expressions of the model and its fault domain (1 guard, 1 output "
        "expression) with at most 3 states in observable form (2 of the minimal model + 1 extra) and is reset reliably "
        "before each test (paper)."
    )


def test_what_weakens_it_is_said() -> None:
    claim = Claim(relation=Relation.PROPERTY, properties=("P", "Q", "R"), doubtful=("Q",))
    domain = ExpressionDomain(
        alphabet=ALPHABET,
        undecided=undecided("x * x == y", "x == y"),
        states=1,
        extra_states=0,
        deterministic=True,
        tolerant=True,
    )
    text = guarantee(claim, domain, Theorem("paper")).sentence
    for part in (
        "satisfies the properties P, Q and R, as the model does (if it does satisfy Q)",
        "with one transition for each state and input",
        "Not proven: the solver could not decide whether x * x == y; x == y can be satisfied; only if none",
        "gives wrong outputs only outside of the tolerance of right ones",
    ):
        assert part in text
    assert text.startswith("Not proven: ")
    assert "--repeat" not in text


def test_notes_name_the_formulas() -> None:
    notes = undecided_notes(undecided("x == 1", "x == 2", "x == 3", "x == 4", "x == 5"))
    assert len(notes) == 4
    assert "whether x == 1 can be satisfied (timeout)" in notes[0]
    assert "2 more formulas" in notes[3]
