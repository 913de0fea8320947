"""Charts do what they do in other interpreters, where these are installed."""

import pytest
from benchmarks.chart_peers import (
    Peer,
    compared_on_scxml,
    compared_with_xstate,
    is_missing,
    python_statemachine,
    sismic,
    xstate_is_missing,
)


def test_xstate() -> None:
    missing = xstate_is_missing()
    if missing is not None:
        pytest.skip(missing)
    counts = compared_with_xstate(60, 11)
    assert not [outcome for outcome in counts if outcome.startswith("differs")], counts
    assert counts["agrees"] > 30


@pytest.mark.parametrize(("module", "peer"), [("statemachine", python_statemachine), ("sismic", sismic)])
def test_peers_in_python(module: str, peer: Peer) -> None:
    """Most charts agree; the differences have names in docs/chart-peers.md."""
    missing = is_missing(module)
    if missing is not None:
        pytest.skip(missing)
    counts = compared_on_scxml(peer, 40, 12)
    assert counts["agrees"] > 4 * counts["differs"], counts
