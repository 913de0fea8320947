"""The bundled example is what it says: one controller is right, the other wrong where a glance does not reach."""

from importlib.resources import as_file, files
from itertools import product

import pytest

from fullproof.artefacts.suite import make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.execute import execute
from fullproof.formats import read_model
from fullproof.judge import Summary
from fullproof.kinds import oracle_for
from fullproof.kinds.systems import open_sut

with as_file(files("fullproof.cli") / "demo_data" / "model.yaml") as path:
    MODEL = read_model(path)


def verdict(name: str, words) -> tuple[Verdict, float]:
    sut = open_sut(f"python:fullproof.cli.demo_data.controller:{name}", MODEL)
    oracle = oracle_for(MODEL)
    summary = Summary(oracle)
    for trace in execute(sut, map(make_test, words)):
        summary.add(trace, oracle.judge(trace))
    result = summary.result(seconds=0)
    return result.verdict, result.coverage.ratio


def shortest_words_to_states() -> list[tuple[str, ...]]:
    target = {(t.source, t.input): t.target for t in MODEL.transitions}
    reached, found = {MODEL.initial: ()}, [MODEL.initial]
    for state in found:
        for symbol in MODEL.inputs:
            if target[state, symbol] not in reached:
                reached[target[state, symbol]] = (*reached[state], symbol)
                found.append(target[state, symbol])
    return list(reached.values())


def test_the_model_is_complete_and_has_room_for_the_fault():
    assert len({t[:2] for t in MODEL.transitions}) == len(MODEL.transitions) == len(MODEL.states) * len(MODEL.inputs)
    assert MODEL.description.fault_domain.extra_states == 1


@pytest.mark.parametrize("name", ["Controller", "FaultyController"])
def test_every_transition_works_when_it_is_tried_once(name):
    words = [(*word, symbol) for word in shortest_words_to_states() for symbol in MODEL.inputs]
    assert verdict(name, words) == (Verdict.PASS, 1.0)


def test_the_right_controller_answers_every_word_of_five_signals_as_the_model_does():
    assert verdict("Controller", product(MODEL.inputs, repeat=5))[0] is Verdict.PASS


def test_the_faulty_one_goes_wrong_after_it_was_halted_while_making_way():
    assert verdict("FaultyController", [("button", "top", "timer", "beam", "button")])[0] is Verdict.PASS
    assert verdict("FaultyController", [("button", "top", "timer", "beam", "button", "button")])[0] is Verdict.FAIL
