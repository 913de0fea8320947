"""Wall time of state diagrams of random machines, as SVG: 100 states with 300 transitions within about a second."""

from __future__ import annotations

import random
import time

from fullproof.core.errors import UserError
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition
from fullproof.report.diagram import Highlight
from fullproof.report.drawing.arrange import arranged
from fullproof.report.drawing.svg import svg_text

SIZES = ((10, 3), (20, 3), (30, 3), (50, 3), (100, 3), (100, 10), (150, 3), (200, 3), (500, 3), (1000, 3), (1000, 10))


def main() -> None:
    """Print one row for each size."""
    print(f"{'states':>7} {'edges':>7} {'arrows':>7}  {'engine':<14} {'seconds':>8} {'kB':>7}")
    for states, inputs in SIZES:
        machine = random_machine(states, inputs)
        started = time.perf_counter()
        try:
            arrangement = arranged(machine, Highlight())
            drawing = svg_text(arrangement)
        except UserError:
            arrows, engine, size = "", "refused", ""
        else:
            arrows, engine = str(len(arrangement.picture.arrows)), arrangement.method
            size = str(len(drawing) // 1000)
        seconds = time.perf_counter() - started
        print(f"{states:>7} {states * inputs:>7} {arrows:>7}  {engine:<14} {seconds:>8.2f} {size:>7}", flush=True)


def random_machine(states: int, inputs: int) -> Fsm:
    """A complete deterministic machine with two outputs; the same for the same size."""
    chance = random.Random(states)
    names = [f"s{n}" for n in range(states)]
    return Fsm(
        name=f"random {states} by {inputs}",
        initial=names[0],
        states=tuple(names),
        inputs=tuple(f"i{n}" for n in range(inputs)),
        outputs=("0", "1"),
        transitions=tuple(
            FsmTransition(name, f"i{n}", chance.choice("01"), chance.choice(names))
            for name in names
            for n in range(inputs)
        ),
    )


if __name__ == "__main__":
    main()
