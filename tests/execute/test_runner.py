import time

import pytest
from tests.execute.lamp import LAMP, lamp, outputs, run, word

from fullproof.artefacts.execution import Columns, Step
from fullproof.execute import Options, SutError, execute
from fullproof.kinds.systems import open_sut


def test_tests_are_pulled_and_run_lazily():
    pulled = []

    def tests():
        for _ in range(1000):
            pulled.append(1)
            yield word("p")

    class Slow:
        in_process, grey_box = False, False
        reset = finish = discard = close = lambda self: None

        def step(self, symbol):
            return "on"

    traces = execute(Slow(), tests())
    assert pulled == []
    next(traces)
    assert len(pulled) == 1


def test_repetitions_follow_each_other():
    traces = run(lamp("Lamp"), "p", "l", options=Options(repeat=3))
    assert [t.repetition for t in traces] == [1, 2, 3] * 2
    assert [t.test.id for t in traces] == [word("p").id] * 3 + [word("l").id] * 3


def test_a_test_that_takes_too_long_is_ended_between_steps():
    class Slow:
        in_process, grey_box = False, False
        discarded = 0
        reset = finish = close = lambda self: None

        def discard(self):
            self.discarded += 1

        def step(self, symbol):
            time.sleep(0.02)
            return "on"

    slow = Slow()
    (trace,) = execute(slow, [word("p" * 100)], options=Options(test_timeout=0.1))
    assert trace.error == "the test took longer than 0.1 s"
    assert 1 <= len(trace.steps) < 20
    assert slow.discarded == 1


def test_the_time_limit_of_a_test_also_ends_a_hang():
    (trace,) = run(lamp("SleepAtThird"), "ppp", options=Options(step_timeout=None, test_timeout=0.5))
    assert trace.error == "no answer within 0.5 s"


def test_steps_that_together_take_longer_than_the_step_limit_are_fine(tmp_path):
    (tmp_path / "slow.py").write_text(
        "import time\nclass S:\n    def reset(self): time.sleep(0.7)\n"
        "    def step(self, s):\n        time.sleep(0.7)\n        return 'on'\n"
    )
    (trace,) = run(f"python:{tmp_path}/slow.py:S", "ppp", options=Options(step_timeout=2))
    assert trace.error is None
    assert outputs(trace) == ["on"] * 3


class StopAfter:
    def __init__(self, count):
        self.count = count
        self.seen = []

    def wants(self, symbol):
        return len(self.seen) < self.count

    def sees(self, step):
        self.seen.append(step)


@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_an_observer_sees_every_step_and_may_end_the_test(count):
    observers = []

    def watch(test):
        observers.append(StopAfter(count))
        return observers[-1]

    (trace,) = run(lamp("Lamp"), "plp", options=Options(watch=watch))
    assert outputs(trace) == ["on", "on", "off"][:count]
    assert observers[0].seen == list(trace.steps)
    assert trace.error is None


def test_an_interrupt_by_the_user_is_not_swallowed(tmp_path):
    (tmp_path / "s.py").write_text("class S:\n    def step(self, s): raise KeyboardInterrupt\n")
    sut = open_sut(f"python:{tmp_path}/s.py:S", LAMP)
    with pytest.raises(KeyboardInterrupt):
        list(execute(sut, [word("p")]))


def test_reasons_are_one_line():
    assert SutError("two\nlines").reason == "two lines"


def test_columns_are_a_sequence_of_steps():
    columns = Columns(("a", "b", "c"), ["x", "y"])
    rows = (Step("a", "x"), Step("b", "y"))
    assert columns == rows
    assert hash(columns) == hash(rows)
    assert len(columns) == 2
    assert columns[1] == columns[-1] == rows[1]
    assert columns[:1] == rows[:1]
    assert repr(columns) == repr(rows)
    with pytest.raises(IndexError):
        columns[2]


def test_a_test_is_repeated_until_nothing_more_is_wanted_and_numbers_stay():
    seen: list[int] = []

    class Counting:
        in_process = True
        grey_box = False

        def begin(self, number: int) -> None:
            seen.append(number)

        def __getattr__(self, _name: str):
            return lambda *_: "on"

    left = {word("p").id: 1, word("l").id: 5}

    def more(test) -> bool:
        left[test.id] -= 1
        return left[test.id] >= 0

    options = Options(repeat=4, more=more)
    traces = list(execute(Counting(), [word("p"), word("l")], options=options))
    assert [(t.test.id, t.repetition) for t in traces] == [
        *((word("p").id, n) for n in (1, 2)),
        *((word("l").id, n) for n in (1, 2, 3, 4)),
    ]
    assert seen == [1, 2, 5, 6, 7, 8]
    left |= {word("p").id: 9, word("l").id: 9}
    rest = list(execute(Counting(), [word("p"), word("l")], options=options, after=6))
    assert [t.repetition for t in rest] == [3, 4]
