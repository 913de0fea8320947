"""Suites for symbolic machines: the exact engine held against mutants that are judged by trying out all values."""

import dataclasses
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from benchmarks.attack_symbolic import complete_machines
from tests.oracles.symbolic_attack import questions, suites, words_of
from tests.oracles.symbolic_faults import World, mutants
from tests.strategies.attack_machines import PROPERTIES

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.certify.answers import Complete, Incomplete, Open, UndecidedCompleteness
from fullproof.certify.second_solver import ask_second_solver
from fullproof.certify.symbolic_checker import SymbolicDomain, certify_symbolic
from fullproof.certify.symbolic_classes import DomainExpressions, answered, find_classes
from fullproof.core.deadline import Deadline
from fullproof.formats.table import read_model_text
from fullproof.language.compile import compile_expression
from fullproof.language.parser import parse_expression

NUMBERS = (0, 4, 6)
MACHINES = [one for one in islice(complete_machines(), 8) if one[0] in NUMBERS]
IDS = [str(number) for number, _ in MACHINES]


def asked(question, words, *, timeout=60.0):
    properties = question.properties if question.relation is Relation.PROPERTY else ()
    alphabet = question.machine.classes.alphabet
    domain = SymbolicDomain(guards=alphabet.guards, outputs=alphabet.outputs, extra_states=question.extra_states)
    return certify_symbolic(question.model, words, domain, properties=properties, timeout=timeout)


def cut(words, number):
    """Suites at the edge of completeness: as they are, without one test, without the end of one, and half of them."""
    place = number % len(words)
    yield words
    yield words[:place] + words[place + 1 :]
    yield [word[:-1] if k == place else word for k, word in enumerate(words)]
    yield words[::2]


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
@pytest.mark.parametrize(("number", "model"), MACHINES, ids=IDS)
def test_answers_agree_with_mutants_that_are_judged_exactly(number, model):
    [question] = questions(model, SuiteRequest(seed=number % 3), (number % 2,))
    alphabet = question.machine.classes.alphabet
    world = World(model, alphabet.guards, alphabet.outputs)
    right = world.dfa(world.machine(model))
    bound = len(right) + question.extra_states
    systems = {world.dfa(mutant) for mutant in mutants(world.machine(model), world, extra=question.extra_states)}
    found = Counter()
    for suite in suites(question, ("general", "separable")):
        if isinstance(suite, str):
            continue
        for k, words in enumerate(cut(words_of(suite), number)):
            answer, _ = asked(question, words)
            tree = world.tree(words)
            survive = any(len(s) <= bound and s != right and world.passes(right, s, tree) for s in systems)
            found[type(answer)] += 1
            if k == 0:
                assert isinstance(answer, Complete), answer
            if survive:
                assert not isinstance(answer, Complete)
            if isinstance(answer, Incomplete):
                system = world.dfa(world.machine(answer.survivor))
                assert system != right
                assert len(system) <= bound
                assert world.passes(right, system, tree)
    assert found[Complete]
    assert found[Incomplete]
    assert not found[UndecidedCompleteness]


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
@pytest.mark.parametrize(("number", "model"), MACHINES, ids=IDS)
def test_properties_are_decided_by_their_monitors(number, model):
    found = Counter()
    for name, (shape, *parts) in list(PROPERTIES.items())[number % 3 :: 3]:
        domain = model.description.fault_domain
        guards = list(dict.fromkeys([*(t.guard for t in model.transitions), *domain.guards]))
        outputs = list(dict.fromkeys([*(t.output for t in model.transitions), *domain.outputs]))
        world = World(model, guards, outputs, [parse_expression(text) for text in parts])
        right = world.dfa(world.machine(model))
        if world.violates(right, shape):
            continue
        request = SuiteRequest(relation=Relation.PROPERTY, properties=(name,))
        [question] = questions(model, request, (number % 2,))
        bound = len(right) + question.extra_states
        systems = {world.dfa(mutant) for mutant in mutants(world.machine(model), world, extra=question.extra_states)}
        wrong = [s for s in systems if len(s) <= bound and world.violates(s, shape)]
        for suite in suites(question, ("general",)):
            if isinstance(suite, str):
                continue
            for k, words in enumerate(cut(words_of(suite), number)):
                answer, _ = asked(question, words)
                tree = world.tree(words)
                found[type(answer)] += 1
                if k == 0:
                    assert isinstance(answer, Complete), answer
                if any(world.passes(right, s, tree) for s in wrong):
                    assert not isinstance(answer, Complete)
                if isinstance(answer, Incomplete):
                    system = world.dfa(world.machine(answer.survivor))
                    assert world.passes(right, system, tree)
                    assert world.violates(system, shape)
    assert not found[UndecidedCompleteness]


RANGED = """
machine: sfsm
name: ranged
inputs: {x: int 0..20}
outputs: {y: int 0..10}
initial: s0
states:
  s0:
    - {when: x <= 12, then: y == 0, to: s1}
    - {when: x > 12, then: y == 1, to: s0}
  s1:
    - {when: x <= 10, then: y == x, to: s1}
    - {when: x > 10, then: y == 0, to: s0}
"""


