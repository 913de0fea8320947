"""Does a certificate prove a suite complete? The second implementation of docs/certificate-format.md.

``checker/fpcheck.py`` is the one to trust: this one uses the conditions and kernels of the engines, is fast, and has to
give the same answers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fullproof.certify.canonical import CanonicalModel, canonical, suite_sha256
from fullproof.certify.certificate import find_node
from fullproof.certify.clauses import RefutationClauses
from fullproof.certify.k_a import KaCondition
from fullproof.certify.kernels.lemma_check import LemmaCheck
from fullproof.certify.machine import FlatMachine, Word
from fullproof.certify.transition_order import TransitionCondition
from fullproof.certify.tree import WordTree, plant
from fullproof.certify.windows import WindowCondition
from fullproof.core.deadline import Deadline
from fullproof.model.fsm import Fsm

_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,17})(?: (?:0|[1-9][0-9]{0,17}))*")
_LEMMA = re.compile(r"((?:-?[1-9][0-9]{0,8} )*)0 ([1-9][0-9]{0,8}(?: [1-9][0-9]{0,8})*)")


@dataclass(frozen=True, slots=True)
class Accepted:
    """The certificate proves the suite complete for machines with at most ``states + extra`` states."""

    states: int
    extra: int
    evidence: str
    model_sha256: str
    suite_sha256: str
    """Of the machine and the tests, as the format defines them."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The certificate does not prove it, and why. The suite may be complete all the same."""

    reason: str


class _Refusal(Exception):
    """Why a certificate is refused."""


def check_certificate(
    fsm: Fsm, words: Sequence[Sequence[str]], text: bytes, *, seconds: float | None = None
) -> Accepted | Rejected:
    """Check a certificate. Needs: a complete deterministic model, and words of its inputs."""
    model = canonical(fsm)
    place = {symbol: k for k, symbol in enumerate(model.names)}
    suite = [tuple(place[symbol] for symbol in word) for word in words]
    try:
        return _Certificate(text).accepted(model, suite, Deadline(seconds))
    except _Refusal as refusal:
        return Rejected(str(refusal))


