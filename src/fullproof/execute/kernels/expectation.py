"""The loop over tests whose answers are known beforehand: no more per step than a call, two look-ups, a comparison."""

import time
from collections.abc import Callable
from typing import Any

import cython


@cython.cclass
class Sweep:
    """Runs tests as long as every output is the one that the model gives; the watchdog counts its steps by ``len``."""

    outputs = cython.declare(list, visibility="public")
    """Those of the test at ``done``, which is the first that was not as expected, or broke off."""
    done = cython.declare(cython.Py_ssize_t, visibility="public")
    steps = cython.declare(cython.Py_ssize_t, visibility="public")
    """How many tests were as expected, and how many steps they had."""
    ready = cython.declare(cython.bint, visibility="public")
    """Whether the test at ``done`` got beyond its reset."""
    _cells: list[Any]
    _taken: bytearray
    _beats: cython.Py_ssize_t
    _counts: cython.longlong[::1]
    _note: Any

    def __init__(
        self,
        cells: list[dict[str, tuple[str, int, int]]],
        taken: bytearray,
        counts: cython.longlong[::1],
        note: Callable[[object], None] | None,
    ) -> None:
        """``cells[node][input]`` is the output, the next node and the transition, which is then marked as taken.

        ``counts`` has at any time the number of tests done, the steps of the next one, and whether it was reset: it
        may be memory that outlives a process. ``note`` is called with the outputs of a test once one of them is
        unexpected.
        """
        self._cells = cells
        self._taken = taken
        self._counts = counts
        self._note = note
        counts[0] = counts[1] = counts[2] = 0
        self.outputs = []
        self.done = self.steps = 0
        self.ready = False
        self._beats = 0

    def __len__(self) -> int:
        return int(self._beats)

    def run(
        self,
        tests: list[Any],
        reset: Callable[[], object],
        step: Callable[[object], object],
        read: Callable[[object], object],
        end: float,
    ) -> bool:
        """Run tests from ``done`` on; True where one was not as expected, False at the end of them or of the time.

        What the system raises passes through.
        """
        cells: list[Any] = self._cells
        taken: bytearray = self._taken
        counts: cython.longlong[::1] = self._counts
        note: Any = self._note
        count: cython.Py_ssize_t = len(tests)
        node: cython.Py_ssize_t
        transition: cython.Py_ssize_t
        cell: dict[Any, Any]
        found: tuple[Any, ...] | None
        while self.done < count:
            outputs: list[Any] = []
            self.outputs = outputs
            self.ready = False
            expected: cython.bint = True
            word: tuple[Any, ...] = tests[self.done].inputs
            reset()
            self.ready = True
            self._beats += 1
            counts[2] = 1
            node = 0
            for symbol in word:
                output = step(symbol)
                if type(output) is not str:
                    output = read(output)
                outputs.append(output)
                self._beats += 1
                counts[1] += 1
                if not expected:
                    if note is not None:
                        note(output)
                else:
                    cell = cells[node]
                    found = cell.get(symbol)
                    # Equal strings are mostly the same object, which takes no call to see.
                    if found is None or (found[0] is not output and found[0] != output):
                        expected = False
                        if note is not None:
                            for seen in outputs:
                                note(seen)
                    else:
                        node = found[1]
                        transition = found[2]
                        taken[transition] = 1
            if not expected:
                return True
            self.done += 1
            counts[2] = counts[1] = 0
            counts[0] = self.done
            self.steps += len(word)
            if self.done & 63 == 0 and time.monotonic() > end:
                return False
        return False
