"""Systems made of coroutines."""

import json
import subprocess
import sys
from pathlib import Path

PROGRAM = [sys.executable, "-m", "fullproof"]
LAMP = """
machine: fsm
name: lamp
initial: dark
states:
  dark:
    - {when: press, then: "on", to: bright}
    - {when: look, then: "off", to: dark}
  bright:
    - {when: press, then: "off", to: dark}
    - {when: look, then: "on", to: bright}
"""
ECHO = """
machine: sts
name: echo
inputs: {inX: {p: int}}
outputs: {outX: {p: int}}
variables: {x: int = 0}
initial: idle
states:
  idle:
    - {gate: inX, when: 1 <= p <= 10, set: {x: p}, to: busy}
  busy:
    - {gate: outX, when: p == x, to: idle}
"""
SYSTEMS = """
import asyncio

class Lamp:
    def __init__(self):
        self.bright = False
    async def reset(self):
        # A task of the system's own answers later, over a queue.
        self.bright, self.asked, self.told = False, asyncio.Queue(), asyncio.Queue()
        self.task = asyncio.create_task(self.serve())
    async def serve(self):
        while True:
            symbol = await self.asked.get()
            await asyncio.sleep(0)
            self.bright ^= symbol == "press"
            await self.told.put("on" if self.bright else "off")
    async def step(self, symbol):
        await self.asked.put(symbol)
        return await self.told.get()
    async def close(self):
        self.task.cancel()

class Stuck(Lamp):
    async def step(self, symbol):
        if symbol == "look" and self.bright:
            await asyncio.sleep(60)
        return await super().step(symbol)

class Broken(Lamp):
    async def step(self, symbol):
        if symbol == "look":
            raise RuntimeError("no bulb")
        return await super().step(symbol)

async def make():
    await asyncio.sleep(0)
    return Lamp()

class Echo:
    async def reset(self):
        self.queue = asyncio.Queue()
    async def send(self, gate, value):
        asyncio.get_running_loop().call_later(0.01, self.queue.put_nowait, ("outX", [value]))
    async def receive(self, timeout):
        try:
            return await asyncio.wait_for(self.queue.get(), max(timeout, 0.001))
        except TimeoutError:
            return None
"""


def run(folder: Path, model: str, name: str, *words: str) -> dict[str, object]:
    (folder / "model.yaml").write_text(model)
    (folder / "systems.py").write_text(SYSTEMS)
    command = [*PROGRAM, "run", "model.yaml", "--sut", f"python:systems.py:{name}", "--json", *words]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.stdout, ended.stderr
    return json.loads(ended.stdout)


def test_coroutines_are_run(tmp_path: Path) -> None:
    answer = run(tmp_path, LAMP, "Lamp", "--extra-states", "2")
    assert (answer["verdict"], answer["errors"]) == ("pass", 0)


def test_a_factory_may_be_a_coroutine(tmp_path: Path) -> None:
    assert run(tmp_path, LAMP, "make")["verdict"] == "pass"


def test_a_coroutine_that_never_ends_costs_one_test(tmp_path: Path) -> None:
    answer = run(tmp_path, LAMP, "Stuck", "--method", "w", "--step-timeout", "1")
    assert answer["errors"]
    assert answer["errors"] + answer["passed"] == answer["tests"]
    assert all(failure["reason"] == "no answer within 1 s" for failure in answer["failures"])


def test_what_a_coroutine_raises_is_evidence(tmp_path: Path) -> None:
    answer = run(tmp_path, LAMP, "Broken")
    assert {failure["reason"].partition(" (")[0] for failure in answer["failures"]} == {"raised RuntimeError: no bulb"}


def test_an_sts_that_answers_later(tmp_path: Path) -> None:
    assert run(tmp_path, ECHO, "Echo", "--timeout", "1", "--steps", "10")["verdict"] == "pass"
