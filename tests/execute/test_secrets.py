import pytest

from fullproof.execute.adapters.secrets import public_spec


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("http://joe:pw@host:80/x", "http://***@host:80/x"),
        ("https://host/x?token=abc&n=1", "https://host/x?token=***&n=1"),
        ("exec:./run --api-key abc --port 3", "exec:./run --api-key *** --port 3"),
        ("exec:env DB_PASSWORD='a b' ./run", "exec:env DB_PASSWORD=*** ./run"),
        ("python:brake.py:Brake", "python:brake.py:Brake"),
        ("tcp:localhost:4000", "tcp:localhost:4000"),
        ("exec:./author --tokens", "exec:./author --tokens"),
    ],
)
def test_secrets_are_masked(spec: str, shown: str) -> None:
    assert public_spec(spec) == shown
