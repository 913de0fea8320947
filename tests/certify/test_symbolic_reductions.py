"""Suites for reductions of symbolic machines, and for partial ones: the exact engine held against mutants that are
judged by trying out all values.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest
from benchmarks.attack_symbolic import complete_machines
from tests.oracles.partial_attack import Reading, partial_machine
from tests.oracles.symbolic_attack import questions, suites, words_of
from tests.oracles.symbolic_faults import World, key, mutants

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.certify.answers import Complete, Incomplete, UndecidedCompleteness
from fullproof.certify.symbolic_checker import SymbolicDomain, certify_symbolic
from fullproof.formats.table import read_model_text
from fullproof.model import Sfsm

REDUCTION, QUASI, EQUIVALENCE = Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.EQUIVALENCE


def partial_machines(first: int = 0) -> Iterator[Sfsm]:
    for number in count(first):
        model = partial_machine(number, loose=bool(number & 1), choices=bool(number & 2))
        if model is not None:
            yield model


def cut(words: list, number: int) -> Iterator[list]:
    place = number % len(words)
    yield words
    yield words[:place] + words[place + 1 :]
    yield [word[:-1] if k == place else word for k, word in enumerate(words)]
    yield words[::2]


def meet(model: Sfsm, relation: Relation, number: int, *, extra: int = 0) -> Counter:
    """Whole and cut suites of a model against its mutants: no complete suite that one survives, no wrong survivor."""
    found: Counter = Counter()
    [question] = questions(model, SuiteRequest(relation=relation, seed=number % 3), (extra,))
    alphabet = question.machine.classes.alphabet
    world = World(model, alphabet.guards, alphabet.outputs)
    reading = Reading(world, model)
    systems = {world.dfa(mutant) for mutant in mutants(world.machine(model), world, extra=1)}
    if relation is REDUCTION:
        systems = {system for system in systems if not world.undefined(system)}
    wrong = [system for system in systems if not reading.conforms(system, relation)]
    domain = SymbolicDomain(guards=alphabet.guards, outputs=alphabet.outputs, extra_states=extra)
    for suite in suites(question, ("general", "separable") if relation is REDUCTION else ("general",)):
        if isinstance(suite, str):
            continue
        bound = suite.states + extra
        for k, words in enumerate(cut(words_of(suite), number)):
            answer, _ = certify_symbolic(model, words, domain, relation=relation, timeout=60)
            tests = [[key(symbol) for symbol in word] for word in words]
            found[type(answer)] += 1
            assert k > 0 or not isinstance(answer, Incomplete), answer
            if any(len(one) <= bound and reading.passes(one, tests, relation) for one in wrong):
                found["survived"] += 1
                assert not isinstance(answer, Complete), (model, words)
            if isinstance(answer, Incomplete):
                survivor = world.dfa(world.machine(answer.survivor))
                assert len(survivor) <= bound
                assert relation is not REDUCTION or not world.undefined(survivor)
                assert reading.passes(survivor, tests, relation), (model, words, answer)
                assert not reading.conforms(survivor, relation), (model, words, answer)
    return found


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
@pytest.mark.parametrize("relation", [REDUCTION, QUASI, EQUIVALENCE], ids=lambda relation: relation.value)
def test_answers_agree_with_mutants_that_are_judged_exactly(relation: Relation) -> None:
    found: Counter = Counter()
    models = (model for _, model in complete_machines()) if relation is REDUCTION else partial_machines()
    for number, model in enumerate(islice((m for m in models if len(m.states) == 2), 4)):
        found += meet(model, relation, number, extra=number % 2)
    assert found["survived"] >= 2
    assert found[Incomplete] >= found["survived"]
    assert not found[UndecidedCompleteness]


SPLIT = """
machine: sfsm
name: split
inputs: {x: int 0..1}
outputs: {y: int 0..1}
initial: a
states:
  a:
    - {when: x == 0, then: y == 0, to: b}
    - {when: x == 0, then: y == 0, to: c}
    - {when: x == 1, then: y == 0, to: a}
  b:
    - {when: x == 0, then: y == 0, to: b}
    - {when: x == 1, then: y == 1, to: b}
  c:
    - {when: x == 0, then: y == 1, to: c}
"""


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
def test_what_one_of_several_states_leaves_undefined_is_undefined() -> None:
    # After x = 0 the model is in b or c, and c has no transition for x = 1: systems may do anything with it.
    model = read_model_text(SPLIT, Path("split.yaml"))
    found = meet(model, EQUIVALENCE, 0)
    assert found[Complete] >= 1
    assert found[Incomplete] >= 1
    domain = SymbolicDomain(guards=(), outputs=(), extra_states=0)
    words = [
        [{"x": x} for x in word] for word in ((0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0), (0, 0, 1, 1), (1, 0), (1, 1))
    ]
    answer, _ = certify_symbolic(model, words, domain, timeout=60)
    assert isinstance(answer, Complete), answer


UNEVEN = """
machine: sfsm
name: uneven
inputs: {x: int 0..5}
outputs: {y: int 0..3}
initial: s
states:
  s:
    - {when: x >= 0, then: y <= 1, to: s}
    - {when: x <= 3, then: y == x, to: s}
"""


def test_a_system_that_perhaps_refuses_an_input_does_not_let_a_suite_be_complete() -> None:
    # With x >= 0, y == x has no value for x > 3: a system with that transition alone answers x = 0 and refuses x = 5.
    model = read_model_text(UNEVEN, Path("uneven.yaml"))
    guards, outputs = (tuple({getattr(t, part): None for t in model.transitions}) for part in ("guard", "output"))

    def answer(relation: Relation, x: int, *, single: bool = False) -> object:
        domain = SymbolicDomain(guards=guards, outputs=outputs, extra_states=0, single=single)
        return type(certify_symbolic(model, [[{"x": x}]], domain, relation=relation, timeout=60)[0])

    assert answer(QUASI, 0) is answer(QUASI, 0, single=True) is Incomplete
    assert answer(QUASI, 5) is answer(QUASI, 5, single=True) is Complete
    assert answer(REDUCTION, 0) is Complete  # systems answer every input, and whatever they answer is allowed


def test_reductions_of_partial_symbolic_models_are_unknown() -> None:
    model = read_model_text(SPLIT, Path("split.yaml"))
    domain = SymbolicDomain(guards=(), outputs=(), extra_states=0)
    answer, _ = certify_symbolic(model, [], domain, relation=REDUCTION, timeout=60)
    assert isinstance(answer, UndecidedCompleteness)
    assert "partial" in answer.reason
