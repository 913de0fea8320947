"""Batches on a cluster of processes: each item once, in order, whatever happens on the way."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.cluster.works import work
from tests.processes import eventually, is_alive

from fullproof.cluster import session as sessions
from fullproof.cluster.connection import open_pool
from fullproof.cluster.pool import ClusterPool
from fullproof.cluster.work import BatchSize, packed
from fullproof.core.errors import Bug, UserError


def items(count: int, what: str = "sleep") -> list[tuple[str, int]]:
    return [(what, number) for number in range(1, count + 1)]


def squares(count: int) -> list[int]:
    return [number * number for number in range(1, count + 1)]


def with_one(what: str, place: int, count: int) -> list[tuple[str, int]]:
    listed = items(count)
    listed[place - 1] = (what, place)
    return listed


def processes(folder: Path) -> list[int]:
    return [int(path.name.partition("-")[2]) for path in folder.glob("begun-*")]


def test_results_come_in_the_order_of_the_items(pool: ClusterPool, tmp_path: Path) -> None:
    assert list(pool.map(work(tmp_path), items(1_000))) == squares(1_000)
    # Both workers had a process of their own for it, and these were asked to end, not killed.
    assert len(processes(tmp_path)) == 2
    assert len(list(tmp_path.glob("ended-*"))) == 2


def test_nothing_to_do_is_done_at_once(pool: ClusterPool, tmp_path: Path) -> None:
    assert list(pool.map(work(tmp_path), [])) == []


def test_a_refusal_comes_where_the_result_would_be(pool: ClusterPool, tmp_path: Path) -> None:
    seen = []
    with pytest.raises(UserError, match="items, line 57: item 57 is wrong") as caught:
        seen.extend(pool.map(work(tmp_path), [*with_one("refuse", 57, 90), ("refuse", 91)]))
    assert seen == squares(56)
    assert caught.value.at.line == 57


def test_a_bug_is_shown_with_its_traceback(pool: ClusterPool, tmp_path: Path) -> None:
    with pytest.raises(Bug, match="ZeroDivisionError: item 20"):
        list(pool.map(work(tmp_path), with_one("bug", 20, 40)))


def test_an_item_that_ends_its_process_is_alone_in_that(pool: ClusterPool, tmp_path: Path) -> None:
    found = list(pool.map(work(tmp_path), with_one("die", 70, 200)))
    expected = squares(200)
    expected[69] = -70
    assert found == expected


def test_a_process_that_ends_by_chance_costs_nothing(pool: ClusterPool, tmp_path: Path) -> None:
    assert list(pool.map(work(tmp_path), with_one("die once", 70, 200))) == squares(200)


def test_items_are_read_only_so_far_ahead(pool: ClusterPool, tmp_path: Path) -> None:
    read = 0

    def reading() -> Iterator[tuple[str, int]]:
        nonlocal read
        for item in items(100_000, "quick"):
            read += 1
            yield item

    with closing(pool.map(work(tmp_path), reading(), largest=10)) as results:
        for _ in range(5):
            next(results)
        time.sleep(0.3)
        next(results)
        assert read <= 2 * 16 * 10 + 10


def test_who_stops_listening_leaves_no_process_behind(pool: ClusterPool, tmp_path: Path) -> None:
    results = pool.map(work(tmp_path), items(100_000, "long"))
    next(results)
    begun = processes(tmp_path)
    assert begun
    assert all(map(is_alive, begun))
    results.close()
    assert eventually(lambda: not any(map(is_alive, processes(tmp_path))))


def test_workers_that_are_killed_lose_nothing(pool: ClusterPool, tmp_path: Path) -> None:
    killed = []
    found = []
    for result in pool.map(work(tmp_path), items(2_000)):
        found.append(result)
        if len(found) in (200, 900):
            victim = next(iter(pool._client.run(os.getpid).values()))
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)
    assert found == squares(2_000)
    assert len(set(killed)) == 2
    assert eventually(lambda: not any(map(is_alive, processes(tmp_path))))


def test_an_item_that_ends_its_workers_is_alone_in_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: None
) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    monkeypatch.setattr("fullproof.cluster.pool._PATIENCE", 600.0)  # a worker that comes back on a busy machine
    with open_pool("local:1") as alone:
        found = list(alone.map(work(tmp_path), with_one("kill the worker", 5, 12)))
    expected = squares(12)
    expected[4] = -5
    assert found == expected


def test_a_session_that_nobody_uses_ends_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: None) -> None:
    import pickle

    from fullproof import __version__

    monkeypatch.setattr(sessions, "_PATIENCE", 0.5)
    known = packed(work(tmp_path))
    replies = sessions.perform("forgotten", __version__, known, pickle.dumps(items(3)))
    assert [list(pickle.loads(reply).results) for reply in replies] == [squares(3)]
    (pid,) = processes(tmp_path)
    assert eventually(lambda: not is_alive(pid))
    with pytest.raises(OSError, match="the session is over"):
        sessions.perform("forgotten", __version__, known, pickle.dumps(items(3)))


def test_sizes_of_batches_follow_their_duration() -> None:
    size = BatchSize(seconds=0.4, largest=100)
    seen = []
    for _ in range(8):
        size.learn(size.now, size.now * 0.01)
        seen.append(size.now)
    assert seen == [2, 4, 8, 16, 32, 40, 40, 40]
    size.learn(40, 40.0)
    assert size.now == 1
    for _ in range(20):
        size.learn(size.now, 1e-9)
    assert size.now == 100