@pytest.mark.requirement("CERTIFY-1")
def test_guards_that_differ_only_where_an_output_has_no_value_are_different_guards():
    # With one transition for each input, x <= 12 with y == x leaves 11 and 12 to no other transition, x <= 10 does.
    model = read_model_text(RANGED, Path("ranged.yaml"))
    guards, outputs = (dict.fromkeys(getattr(t, part) for t in model.transitions) for part in ("guard", "output"))
    domain = SymbolicDomain(guards=tuple(guards), outputs=tuple(outputs), extra_states=0, single=True)
    words = [[{"x": 10}, {"x": 10}, {"x": 10}], [{"x": 10}, {"x": 11}]]
    answer, _ = certify_symbolic(model, words, domain, timeout=60)
    assert isinstance(answer, Incomplete), answer
    whole = [[{"x": x} for x in (10, 10, 5, 13, 5, 11, 13, 12, 10)]]
    answer, _ = certify_symbolic(model, whole, domain, timeout=60)
    assert isinstance(answer, Complete), answer


def test_survivors_refuse_no_input_where_they_need_not():
    model = read_model_text(RANGED, Path("ranged.yaml"))
    guards, outputs = (dict.fromkeys(getattr(t, part) for t in model.transitions) for part in ("guard", "output"))
    for single in (False, True):
        domain = SymbolicDomain(guards=tuple(guards), outputs=tuple(outputs), extra_states=0, single=single)
        answer, _ = certify_symbolic(model, [[{"x": 13}, {"x": 13}]], domain, timeout=60)
        assert isinstance(answer, Incomplete)
        for state in answer.survivor.states:
            row = [compile_expression(t.guard, model.scope) for t in answer.survivor.transitions if t.source == state]
            assert all(any(guard({"x": x}) for guard in row) for x in range(21))


def test_questions_about_the_partition_have_the_answers_that_are_expected():
    model = MACHINES[0][1]
    [question] = questions(model, SuiteRequest(), (0,))
    suite = next(s for s in suites(question, ("general",)) if not isinstance(s, str))
    answer, partition = asked(question, words_of(suite))
    assert isinstance(answer, Complete)
    names = [one.name for one in partition]
    assert {"cover-1", "exclude", "constant-1"} <= set(names)
    assert len(names) == len(set(names))
    assert any(one.solvable for one in partition)
    assert all(answered(one) is True for one in partition)


def test_a_class_that_is_missing_is_noticed():
    model = MACHINES[0][1]
    alphabet = DomainExpressions(
        scope=model.scope,
        inputs=model.inputs,
        guards=tuple(dict.fromkeys(t.guard for t in model.transitions)),
        outputs=tuple(dict.fromkeys(t.output for t in model.transitions)),
    )
    classes = find_classes(alphabet, Deadline(30))
    assert classes.covers_all_signs
    signs, witnesses, refuted = classes.signs, classes.witnesses, classes._refuted
    assert not type(classes)(alphabet, signs[1:], witnesses[1:], refuted).covers_all_signs
    assert not type(classes)(alphabet, signs, witnesses, refuted[1:]).covers_all_signs
    twice = type(classes)(alphabet, (*signs, signs[0]), (*witnesses, witnesses[0]), refuted)
    assert not twice.covers_all_signs
    [question] = [one for one in twice.questions() if one.name == "exclude"]
    assert answered(question) is False
    hidden = type(classes)(alphabet, signs[1:], witnesses[1:], (*refuted, signs[0]))
    assert hidden.covers_all_signs
    assert [answered(one) for one in hidden.questions() if one.name.startswith("cover-")].count(False) == 1
    wider = dataclasses.replace(alphabet, guards=(*alphabet.guards, parse_expression("x > 1")))
    assert len(find_classes(wider, Deadline(30)).signs) >= len(classes.signs)


def test_time_that_is_up_is_unknown():
    [question] = questions(MACHINES[0][1], SuiteRequest(), (0,))
    answer, _ = asked(question, [[dict(question.inputs[0])]], timeout=0)
    assert isinstance(answer, UndecidedCompleteness)
    assert "0 s" in answer.reason


def test_a_second_solver_answers_the_same_questions(tmp_path):
    pytest.importorskip("cvc5")
    [question] = questions(MACHINES[0][1], SuiteRequest(), (0,))
    suite = next(s for s in suites(question, ("general",)) if not isinstance(s, str))
    _, partition = asked(question, words_of(suite))
    said = ask_second_solver(partition, tmp_path / "smt")
    assert said == f"cvc5 gave the same answers to {len(partition)} questions about the partition"
    assert len(list((tmp_path / "smt").glob("*.smt2"))) == len(partition)
    wrong = dataclasses.replace(partition[0], solvable=not partition[0].solvable)
    refused = ask_second_solver([wrong], tmp_path / "smt")
    assert isinstance(refused, Open)
    assert "was expected" in refused.reason
