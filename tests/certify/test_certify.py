"""Certificates for models and suites as users have them."""

import random
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.oracles.survivors import find_survivor
from tests.shared import SHARED, needs_shared_models
from tests.strategies.small_fsms import any_fsms, words
from tests.strategies.suites import cases, fsm_of, hsi_suite, machine_of, minimal_models

from fullproof.analysis.table import deterministic_table, relation_table
from fullproof.certify import Complete, Incomplete, ProofEngine, UndecidedCompleteness, certify
from fullproof.certify.machine import difference, minimal, obstacle, respond, tabulate
from fullproof.certify.shrink import ShrinkLimits, shrink
from fullproof.core.errors import UserError
from fullproof.formats.table import read_model
from fullproof.model.fsm import Fsm, FsmTransition

WIKI = SHARED / "models" / "automata-wiki"
SMALL = [
    *("CoffeeMachine/coffeemachine", "TLS/OpenSSL_1.0.2_server_regular", "TLS/miTLS_0.1.3_server_regular"),
    *("TLS/GnuTLS_3.3.12_client_regular", "Bankcard/4_learnresult_SecureCode_Aut_fix", "MQTT/mosquitto__invalid"),
    *("MQTT/emqtt__single_client", "ToyModels/lee_yannakakis_distinguishable", "ToyModels/naiks"),
]


def table_of(fsm):
    return deterministic_table(relation_table(fsm))


def named(fsm, suite):
    return [[fsm.inputs[i] for i in word] for word in suite]


def check_survivor(fsm, suite, answer, bound):
    """What an assessor would do with the survivor: run it."""
    machine, model = tabulate(answer.survivor), tabulate(fsm)
    assert obstacle(answer.survivor) is None
    assert machine.states <= bound
    number = {symbol: k for k, symbol in enumerate(fsm.inputs)}
    names, others = fsm.outputs, answer.survivor.outputs
    for word in [*suite, answer.witness]:
        symbols = [number[symbol] for symbol in word]
        same = [names[o] for o in respond(model, symbols)] == [others[o] for o in respond(machine, symbols)]
        assert same == (word is not answer.witness)


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
@given(case=cases(max_states=4, max_inputs=3))
def test_answers_are_right_whichever_engine_gives_them(case):
    fsm = fsm_of(case.model)
    suite = named(fsm, case.words)
    bound = case.model.states + case.extra
    exists = find_survivor(case.table, case.words, bound) is not None
    answer = certify(fsm, suite, extra_states=case.extra, timeout=60)
    assert isinstance(answer, Incomplete if exists else Complete)
    if isinstance(answer, Incomplete):
        check_survivor(fsm, suite, answer, bound)


@pytest.mark.requirement("CERTIFY-3")
@given(fsm=any_fsms(), word=words())
def test_other_machines_are_decided_too_and_unknown_without_time(fsm, word):
    assert not isinstance(certify(fsm, [word], extra_states=0), UndecidedCompleteness)
    if obstacle(fsm) is not None:
        answer = certify(fsm, [word], extra_states=0, timeout=0)
        assert isinstance(answer, UndecidedCompleteness)
        assert answer.reason


@pytest.mark.requirement("CERTIFY-4")
@settings(max_examples=30)
@given(table=minimal_models())
def test_bounds_count_the_states_of_the_minimal_machine(table):
    fsm = fsm_of(machine_of(table))
    suite = named(fsm, hsi_suite(table, 0))
    twin = [t._replace(source=t.source + "'") for t in fsm.transitions]
    doubled = replace(
        fsm,
        states=(*fsm.states, *(s + "'" for s in fsm.states)),
        transitions=tuple(t._replace(target=t.target + "'") for t in fsm.transitions) + tuple(twin),
    )
    assert minimal(tabulate(doubled)) == tabulate(fsm)
    assert isinstance(certify(doubled, suite, extra_states=0), Complete)
    lone = FsmTransition("lone", fsm.inputs[0], fsm.outputs[0], "lone")
    rest = [lone._replace(input=symbol) for symbol in fsm.inputs]
    unreachable = replace(fsm, states=(*fsm.states, "lone"), transitions=(*fsm.transitions, *rest))
    assert isinstance(certify(unreachable, suite, extra_states=0), Complete)


@pytest.mark.requirement("CERTIFY-12")
def test_mistakes_of_users_are_named():
    fsm = read_or_skip("CoffeeMachine/coffeemachine")
    with pytest.raises(UserError, match=r"test 2: unknown input 'BOTTUN'; did you mean 'BUTTON'"):
        certify(fsm, [["BUTTON"], ["BOTTUN"]], extra_states=0)
    with pytest.raises(UserError, match="must be >= 0"):
        certify(fsm, [], extra_states=-1)


