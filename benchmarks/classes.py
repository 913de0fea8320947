"""I/O equivalence classes: how many, how long, how many questions to the solver for each.

``thresholds`` compares two inputs with constants, ``diagonals`` their sum and difference; half of the guards each, and
two output expressions. ``alone`` is the search without valuations to begin with: the solver finds every class. BRAKE's
38 classes are to take less than half a second. Seconds are those of the processor, whatever else it is doing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from fullproof.abstract.alphabet import alphabet_of, scope_of
from fullproof.abstract.budget import Budget
from fullproof.abstract.classes import io_classes
from fullproof.abstract.enumeration import sign_vectors
from fullproof.abstract.signature import ExpressionSigns
from fullproof.artefacts.abstraction import SymbolicAlphabet
from fullproof.formats import read_model
from fullproof.language.parser import parse_expression
from fullproof.language.types import RealType, Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition

REFERENCE = Path(__file__).resolve().parent.parent / "tests" / "data" / "reference"
SIZES = (10, 20, 30, 40)
SPEED = RealType(Fraction(0), Fraction(1000))


def thresholds(k: int) -> list[str]:
    """Guards by which two inputs are compared with constants."""
    half = k // 2
    return [f"x <= {10 * i}" for i in range(1, half + 1)] + [f"z < {5 * i}" for i in range(1, k - half + 1)]


def diagonals(k: int) -> list[str]:
    """Guards by which the sum and the difference of two inputs are compared with constants."""
    half = k // 2
    return [f"x + z <= {10 * i}" for i in range(1, half + 1)] + [f"x - z < {5 * i}" for i in range(1, k - half + 1)]


def machine(guards: list[str]) -> Sfsm:
    """One state, and for each guard a transition with either of two output expressions."""
    outputs = [parse_expression(text) for text in ("y == 0", "y == x + z")]
    return Sfsm(
        name="family",
        initial="s",
        states=("s",),
        inputs=(Variable(name="x", type=SPEED), Variable(name="z", type=SPEED)),
        outputs=(Variable(name="y", type=RealType(Fraction(0), None)),),
        transitions=tuple(
            SfsmTransition(source="s", guard=parse_expression(text), output=output, target="s")
            for text in guards
            for output in outputs
        ),
    )


def main() -> None:
    """Print a line for each size of each family."""
    print(
        f"{'model':<14}{'Sigma':>6}{'classes':>9}{'inputs':>8}{'s':>8}{'ms/class':>10}{'calls/class':>13}{'alone':>8}"
    )
    brake = read_model(REFERENCE / "brake/brake.yaml")
    assert isinstance(brake, Sfsm)
    measure("warming up", brake, alphabet_of(brake), show=lambda _: None)
    measure("BRAKE", brake, alphabet_of(brake))
    measure("BRAKE R1 R2", brake, alphabet_of(brake, properties=brake.description.properties))
    for name, family in (("thresholds", thresholds), ("diagonals", diagonals)):
        for size in SIZES:
            model = machine(family(size - 2))
            measure(name, model, alphabet_of(model))


def measure(name: str, model: Sfsm, alphabet: SymbolicAlphabet, *, show: Callable[[str], None] = print) -> None:
    """Classes and representatives, then the search for classes by the solver alone."""
    budget = Budget(None)
    begin = time.process_time()
    classes = io_classes(model, alphabet, budget=budget)
    seconds = time.process_time() - begin
    count, distinct = len(classes.classes), list(dict.fromkeys(alphabet.expressions))
    alone = Budget(None)
    scope = scope_of(model)
    found = sign_vectors(ExpressionSigns(distinct, scope), scope, alone).found
    assert len(found) == count and not classes.undecided and classes.smallest
    show(
        f"{name:<14}{len(alphabet.expressions):>6}{count:>9}{len(classes.representatives):>8}{seconds:>8.2f}"
        f"{1000 * seconds / count:>10.2f}{budget.calls / count:>13.2f}{alone.calls / count:>8.2f}"
    )


if __name__ == "__main__":
    main()
