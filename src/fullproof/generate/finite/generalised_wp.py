"""The generalised Wp-method: equivalence of observable nondeterministic machines."""

from __future__ import annotations

from itertools import product

from fullproof.analysis.d_reachability import trace_cover
from fullproof.analysis.language_separation import language_separating_words
from fullproof.analysis.r_distinguishability import ordered
from fullproof.analysis.responses import Responses
from fullproof.artefacts.prefix_tree import PrefixTree
from fullproof.artefacts.words import WordList
from fullproof.core.budget import require_room
from fullproof.core.errors import Bug

Word = tuple[int, ...]


def generalised_wp(machine: Responses, *, extra_states: int) -> WordList:
    """Luo, von Bochmann and Petrenko 1994: V . I^(<=k) . W, then the rest of V . I^(k+1) with the identifiers reached.

    Guarantee: every observable, complete system of at most ``machine.states + extra_states`` states whose set of
    answers to each test equals the model's is language-equivalent to it.
    Needs: observable, complete, connected, minimal; complete testing, so that all answers of the system are seen.
    """
    tree = PrefixTree()
    cover = _cover(machine)
    identifiers = _identifiers(machine)
    require_room(len(cover) * float(machine.inputs) ** min(extra_states + 1, 300), each=10)
    everything = sorted(set().union(*identifiers)) or [()]
    inner = {word + middle for word in cover for middle in _words_up_to(machine.inputs, extra_states)}
    for word in sorted(inner):
        for suffix in everything:
            tree.insert(word + suffix)
    for word in sorted({(*w, x) for w in inner for x in range(machine.inputs)} - inner):
        tree.insert(word)
        for state in _reached(machine, word):
            for suffix in identifiers[state]:
                tree.insert(word + suffix)
    return tree.tests()


def _cover(machine: Responses) -> list[Word]:
    """Input words of which some trace reaches each state: a passing system has the same traces on them."""
    words = trace_cover(machine)
    if len(words) < machine.states:
        raise Bug("the generalised Wp-method needs a connected machine")
    return sorted(set(words.values()))


def _identifiers(machine: Responses) -> list[set[Word]]:
    """For each state, words that distinguish it from every other one; the words of a pair serve both its states."""
    words = language_separating_words(machine)
    wanted = machine.states * (machine.states - 1) // 2
    if len(words) < wanted:
        raise Bug("the generalised Wp-method needs a minimal machine")
    found: list[set[Word]] = [set() for _ in range(machine.states)]
    for state in range(machine.states):
        for other in range(machine.states):
            if other != state:
                found[state].add(words[ordered(state, other)])
    return found


def _reached(machine: Responses, word: Word) -> set[int]:
    states = {0}
    for symbol in word:
        states = {target for state in states for target in machine.after[state][symbol].values()}
    return states


def _words_up_to(inputs: int, length: int) -> list[Word]:
    return [word for k in range(length + 1) for word in product(range(inputs), repeat=k)]