@pytest.mark.requirement("CERTIFY-3")
def test_without_time_nothing_is_claimed():
    fsm = read_or_skip("ToyModels/naiks")
    suite = named(fsm, hsi_suite(table_of(fsm), 2))
    thin = [word[:-1] for word in suite]
    for methods in ((ProofEngine.EXACT,), (ProofEngine.WINDOWS,), (ProofEngine.K_A,)):
        answer = certify(fsm, thin, extra_states=2, timeout=0, methods=methods)
        assert not isinstance(answer, Complete)


def read_or_skip(name):
    path = WIKI / f"{name}.dot"
    if not path.is_file():
        pytest.skip("the published machines (../shared/models) are not here")
    return read_model(path)


@pytest.mark.requirement("CERTIFY-6")
@needs_shared_models
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize("method", list(ProofEngine))
def test_published_machines_are_certified_by_each_engine(name, extra, method):
    fsm = read_or_skip(name)
    suite = named(fsm, hsi_suite(table_of(fsm), extra))
    answer = certify(fsm, suite, extra_states=extra, timeout=60, methods=[method])
    assert isinstance(answer, Complete)
    assert answer.method is method


@pytest.mark.requirement("CERTIFY-2")
@needs_shared_models
@pytest.mark.parametrize("name", SMALL)
def test_half_a_suite_is_refuted(name):
    fsm = read_or_skip(name)
    suite = named(fsm, hsi_suite(table_of(fsm), 1))
    half = random.Random(name).sample(suite, len(suite) // 2)
    answer = certify(fsm, half, extra_states=1, timeout=60)
    assert isinstance(answer, Incomplete)
    check_survivor(fsm, half, answer, len(fsm.states) + 1)


@pytest.mark.requirement("CERTIFY-1")
@needs_shared_models
@pytest.mark.parametrize("name", ["CoffeeMachine/coffeemachine", "ToyModels/naiks", "MQTT/mosquitto__invalid"])
def test_every_test_of_an_irredundant_suite_is_missed(name):
    fsm = read_or_skip(name)
    suite = named(fsm, hsi_suite(table_of(fsm), 0))
    result = shrink(fsm, suite, extra_states=0, limits=ShrinkLimits(steps=20_000_000))
    assert result.irredundant
    assert isinstance(certify(fsm, result.words, extra_states=0), Complete)
    for k, word in enumerate(result.words):
        for shorter in ([], [word[:-1]]):
            less = [*result.words[:k], *shorter, *result.words[k + 1 :]]
            answer = certify(fsm, less, extra_states=0)
            assert isinstance(answer, Incomplete)
            check_survivor(fsm, less, answer, len(fsm.states))


def test_equal_machines_have_no_difference():
    fsm = read_or_skip("ToyModels/naiks")
    assert difference(tabulate(fsm), minimal(tabulate(fsm))) is None


def test_far_more_extra_states_than_a_suite_could_be_for_are_refuted_at_once():
    """A word of 401 inputs that no test applies: found without trying all such words."""
    fsm = read_or_skip("CoffeeMachine/coffeemachine")
    suite = [[fsm.inputs[k] for k in word] for word in hsi_suite(table_of(fsm), 0)]
    answer = certify(fsm, suite, extra_states=400, timeout=3)
    assert isinstance(answer, Incomplete)
    assert len(answer.survivor.states) == len(fsm.states) + 400


def test_time_is_kept_while_the_question_is_put():
    """Millions of clauses take longer than the solver needs: the clock is looked at while they are made."""
    count = 60
    fsm = Fsm(
        name="ring",
        initial="s0",
        states=tuple(f"s{k}" for k in range(count)),
        inputs=("a", "b"),
        outputs=("0", "1"),
        transitions=tuple(
            t
            for k in range(count)
            for t in (
                FsmTransition(f"s{k}", "a", "1" if k == 0 else "0", f"s{(k + 1) % count}"),
                FsmTransition(f"s{k}", "b", "0", f"s{k}"),
            )
        ),
    )
    every = [["a"] * k + [x, y] + ["a"] * count for k in range(count) for x in "ab" for y in "ab"]
    began = time.monotonic()
    answer = certify(fsm, every, extra_states=1, timeout=0.5, methods=[ProofEngine.EXACT])
    assert isinstance(answer, UndecidedCompleteness)
    assert time.monotonic() - began < 20
