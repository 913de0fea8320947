"""The general method: paper 000, Part I."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from fullproof.analysis.r_distinguishability import Answers
from fullproof.artefacts.request import Distinguish
from fullproof.artefacts.words import WordList
from fullproof.generate.finite.state_counting import counting
from fullproof.generate.symbolic.letters import LetterMachine
from fullproof.generate.symbolic.tree import suite_tree


def conformance(machine: LetterMachine, *, extra_states: int) -> WordList:
    """Table 5.1: language equivalence.

    Guarantee (Corollary 1): every system over the same letters with at most ``machine.states + extra_states`` states in
    its observable form that shows, for each test, the same sequences of letters as the model is language-equivalent.
    Needs: complete testing, so that all sequences of letters of the system are seen.
    """
    return properties(machine, extra_states=extra_states, kinds=range(machine.states))


def properties(machine: LetterMachine, *, extra_states: int, kinds: Sequence[int]) -> WordList:
    """Table 2.4: safety properties. States of one kind have omega-abstractions that cannot be distinguished.

    Guarantee (Theorem 3): such a system has no trace whose omega-abstraction is not one of the model's, so that it
    satisfies every safety property over the atomic propositions that the model satisfies (Theorem 1).
    Needs: omega preserves the states of the machine; complete testing.
    """
    return suite_tree(machine, extra_states=extra_states, kinds=kinds).tests()


def reductions(machine: LetterMachine, *, extra_states: int) -> WordList:
    """State counting on the machine whose inputs are the representatives and whose outputs are the letters.

    Guarantee: every system over the same letters with at most ``machine.states + extra_states`` states in its
    observable form that shows only sequences of letters of the model, wherever this defines the inputs, is a
    quasi-reduction of it: a reduction, where model and system answer every input. For a trace of the system that
    the model lacks consists of letters, each offered by some input, and so is a trace of the finite machine.
    Needs: complete testing.
    """
    return _counted(machine, Answers.SOME, extra_states=extra_states)


def quasi_equivalence(machine: LetterMachine, *, extra_states: int) -> WordList:
    """The same for equivalence to a partial machine, up to inputs that it leaves undefined.

    Guarantee: every such system that shows, wherever the model defines the inputs, exactly its letters is
    quasi-equivalent to it (Sachtleben and Peleska 2022, section 5.9). All inputs of a letter have the same signs
    of guards, so that whether an input is defined depends on its letters alone, and a difference at any input
    is one at a representative. Needs: complete testing.
    """
    return _counted(machine, Answers.ALL, extra_states=extra_states)


def _counted(machine: LetterMachine, answers: Answers, *, extra_states: int) -> WordList:
    responses = _merged(machine).responses()
    return counting(responses, extra_states=extra_states, distinguish=Distinguish.RD3, answers=answers)


def _merged(machine: LetterMachine) -> LetterMachine:
    """The first of the letters of one input that lead to the same states from every state: counting depends on states
    only.
    """
    inputs = []
    for offered in machine.inputs:
        columns: dict[tuple[int | None, ...], int] = {}
        for letter in sorted(offered):
            columns.setdefault(tuple(row.get(letter) for row in machine.after), letter)
        inputs.append(frozenset(columns.values()))
    return dataclasses.replace(machine, inputs=tuple(inputs))
