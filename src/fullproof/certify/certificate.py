"""The certificate of a suite: what proves it complete, as a text that others can check without this program.

The text is defined in docs/certificate-format.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from fullproof.certify.answers import Complete, Evidence, Open, ProofEngine
from fullproof.certify.canonical import CanonicalModel, canonical, distinctions, suite_sha256, word_line
from fullproof.certify.clauses import RefutationClauses
from fullproof.certify.kernels.lemma_chain import LemmaChain
from fullproof.certify.machine import FlatMachine, Word
from fullproof.certify.tree import WordTree, plant
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Bug
from fullproof.model.fsm import Fsm
from fullproof.smt.sat import open_logged_solver
from fullproof.smt.sat_answers import Contradiction, SatAssignment

_GLANCE = 1_000
"""So many lemmas take a moment: then a look at the clock."""


def certificate(
    fsm: Fsm, words: Sequence[Sequence[str]], answer: Complete, *, extra_states: int, timeout: float
) -> str | Open:
    """The certificate of a suite that an engine found complete, or why there is none.

    ``words`` and ``extra_states`` are those of the question that ``answer`` answers.
    """
    model = canonical(fsm)
    place = {symbol: k for k, symbol in enumerate(model.names)}
    suite = [tuple(place[symbol] for symbol in word) for word in words]
    tree = plant(model.minimal, suite)
    access = _Access(fsm, model, answer.evidence)
    lines = [
        "fullproof-certificate 1",
        f"model {model.sha256()}",
        f"suite {suite_sha256(suite)}",
        "relation equivalence",
        f"states {model.minimal.states}",
        f"extra {extra_states}",
        f"classes {word_line(model.classes)}",
        *(f"access {word_line(word)}".rstrip() for word in access.words),
        *(f"apart {q} {r} {word_line(word)}" for (q, r), word in sorted(distinctions(model.minimal).items())),
    ]
    if answer.method is ProofEngine.EXACT:
        bound = model.minimal.states + extra_states
        found = _refutation(model.minimal, tree, access, bound, Deadline(timeout))
        if isinstance(found, Open):
            return found
        lines += found
    elif answer.method is ProofEngine.K_A:
        lines.append("evidence k-A")
    else:
        lines.append(f"evidence {'windows' if extra_states else 'transitions'}")
        lines += [f"take {q} {i}" for q, i in access.order]
    return sealed(lines)


def sealed(lines: Sequence[str]) -> str:
    """The text of some lines, with the line that ends it."""
    body = "\n".join(lines) + "\n"
    return f"{body}end {hashlib.sha256(body.encode()).hexdigest()}\n"


class _Access:
    """The words and transitions of an engine in the numbers of the certificate; states without a word get one."""

    def __init__(self, fsm: Fsm, model: CanonicalModel, evidence: Evidence) -> None:
        place = {symbol: k for k, symbol in enumerate(model.names)}
        number = [place[symbol] for symbol in fsm.inputs]
        machine = model.minimal
        given = [tuple(number[i] for i in word) for word in evidence.words]
        states = [_end(machine, word) for word in given]
        known = dict(zip(states, given, strict=True))
        self.pins = sorted(known)
        shortest = _shortest(machine)
        self.words = [known.get(q, shortest[q]) for q in range(machine.states)]
        # Engines name states in the order of their words wherever they name transitions.
        self.order = [(states[s], number[i]) for s, i in evidence.order]


def _end(machine: FlatMachine, word: Word) -> int:
    state = 0
    for i in word:
        state = machine.target[state][i]
    return state


def _shortest(machine: FlatMachine) -> dict[int, Word]:
    words: dict[int, Word] = {0: ()}
    for state in (queue := [0]):
        for i, target in enumerate(machine.target[state]):
            if target not in words:
                words[target] = (*words[state], i)
                queue.append(target)
    return words


def find_node(tree: WordTree, word: Word) -> int | None:
    """The node of a word in the tree, or None."""
    node = 0
    for i in word:
        after = next((child for child in tree.children(node) if tree.symbol[child] == i), None)
        if after is None:
            return None
        node = after
    return node


def _refutation(
    model: FlatMachine, tree: WordTree, access: _Access, bound: int, deadline: Deadline
) -> list[str] | Open:
    """The lines of a refutation: solved with a log, every lemma justified, and only what the end needs."""
    nodes = [find_node(tree, access.words[q]) for q in access.pins]
    pins = [node for node in nodes if node is not None]
    if len(pins) < len(nodes):
        raise Bug("a pinned word is not in the suite")
    clauses = RefutationClauses(model, tree, pins, bound)
    literals, starts = clauses.arrays()
    late = Open(f"complete, but the refutation could not be written down within {deadline.seconds:g} s")
    solver = open_logged_solver()
    flat, ends = literals.tolist(), starts.tolist()
    for begin, end in pairwise(ends):
        solver.add_clause(flat[begin:end])
    match solver.solve(seconds=deadline.left()):
        case SatAssignment():
            raise Bug("the clauses of a complete suite have a solution")
        case Contradiction():
            pass
        case _:
            return late
    chain = LemmaChain(clauses.variables)
    chain.given(literals, starts)
    if not _justified(chain, solver.proof(), deadline):
        return late
    return [
        "evidence refutation",
        f"pins {word_line(access.pins)}",
        f"clauses {len(clauses)}",
        *_lemmas(chain, len(clauses)),
    ]


def _justified(chain: LemmaChain, log: Sequence[str], deadline: Deadline) -> bool:
    """Put the lemmas of a solver's log into the chain until the empty clause follows; False where time runs out."""
    known: dict[tuple[int, ...], list[int]] = {}
    for count, line in enumerate(log):
        if chain.refuted():
            return True
        if count % _GLANCE == 0 and deadline.passed():
            return False
        deleted = line.startswith("d")
        lemma = [int(field) for field in line[1 if deleted else 0 :].split()[:-1]]
        key = tuple(sorted(lemma))
        if deleted:
            if known.get(key):
                chain.forget(known[key].pop())
            continue
        number = chain.follow(np.array(lemma, dtype=np.int32))
        if number < 0:
            raise Bug(f"a lemma of the solver does not follow: {line}")
        if number > 0:
            known.setdefault(key, []).append(number)
    if not chain.refuted():
        raise Bug("the log of a contradiction does not end with one")
    return True


def _lemmas(chain: LemmaChain, given: int) -> Iterator[str]:
    for literals, hints in chain.needed(given):
        yield f"lemma {word_line((*literals, 0, *hints))}"
