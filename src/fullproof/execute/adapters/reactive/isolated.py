"""A ``python:`` system of an sts in a process of its own: each call is a question to that process, with a deadline.

What the tester does next depends on what it has seen, so calls cannot be sent ahead. The process is that of ``--jobs``
(``cluster.child``): it ends with the parent, and it is ended where a call does not return; the next reset starts
another.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from fullproof.cluster.child import Child, dismiss, opened
from fullproof.cluster.work import BrokenBatch, DoneBatch, Packed, Ready, RefusedBatch, Vigil, Work, packed
from fullproof.core.errors import Bug, UserError
from fullproof.execute.blame import blame
from fullproof.execute.crew import OPENING
from fullproof.execute.reactive import Gated
from fullproof.execute.sut import SutError
from fullproof.execute.worker import as_worker, worker_number
from fullproof.language.types import Value


@dataclass(frozen=True, slots=True)
class _Hosted:
    """The system that the process opens."""

    target: str
    model: Gated
    step_timeout: float | None
    worker: int | None


@dataclass(frozen=True, slots=True)
class _Call:
    method: str
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class _Failed:
    """A call that raised."""

    reason: str
    evidence: str


class IsolatedReactive:
    """A system behind a process; after a failure the next reset makes a new one, in a new process where need be."""

    in_process = False
    synchronous = False

    def __init__(self, work: Packed) -> None:
        self._work = work
        self._child: Child | None = self._started()

    def reset(self) -> None:
        """Bring the system into its initial state."""
        if self._child is None:
            try:
                self._child = self._started()
            except UserError as error:
                raise SutError(str(error)) from error
        self._call(_Call("reset"))

    def send(self, gate: str, values: tuple[Value, ...]) -> None:
        """Give an input."""
        self._call(_Call("send", (gate, values)))

    def receive(self, timeout: float) -> tuple[str, tuple[Value, ...]] | None:
        """The next output; waiting for it is allowed."""
        found: tuple[str, tuple[Value, ...]] | None = self._call(_Call("receive", (timeout,)), more=timeout)
        return found

    def discard(self) -> None:
        """A system whose process is still there is made anew by it."""
        if self._child is not None:
            with contextlib.suppress(SutError):  # then nothing has to be discarded
                self._call(_Call("discard"))

    def close(self) -> None:
        """End the process gracefully: the system is closed there."""
        if self._child is not None:
            dismiss([self._child])
            self._child = None

    def _started(self) -> Child:
        child = Child(self._work)
        try:
            answer = opened(child.answer())
        except (EOFError, OSError) as error:
            death = child.end(hung=isinstance(error, TimeoutError)).death
            raise UserError(f"a process for the system: {death}, before its first test") from None
        except BaseException:
            dismiss((), [child])
            raise
        if isinstance(answer, RefusedBatch | BrokenBatch):
            dismiss([child])
            raise answer.error()
        assert isinstance(answer, Ready)
        return child

    def _call(self, call: _Call, *, more: float = 0.0) -> Any:
        child = self._child
        assert child is not None
        child.ask(pickle.dumps([call], pickle.HIGHEST_PROTOCOL), more=more)
        try:
            answer = opened(child.answer())
        except (EOFError, OSError) as error:
            self._child = None
            death = child.end(hung=isinstance(error, TimeoutError)).death
            raise SutError(death, evidence=death.evidence) from None
        except BaseException:  # such as the user's Ctrl-C: the answer would be taken for that to the next call
            self._child = None
            dismiss((), [child])
            raise
        if isinstance(answer, RefusedBatch | BrokenBatch):
            raise answer.error()
        assert isinstance(answer, DoneBatch)
        if answer.refused is not None:
            raise answer.refused.error()
        (result,) = answer.results
        if isinstance(result, _Failed):
            raise SutError(result.reason, evidence=result.evidence)
        return result


def open_isolated(target: str, model: Gated, *, step_timeout: float | None) -> IsolatedReactive:
    """Start a process that loads and makes the object, or say in one line why not."""
    limit = step_timeout
    vigil = None if limit is None else Vigil(patience=limit, opening=OPENING + 2 * limit, limit=limit)
    hosted = _Hosted(target, model, step_timeout, worker_number())
    work = Work(begin=_hosting, common=hosted, lost=_lost, recorded=vigil is not None, vigil=vigil)
    return IsolatedReactive(packed(work))


def _lost(call: _Call, reason: str) -> object:
    raise Bug(f"{call.method} {reason}: calls are asked one by one")


@contextmanager
def _hosting(hosted: _Hosted) -> Iterator[Callable[[Sequence[_Call]], list[object]]]:
    """Open the system; what it prints stays off standard output."""
    from fullproof.execute.adapters.reactive.python import open_python
    from fullproof.execute.shield import Shield, stay

    stay()
    with (
        Shield(),
        as_worker(hosted.worker),
        closing(open_python(hosted.target, hosted.model, step_timeout=hosted.step_timeout)) as system,
    ):
        yield lambda batch: [_answered(system, call) for call in batch]


def _answered(system: object, call: _Call) -> object:
    try:
        return getattr(system, call.method)(*call.arguments)
    except UserError:
        raise
    except SutError as error:
        return _Failed(error.reason, error.evidence)
    except BaseException as error:  # noqa: BLE001  # code of the system under test runs here, and may raise anything
        failure = blame(error)
        return _Failed(failure.reason, failure.evidence)
