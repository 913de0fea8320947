"""Suites for the reference models: the exact numbers of the papers, and ceilings where there is a choice."""

import pytest
from tests.shared import REFERENCE

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import Place
from fullproof.formats import read_model
from fullproof.pipeline.suites import GeneratedSuite, generate_suite


def suite(name: str, **options: object) -> GeneratedSuite:
    return generate_suite(read_model(REFERENCE / name), SuiteRequest(**options), sha256="", at=Place())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "size", "details"),
    [
        ({"method": "separable", "fsm_method": "w"}, (65, 245), (19, 5)),  # pairs of refined guard and output
        ({"method": "separable"}, (65, 245), (19, 5)),
        ({"method": "general"}, (155, 554), (27, 8)),
        ({"method": "general", "properties": ("R1", "R2")}, (155, 554), (27, 8)),  # by equivalence
        ({"method": "auto"}, (65, 245), (27, 5)),
        ({"method": "auto", "properties": ("R1", "R2")}, (65, 245), (38, 5)),
    ],
)
def test_brake(options: dict, size: tuple[int, int], details: tuple[int, int]) -> None:
    made = suite("brake/brake.yaml", **options)
    assert made.size() == size
    assert (made.details["io_classes"], made.details["representatives"]) == details


@pytest.mark.parametrize(
    ("name", "sizes"),
    [("alarm", (10,)), ("alarm5", (17, 85, 425, 2125)), ("alarm8", (50, 400, 3200, 25600))],
)
def test_hp(name: str, sizes: tuple[int, ...]) -> None:
    for extra, tests in enumerate(sizes):
        made = suite(f"alarm/{name}.yaml", method="abstraction", properties=("R1",), extra_states=extra)
        assert made.size()[0] == tests


def test_the_same_request_gives_the_same_bytes() -> None:
    for method in ("general", "separable"):
        one, other = (suite("brake/brake.yaml", method=method, seed=3) for _ in range(2))
        assert list(one.lines(one.size())) == list(other.lines(other.size()))
