"""What ``--cluster`` takes."""

import pytest

from fullproof.cluster.address import Local, Remote, read_address
from fullproof.core.errors import UserError


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("local:1", Local(1)),
        ("local:16", Local(16)),
        ("dask://scheduler.example.org:8786", Remote("scheduler.example.org", 8786)),
        ("dask://10.0.0.5:8786/", Remote("10.0.0.5", 8786)),
        ("dask://[::1]:8786", Remote("[::1]", 8786)),
    ],
)
def test_addresses(text: str, address: object) -> None:
    assert read_address(text) == address


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("local:0", "expected 1 to 1,000 workers"),
        ("local:99999", "expected 1 to 1,000 workers"),
        ("local", "expected dask://HOST:PORT or local:N"),
        ("local:-1", "expected dask://HOST:PORT or local:N"),
        ("local:２", "expected dask://HOST:PORT or local:N"),
        ("dask://host", "expected dask://HOST:PORT or local:N"),
        ("dask://host:0", "0 is not a port"),
        ("dask://host:70000", "70000 is not a port"),
        ("tcp://host:8786", "expected dask://HOST:PORT or local:N"),
        ("", "expected dask://HOST:PORT or local:N"),
    ],
)
def test_what_is_no_address_is_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_address(text)
