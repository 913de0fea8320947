"""Python classes become the machines that they are: compared with a walk over all words, by a slow twin."""

import collections
import dataclasses
import itertools
import threading
from itertools import product
from pathlib import Path

import pytest

import fullproof
from fullproof.cli.entry import run
from fullproof.core.errors import UserError
from fullproof.execute.observation import python_symbol
from fullproof.model import Fsm

INPUTS = ["put", "get", "look"]


class Queue:
    """Holds up to three numbers, of which the third differs."""

    INPUTS = INPUTS

    def __init__(self) -> None:
        self.items: collections.deque[int] = collections.deque()

    def step(self, symbol: str) -> object:
        if symbol == "put":
            if len(self.items) == 3:
                return "full"
            self.items.append(len(self.items))
            return None
        if not self.items:
            return False
        return self.items.popleft() if symbol == "get" else self.items[-1]


class Locked(Queue):
    """Can be neither copied nor compared."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


class Uncopied(Queue):
    def __deepcopy__(self, _: object) -> object:
        raise TypeError("no copies")


@dataclasses.dataclass(slots=True)
class Slotted:
    """Has an ``__eq__`` of its own, no ``__dict__``, and a history that equality ignores."""

    on: bool = False
    steps: int = dataclasses.field(default=0, compare=False)

    def step(self, symbol: str) -> bool:
        self.steps += 1
        self.on ^= symbol == "put"
        return self.on


class Offers(Queue):
    def enabled(self) -> set[str]:
        return {"put", "look"} if not self.items else {"get"}


class Ordered:
    """A dict whose order matters."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}

    def step(self, symbol: str) -> str:
        if symbol == "look":
            return next(iter(self.seen), "none")
        if symbol not in self.seen and len(self.seen) < 2:
            self.seen[symbol] = 0
        return "ok"


def answers(model: Fsm, word: tuple[str, ...]) -> list[str | None]:
    table = {(t.source, t.input): (t.output, t.target) for t in model.transitions}
    state, found = model.initial, list[str | None]()
    for symbol in word:
        output, state = table.get((state, symbol), (None, ""))
        found.append(output)
        if output is None:
            break
    return found


def direct(make: type, word: tuple[str, ...]) -> list[str | None]:
    thing, found = make(), list[str | None]()
    for symbol in word:
        if hasattr(thing, "enabled") and symbol not in thing.enabled():
            return [*found, None]
        found.append(python_symbol(thing.step(symbol)))
    return found


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (Queue, {}),
        (Uncopied, {}),
        (Slotted, {}),
        (Offers, {}),
        (Ordered, {}),
        (Queue, {"states": "behaviour"}),
        (Locked, {"states": "behaviour"}),
        (Offers, {"states": "behaviour"}),
    ],
    ids=str,
)
def test_the_machine_answers_as_the_class_does(make: type, options: dict[str, str]) -> None:
    model = fullproof.explore(make, inputs=INPUTS, **options)
    for word in product(INPUTS, repeat=6):
        assert answers(model, word) == direct(make, word)


def test_states_that_behave_alike_are_one() -> None:
    class Padded(Queue):
        noise = 0

        def step(self, symbol: str) -> object:
            self.noise = (self.noise + 1) % 4
            return super().step(symbol)

    assert len(fullproof.explore(Padded, states="behaviour").states) == len(fullproof.explore(Queue).states)
    assert len(fullproof.explore(Padded).states) > len(fullproof.explore(Queue).states)


class Growing:
    def __init__(self) -> None:
        self.n = 0

    def step(self, _: str) -> int:
        self.n += 1
        return self.n


class Shared:
    count = itertools.count()

    def step(self, _: str) -> int:
        return next(self.count)


class Raising(Queue):
    def step(self, symbol: str) -> object:
        return self.items.popleft() if symbol == "get" else None


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (Growing, "Growing has more than 20 states: the bound is --max-states"),
        (Shared, "after the same inputs put: its answers depend on more than its state"),
        (Raising, "raised IndexError: .* after the inputs get; inputs that a state does not take"),
        (Locked, "Locked.lock is a lock, whose state cannot be read: use --states behaviour"),
        (int, "int has no method step"),
    ],
)
def test_what_is_no_finite_machine_is_said_in_one_line(make: type, complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        fullproof.explore(make, inputs=INPUTS, max_states=20)


def test_the_command_says_how_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.py").write_text(
        "class Ring:\n    INPUTS = ['a']\n    def __init__(self): self.n = 0\n"
        "    def step(self, _): self.n = (self.n + 1) % 14; return self.n == 0\n"
    )
    assert run(["explore", "python:ref.py:Ring", "-o", "ring.yaml"]) == 0
    assert capsys.readouterr().out.startswith("complete: 14 states, 14 transitions, written to ring.yaml")
    first = (tmp_path / "ring.yaml").read_bytes()
    assert run(["explore", "python:ref.py:Ring", "-o", "ring.yaml"]) == 0
    assert (tmp_path / "ring.yaml").read_bytes() == first
    capsys.readouterr()
    assert run(["explore", "python:ref.py:Ring", "--max-states", "5", "-o", "part.yaml"]) == 6
    assert capsys.readouterr().out.startswith("bound reached: NOT complete, 5 states, 4 transitions")
    assert run(["explore", "ref.py:Ring", "-o", "ring.yaml"]) == 4


def test_an_interrupted_exploration_says_how_to_get_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "counter.py").write_text(
        "class Counter:\n    count = 0\n    def step(self, symbol):\n        self.count += 1\n"
        "        if self.count > 3:\n            raise KeyboardInterrupt\n"
    )
    target = tmp_path / "model.yaml"
    assert run(["explore", f"python:{tmp_path / 'counter.py'}:Counter", "--inputs", "a", "-o", str(target)]) == 2
    assert "interrupted: no model was written; --max-states N stops after N states" in capsys.readouterr().err
    assert not target.exists()
