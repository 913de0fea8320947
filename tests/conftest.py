"""One Hypothesis profile for all tests: no deadline, since a loaded machine is not a bug."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fullproof",
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("fullproof")
