"""``auto`` costs no more than the best of other tools that is fast, keeps to limits, and pays what it says it pays."""

import csv

import pytest
from tests.quality.test_alarm_sizes import LEAST, finite
from tests.shared import SHARED, needs_shared_models

from fullproof.analysis.table import Table
from fullproof.artefacts.request import StateDomain, SuiteRequest
from fullproof.artefacts.words import WordSource
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.generate.finite.auto import cheapest
from fullproof.generate.finite.lengths import TestsTooLong, longest_of
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.generate.finite.preparation import prepare
from fullproof.model import Fsm

FOLDERS = ("random", "automata-wiki/TLS", "automata-wiki/MQTT")


def size(words: WordSource) -> tuple[int, int]:
    return sum(len(piece) for piece in words.chunks()), sum(piece.total for piece in words.chunks())


def published(model: str, extra: int, method: str) -> int:
    with (SHARED / "peers" / "results.csv").open(encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            if (line["model"], int(line["a"]), line["tool"], line["method"]) == (model, extra, "FSMlib", method):
                return int(line["tests"]) + int(line["inputs"])
    raise LookupError(f"{model} {extra} {method}")


def machine(name: str) -> Table:
    path = next(p for folder in FOLDERS for p in (SHARED / "models" / folder).glob(f"{name}.dot"))
    model = read_model(path)
    assert isinstance(model, Fsm)
    return prepare(model).table


@needs_shared_models
@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("OpenSSL_1.0.2_server_regular", 0),
        ("OpenSSL_1.0.2_server_regular", 1),
        ("OpenSSL_1.0.2_server_regular", 2),
        ("rnd_n10_p5_q5_s1", 0),
        ("rnd_n10_p5_q5_s1", 1),
        ("mosquitto__two_client_will_retain", 0),
        ("rnd_n50_p10_q10_s1", 0),
    ],
)
def test_no_dearer_than_other_tools(name: str, extra: int) -> None:
    _, words, _ = cheapest(machine(name), SuiteRequest(), extra_states=extra)
    assert sum(size(words)) <= min(published(name, extra, method) for method in ("spy-st", "s", "hsi-st"))


@pytest.mark.parametrize("extra", range(3))
def test_the_alarm_system_needs_fewer_tests_than_the_paper_has(extra: int) -> None:
    _, words, _ = cheapest(finite("alarm8"), SuiteRequest(), extra_states=extra)
    assert size(words)[0] <= LEAST["alarm8"][extra]


@pytest.mark.parametrize("weight", [0.0, 1.0, 25.0])
def test_it_is_the_cheapest_by_the_weight_of_resets(weight: float) -> None:
    table, request = finite("alarm5"), SuiteRequest(reset_cost=weight)
    tests, inputs = size(cheapest(table, request, extra_states=1)[1])
    for method in EQUIVALENCE_METHODS.values():
        others = size(method.source(table, request, extra_states=1))
        assert tests * weight + inputs <= others[0] * weight + others[1]


@pytest.mark.parametrize("extra", [0, 1])
def test_the_length_of_tests_is_bounded_by_leaving_methods_out(extra: int) -> None:
    table = finite("alarm5")
    shortest = min(
        longest_of(m.source(table, SuiteRequest(), extra_states=extra)) for m in EQUIVALENCE_METHODS.values()
    )
    _, words, _ = cheapest(table, SuiteRequest(max_length=shortest), extra_states=extra)
    assert longest_of(words) <= shortest
    with pytest.raises(TestsTooLong):
        cheapest(table, SuiteRequest(max_length=extra + 1), extra_states=extra)
    with pytest.raises(UserError, match="have up to"):
        EQUIVALENCE_METHODS["hsi"].source(table, SuiteRequest(max_length=1), extra_states=extra)


def test_the_larger_domain_leaves_out_what_uses_the_bound_to_the_full() -> None:
    method, _, notes = cheapest(finite("alarm5"), SuiteRequest(domain=StateDomain.K_A), extra_states=1)
    assert StateDomain.K_A in method.domains
    assert "walks" not in notes[0]


def test_what_auto_can_afford() -> None:
    table, walks = finite("alarm5"), EQUIVALENCE_METHODS["walks"]
    assert walks.affordable(table, 1)
    assert not walks.affordable(table, 1, found=walks.auto_cost + 1)
    assert not walks.affordable(table, 8)
