"""Commands with a fault in each, in processes that have imported everything already."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.execute.test_isolation import LAMP_YAML

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Ended:
    """How a command ended; ``count`` is at how many points its fault could have come."""

    code: int
    out: str
    err: str
    count: int
    point: int | str = -1
    state: int | None = None
    """Of a sweep: in which of its ``states`` files were left."""

    def is_clean(self) -> bool:
        """One line at most says what went wrong, and none of it is a traceback."""
        said = [line for line in self.err.splitlines() if not line.startswith("note: ")]
        return "Traceback" not in self.err and len(said) <= 1


class Victim:
    """The process that forks for each command."""

    def __init__(self, library: Path, folder: Path) -> None:
        self.folder = folder
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "victim.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"LD_PRELOAD": str(library)},
        )

    def __call__(self, *words: object, fault: str = "none", point: int = -1, folder: Path | None = None) -> Ended:
        answer = self._asked(words, fault=fault, point=point, sweep=False, folder=folder or self.folder)
        answer.pop("swept")
        return Ended(**answer)

    def sweep(self, *words: object, fault: str) -> list[Ended]:
        """One command with the fault at every point (``sweep``); the first one has none."""
        shutil.rmtree(self.folder / "states", ignore_errors=True)
        return [Ended(**one) for one in self._asked(words, fault=fault, sweep=True, folder=self.folder)["swept"]]

    def _asked(self, words: Sequence[object], **more: object) -> dict[str, Any]:
        question: dict[str, Any] = {"words": [*map(str, words)], **more, "folder": str(more["folder"])}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def anew(self) -> None:
        """Forget what the last command has written."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)

    def close(self) -> None:
        """End."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    if not sys.platform.startswith("linux") or shutil.which("cc") is None:
        pytest.skip("needs Linux and a C compiler")
    folder = tmp_path_factory.mktemp("victim")
    library = folder / "failing.so"
    command = ["cc", "-shared", "-fPIC", "-o", str(library), str(HERE / "failing.c"), "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    (folder / "lamp.yaml").write_text(LAMP_YAML)
    (folder / "wrong.yaml").write_text(LAMP_YAML.replace("then: 'on', to: bright", "then: 'off', to: bright"))
    small = '{"machine": "fsm", "name": "s", "initial": "a", "states": {"a": [{"when": "x", "then": "y", "to": "a"}]}}'
    (folder / "small.json").write_text(small)
    (folder / "other.json").write_text(small.replace('"y"', '"z"'))
    process = Victim(library, folder)
    try:
        yield process
    finally:
        process.close()
