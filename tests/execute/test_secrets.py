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
        ("http://joe:p@ss@host:80/x", "http://***@host:80/x"),
        ("http://joe@host/x?mail=a@b", "http://***@host/x?mail=a@b"),
        ("https://host/x?mail=a@b", "https://host/x?mail=a@b"),
        ("https://host/x?key=abc&sig=d%2Fe&n=1", "https://host/x?key=***&sig=***&n=1"),
        ("https://host/x?X-Amz-Signature=abc;n=1", "https://host/x?X-Amz-Signature=***;n=1"),
        ("exec:./run --pass abc -n 3", "exec:./run --pass *** -n 3"),
        ("exec:./run --pass=abc -n 3", "exec:./run --pass=*** -n 3"),
        ("exec:curl -u joe:pw http://host", "exec:curl -u *** http://host"),
        ("exec:curl --user joe:pw http://host", "exec:curl --user *** http://host"),
        ("exec:curl -H 'Authorization: Bearer abc' x", "exec:curl -H 'Authorization: ***' x"),
        ('exec:curl -H "X-Api-Key: abc" x', 'exec:curl -H "X-Api-Key: ***" x'),
        ("exec:curl -H Cookie:abc=def x", "exec:curl -H Cookie:*** x"),
        ("exec:./run --header Bearer abc.def", "exec:./run --header Bearer ***"),
        ("exec:./monkey arg keyboard 1", "exec:./monkey arg keyboard 1"),
        ("exec:python3 pass.py 1", "exec:python3 pass.py 1"),
        ("lib:compass.so", "lib:compass.so"),
        ("python:tokens/key.py:Key", "python:tokens/key.py:Key"),
    ],
)
def test_secrets_are_masked(spec: str, shown: str) -> None:
    assert public_spec(spec) == shown
