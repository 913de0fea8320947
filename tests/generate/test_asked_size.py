"""A suite that no disk can store is refused at once; the bound is one that every complete suite meets."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies.models import fsms

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import Place, UserError
from fullproof.generate.finite.asked_size import refuse_size
from fullproof.model import Fsm
from fullproof.pipeline.suites import generate_suite


@pytest.mark.parametrize(
    ("inputs", "extra", "size"),
    [
        (2, 40, "2,199,023,255,552"),
        (2, 10**9, "10^301,029,995"),
        (10, 12, "10,000,000,000,000"),
        (1, 10**8, "100,000,001"),
        (300, 10**6, "10^2,477,123"),
    ],
)
def test_the_size_is_said_at_once(inputs: int, extra: int, size: str) -> None:
    begin = time.process_time()
    with pytest.raises(UserError) as caught:
        refuse_size(inputs, extra)
    assert f"at least {size} inputs" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert time.process_time() - begin < 1


@pytest.mark.parametrize(("inputs", "extra"), [(2, 38), (10, 11), (1, 10**6), (40, 0)])
def test_what_can_be_stored_is_not_refused(inputs: int, extra: int) -> None:
    refuse_size(inputs, extra)


@given(fsms(deterministic=True, complete=True, max_states=3), st.integers(0, 2))
def test_no_complete_suite_is_smaller_than_the_bound(fsm: Fsm, extra: int) -> None:
    if not fsm.inputs:
        return
    for method in ("h", "spy", "walks"):
        suite = generate_suite(fsm, SuiteRequest(method=method, extra_states=extra), sha256="", at=Place())
        assert suite.size()[1] >= len(fsm.inputs) ** (extra + 1)
