"""I/O equivalence classes of symbolic machines (paper 000, sections 2.4 and 5.2)."""

from __future__ import annotations

from fullproof.abstract.alphabet import scope_of
from fullproof.abstract.budget import Budget
from fullproof.abstract.enumeration import sign_vectors
from fullproof.artefacts.abstraction import IoClass, IoClasses, Representative, SymbolicAlphabet
from fullproof.model import Sfsm


def io_classes(model: Sfsm, alphabet: SymbolicAlphabet, *, timeout: float | None = 60.0) -> IoClasses:
    """The satisfiable sign vectors over an alphabet, and inputs that cover them.

    Classes are numbered in the order of their signs, those where the first expressions hold first, so that the same
    model gives the same classes. ``timeout`` is what all questions to the solver may take together, in seconds; what
    they leave open is ``undecided``.
    """
    budget = Budget(timeout)
    distinct = list(dict.fromkeys(alphabet.expressions))
    place = {expression: k for k, expression in enumerate(distinct)}
    vectors = sign_vectors(distinct, scope_of(model), budget)
    classes = tuple(
        IoClass(
            id=f"io{number}",
            guards=tuple(signs[place[e]] for e in alphabet.guards),
            outputs=tuple(signs[place[e]] for e in alphabet.outputs),
            propositions=tuple(signs[place[e]] for e in alphabet.propositions),
            witness=vectors.found[signs],
        )
        for number, signs in enumerate(sorted(vectors.found, reverse=True), start=1)
    )
    representatives = tuple(
        Representative(input={v.name: c.witness[v.name] for v in model.inputs}, covers=(k,))
        for k, c in enumerate(classes)
    )
    return IoClasses(
        alphabet=alphabet, classes=classes, representatives=representatives, undecided=tuple(vectors.undecided)
    )
