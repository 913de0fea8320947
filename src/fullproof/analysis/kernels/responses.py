"""How the states of a deterministic machine answer words."""

from typing import Any

import cython


@cython.cclass
class ResponseTable:
    """Targets and outputs by state and input, followed word by word."""

    p: cython.int
    target: cython.int[::1]
    output: cython.int[::1]

    def __init__(self, target: cython.int[::1], output: cython.int[::1], inputs: cython.int) -> None:
        self.target, self.output, self.p = target, output, inputs

    def after(self, state: cython.int, word: Any) -> int:
        """Return the state after a word."""
        k: cython.int
        for k in word:
            state = self.target[state * self.p + k]
        return int(state)

    def replies(self, state: cython.int, word: Any) -> list[int]:
        """Return the outputs of a state to a word."""
        found = []
        k: cython.int
        for k in word:
            found.append(int(self.output[state * self.p + k]))
            state = self.target[state * self.p + k]
        return found

    def united(self, state: cython.int, rivals: Any, word: Any) -> list[int]:
        """Return the rivals that answer a word as a state does, or as far as it is defined there."""
        left = []
        x: cython.int
        y: cython.int
        k: cython.int
        rival: cython.int
        for rival in rivals:
            x = state
            y = rival
            for k in word:
                if self.target[y * self.p + k] < 0:
                    left.append(rival)
                    break
                if self.output[x * self.p + k] != self.output[y * self.p + k]:
                    break
                x = self.target[x * self.p + k]
                y = self.target[y * self.p + k]
            else:
                left.append(rival)
        return left
