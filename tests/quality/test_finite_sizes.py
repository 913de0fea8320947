"""W, Wp, HSI and hybrid ADS suites are no larger than any other tool's, in tests and in inputs."""

import csv
from pathlib import Path

import pytest
from tests.shared import SHARED, needs_shared_models
from tests.strategies.methods import source

from fullproof.analysis.table import Table
from fullproof.formats import read_model
from fullproof.generate.finite.composition import Composition
from fullproof.generate.finite.preparation import prepare
from fullproof.model import Fsm

SAME_METHOD = {"w": ("w",), "wp": ("wp",), "hsi": ("hsi", "hsi-st", "hsi-minimal"), "hads": ("hads-minimal",)}
MODELS = (
    "automata-wiki/TLS/OpenSSL_1.0.2_server_regular.dot",
    "automata-wiki/MQTT/mosquitto__two_client_will_retain.dot",
    "automata-wiki/TCP/TCP_Linux_Server.dot",
    "automata-wiki/TCP/TCP_Windows8_Server.dot",
    "industrial/DFA_R97_sched4.fsm",
    "random/rnd_n10_p5_q5_s1.dot",
    "random/rnd_n30_p5_q5_s1.dot",
    "random/rnd_n50_p10_q10_s1.dot",
    "random/rnd_n100_p10_q10_s1.dot",
    "random/rnd_n300_p10_q10_s1.dot",
)


def table_of(path: str) -> Table:
    model = read_model(SHARED / "models" / path)
    assert isinstance(model, Fsm)
    return prepare(model).table


def published(model: str, extra: int, methods: tuple[str, ...]) -> tuple[int, int]:
    """The fewest tests and the fewest inputs of any tool."""
    with (SHARED / "peers" / "results.csv").open(encoding="utf-8") as lines:
        sizes = [
            (int(line["tests"]), int(line["inputs"]))
            for line in csv.DictReader(lines)
            if (line["model"], int(line["a"]), line["status"]) == (model, extra, "ok") and line["method"] in methods
        ]
    return min(size[0] for size in sizes), min(size[1] for size in sizes)


@needs_shared_models
@pytest.mark.parametrize("name", SAME_METHOD)
@pytest.mark.parametrize("path", MODELS)
def test_no_tool_makes_smaller_suites(path: str, name: str) -> None:
    table = table_of(path)
    for extra in (0, 1):
        words = source(name, table, extra)
        assert isinstance(words, Composition)
        size = words.size()
        tests, inputs = published(Path(path).stem, extra, SAME_METHOD[name])
        assert size.tests <= tests
        assert size.inputs <= inputs
