"""Hostile models and crowds: every request is answered, and the server stands. All of them: benchmarks/workbench.py."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.processes import PATIENCE, eventually
from tests.serve.bench import Bench, model, workbench
from tests.serve.hostile import hostile
from tests.serve.test_interface import TURNSTILE

from fullproof.serve.answers import Crowded, DoneAnswer, Limit, Stopped
from fullproof.serve.messages import SuiteQuestion
from fullproof.serve.pool import Busy, Job, ServerPool
from fullproof.serve.settings import Limits

SECONDS = 3
FINE = (200, 413, 422, 503, 504, 507)


@pytest.fixture(scope="module")
def small() -> Iterator[Bench]:
    """With little patience and little memory."""
    with workbench("--seconds", SECONDS, "--memory", 512, "--workers", 2) as running:
        yield running


def test_there_are_many() -> None:
    assert len(list(hostile())) >= 50


def test_hostile_models_are_answered(small: Bench) -> None:
    """A third of them here, at once."""
    chosen = list(hostile())[::3]
    with ThreadPoolExecutor(4) as crowd:
        answers = list(crowd.map(lambda case: small.ask("check", model(case[2], case[1])), chosen))
    assert {a.status for a in answers} <= set(FINE), [
        (c[0], a.status, a.body[:300]) for c, a in zip(chosen, answers, strict=True)
    ]
    assert small.ask("check", model(TURNSTILE)).json["states"] == 2


def test_a_worker_that_takes_too_long_is_stopped(small: Bench) -> None:
    chain = {name: (file, text) for name, file, text in hostile()}["exponential classes"]
    begin = time.monotonic()
    answer = small.ask("classes", model(chain[1], chain[0]))
    assert answer.status == 504 and answer.json["error"] == "time"
    assert time.monotonic() - begin < 10 * SECONDS


def test_memory_has_a_limit() -> None:
    pool = ServerPool(Limits(memory=256 << 20))
    question = SuiteQuestion.model_validate({**model(TURNSTILE), "method": "h", "extra_states": 20})
    try:
        large = pool.submit(Job(question="cost", content=question.model_dump(mode="json"), seconds=60))
        assert large.result() in (Stopped(Limit.MEMORY), Stopped(Limit.DEATH))
        small = pool.submit(Job(question="check", content=model(TURNSTILE), seconds=60))
        assert isinstance(small.result(), DoneAnswer)
    finally:
        pool.close()


def test_two_hundred_at_once(small: Bench) -> None:
    with ThreadPoolExecutor(200) as crowd:
        answers = list(crowd.map(lambda _: small.ask("convert", {**model(TURNSTILE), "format": "json"}), range(200)))
    assert [a.status for a in answers] == [200] * 200
    assert small.memory() < 300 << 20


def test_nobody_waits_for_ever() -> None:
    """More than the workers can do in time: some are answered, the others are refused with a request to retry."""
    slow = next(text for name, _, text in hostile() if name == "exponential classes")
    content = {**model(slow), "options": {"timeout": 60.0}}
    pool = ServerPool(Limits(patience=1.0, waiting=8))
    try:
        started = [pool.submit(Job(question="check", content=model(TURNSTILE), seconds=60)) for _ in range(2)]
        assert {type(first.result()) for first in started} <= {
            DoneAnswer,
            Crowded,
        }  # whoever starts slowly has started now
        jobs = [Job(question="classes", content=content, seconds=1.5) for _ in range(10)]
        futures = [pool.submit(job) for job in jobs]
        with pytest.raises(Busy):
            pool.submit(Job(question="classes", content=content, seconds=1.0))
        outcomes = [type(future.result(timeout=PATIENCE)) for future in futures]
    finally:
        pool.close()
    assert set(outcomes) == {Stopped, Crowded}


def test_the_process_that_workers_come_from_is_replaced(small: Bench) -> None:
    os.kill(small.children()[0], signal.SIGKILL)
    assert eventually(lambda: small.ask("check", model(TURNSTILE)).status == 200)


def test_who_leaves_frees_a_worker(small: Bench) -> None:
    """Ten clients ask something long and leave; the next need not wait for them."""
    import json
    import socket

    slow = next(text for name, _, text in hostile() if name == "exponential classes")
    body = json.dumps(model(slow)).encode()
    head = f"POST /api/classes HTTP/1.1\r\nHost: 127.0.0.1:{small.port}\r\nAuthorization: Bearer {small.token}\r\n"
    for _ in range(10):
        with socket.create_connection(("127.0.0.1", small.port)) as client:
            client.sendall(
                f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
            )
            time.sleep(0.05)
    begin = time.monotonic()
    assert small.ask("check", model(TURNSTILE)).status == 200
    assert time.monotonic() - begin < 4 * SECONDS, "sooner than all those questions take"