class _Certificate:
    """The lines, read from the first to the last."""

    def __init__(self, text: bytes) -> None:
        body, _, last = text.rpartition(b"\nend ")
        body += b"\n"
        if last != hashlib.sha256(body).hexdigest().encode() + b"\n":
            raise _Refusal("the certificate is damaged: its last line is not the hash of the others")
        if not body.isascii():
            raise _Refusal("the certificate is not ASCII")
        self._lines = body.decode("ascii").split("\n")[:-1]
        self._at = 0

    def accepted(self, model: CanonicalModel, suite: Sequence[Word], deadline: Deadline) -> Accepted:
        """Everything, in the order of the format."""
        self._expect("fullproof-certificate 1", "the certificate has another version of the format")
        self._expect(f"model {model.sha256()}", "the certificate is for another model")
        self._expect(f"suite {suite_sha256(suite)}", "the certificate is for another suite")
        self._expect("relation equivalence", "the certificate claims another relation")
        n, extra = self._number("states"), self._number("extra")
        # The classes of equivalent states, numbered as they occur: there is one such list.
        demand(tuple(self._numbers("classes")) == model.classes, "the classes are not those of equivalent states")
        demand(n == model.minimal.states, "the number of classes is not the number of states claimed")
        tree = plant(model.minimal, suite)
        p = model.minimal.inputs
        fits = extra < len(tree) and n * p ** (extra + 1 if p > 1 else 1) <= len(tree)
        demand(fits, "the suite is too small for the claim")
        access = self._access(model.minimal)
        kind = self._next("evidence")
        if kind == "refutation":
            self._refutation(model.minimal, tree, access, n + extra)
        else:
            self._witness(kind, model.minimal, tree, access, extra, deadline)
        demand(self._at == len(self._lines), "lines follow the evidence")
        return Accepted(n, extra, kind, model.sha256(), suite_sha256(suite))

    def _access(self, model: FlatMachine) -> list[Word]:
        """Access words, and a word for each pair of states."""
        access = []
        for q in range(model.states):
            word = self._word("access", model)
            state = 0
            for i in word:
                state = model.target[state][i]
            demand(state == q and (q > 0 or not word), f"the access word of state {q} does not lead there")
            access.append(word)
        for q, r in combinations(range(model.states), 2):
            fields = self._numbers("apart")
            demand(fields[:2] == [q, r] and len(fields) > 2, f"a word for states {q} and {r} was expected")
            demand(_tells_apart(model, q, r, fields[2:]), f"the word for states {q} and {r} does not distinguish them")
        return access

    def _nodes(self, tree: WordTree, words: Sequence[Word]) -> list[int]:
        found = [node for node in (find_node(tree, word) for word in words) if node is not None]
        demand(len(found) == len(words), "an access word is not applied by the suite")
        seen = tree.observations()
        nodes = np.array(found, dtype=np.int32)
        demand(all(seen.first_not_apart(node, nodes) < 0 for node in nodes), "two access words are not distinguished")
        return found

    def _witness(
        self, kind: str, model: FlatMachine, tree: WordTree, access: list[Word], extra: int, deadline: Deadline
    ) -> None:
        nodes = self._nodes(tree, access)
        failure: str | None
        if kind == "k-A":
            failure = KaCondition(model, tree, nodes, deadline).failure(extra)
        elif kind == "windows" and extra > 0:
            failure = WindowCondition(model, tree, nodes, extra, deadline).replayed(self._order(model))
        else:
            fits = kind == "transitions" and extra == 0
            demand(fits, "the kind of evidence is unknown, or not for this number of extra states")
            condition = TransitionCondition(model, tree, nodes)
            failure = condition.settle()
            for cell in self._order(model):
                demand(failure is None and condition.take(*cell), f"transition {cell} is not verified, or taken twice")
            failure = failure or condition.left()
        demand(failure is None, f"{failure}")

    def _order(self, model: FlatMachine) -> list[tuple[int, int]]:
        order = []
        while self._at < len(self._lines):
            fields = self._numbers("take")
            fits = len(fields) == 2 and fields[0] < model.states and fields[1] < model.inputs
            demand(fits, "there is no such transition")
            order.append((fields[0], fields[1]))
        return order

    def _refutation(self, model: FlatMachine, tree: WordTree, access: list[Word], bound: int) -> None:
        pins = self._numbers("pins")
        fits = pins[:1] == [0] and sorted(set(pins)) == pins and pins[-1] < model.states
        demand(fits, "the pins are not 0 and increasing states")
        clauses = RefutationClauses(model, tree, self._nodes(tree, [access[q] for q in pins]), bound)
        demand(self._number("clauses") == len(clauses), "the number of clauses is not what the question has")
        check = LemmaCheck(*clauses.arrays(), clauses.variables)
        empty = False
        while self._at < len(self._lines):
            demand(not empty, "lines follow the empty lemma")
            found = _LEMMA.fullmatch(self._next("lemma"))
            if found is None:
                raise _Refusal(f"line {self._at} of the certificate is no lemma")
            lemma, hints = (np.array(part.split(), dtype=np.int64) for part in found.groups())
            fits = bool(check.accept(lemma.astype(np.int32), hints.astype(np.int32)))
            demand(fits, f"the lemma on line {self._at} of the certificate does not follow")
            empty = len(lemma) == 0
        demand(empty, "the last lemma is not the empty clause")

    def _next(self, key: str) -> str:
        """What follows a key on the next line."""
        demand(self._at < len(self._lines), f"the certificate ends where {key} was expected")
        first, blank, rest = self._lines[self._at].partition(" ")
        self._at += 1
        demand(first == key and bool(blank) == bool(rest), f"line {self._at} of the certificate: {key} was expected")
        return rest

    def _expect(self, line: str, reason: str) -> None:
        key, _, value = line.partition(" ")
        demand(self._next(key) == value, reason)

    def _numbers(self, key: str) -> list[int]:
        rest = self._next(key)
        demand(not rest or _NUMBER.fullmatch(rest) is not None, f"line {self._at} of the certificate: no numbers")
        return [int(field) for field in rest.split()]

    def _number(self, key: str) -> int:
        found = self._numbers(key)
        demand(len(found) == 1, f"line {self._at} of the certificate: one number was expected")
        return found[0]

    def _word(self, key: str, model: FlatMachine) -> Word:
        word = tuple(self._numbers(key))
        demand(all(i < model.inputs for i in word), f"line {self._at} of the certificate: there is no such input")
        return word


def demand(condition: bool, reason: str) -> None:
    """Refuse with a reason unless the condition holds."""
    if not condition:
        raise _Refusal(reason)


def _tells_apart(model: FlatMachine, q: int, r: int, word: Sequence[int]) -> bool:
    """Whether two states answer a word differently at its last input and not before."""
    for place, i in enumerate(word, start=1):
        if i >= model.inputs or (model.output[q][i] != model.output[r][i]) != (place == len(word)):
            return False
        q, r = model.target[q][i], model.target[r][i]
    return True
