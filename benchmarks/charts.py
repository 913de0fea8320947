"""Charts: other people's SCXML files with expected traces, read and agreeing by collection, and random ones."""

from __future__ import annotations

import io
import json
from collections import Counter
from enum import Enum
from pathlib import Path
from random import Random

from fullproof.core.errors import UserError
from fullproof.execute.simulate import simulate
from fullproof.formats import read_model
from fullproof.kinds import play

SCION = Path(__file__).resolve().parents[2] / "shared" / "charts" / "scion"
RANDOM = 3_000


class Outcome(Enum):
    """What becomes of a chart."""

    AGREES = "agrees"
    REFUSED = "refused"
    DISAGREES = "disagrees"


def played(path: Path) -> tuple[Outcome, str]:
    """Play the expected trace beside a chart; why it is refused or how it differs."""
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    try:
        model = read_model(path)
    except UserError as error:
        return Outcome.REFUSED, str(error)
    steps = expected["events"]
    lines: list[dict[str, object]] = [{"reset": True}]
    for step in steps:
        lines += [{"advance": f"{step['after']}/1000"}] if "after" in step and model.interface.has_time else []
        lines.append({"input": {"trigger": step["event"]["name"]}})
    out = io.StringIO()
    simulate(model, io.StringIO("".join(json.dumps(line) + "\n" for line in lines)), out, play=play, observe="active")
    said = [json.loads(line) for line in out.getvalue().splitlines()]
    answers = [answer for line, answer in zip(lines, said, strict=True) if "advance" not in line]
    wanted = [expected["initialConfiguration"], *(step["nextConfiguration"] for step in steps)]
    for number, (answer, states) in enumerate(zip(answers, wanted, strict=True)):
        if sorted(answer.get("state", [])) != sorted(states):
            return Outcome.DISAGREES, f"{path}, step {number}: {answer}, expected {states}"
    return Outcome.AGREES, ""


def main() -> None:
    """Print a row for each folder of charts, the reasons for refusing, and a row for random charts."""
    if SCION.is_dir():
        rows: dict[str, Counter[Outcome]] = {}
        reasons = []
        for path in sorted(SCION.rglob("*.scxml")):
            outcome, reason = played(path)
            rows.setdefault(path.parent.name, Counter())[outcome] += 1
            reasons += [reason.replace(f"{SCION}/", "")] if reason else []
        print(f"{'collection':<36} {'charts':>6} {'agree':>6} {'refused':>8} {'disagree':>9}")
        for name, counts in [*rows.items(), ("all", sum(rows.values(), Counter()))]:
            figures = [counts[outcome] for outcome in Outcome]
            print(f"{name:<36} {sum(figures):>6} {figures[0]:>6} {figures[1]:>8} {figures[2]:>9}")
        print("\n".join(reasons))
    else:
        print(f"{SCION} is not here")
    from tests.formats.test_scxml_meaning import agreement
    from tests.strategies.scxml import random_document

    dice, found = Random(60), Counter[str]()
    for _ in range(RANDOM):
        text = random_document(dice)
        found[agreement(text, [dice.choice(["a", "b", "a.b"]) for _ in range(6)])] += 1
    print(f"{RANDOM} random charts: " + ", ".join(f"{count} {name}" for name, count in found.most_common()))


if __name__ == "__main__":
    main()
