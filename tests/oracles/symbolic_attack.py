"""An attack on the completeness of suites for symbolic machines: every mutant near the model, judged exactly."""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tests.oracles.endless import violates_for_ever
from tests.oracles.symbolic_faults import Dfa, World, mutants
from tests.strategies.attack_machines import LIVENESS, PROPERTIES

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import Place, UserError
from fullproof.kinds.sfsm.boundary_values import with_boundary_values
from fullproof.kinds.sfsm.method_suite import MethodSuite
from fullproof.kinds.sfsm.methods import answer
from fullproof.kinds.sfsm.question import Question, question_of
from fullproof.language.parser import parse_expression
from fullproof.model import Sfsm

METHODS = ("general", "separable", "abstraction")
Word = tuple[TestInput, ...]


def words_of(suite: MethodSuite) -> list[list[Mapping]]:
    pieces = suite.words.chunks()
    return [[suite.inputs[symbol] for symbol in word.tolist()] for piece in pieces for word in piece]


def questions(model: Sfsm, request: SuiteRequest, extras: Sequence[int]) -> Iterator[Question]:
    """The same question for several numbers of extra states; classes are computed once."""
    whole = question_of(model, request, at=Place())
    for extra in extras:
        yield dataclasses.replace(whole, extra_states=extra)


def suites(question: Question, methods: Sequence[str] = METHODS) -> Iterator[MethodSuite | str]:
    """What each method makes of it, with inputs beside boundaries as users get it, or the name of one that does not
    apply.
    """
    for name in methods:
        request = dataclasses.replace(question.request, method=name)
        try:
            yield with_boundary_values(question.model, answer(dataclasses.replace(question, request=request)))
        except UserError as error:
            assert "does not apply" in str(error) or "state counting needs" in str(error), error
            yield name


def attack_equivalence(model: Sfsm, *, seed: int = 0, extras: Sequence[int] = (0, 1)) -> Counter:
    """Meet every suite with every mutant of its fault domain. Counts; ``survivors`` and ``unfair`` must stay 0."""
    found: Counter = Counter()
    listed = list(questions(model, SuiteRequest(seed=seed), extras))
    alphabet = listed[0].machine.classes.alphabet
    world = World(model, alphabet.guards, alphabet.outputs)
    reference = world.machine(model)
    right = world.dfa(reference)
    systems = _systems(world, reference, found)
    for question in listed:
        bound = len(right) + question.extra_states
        for suite in suites(question):
            if isinstance(suite, str):
                found[suite, "not applicable"] += 1
                continue
            words = words_of(suite)
            tree = world.tree(words)
            found[suite.method, "suites"] += 1
            found[suite.method, "tests"] += len(words)
            for system in systems:
                if len(system) > bound:
                    continue
                passed = world.passes(right, system, tree)
                found[suite.method, "judged"] += 1
                found["survivors"] += passed and system != right
                found["unfair"] += not passed and system == right
    return found


def attack_properties(model: Sfsm, name: str, *, extras: Sequence[int] = (0, 1)) -> Counter:
    """Meet the suites for one property that the model has with every mutant that violates it."""
    found: Counter = Counter()
    shape, *parts = (PROPERTIES | LIVENESS)[name]
    request = SuiteRequest(relation=Relation.PROPERTY, properties=(name,))
    propositions = [parse_expression(text) for text in parts]
    domain = model.description.fault_domain
    guards = list(dict.fromkeys([*(t.guard for t in model.transitions), *domain.guards]))
    outputs = list(dict.fromkeys([*(t.output for t in model.transitions), *domain.outputs]))
    world = World(model, guards, outputs, propositions)
    reference = world.machine(model)
    right = world.dfa(reference)
    violates = violates_for_ever if name in LIVENESS else World.violates
    if violates(world, right, shape):
        found["model violates"] += 1
        return found
    systems = _systems(world, reference, found)
    for question in questions(model, request, extras):
        bound = len(right) + question.extra_states
        for suite in suites(question):
            if isinstance(suite, str):
                found[suite, "not applicable"] += 1
                continue
            words = words_of(suite)
            tree = world.tree(words)
            found[suite.method, "suites"] += 1
            found[suite.method, "tests"] += len(words)
            for system in systems:
                if len(system) <= bound and violates(world, system, shape):
                    found[suite.method, "judged"] += 1
                    found["survivors"] += world.passes(right, system, tree)
    return found


def attack_reduction(model: Sfsm) -> Counter:
    """Meet suites for reduction with every complete mutant."""
    found: Counter = Counter()
    for question in questions(model, SuiteRequest(relation=Relation.REDUCTION), (0,)):
        alphabet = question.machine.classes.alphabet
        world = World(model, alphabet.guards, alphabet.outputs)
        reference = world.machine(model)
        right = world.dfa(reference)
        for suite in suites(question, ("general", "separable")):
            if isinstance(suite, str):
                found[suite, "not applicable"] += 1
                continue
            words = words_of(suite)
            found[suite.method, "suites"] += 1
            found[suite.method, "tests"] += len(words)
            for system in _systems(world, reference, found):
                if len(system) <= len(right) and not world.undefined(system):
                    passed, right_one = world.shows_only(right, system, words), world.contained(right, system)
                    found[suite.method, "judged"] += 1
                    found["survivors"] += passed and not right_one
                    found["unfair"] += right_one and not passed
    return found


def _systems(world: World, reference: object, found: Counter) -> list[Dfa]:
    """The behaviours of all mutants, each once."""
    systems: dict[Dfa, None] = {}
    for mutant in mutants(reference, world, extra=1):  # type: ignore[arg-type]
        found["mutants"] += 1
        systems[world.dfa(mutant)] = None
    return list(systems)
