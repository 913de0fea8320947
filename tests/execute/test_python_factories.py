"""What a Python system may be made by, and what its outputs may be."""

import asyncio
import contextlib
import enum
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fullproof.artefacts.run import StepRow
from fullproof.artefacts.suite import Test
from fullproof.core.errors import UserError
from fullproof.execute.observation import python_symbol
from fullproof.execute.runner import execute
from fullproof.execute.sut import SutError
from fullproof.execute.worker import as_worker
from fullproof.kinds.systems import open_sut
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

LAMP = Fsm(
    name="lamp",
    initial="off",
    states=("off",),
    inputs=("p",),
    outputs=("on",),
    transitions=(FsmTransition("off", "p", "on", "off"),),
)
EVENTS: list[str] = []


class Lamp:
    def step(self, symbol):
        EVENTS.append(symbol)
        return "on"


class Slow(Lamp):
    async def step(self, symbol):
        await asyncio.sleep(0)
        return super().step(symbol)


class Entered(Lamp):
    def __enter__(self):
        EVENTS.append("begin")
        return self

    def __exit__(self, *_):
        EVENTS.append("end")


class SlowlyEntered(Slow):
    async def __aenter__(self):
        EVENTS.append("begin")

    async def __aexit__(self, *_):
        EVENTS.append("end")


def generator():
    EVENTS.append("begin")
    yield Lamp()
    EVENTS.append("end")


async def slow_generator():
    EVENTS.append("begin")
    yield Slow()
    EVENTS.append("end")


@contextlib.contextmanager
def managed():
    with Entered() as lamp:
        yield lamp


async def slow_function():
    return SlowlyEntered()


@pytest.mark.parametrize(
    "make", [Entered, SlowlyEntered, generator, slow_generator, managed, slow_function], ids=lambda m: m.__name__
)
def test_a_system_begins_before_each_test_and_ends_after_it(make) -> None:
    EVENTS.clear()
    sut = open_sut(make, LAMP)
    traces = list(execute(sut, [Test(inputs=("p", "p"))] * 2))
    sut.close()
    sut.close()
    assert [trace.error for trace in traces] == [None, None]
    # The first one is made to look at its methods.
    one = ["begin", "p", "p", "end"]
    assert ["begin", "end", *one, *one] == EVENTS


def test_a_system_inside_a_coroutine_is_refused_in_one_line() -> None:
    async def inside() -> None:
        list(execute(open_sut(Slow, LAMP), [Test(inputs=("p",))]))

    with pytest.raises(UserError, match=r"asyncio\.to_thread"):
        asyncio.run(inside())


class Numbered(Lamp):
    def __init__(self, worker: int) -> None:
        self.worker = worker


def test_a_factory_gets_the_number_of_its_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    def number() -> int:
        return open_sut(Numbered, LAMP)._object.worker

    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    assert number() == 0
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw3")
    assert number() == 3
    with as_worker(5):
        assert number() == 5
    with as_worker(None), pytest.raises(UserError, match="not with --cluster"):
        number()


def test_instances_of_jobs_have_numbers_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "lamp.yaml").write_text(
        "machine: fsm\ninitial: a\nstates:\n  a: [{when: p, then: 0, to: b}]\n  b: [{when: p, then: 1, to: a}]\n"
    )
    (tmp_path / "lamp.py").write_text(
        "import time\n"
        "from pathlib import Path\n"
        "class Lamp:\n"
        "    def __init__(self, worker):\n"
        "        Path(f'made-{worker}').touch()\n"
        "        end = time.monotonic() + 60\n"  # the first instance must not run all tests before the others are there
        "        while len(list(Path().glob('made-*'))) < 3 and time.monotonic() < end:\n"
        "            time.sleep(0.01)\n"
        "        self.on = 1\n"
        "    def step(self, symbol):\n"
        "        self.on = 1 - self.on\n"
        "        return self.on\n"
    )
    command = [sys.executable, "-m", "fullproof", "run", "lamp.yaml", "--sut", "python:lamp.py:Lamp", "--jobs", "3"]
    command += ["--step-timeout", "90"]
    alone = {name: value for name, value in os.environ.items() if name != "PYTEST_XDIST_WORKER"}
    done = subprocess.run([*command, "--json"], cwd=tmp_path, env=alone, capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["verdict"] == "pass", done.stderr
    assert sorted(file.name for file in tmp_path.glob("made-*")) == ["made-0", "made-1", "made-2"]


class Colour(enum.Enum):
    RED = "red"
    BLUE = 7


class Size(enum.IntEnum):
    BIG = 3


@pytest.mark.parametrize(
    ("raw", "symbol"),
    [
        ("on", "on"),
        (3, "3"),
        (-1, "-1"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (b"ok\xff", "ok\\xff"),
        (Colour.RED, "red"),
        (Colour.BLUE, "BLUE"),
        (Size.BIG, "BIG"),
    ],
)
def test_outputs_are_read_as_a_model_file_writes_them(raw: object, symbol: str) -> None:
    assert python_symbol(raw) == symbol


@pytest.mark.parametrize("raw", [1.5, object(), ["on"], {"on": 1}])
def test_other_outputs_are_refused(raw: object) -> None:
    with pytest.raises(SutError, match="expected an output symbol: a str, int, bool, None, bytes or enum member"):
        python_symbol(raw)


@pytest.mark.parametrize(
    ("observed", "shown"),
    [("ok ", ("ok", "ok␣")), ("o k", ("ok", "o␣k")), ("ok\t", ("ok", "ok␉")), ("\xa0ok", ("ok", "\\u00a0ok"))],
)
def test_outputs_that_differ_in_blanks_alone_show_them(observed: str, shown: tuple[str, str]) -> None:
    row = StepRow(input="p", allowed=("ok",), observed=observed, ok=False)
    assert (row.allowed_text, row.observed) == shown
    assert StepRow(input="p", allowed=(" ",), observed="", ok=False).observed == "(empty)"
    assert StepRow(input="p", allowed=("a b",), observed="a b", ok=True).observed == "a b"
