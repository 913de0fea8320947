"""A complete suite of a finite method for the restricted model; what is undefined in it is not executed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fullproof.analysis.table import Table
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.words import WordList, WordSource, word_list
from fullproof.core.errors import UserError
from fullproof.generate.auto import cheapest, cost_of
from fullproof.generate.catalogue import EQUIVALENCE_METHODS, FiniteMethod, equivalence_method
from fullproof.generate.input_tree import InputTree
from fullproof.generate.statemachine.restriction import UNDEFINED, Minimal

MOST_TESTS = 3_000_000
PARTIAL = ("hsi", "spyh")
"""Methods that are tried for a part of a model."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FiniteWords:
    """Words over the events of the restricted model, the method, and the states of the minimal machine."""

    words: WordSource
    method: FiniteMethod
    states: int
    is_partial: bool
    notes: tuple[str, ...]


def finite_words(machine: Minimal, request: SuiteRequest, *, extra_states: int) -> FiniteWords:
    """The suite of the finite method asked for, by ``--method`` or ``--fsm-method``, or of the cheapest one.

    Guarantee: complete for systems whose behaviour on the restricted model's sequences has ``extra_states`` more
    states than ``machine``. Words are cut where they leave the restricted model: there the answer is known to be none.
    """
    table, outside = machine.table, machine.outside
    size = table.states * float(table.inputs) ** (extra_states + 1)
    if size > MOST_TESTS and outside is None:
        raise UserError(
            f"the suite would have about {size:,.0f} inputs or more ({table.states} states, {table.inputs} events, "
            f"{extra_states} extra states): fewer extra states or wider intervals?"
        )
    name = request.method if request.method in EQUIVALENCE_METHODS else request.fsm_method or "auto"
    notes: tuple[str, ...] = ()
    if name != "auto":
        tried = [equivalence_method(name)]
    elif outside is None:
        method, words, notes = cheapest(table, request, extra_states=extra_states)
        return FiniteWords(words=words, method=method, states=table.states, is_partial=False, notes=notes)
    else:
        found = [equivalence_method(one) for one in PARTIAL]
        tried = [m for m in found if m.affordable(table, extra_states)] or [equivalence_method("w")]
    best: tuple[float, FiniteMethod, WordSource] | None = None
    for method in tried:
        words = method.source(table, request, extra_states=extra_states)
        words = words if outside is None else _inside(words, table)
        cost = cost_of(words, reset_cost=request.reset_cost)
        if best is None or cost < best[0]:
            best = cost, method, words
    assert best is not None
    return FiniteWords(words=best[2], method=best[1], states=table.states, is_partial=outside is not None, notes=notes)


def _inside(words: WordSource, table: Table) -> WordList:
    """The words as far as they do not leave the restricted model."""
    tree = InputTree()
    for piece in words.chunks():
        for word in piece:
            tree.insert(_cut(word.tolist(), table))
    return word_list(tree.maximal())


def _cut(word: list[int], table: Table) -> Iterator[int]:
    state = 0
    for symbol in word:
        cell = state * table.inputs + symbol
        if table.output[cell] == UNDEFINED:
            return
        yield symbol
        state = int(table.target[cell])
