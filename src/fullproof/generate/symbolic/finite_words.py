"""Finite methods below a symbolic one: words over the inputs of a letter machine."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from fullproof.analysis.table import Table
from fullproof.artefacts.guarantee import Theorem
from fullproof.artefacts.prefix_tree import PrefixTree
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.words import WordList, WordSource
from fullproof.core.counted import counted
from fullproof.core.errors import UserError
from fullproof.core.suggest import all_of
from fullproof.generate.finite.auto import cheapest, cost_of
from fullproof.generate.finite.generalised_wp import generalised_wp
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS, equivalence_method
from fullproof.generate.symbolic.general import reductions
from fullproof.generate.symbolic.letters import LetterMachine
from fullproof.generate.symbolic.separator import Separator, Word
from fullproof.generate.symbolic.tree import MOST_NODES, suite_tree

NONDETERMINISTIC = ("w", "wp", "h")


def is_deterministic(machine: LetterMachine) -> bool:
    """Whether each input has one answer in each state."""
    symbols = range(len(machine.inputs))
    return all(len(machine.answers(state, symbol)) == 1 for state in range(machine.states) for symbol in symbols)


def equivalence_words(
    machine: LetterMachine, request: SuiteRequest, *, extra_states: int
) -> tuple[WordSource, Theorem, tuple[str, ...]]:
    """Words of the requested finite method or the cheapest one; its theorem; and notes.

    Guarantee: complete for equivalence to the machine over its letters, for systems of at most ``extra_states`` more
    states; where the machine is deterministic, for deterministic ones. Needs: every input has an answer everywhere.
    """
    _require_room(machine, extra_states)
    if is_deterministic(machine):
        return _deterministic(machine, request, extra_states=extra_states)
    asked = request.fsm_method
    if asked not in (None, "auto", *NONDETERMINISTIC):
        if asked in EQUIVALENCE_METHODS:
            raise UserError(
                f"--fsm-method {asked} is for deterministic machines, and the abstraction of this model is "
                f"nondeterministic: use {', '.join(NONDETERMINISTIC)}"
            )
        raise UserError(f"unknown finite method {asked!r}{all_of(str(asked), [*EQUIVALENCE_METHODS, 'auto'])}")
    tried: dict[str, WordList] = {}
    for name in ("wp", "h") if asked in (None, "auto") else (str(asked),):
        tried[name] = _nondeterministic(machine, name, extra_states=extra_states)
    best = min(tried, key=lambda name: cost_of(tried[name], reset_cost=request.reset_cost))
    return tried[best], _THEOREMS[best], ()


def reduction_words(
    machine: LetterMachine, request: SuiteRequest, *, extra_states: int
) -> tuple[WordSource, Theorem, tuple[str, ...]]:
    """Words for reduction to the machine over its letters, their theorem, and notes.

    Guarantee: complete for systems of at most ``extra_states`` more states that answer every input. State counting; and
    where the machine is deterministic, so that a reduction of it is equivalent, the methods for equivalence of
    nondeterministic systems, if they are cheaper. Needs: every input has an answer everywhere.
    """
    if request.fsm_method not in (None, "auto"):
        raise UserError("--fsm-method is for equivalence; for reduction, states are counted")
    _require_room(machine, extra_states)
    tried = {"counting": reductions(machine, extra_states=extra_states)}
    if is_deterministic(machine):
        tried |= {name: _nondeterministic(machine, name, extra_states=extra_states) for name in ("wp", "h")}
    best = min(tried, key=lambda name: cost_of(tried[name], reset_cost=request.reset_cost))
    return tried[best], _THEOREMS[best], ()


def _require_room(machine: LetterMachine, extra_states: int) -> None:
    size = machine.states * float(len(machine.inputs)) ** (extra_states + 1)
    if size > MOST_NODES:
        raise UserError(
            f"the suite would have about {size:,.0f} tests ({counted(machine.states, 'state')}, "
            f"{len(machine.inputs)} refined "
            f"guards, {counted(extra_states, 'extra state')}), more than the {MOST_NODES:,} that fit; ask for "
            f"fewer extra states"
        )


_THEOREMS = {
    "counting": Theorem("state counting, rd3", ("Sachtleben and Peleska 2022",)),
    "w": Theorem("W-method for observable machines", ("Luo, von Bochmann and Petrenko 1994",)),
    "wp": Theorem("generalised Wp-method", ("Luo, von Bochmann and Petrenko 1994",)),
    "h": Theorem("H-method for observable machines", ("Dorofeeva et al. 2005",)),
}


def _deterministic(
    machine: LetterMachine, request: SuiteRequest, *, extra_states: int
) -> tuple[WordSource, Theorem, tuple[str, ...]]:
    table = _table(machine)
    if request.fsm_method in (None, "auto"):
        method, words, notes = cheapest(table, request, extra_states=extra_states)
        return words, method.theorem, notes
    method = equivalence_method(str(request.fsm_method))
    words = method.source(table, request, extra_states=extra_states)
    return words, method.theorem, ()


def _table(machine: LetterMachine) -> Table:
    symbols = len(machine.inputs)
    cells = [next(iter(machine.answers(s, i))) for s in range(machine.states) for i in range(symbols)]
    targets = [machine.after[number // symbols][letter] for number, letter in enumerate(cells)]
    return Table(
        states=machine.states,
        inputs=symbols,
        outputs=max(cells) + 1,
        target=np.array(targets, dtype=np.int32),
        output=np.array(cells, dtype=np.int32),
    )


def _nondeterministic(machine: LetterMachine, name: str, *, extra_states: int) -> WordList:
    match name:
        case "wp":
            return generalised_wp(machine.responses(), extra_states=extra_states)
        case "h":
            kinds = range(machine.states)
            return suite_tree(machine, extra_states=extra_states, kinds=kinds).tests()
        case _:
            return _w(machine, extra_states=extra_states)


def _w(machine: LetterMachine, *, extra_states: int) -> WordList:
    """V.I^(<= k + 1).W: everything that the H-method compares is compared, since W follows every place."""
    tree = PrefixTree()
    cover = sorted({machine.access(state) for state in range(machine.states)})
    suffixes = _characterising(machine)
    for word in cover:
        for length in range(extra_states + 2):
            for middle in product(range(len(machine.inputs)), repeat=length):
                for suffix in suffixes:
                    tree.insert(word + middle + suffix)
    return tree.tests()


def _characterising(machine: LetterMachine) -> list[Word]:
    """Few short words that separate all pairs of states; the empty one where there is one state."""
    separator = Separator(machine)
    left = set(combinations(range(machine.states), 2))
    offers = sorted({separator.shortest(*pair) for pair in left} | {(i,) for i in range(len(machine.inputs))})
    words: list[Word] = []
    while left:
        served = {word: {pair for pair in left if separator.prefix(*pair, word) is not None} for word in offers}
        best = max((len(found), -len(word), word) for word, found in served.items())[2]
        words.append(best)
        left -= served[best]
    return words or [()]
