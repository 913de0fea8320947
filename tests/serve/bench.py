"""A workbench in a process of its own, and a client of its JSON interface."""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from tests.processes import PATIENCE, descendants
from tests.shared import ROOT

from fullproof.serve.replies import ANSWERS


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Bench:
    process: subprocess.Popen[str]
    url: str

    @property
    def port(self) -> int:
        return int(self.url.split(":")[2].split("/")[0])

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def token(self) -> str:
        return self.url.split("token=")[1]

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Exactly these headers, and a Host."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=100)
        with contextlib.closing(connection):
            connection.request(method, path, body=body, headers=dict(headers or {}))
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())

    def get(self, path: str) -> Answer:
        return self.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})

    def ask(self, question: str, content: object, *, method: str = "POST") -> Answer:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        answer = self.request(method, f"/api/{question}", json.dumps(content).encode(), headers)
        if answer.status == 200 and question in ANSWERS:
            TypeAdapter(ANSWERS[question]).validate_json(answer.body)  # as the interface describes itself
        return answer

    def children(self) -> list[int]:
        """Everything that descends from it, workers included."""
        return sorted(descendants(self.process.pid))

    def memory(self) -> int:
        """Bytes in memory, of the server alone."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("VmRSS"))


def model(text: str, name: str = "m.yaml") -> dict[str, object]:
    return {"model": {"name": name, "text": text}}


@contextlib.contextmanager
def workbench(*words: object, folder: Path = ROOT) -> Iterator[Bench]:
    """Start, and end as Ctrl-C does."""
    command = [sys.executable, "-m", "fullproof", "serve", "--no-open", "--port", "0", "--json", *map(str, words)]
    environment = os.environ | {"PYTHONPATH": ""}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment)
    assert process.stdout is not None
    with process.stdout:
        try:
            yield Bench(process, json.loads(process.stdout.readline())["url"])
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise
