"""Ceilings for what window walks cost (inputs plus tests) on published machines: a change for the worse shows here."""

from pathlib import Path

import pytest
from tests.shared import SHARED, needs_shared_models

from fullproof.formats import read_model
from fullproof.generate.finite.preparation import prepare
from fullproof.generate.finite.walks import walks
from fullproof.model import Fsm


@needs_shared_models
@pytest.mark.parametrize(
    ("path", "extra", "ceiling"),
    [
        ("automata-wiki/TLS/OpenSSL_1.0.2_server_regular.dot", 0, 195),
        ("automata-wiki/TLS/OpenSSL_1.0.2_server_regular.dot", 1, 1_738),
        ("random/rnd_n10_p5_q5_s1.dot", 0, 155),
        ("random/rnd_n10_p5_q5_s1.dot", 1, 620),
        ("automata-wiki/MQTT/mosquitto__two_client_will_retain.dot", 0, 1_040),
        ("random/rnd_n30_p5_q5_s1.dot", 1, 1_950),
        ("automata-wiki/TCP/TCP_Windows8_Server.dot", 0, 6_550),
        ("random/rnd_n50_p10_q10_s1.dot", 0, 1_680),
        ("random/rnd_n50_p10_q10_s1.dot", 1, 9_900),
        ("random/rnd_n100_p10_q10_s1.dot", 0, 3_650),
    ],
)
def test_suites_stay_as_small_as_they_are(path: str, extra: int, ceiling: int) -> None:
    model = read_model(Path(SHARED) / "models" / path)
    assert isinstance(model, Fsm)
    words = walks(prepare(model).table, extra_states=extra)
    assert words.total + len(words) <= ceiling
