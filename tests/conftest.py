"""One Hypothesis profile for all tests: no deadline, since a loaded machine is not a bug. Signals are as usual."""

import os
import signal
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, settings
from tests.long_tests import listed

# Who runs the tests in the background of a shell may ignore these, and children of tests would inherit that: some are
# there to be interrupted.
for _name in ("SIGINT", "SIGHUP", "SIGQUIT"):
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _name == "SIGINT" else signal.SIG_DFL)

settings.register_profile(
    "fullproof",
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("fullproof")

_FEWEST = 10
_FIRST = "tests/quality/test_statemachine_kills.py"
"""Minutes for one test: at the end of a run the other processes would wait for it."""


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is known to take long, and take a share of the examples of each property where that is asked for."""
    known = listed()
    for item in items:
        if item.nodeid in known:
            item.add_marker(pytest.mark.slow)
        # JUnit files name them, from which the qualification kit is made.
        for marker in item.iter_markers("requirement"):
            item.user_properties.extend(("requirement", name) for name in marker.args)
    items.sort(key=lambda item: not item.nodeid.startswith(_FIRST))
    take_share(float(os.environ.get("FULLPROOF_EXAMPLES", "1")), {getattr(item, "function", None) for item in items})


def take_share(share: float, functions: Iterable[object]) -> None:
    """Let the properties among the functions take a share of their examples: `make test` takes a quarter.

    A profile could not do this: many properties name their number themselves, by what an example of theirs costs.
    """
    if share >= 1:
        return
    for function in functions:
        if not getattr(function, "is_hypothesis_test", False):
            continue
        usual = getattr(function, _SETTINGS, None) or settings.default
        fewer = max(min(_FEWEST, usual.max_examples), int(usual.max_examples * share))
        setattr(function, _SETTINGS, settings(usual, max_examples=fewer))


_SETTINGS = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps what ``@settings`` says; a test in tests/quality notices where it does no longer."""
