"""State machines whose attributes have five values each, so that everything about them can be tried out."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from fullproof.formats import read_model


def read_text(text):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m.yaml"
        path.write_text(text)
        return read_model(path)


TERMS = ["x", "y", "m", "x + m", "y - m", "m + 1"]
GUARDS = st.builds(
    lambda left, operator, right: f"{left} {operator} {right}",
    st.sampled_from(TERMS), st.sampled_from(["<", "<=", "==", "!=", ">"]), st.sampled_from(["0", "1", "-1", "y", "m"]),
)  # fmt: skip
VALUES = st.sampled_from(["x", "0", "1", "-m", "max(-2, min(2, m + x))", "max(-2, min(2, y + 1))", "y", "m"])


@st.composite
def machines(draw):
    """Three states: events lead anywhere, runs without trigger only forward, so that they end; guards exclude."""
    lines = []
    for state in ("p", "q", "r"):
        lines.append(f"  {state}:")
        guard = draw(GUARDS)
        actions = st.lists(st.builds(lambda v, e: f"'{v} = {e}'", st.sampled_from(["y", "m"]), VALUES), max_size=2)
        target = draw(st.sampled_from(["p", "q", "r"]))
        lines.append(f"    - {{trigger: a, when: '{guard}', do: [{', '.join(draw(actions))}], to: {target}}}")
        if state != "r":
            free = draw(GUARDS)
            further = "q" if state == "p" else "r"
            lines[-1] = lines[-1].replace(f"'{guard}'", f"'({guard}) and not ({free})'")
            lines.append(f"    - {{when: '{free}', do: [{', '.join(draw(actions))}], to: {further}}}")
    head = (
        "machine: statemachine\nname: g\nsignals: {in: [a]}\ninputs: {x: int -2..2}\noutputs: {y: int -2..2 = 0}\n"
        "variables: {m: int -2..2 = 0}\ninitial: p\nstates:\n"
    )
    return head + "\n".join(lines) + "\n"


CHOICES = ["x", "0", "1", "-m", "max(-2, min(2, m + x))", "max(-2, min(2, y + 1))", "y", "m"]


def random_text(dice, *, largest=2):
    """Another machine of this kind by a seeded generator, with two signals to hear and one to send."""

    def guard():
        return f"{dice.choice(TERMS)} {dice.choice(['<', '<=', '==', '!=', '>'])} {dice.choice(['0', '1', 'y', 'm'])}"

    def actions():
        return ", ".join(f"'{dice.choice('ym')} = {dice.choice(CHOICES)}'" for _ in range(dice.randint(0, 2)))

    lines = []
    for state in ("p", "q", "r"):
        lines.append(f"  {state}:")
        free = guard() if state != "r" and dice.random() < 0.5 else None
        for trigger in dice.sample("ab", dice.randint(1, 2)):
            when = f"({guard()}) and not ({free})" if free else guard()
            send = ", send: [s]" if dice.random() < 0.3 else ""
            to = dice.choice("pqr")
            lines.append(f"    - {{trigger: {trigger}, when: '{when}', do: [{actions()}]{send}, to: {to}}}")
        if free:
            lines.append(f"    - {{when: '{free}', do: [{actions()}], to: {'q' if state == 'p' else 'r'}}}")
    head = (
        f"machine: statemachine\nname: g\nsignals: {{in: [a, b], out: [s]}}\ninputs: {{x: int -2..{largest}}}\n"
        "outputs: {y: int -2..2 = 0}\nvariables: {m: int -2..2 = 0}\ninitial: p\nstates:\n"
    )
    return head + "\n".join(lines) + "\n"
