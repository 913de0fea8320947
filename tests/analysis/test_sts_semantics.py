"""The set of states that explain what was seen, against enumeration of all values."""

from random import Random

import pytest
from benchmarks.attack_sts import DELTA, Enumerated, Label
from benchmarks.random_sts import Internal, drawn_model

from fullproof.analysis.sts_knowledge import Knowledge
from fullproof.analysis.sts_semantics import Possible, StsSemantics
from fullproof.language.syntax import TRUE
from fullproof.model import Sts
from fullproof.model.sts import TAU, Gate, Switch


def plain_states(knowledge: Knowledge) -> set:
    return {(position.location, position.values) for position in knowledge.routes}


def switches(knowledge: Knowledge) -> set[int]:
    return {switch for piece in knowledge.certain for switch in piece}


@pytest.mark.parametrize("internal", Internal)
@pytest.mark.parametrize("seed", range(60))
def test_knowledge_is_what_enumeration_finds(seed: int, internal: Internal) -> None:
    random = Random(f"semantics {seed}")
    model = drawn_model(random, internal)
    semantics, plain = StsSemantics(model), Enumerated(model)
    knowledge, states = semantics.start(), plain.start
    for _ in range(12):
        assert plain_states(knowledge) == states
        for position in knowledge.routes:
            silent = bool(plain.after(frozenset({(position.location, position.values)}), DELTA))
            assert silent == (semantics.is_stable(position) and semantics.speaks(position) is Possible.NO)
        for label in plain.outputs:
            assert bool(semantics.after_output(knowledge, label).routes) == bool(plain.after(states, label))
        assert ("silence" in semantics.allowed(knowledge)) == (DELTA in plain.out(states))
        labels = [label for label in (*plain.inputs, *plain.outputs, DELTA) if plain.after(states, label)]
        label = random.choice(labels)
        states = plain.after(states, label)
        if label == DELTA:
            knowledge = semantics.after_silence(knowledge)
        elif label in plain.inputs:
            knowledge = semantics.after_input(knowledge, label, synchronous=True)
        else:
            knowledge = semantics.after_output(knowledge, label)


@pytest.mark.parametrize("internal", Internal)
@pytest.mark.parametrize("seed", range(60))
def test_crossing_only_adds_explanations(seed: int, internal: Internal) -> None:
    """What is allowed in step is allowed behind a wire, too, and as certain as that leaves it."""
    random = Random(f"crossing {seed}")
    model = drawn_model(random, internal)
    semantics, plain = StsSemantics(model), Enumerated(model)
    near = far = semantics.start()
    states = plain.start
    for _ in range(10):
        labels = [label for label in (*plain.inputs, *plain.outputs) if plain.after(states, label)]
        if not labels:
            return
        label = random.choice(labels)
        states = plain.after(states, label)
        if label in plain.inputs:
            near = semantics.after_input(near, label, synchronous=True)
            far = semantics.after_input(far, label, synchronous=False)
        else:
            near, far = semantics.after_output(near, label), semantics.after_output(far, label)
        assert set(near.routes) <= set(far.routes)
        assert switches(far) <= switches(near)


@pytest.mark.parametrize("internal", Internal)
@pytest.mark.parametrize("seed", range(40))
def test_what_is_certain_is_in_all_runs(seed: int, internal: Internal) -> None:
    """Every run of the model that explains what was seen, one by one, has each certain piece as a part of its path."""
    random = Random(f"certain {seed}")
    model = drawn_model(random, internal)
    semantics, plain = StsSemantics(model), Enumerated(model)
    knowledge, states, trace = semantics.start(), plain.start, list[Label]()
    for _ in range(5):
        labels = [label for label in (*plain.inputs, *plain.outputs, DELTA) if plain.after(states, label)]
        trace.append(random.choice(labels))
        states = plain.after(states, trace[-1])
        if trace[-1] == DELTA:
            knowledge = semantics.after_silence(knowledge)
        elif trace[-1] in plain.inputs:
            knowledge = semantics.after_input(knowledge, trace[-1], synchronous=True)
        else:
            knowledge = semantics.after_output(knowledge, trace[-1])
        runs = runs_of(plain, trace)
        for piece in knowledge.certain:
            assert all(any(run[k : k + len(piece)] == piece for k in range(len(run) + 1)) for run in runs)
        if len(runs) == 1:
            assert knowledge.certain == tuple(runs)


def runs_of(plain: Enumerated, trace: list[Label]) -> set[tuple[int, ...]]:
    """The switches of all runs that show a trace; the same run to several states counts once."""
    (initial,) = [state for state in plain.start if state == plain.initial]
    level = {(initial, ())}
    for label in trace:
        level = with_internal(plain, level)
        if label == DELTA:
            level = {(state, run) for state, run in level if plain.after(frozenset({state}), DELTA)}
        else:
            level = {(to, (*run, n)) for state, run in level for n, to in plain.steps(state, label)}
    return {run for _, run in with_internal(plain, level)}


def with_internal(plain: Enumerated, level: set) -> set:
    more = level
    while more:
        more = {(to, (*run, n)) for state, run in more for n, to in plain.steps(state, (TAU, ()))} - level
        level = level | more
    return level


def test_an_input_that_waits_behind_endless_internal_steps_refutes_nothing() -> None:
    """After ``x`` the model may go round for ever without taking the input that crossed it."""
    gates = {"inputs": (Gate(name="a"),), "outputs": (Gate(name="x"),)}
    ends = [("l0", "a", "l2"), ("l0", "x", "l1"), ("l1", TAU, "l3"), ("l3", TAU, "l1")]
    switches = tuple(Switch(source=s, gate=g, guard=TRUE, assignments=(), target=t) for s, g, t in ends)
    states = ("l0", "l1", "l2", "l3")
    semantics = StsSemantics(Sts(name="m", initial="l0", states=states, variables=(), transitions=switches, **gates))
    given = semantics.after_input(semantics.start(), ("a", ()), synchronous=False)
    seen = semantics.after_output(given, ("x", ()))
    assert "never end" in seen.astray
    assert not seen.is_refuted
