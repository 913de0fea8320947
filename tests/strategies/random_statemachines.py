"""State machines as engineers draw them, by a seeded generator: thresholds, counters, choice points, resets."""

from tests.strategies.small_statemachines import read_text

INPUTS = {"": "", "x": "x: int 0..50", "r": "r: real 0..50", "b": "b: bool"}


def random_statemachine(dice):
    """A deterministic machine of two or three control states, with or without data in its events."""
    names = ["a", "b0", "c"][: dice.randint(2, 3)]
    data = dice.choice(["", "x", "x", "r", "b"])
    bounded = dice.random() < 0.5
    signals = ["go", "stop"]
    choice = dice.random() < 0.5
    lines = [
        "machine: statemachine", "name: random", f"signals: {{in: [{', '.join(signals)}], out: [s]}}",
        f"inputs: {{{INPUTS[data]}}}" if data else "inputs: {}", "outputs: {y: int = 0}",
        f"variables: {{m: int {'0..3 ' if bounded else ''}= 0}}", "initial: a",
        *(["choices: [which]"] if choice else []), "states:",
    ]  # fmt: skip
    for name in names:
        rows = []
        for signal in signals:
            if dice.random() < 0.75:
                rows += _row(dice, name, signal, names, data, bounded, choice)
        lines += [f"  {name}:" if rows else f"  {name}: []", *rows]
    if choice:
        first, second = _guards(dice, data)
        lines.append("  which:")
        for guard in (first, second):
            lines.append(f"    - {{when: {guard}, do: [{_actions(dice, data, bounded)}], to: {dice.choice(names)}}}")
    return read_text("\n".join(lines) + "\n")


def _row(dice, name, signal, names, data, bounded, choice):
    targets = [*names, *(["which"] if choice else [])]
    guards = _guards(dice, data) if dice.random() < 0.6 else ("true",)
    if len(guards) == 2 and dice.random() < 0.3:
        guards = guards[:1]
    return [
        f"    - {{trigger: {signal}, when: {guard}, do: [{_actions(dice, data, bounded)}]"
        f"{', send: [s]' if dice.random() < 0.3 else ''}, to: {dice.choice(targets)}}}"
        for guard in guards
    ]


def _guards(dice, data):
    """Two conditions that exclude each other and leave nothing out."""
    if data == "b" and dice.random() < 0.6:
        return "b", "not b"
    if data in ("x", "r") and dice.random() < 0.6:
        limit = dice.choice([10, 20, 30])
        return dice.choice([(f"{data} < {limit}", f"{data} >= {limit}"), (f"{data} > {limit}", f"{data} <= {limit}")])
    limit = dice.randint(1, 3)
    return dice.choice([(f"m < {limit}", f"m >= {limit}"), (f"m == {limit}", f"m != {limit}")])


def _actions(dice, data, bounded):
    more = "'m = min(m + 1, 3)'" if bounded else "m = m + 1"
    choices = [more, more, "m = 0", "y = m", "y = 1", "y = 0", "y = 2 * m"]
    if data == "x":
        choices.append("'m = min(x, 3)'" if bounded else "m = x")
    return ", ".join(dict.fromkeys(dice.choice(choices) for _ in range(dice.randint(0, 2))))
