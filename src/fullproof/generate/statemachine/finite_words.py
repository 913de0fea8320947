"""A complete suite of a finite method for the restricted model; undefined events are not executed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fullproof.analysis.identifiers import Taste, harmonised_identifiers
from fullproof.analysis.table import Table
from fullproof.artefacts.prefix_tree import PrefixTree
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.words import WordList, WordSource
from fullproof.core.counted import counted
from fullproof.core.errors import UserError
from fullproof.generate.finite.auto import cheapest
from fullproof.generate.finite.basis import basis_of
from fullproof.generate.finite.method import FiniteMethod
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS, equivalence_method
from fullproof.generate.statemachine.restriction import UNDEFINED, Minimal

MOST_TESTS = 3_000_000
WORK = 300_000


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
    states than ``machine``. Words are cut where they leave the restricted model: undefined events have no answer.
    """
    table, outside = machine.table, machine.outside
    size = table.states * float(table.inputs) ** (extra_states + 1)
    if size > MOST_TESTS and outside is None:
        raise UserError(
            f"the suite would have about {size:,.0f} inputs or more ({counted(table.states, 'state')}, "
            f"{counted(table.inputs, 'event')}, "
            f"{counted(extra_states, 'extra state')}): fewer extra states or wider intervals?"
        )
    name = request.method if request.method in EQUIVALENCE_METHODS else request.fsm_method or "auto"
    notes: tuple[str, ...] = ()
    words: WordSource
    if outside is None and name == "auto":
        method, words, notes = cheapest(table, request, extra_states=extra_states)
    elif outside is not None and name in ("auto", "hsi"):
        method, words = equivalence_method("hsi"), sparse_hsi(table, outside, extra_states=extra_states)
    else:
        method = equivalence_method(name)
        words = method.source(table, request, extra_states=extra_states)
        words = words if outside is None else _inside(words, table)
    return FiniteWords(words=words, method=method, states=table.states, is_partial=outside is not None, notes=notes)


def sparse_hsi(table: Table, outside: int, *, extra_states: int) -> WordList:
    """V.I^(<= extra + 1) with harmonised identifiers, cut where it leaves the restricted model, built without the cut
    parts.

    Guarantee: that of a suite of the HSI-method whose words are cut; several families are tried.
    """
    place = basis_of(table, extra_states=0)
    target, output = (array.reshape(table.states, table.inputs) for array in (table.target, table.output))
    applied = [[(i, int(target[s, i])) for i in range(table.inputs) if output[s, i]] for s in range(table.states)]
    nodes = [(place.cover.word(s), s) for s in range(table.states) if s != outside]
    layers = [nodes]
    for _ in range(extra_states + 1):
        layers.append([((*word, i), to) for word, s in layers[-1] for i, to in applied[s]])
    if sum(map(len, layers)) > MOST_TESTS:
        raise UserError(f"the suite would have more than {MOST_TESTS:,} tests: fewer extra states?")
    best: WordList | None = None
    for rate, fine in ((0.6, 4.0), (2.0, 1.0), (0.3, 20.0)) if extra_states == 0 else ((0.6, 4.0),):
        taste = Taste(rate=rate, fine=fine * place.base, ahead=2, work=WORK)
        family = harmonised_identifiers(table, place.separation, weight=place.weight, taste=taste)
        identifiers = [[tuple(word) for word in family.words(s)] for s in range(table.states)]
        tree = PrefixTree()
        for word, state in (node for layer in layers for node in layer):
            end = tree.insert(word)
            for identifier in identifiers[state]:
                tree.insert(_cut(identifier, table, state), end)
        found = tree.tests()
        if best is None or found.total + len(found) < best.total + len(best):
            best = found
    assert best is not None
    return best


def _inside(words: WordSource, table: Table) -> WordList:
    """The words, cut where they leave the restricted model."""
    tree = PrefixTree()
    for piece in words.chunks():
        for word in piece:
            tree.insert(_cut(word.tolist(), table, 0))
    return tree.tests()


def _cut(word: Iterable[int], table: Table, state: int) -> Iterator[int]:
    for symbol in word:
        cell = state * table.inputs + symbol
        if table.output[cell] == UNDEFINED:
            return
        yield symbol
        state = int(table.target[cell])
