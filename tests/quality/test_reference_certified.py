"""Every method's suites for every reference machine of at most ten states are certified, and no test may be missing."""

from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from tests.quality.test_alarm_sizes import finite
from tests.shared import REFERENCE, ROOT, SHARED, needs_shared_models
from tests.strategies.suites import fsm_of, machine_of

from fullproof.artefacts.request import SuiteRequest
from fullproof.certify import Complete, Incomplete, ProofEngine, UndecidedCompleteness, certify
from fullproof.certify.shrink import ShrinkLimits, shrink
from fullproof.formats import read_model
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.generate.finite.suite import finite_suite
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

CARD_READER = REFERENCE / "card-reader/card-reader.yaml"
ALARMS = ("alarm5", "alarm8")
FILES = {
    "turnstile": ROOT / "examples/turnstile/turnstile.yaml",
    "garage door": ROOT / "src/fullproof/cli/demo_data/model.yaml",
}
PUBLISHED = [
    *("CoffeeMachine/coffeemachine", "TLS/OpenSSL_1.0.2_server_regular", "TLS/GnuTLS_3.3.12_client_regular"),
    *("Bankcard/learnresult_fix", "MQTT/mosquitto__single_client", "ToyModels/naiks"),
]


def load(path: Path) -> Fsm:
    model = read_model(path)
    assert isinstance(model, Fsm)
    return model


@cache
def machine(name: str) -> Fsm:
    """A deterministic, completely specified machine; the card reader refuses aloud what it leaves undefined."""
    if name in ALARMS:
        return fsm_of(machine_of(finite(name)))
    if name in FILES:
        return load(FILES[name])
    card = load(CARD_READER)
    first: dict[tuple[str, str], FsmTransition] = {}
    for transition in card.transitions:
        first.setdefault((transition.source, transition.input), transition)
    cells = [(state, symbol) for state in card.states for symbol in card.inputs]
    refusals = [FsmTransition(s, i, "refused", s) for s, i in cells if (s, i) not in first]
    return replace(card, outputs=(*card.outputs, "refused"), transitions=(*first.values(), *refusals), lines=())


def suite(fsm: Fsm, method: str, extra: int) -> list[list[str]]:
    made = finite_suite(fsm, SuiteRequest(method=method), extra_states=extra)
    assert made.states <= 10
    return [[fsm.inputs[k] for k in word] for piece in made.words.chunks() for word in piece]


@pytest.mark.requirement("CERTIFY-6")
@pytest.mark.parametrize("method", [*EQUIVALENCE_METHODS, "auto"])
@pytest.mark.parametrize("name", [*ALARMS, *FILES, "card reader"])
def test_suites_are_certified(name: str, method: str) -> None:
    fsm = machine(name)
    for extra in (0, 1) if name != "card reader" else (0,):
        answer = certify(fsm, suite(fsm, method, extra), extra_states=extra, timeout=60)
        assert isinstance(answer, Complete)


@pytest.mark.requirement("CERTIFY-6")
@needs_shared_models
@pytest.mark.parametrize("method", [*EQUIVALENCE_METHODS, "auto"])
@pytest.mark.parametrize("name", PUBLISHED)
def test_suites_for_published_machines_are_certified(name: str, method: str) -> None:
    fsm = load(SHARED / "models/automata-wiki" / f"{name}.dot")
    answer = certify(fsm, suite(fsm, method, 0), extra_states=0, timeout=60, methods=[ProofEngine.EXACT])
    assert isinstance(answer, Complete)


@pytest.mark.requirement("CERTIFY-6")
@pytest.mark.parametrize("name", [*ALARMS, *FILES])
def test_each_test_of_a_minimal_suite_is_missed(name: str) -> None:
    fsm = machine(name)
    result = shrink(fsm, suite(fsm, "auto", 0), extra_states=0, limits=ShrinkLimits(steps=20_000_000))
    assert result.irredundant
    assert isinstance(certify(fsm, result.words, extra_states=0), Complete)
    for word in result.words:
        fewer = [other for other in result.words if other != word]
        assert isinstance(certify(fsm, fewer, extra_states=0), Incomplete)


@pytest.mark.requirement("CERTIFY-6")
@pytest.mark.parametrize("path", [CARD_READER, REFERENCE / "m-ex/m-ex.yaml"])
def test_what_cannot_be_decided_is_unknown(path: Path) -> None:
    """A suite that is far from complete is refused; where there is no time to look, the answer stays open."""
    fsm = load(path)
    assert isinstance(certify(fsm, [list(fsm.inputs)], extra_states=0), Incomplete)
    every = [list(word) for word in product(fsm.inputs, repeat=3)]
    assert isinstance(certify(fsm, every, extra_states=0, timeout=0.0), UndecidedCompleteness)
