"""The cluster that a command uses, or none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fullproof.cluster.pool import ClusterPool


@contextmanager
def cluster_of(spec: str | None) -> Iterator[ClusterPool | None]:
    """What ``--cluster`` names, as long as the block lasts; None where it was not given."""
    if spec is None:
        yield None
        return
    from fullproof.cluster.connection import open_pool

    with open_pool(spec) as pool:
        yield pool
