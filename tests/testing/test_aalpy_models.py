"""Models of AALpy become ours, and answer as they did."""

import random
from itertools import product

import pytest

aalpy = pytest.importorskip("aalpy")

from aalpy.automata import MealyMachine, MealyState, Onfsm, OnfsmState  # noqa: E402
from aalpy.utils import generate_random_deterministic_automata  # noqa: E402

import fullproof  # noqa: E402


@pytest.mark.parametrize("kind", ["mealy", "moore", "dfa"])
def test_a_converted_machine_answers_alike(kind: str) -> None:
    random.seed(3)
    extra = {} if kind == "dfa" else {"output_alphabet_size": 3}
    theirs = generate_random_deterministic_automata(kind, num_states=6, input_alphabet_size=3, **extra)
    ours = fullproof.from_aalpy(theirs, name="machine")
    assert ours.name == "machine"
    table = {(t.source, t.input): (t.output, t.target) for t in ours.transitions}
    for word in product(theirs.get_input_alphabet(), repeat=5):
        theirs.reset_to_initial()
        state = ours.initial
        for symbol in word:
            output, state = table[state, str(symbol)]
            seen = theirs.step(symbol)
            assert output == (str(seen).lower() if isinstance(seen, bool) else str(seen))


def test_nondeterministic_machines_keep_their_choices() -> None:
    state = OnfsmState("s")
    state.transitions["a"] = [("x", state), ("y", state)]
    ours = fullproof.from_aalpy(Onfsm(state, [state]))
    assert [(t.input, t.output) for t in ours.transitions] == [("a", "x"), ("a", "y")]


def test_symbols_that_would_become_one_are_refused() -> None:
    state = MealyState("s")
    for symbol in (1, "1"):
        state.transitions[symbol], state.output_fun[symbol] = state, 0
    with pytest.raises(fullproof.UserError, match="two inputs would have the name '1': 1 and '1'"):
        fullproof.from_aalpy(MealyMachine(state, [state]))


def test_other_models_are_refused() -> None:
    chain = aalpy.automata.McState("s", "out")
    chain.transitions = {"a": object()}
    with pytest.raises(fullproof.UserError, match="a model with states of type McState cannot be converted"):
        fullproof.from_aalpy(aalpy.automata.MarkovChain(chain, [chain]))
    with pytest.raises(fullproof.UserError, match=r"expected a Mealy machine, .* of AALpy, got '3' \(int\)"):
        fullproof.from_aalpy(3)
