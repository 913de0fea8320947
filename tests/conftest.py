"""One Hypothesis profile for all tests: no deadline, since a loaded machine is not a bug. Signals are as usual."""

import signal

from hypothesis import HealthCheck, settings

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
