import pytest
from tests.cli.harness import Shell


@pytest.fixture
def fullproof(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)
