"""What has changed since an older model, and that the older model is among the machines that a change may leave."""

import dataclasses
import random
from itertools import product

import pytest
from tests.oracles.members import count, members

from fullproof.artefacts.request import SuiteRequest
from fullproof.certify.machine import FlatMachine, difference
from fullproof.core.errors import NOWHERE, NothingToDo, Place, UserError
from fullproof.formats import write_model
from fullproof.kinds.fsm.changes import change_between
from fullproof.kinds.fsm.named_faults import domain_of, named_faults_for, suite_for_faults
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition
from fullproof.model.named_faults import FaultName, NamedFaults

INPUTS, OUTPUTS = ("x", "y"), ("0", "1")
LONG = list(product(INPUTS, repeat=7))
"""Enough to show every difference of machines with four and three states."""
ANYTHING = NamedFaults(names=(FaultName.TRANSFER, FaultName.OUTPUT))


def fsm(rows, states, inputs=INPUTS) -> Fsm:
    return Fsm(
        name="m",
        initial="s0",
        states=tuple(states),
        inputs=inputs,
        outputs=tuple(dict.fromkeys((*OUTPUTS, *(t.output for t in rows)))),
        transitions=tuple(rows),
    )


def versions(dice: random.Random):
    """An older machine, and one that lacks its last state or input, or has some transitions changed."""
    states = [f"s{k}" for k in range(dice.randint(2, 4))]
    rows = [FsmTransition(s, i, dice.choice(OUTPUTS), dice.choice(states)) for s in states for i in INPUTS]
    old = fsm(rows, states)
    kept = states[:-1] if dice.random() < 0.7 else states
    rows = [t for t in rows if t.source in kept]
    rows = [t._replace(output="2") if dice.random() < 0.1 else t for t in rows]
    rows = [t if t.target in kept and dice.random() < 0.9 else t._replace(target=dice.choice(kept)) for t in rows]
    if dice.random() < 0.3:
        old = fsm([t for t in old.transitions if t.input == "x"], states, ("x",))
    return old, fsm(rows, kept)


def shows(old: Fsm, new: Fsm, word) -> bool:
    """Whether a word of inputs ends where the older machine differs, as far as it has the inputs."""
    was, now = ({(t.source, t.input): t for t in one.transitions} for one in (old, new))
    s, r = old.initial, new.initial
    for symbol in word:
        if (s, symbol) not in was or was[s, symbol].output != now[r, symbol].output:
            return True
        s, r = was[s, symbol].target, now[r, symbol].target
    return False


def test_a_system_that_was_not_changed_fails(tmp_path):
    """Also where the older model has states that the new one lacks."""
    dice, file, suites, removed = random.Random(1), tmp_path / "old.yaml", 0, 0
    for _ in range(40):
        old, new = versions(dice)
        write_model(old, file)
        request = SuiteRequest(since=file)
        faults = named_faults_for(new, request)
        try:
            made = suite_for_faults(new, request, faults, "", NOWHERE)
        except NothingToDo:
            assert not any(shows(old, new, word) for word in LONG)
            continue
        suites += 1
        removed += bool(faults.former)
        words = [[new.inputs[k] for k in word.tolist()] for piece in made.words.chunks() for word in piece]
        differs = any(shows(old, new, word) for word in LONG)
        assert any(shows(old, new, word) for word in words) == differs, (old, new, words)
    assert suites > 20
    assert removed > 5


def test_the_older_model_is_a_machine_of_the_domain():
    dice, tried = random.Random(2), 0
    for _ in range(120):
        old, new = versions(dice)
        if old.inputs != new.inputs:
            continue
        faults = change_between(old, new).limiting(ANYTHING)
        if not faults.former:
            continue
        domain = domain_of(new, faults, 0)
        if count(domain) > 20_000:
            continue
        tried += 1
        number = {name: k for k, name in enumerate(dict.fromkeys((*new.outputs, *(t.output for t in faults.former))))}
        wanted = _numbered(old, number)
        assert any(difference(wanted, one) is None for one in members(domain)), (old, new)
    assert tried >= 10


def _numbered(old: Fsm, outputs) -> FlatMachine:
    """The older machine with the numbers that outputs have in the domain; the initial state is listed first."""
    cell = {(t.source, t.input): t for t in old.transitions}
    return FlatMachine(
        tuple(tuple(old.states.index(cell[s, i].target) for i in old.inputs) for s in old.states),
        tuple(tuple(outputs.get(cell[s, i].output, len(outputs)) for i in old.inputs) for s in old.states),
    )


def test_former_states_have_names_of_their_own():
    rows = [FsmTransition("s0", "x", "0", "s1"), FsmTransition("s1", "x", "1", "s1")]
    new = [FsmTransition("s0", "x", "0", "s0"), FsmTransition("former s1", "x", "0", "s0")]
    change = change_between(fsm(rows, ["s0", "s1"], ("x",)), fsm(new, ["s0", "former s1"], ("x",)))
    assert [(t.source, t.output) for t in change.former] == [("former s1'", "1")]
    assert "where targets may also be 1 state that only the older model has" in change.limiting(ANYTHING).text()
    stuck = change.limiting(dataclasses.replace(ANYTHING, names=(FaultName.STUCK,)))
    assert not stuck.former


def test_an_older_model_with_a_choice_is_refused():
    rows = [FsmTransition("s0", "x", "0", "s0"), FsmTransition("s0", "x", "1", "s0")]
    with pytest.raises(UserError, match=r"old\.yaml: the older model is nondeterministic: state 's0' has several"):
        change_between(fsm(rows, ["s0"], ("x",)), fsm(rows[:1], ["s0"], ("x",)), at=Place(file="old.yaml"))
