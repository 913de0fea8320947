"""Connects to a Dask cluster, or starts one on this machine; the only module that starts and ends clusters."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fullproof.cluster.address import Local, Remote, read_address
from fullproof.core.errors import UserError
from fullproof.core.version import __version__

if TYPE_CHECKING:
    from fullproof.cluster.pool import ClusterPool

_PATIENCE = 10.0
"""Seconds to find a scheduler, and for its first worker. Dask's own setting may be shorter."""
_GRACE = 5.0


@contextmanager
def open_pool(spec: str) -> Iterator[ClusterPool]:
    """The cluster that ``--cluster`` names; processes that were started for it are always ended."""
    from fullproof.cluster.pool import ClusterPool

    address = read_address(spec)
    try:
        import distributed  # noqa: F401
    except ImportError:
        message = "--cluster needs Dask, which is not installed: pip install 'fullproof[cluster]'"
        raise UserError(message) from None
    with _silence():
        match address:
            case Local(workers):
                with _local(workers) as client:
                    yield ClusterPool(client, spec)
            case Remote():
                with _remote(address, spec) as client:
                    yield ClusterPool(client, spec)


@contextmanager
def _local(workers: int) -> Iterator[Any]:
    from distributed import Client

    command = [sys.executable, "-P", "-m", "fullproof.cluster.local_process", str(workers)]
    holder = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", process_group=0
    )
    kind = ""
    try:
        assert holder.stdout is not None
        kind, _, reported = holder.stdout.readline().strip().partition(" ")
        if kind != "ready":
            raise UserError(f"--cluster local:{workers} cannot be started: {reported or 'its process ended'}")
        with _client(Client(reported, set_as_default=False, direct_to_workers=True)) as client:
            yield client
    finally:
        _end(holder, grace=_GRACE if kind == "ready" else 0.0)


def _end(holder: subprocess.Popen[str], *, grace: float) -> None:
    """End gracefully, which takes a moment; at once where it takes longer or an interruption comes."""
    try:
        with contextlib.suppress(OSError):
            for stream in (holder.stdin, holder.stdout):
                if stream is not None:
                    stream.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            holder.wait(timeout=grace)
    finally:
        if holder.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(holder.pid, signal.SIGKILL)
            holder.wait()


@contextmanager
def _remote(address: Remote, spec: str) -> Iterator[Any]:
    import dask
    from distributed import Client

    encrypted = dask.config.get("distributed.comm.require-encryption", default=None)
    patience = _patience()
    try:
        with warnings.catch_warnings():
            # Different versions are reported below, in one line.
            warnings.simplefilter("ignore")
            scheme = "tls" if encrypted else "tcp"
            made = Client(f"{scheme}://{address.host}:{address.port}", timeout=patience, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError, ImportError) as error:
        reason = "" if isinstance(error, OSError | TimeoutError) else f" ({error})"
        raise UserError(f"--cluster {spec}: no Dask scheduler answers there within {patience:g} s{reason}") from None
    with _client(made) as client:
        try:
            client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            raise UserError(
                f"--cluster {spec}: the scheduler has no workers, and none came in {patience:g} s"
            ) from None
        _check_versions(client.get_versions(packages=["fullproof"]), spec)
        yield client


@contextmanager
def _client(client: Any) -> Iterator[Any]:
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):  # errors are ignored while disconnecting
            client.close(timeout=2)


def _check_versions(known: Mapping[str, Any], spec: str) -> None:
    """The same Python, Dask and fullproof everywhere: results travel as pickles, and must be those of one process."""
    ours = known["client"]["packages"]
    others = [
        ("the scheduler", known["scheduler"]),
        *((f"the worker {name}", w) for name, w in known["workers"].items()),
    ]
    for who, other in others:
        if not isinstance(other, Mapping) or "packages" not in other:
            continue  # a worker that has disconnected in the meantime
        theirs = other["packages"]
        mine, their = _minor(ours["python"]), _minor(theirs["python"])
        if mine != their:
            raise UserError(f"--cluster {spec}: {who} runs Python {their}, this command {mine}; they must agree")
        for package in ("distributed", "dask"):
            if ours[package] != theirs.get(package):
                raise UserError(
                    f"--cluster {spec}: {who} has {package} {theirs.get(package)}, this machine {ours[package]}; "
                    "they must agree"
                )
        if who == "the scheduler":
            continue
        if theirs.get("fullproof") is None:
            raise UserError(f"--cluster {spec}: {who} has no fullproof: install version {__version__} there")
        if theirs["fullproof"] != ours["fullproof"]:
            raise UserError(
                f"--cluster {spec}: {who} has fullproof {theirs['fullproof']}, this machine {ours['fullproof']}; "
                "they must agree"
            )


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _patience() -> float:
    import dask
    from dask.utils import parse_timedelta

    reported = parse_timedelta(dask.config.get("distributed.comm.timeouts.connect", default=_PATIENCE), default="s")
    return min(_PATIENCE, float(reported or _PATIENCE))


@contextmanager
def _silence() -> Iterator[None]:
    """Dask logs every worker that disconnects to standard error; what matters is in our own errors."""
    names = ["tornado", "asyncio", *(n for n in logging.root.manager.loggerDict if n.split(".")[0] == "distributed")]
    before = [(logging.getLogger(name), logging.getLogger(name).level) for name in names]
    for logger, _ in before:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in before:
            logger.setLevel(level)
