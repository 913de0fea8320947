"""Recursion as deep as tests are long, which may be deeper than the interpreter's stack."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Deep: TypeAlias = Generator["Deep[T]", T, T]
"""A function that yields the calls it makes to others of its kind, and gets their results."""


def result_of(call: Deep[T]) -> T:
    """Run a function and all that it calls on a stack of our own."""
    stack = [call]
    send, value = False, None
    while True:
        try:
            called = stack[-1].send(value) if send else next(stack[-1])  # type: ignore[arg-type]
        except StopIteration as end:
            stack.pop()
            if not stack:
                return end.value  # type: ignore[no-any-return]
            send, value = True, end.value
        else:
            stack.append(called)
            send = False
