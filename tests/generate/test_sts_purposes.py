"""Purposes of symbolic transition systems: the paper's numbers, and every claim against enumeration."""

from collections import deque
from random import Random

import pytest
from benchmarks.attack_sts import Enumerated
from benchmarks.random_sts import random_model
from tests.shared import REFERENCE

from fullproof.artefacts.purposes import Criterion, SwitchLetter, switch_names
from fullproof.formats import read_model
from fullproof.generate.sts.graph import SymbolicGraph
from fullproof.generate.sts.purposes import Search, purposes_for
from fullproof.language.evaluate import evaluate
from fullproof.language.scope import Scope
from fullproof.model import Sts

BRP = read_model(REFERENCE / "brp" / "brp.yaml")
EXAMPLE = read_model(REFERENCE / "sts-example" / "example.yaml")


def lengths(found) -> list[int]:
    return [len(purpose.letters) for purpose in found.purposes]


def test_brp_in_the_paper_s_way() -> None:
    found = purposes_for(BRP, Search(method="switch"))
    assert lengths(found) == [18, 14, 8, 4, 2, 1]
    assert (len(found.covered), found.total) == (16, 16)


def test_brp_needs_fewer_and_shorter_purposes_by_tours() -> None:
    found = purposes_for(BRP)
    assert lengths(found) == [46]
    assert (len(found.covered), found.total) == (16, 16)


def test_the_paper_s_example_17() -> None:
    found = purposes_for(EXAMPLE)
    names = switch_names(EXAMPLE)
    path = [names[letter.switch] for letter in found.purposes[0].letters]
    assert path == ["l0:inX", "l1:outX", "l0:inX", "l1:outX", "l0:done"]


def test_pairs_that_guards_exclude_are_proven_unreachable() -> None:
    found = purposes_for(BRP, Search(criterion=Criterion.SWITCH_PAIR))
    assert (len(found.covered), len(found.unreachable), found.beyond) == (41, 9, ())
    assert "WA:IACK/1 SF:OFRAME/1" in found.unreachable


def test_boundary_purposes_ask_for_the_edges_of_guards() -> None:
    found = purposes_for(EXAMPLE, Search(criterion=Criterion.BOUNDARY))
    assert {goal for goal in found.covered if " where " in goal} == {
        "l0:inX where 1 == p",
        "l0:inX where 1 == p - 1",
        "l0:inX where p == 10",
        "l0:inX where p == 10 - 1",
    }


DEEP = """
machine: sts
name: deep
variables: {x: int = 0}
inputs: {up: {}, jump: {p: int 0..3}}
outputs: {high: {}, never: {}}
initial: l
states:
  l:
    - {gate: up, when: x < 30, set: {x: x + 1}, to: l}
    - {gate: jump, set: {x: 'x'}, to: l}
    - {gate: high, when: x == 30, to: l}
    - {gate: never, when: x > 30, to: l}
"""


def sts(text: str, tmp_path) -> Sts:
    path = tmp_path / "model.yaml"
    path.write_text(text)
    model = read_model(path)
    assert isinstance(model, Sts)
    return model


def test_a_bound_that_is_hit_is_said(tmp_path) -> None:
    model = sts(DEEP, tmp_path)
    near = purposes_for(model, Search(depth=10))
    assert near.beyond == ("l:high", "l:never")
    assert "--depth" in near.notes[0]
    far = purposes_for(model)
    assert (far.unreachable, far.beyond, far.notes) == (("l:never",), (), ())


def test_loops_that_come_back_to_the_same_values_are_merged(tmp_path) -> None:
    text = DEEP.replace("x: int = 0", "x: int 0..30 = 0, y: int 0..4 = 0").replace(
        "set: {x: 'x'}", "set: {y: '(y + p) % 5'}"
    )
    graph_size = purposes_for(sts(text, tmp_path), Search()).nodes
    assert graph_size < 200


def paths_are_walkable(model: Sts, found) -> None:
    """Each purpose can be walked with some values, by trying all of them."""
    plain = Enumerated(model)
    for purpose in found.purposes:
        states = set(plain.start)
        for letter in purpose.letters:
            states = set(through(plain, model, states, letter))
        assert states, purpose


def through(plain: Enumerated, model: Sts, states, letter: SwitchLetter):
    switch = model.transitions[letter.switch]
    gate = next(gate for gate in (*model.inputs, *model.outputs) if gate.name == switch.gate)
    scope = Scope((*model.variables, *gate.parameters))
    names = [v.name for v in model.variables]
    for location, values in states:
        for label in (*plain.inputs, *plain.outputs):
            given = dict(zip(names, values, strict=True))
            if location != switch.source or label[0] != switch.gate:
                continue
            given |= dict(zip((p.name for p in gate.parameters), label[1], strict=True))
            fits = evaluate(switch.guard, scope, given)
            if fits and (letter.condition is None or evaluate(letter.condition, scope, given)):
                new = {a.variable: evaluate(a.expression, scope, given) for a in switch.assignments}
                yield switch.target, tuple(new.get(name, given[name]) for name in names)


def reachable_switches(model: Sts) -> set[int]:
    plain = Enumerated(model)
    seen, queue = set(plain.start), deque(plain.start)
    found = set()
    while queue:
        state = queue.popleft()
        for number in range(len(model.transitions)):
            for target in through(plain, model, [state], SwitchLetter(number)):
                found.add(number)
                if target not in seen:
                    seen.add(target)
                    queue.append(target)
    return found


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("method", ["switch", "tour"])
def test_claims_against_enumeration(seed: int, method: str) -> None:
    model = random_model(Random(f"purposes {seed}"))
    names = switch_names(model)
    found = purposes_for(model, Search(method=method))
    assert set(found.covered) == {names[k] for k in reachable_switches(model)}
    assert found.beyond == ()
    paths_are_walkable(model, found)
    walked = {names[letter.switch] for purpose in found.purposes for letter in purpose.letters}
    assert walked == set(found.covered)


@pytest.mark.parametrize("criterion", [Criterion.SWITCH_PAIR, Criterion.BOUNDARY, Criterion.LOCATION])
@pytest.mark.parametrize("seed", range(8))
def test_other_criteria_against_enumeration(seed: int, criterion: Criterion) -> None:
    model = random_model(Random(f"criteria {seed}"))
    found = purposes_for(model, Search(criterion=criterion))
    assert found.beyond == ()
    paths_are_walkable(model, found)


@pytest.mark.parametrize("seed", range(15))
def test_a_node_holds_exactly_the_values_that_paths_reach(seed: int) -> None:
    random = Random(f"nodes {seed}")
    model = random_model(random)
    graph, plain = SymbolicGraph(model), Enumerated(model)
    node, states = 0, set(plain.start)
    for _ in range(6):
        letters = [SwitchLetter(k) for k in graph.switches(node)]
        following = {letter: set(through(plain, model, states, letter)) for letter in letters}
        for letter in letters:
            assert (graph.successor(node, letter) is not None) == bool(following[letter])
        open_letters = [letter for letter in letters if following[letter]]
        if not open_letters:
            return
        letter = random.choice(open_letters)
        target = graph.successor(node, letter)
        assert target is not None
        node, states = target, following[letter]
