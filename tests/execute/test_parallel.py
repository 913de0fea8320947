"""Several instances at once: the same traces as one after the other, whatever the systems do."""

import os
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from tests.execute.lamp import LAMP, lamp, outputs, word

from fullproof.artefacts.execution import Execution
from fullproof.core.errors import UserError
from fullproof.execute import Options, execute
from fullproof.execute.crew import Crew
from fullproof.execute.parallel import execute_in_parallel
from fullproof.kinds.systems import open_sut

WORDS = ["".join(letters) for length in range(1, 6) for letters in product("pl", repeat=length)]
SYSTEM = """
import os, signal, time
class Lamp:
    def __init__(self): self.lives = 0
    def reset(self):
        self.bright = False; self.steps = 0
    def step(self, symbol):
        self.steps += 1
        {fault}
        if symbol == "press": self.bright = not self.bright
        return "on" if self.bright else "off"
"""


def crew(spec: str, **options: object) -> Crew:
    return Crew(
        open=partial(open_sut, spec, LAMP, step_timeout=2.0), sut=spec, options=Options(step_timeout=2.0, **options)
    )


def alone(spec: str, words: list[str]) -> list[Execution]:
    sut = open_sut(spec, LAMP, step_timeout=2.0)
    try:
        return list(execute(sut, map(word, words), options=Options(step_timeout=2.0)))
    finally:
        sut.close()


@pytest.fixture
def faulty(tmp_path: Path):
    def written(fault: str) -> str:
        path = tmp_path / "faulty.py"
        path.write_text(SYSTEM.format(fault=fault))
        return f"python:{path}:Lamp"

    return written


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_traces_are_those_of_one_system_in_their_order(jobs: int) -> None:
    spec = lamp("Lamp")
    assert list(execute_in_parallel(crew(spec), map(word, WORDS), jobs=jobs)) == alone(spec, WORDS)


def test_repetitions_and_a_late_start_keep_their_places() -> None:
    spec = lamp("Lamp")
    traces = list(execute_in_parallel(crew(spec, repeat=3), map(word, WORDS[:4]), jobs=2, after=4))
    expected = [(w, r) for w in WORDS[:4] for r in (1, 2, 3)][4:]
    assert [(t.test.id, t.repetition) for t in traces] == [(word(w).id, r) for w, r in expected]


def test_a_system_that_kills_its_process_costs_one_test(faulty) -> None:
    spec = faulty("if self.steps == 3 and self.bright: os.kill(os.getpid(), signal.SIGSEGV)")
    traces = list(execute_in_parallel(crew(spec), map(word, WORDS), jobs=2))
    good = alone(lamp("Lamp"), WORDS)
    assert len(traces) == len(good)
    for trace, wanted in zip(traces, good, strict=True):
        third_is_deadly = len(wanted.steps) > 2 and wanted.steps[1].output == "on"
        assert trace.error == ("died: killed by SIGSEGV" if third_is_deadly else None)
        assert third_is_deadly or outputs(trace) == outputs(wanted)


def test_errors_inside_python_are_as_they_are_alone(faulty) -> None:
    spec = faulty("if self.steps == 2: raise RuntimeError('no')")
    traces = list(execute_in_parallel(crew(spec), map(word, WORDS[:10]), jobs=2))
    assert [t.error for t in traces] == [t.error for t in alone(spec, WORDS[:10])]
    assert any(t.error and "RuntimeError: no" in t.error for t in traces)


def test_systems_run_at_the_same_time(faulty, tmp_path: Path) -> None:
    log = tmp_path / "log"
    timed = "begin = time.monotonic(); time.sleep(0.02); import os; "
    spec = faulty(f"{timed}open({str(log)!r}, 'a').write(f'{{os.getpid()}} {{begin}} {{time.monotonic()}}\\n')")
    list(execute_in_parallel(crew(spec), map(word, ["plplp"] * 40), jobs=4))
    steps = [
        (process, float(begin), float(end)) for process, begin, end in map(str.split, log.read_text().splitlines())
    ]
    assert any(one[0] != other[0] and one[1] < other[2] and other[1] < one[2] for one in steps for other in steps), (
        "two processes in a step at the same moment"
    )


def test_who_stops_listening_leaves_no_process_behind(faulty) -> None:
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if not children.exists():
        pytest.skip("this kernel does not list children")
    others = set(children.read_text().split())
    traces = execute_in_parallel(crew(faulty("time.sleep(0.05)")), map(word, WORDS * 20), jobs=2)
    next(traces)
    started = set(children.read_text().split()) - others
    assert started
    traces.close()
    assert not started & set(children.read_text().split())


def test_a_system_that_cannot_be_opened_is_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        list(execute_in_parallel(crew(f"python:{tmp_path}/x.py:Lamp"), map(word, WORDS), jobs=2))


def test_what_systems_print_stays_off_standard_output(faulty, capfd: pytest.CaptureFixture[str]) -> None:
    list(execute_in_parallel(crew(faulty("print('debug')")), map(word, WORDS[:3]), jobs=1))
    assert "debug" not in capfd.readouterr().out
