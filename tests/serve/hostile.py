"""Hostile models; none of them may bring the server down."""

from collections.abc import Iterator

EVIL = "<img src=x onerror=alert(1)>"


def hostile() -> Iterator[tuple[str, str, str]]:
    """A name for the case, a file name, a text."""
    yield from _texts()
    yield from _yaml()
    yield from _others()
    yield from _expressions()
    yield from _machines()
    yield from _names()


def _texts() -> Iterator[tuple[str, str, str]]:
    yield "empty", "m.yaml", ""
    yield "blank", "m.yaml", " \n\t\n"
    yield "null character", "m.yaml", "machine: fsm\0\n"
    yield "only nulls", "m.dot", "\0" * 100_000
    yield "half a character", "m.yaml", "machine: \ud800"
    yield "control characters", "m.yaml", "".join(map(chr, range(1, 32))) * 1000
    yield "binary", "m.kiss2", "".join(chr(k * 7 % 256) for k in range(200_000))
    yield "right to left", "m.yaml", "machine: fsm\nname: '\u202e\u2066txt.exe'\ninitial: a\nstates: {a: []}\n"
    yield "one endless line", "m.yaml", "a" * 3_000_000
    yield "a million lines", "m.yaml", "\n" * 1_000_000
    yield "no ending", "model", "machine: fsm"
    yield "path as a name", "../../../../etc/passwd", "root"


def _yaml() -> Iterator[tuple[str, str, str]]:
    levels = "\n".join(f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, 12))
    yield "alias bomb", "m.yaml", f"a0: &a0 [x, x]\n{levels}\nmachine: fsm\n"
    yield "recursive alias", "m.yaml", "machine: fsm\nstates: &s {a: *s}\n"
    yield "merge bomb", "m.yaml", "x: &x {a: 1}\n" + "".join(f"y{k}: {{<<: *x}}\n" for k in range(20_000))
    yield "deep flow", "m.yaml", "states: " + "[" * 50_000 + "]" * 50_000
    yield "deep blocks", "m.yaml", "".join(" " * k + "a:\n" for k in range(1500))
    yield "python tag", "m.yaml", "machine: !!python/object/apply:os.system ['touch hacked']\n"
    yield "many keys", "m.yaml", "".join(f"k{k}: 1\n" for k in range(150_000))
    yield "long key", "m.yaml", "k" * 1_000_000 + ": 1\n"
    yield "many documents", "m.yaml", "---\n" * 200_000


def _others() -> Iterator[tuple[str, str, str]]:
    yield "deep json", "m.json", "[" * 400_000
    yield "deep json objects", "m.json", '{"a":' * 100_000 + "1" + "}" * 100_000
    yield "json numbers", "m.json", '{"machine": ' + "9" * 1_000_000 + "}"
    yield "json not a number", "m.json", '{"machine": NaN, "states": Infinity}'
    yield "open quotes", "m.dot", 'digraph { a -> b [label="' + "x" * 1_000_000
    yield "deep subgraphs", "m.dot", "digraph " + "{ subgraph " * 50_000
    yield "huge cube", "m.kiss2", ".i 60\n.o 1\n.s 1\n.p 1\n.r a\n" + "-" * 60 + " a a 1\n.e\n"
    yield "wide csv", "m.csv", ";".join("x" * 3 for _ in range(300_000))
    yield "columns", "m.fsm", "999999999 0 0 999999998\n"
    yield "deep xml", "m.scxml", "<a>" * 100_000
    entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + k)} "{f"&{chr(97 + k)};" * 10}">' for k in range(12)
    )
    yield "billion laughs", "m.scxml", f"{entities}]><scxml>&m;</scxml>"
    yield "outer entity", "m.scxml", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><scxml>&a;</scxml>'


def _sfsm(guard: str, *, inputs: str = "x: real", output: str = "y == x") -> str:
    return (
        f"machine: sfsm\nname: h\ninputs: {{{inputs}}}\noutputs: {{y: real}}\ninitial: a\nstates:\n"
        f"  a:\n    - {{when: '{guard}', then: '{output}', to: a}}\n"
    )


def _expressions() -> Iterator[tuple[str, str, str]]:
    yield "huge range", "m.yaml", _sfsm("x > 3", inputs=f"x: int 0..{'9' * 4000}")
    yield "huge power", "m.yaml", _sfsm("x ** 9 ** 9 ** 9 > 3")
    yield "tower of powers", "m.yaml", _sfsm("2 ** (10 ** 9) > x")
    yield "division by zero", "m.yaml", _sfsm("x / 0 > 1")
    yield "deep brackets", "m.yaml", _sfsm("(" * 20_000 + "x > 1" + ")" * 20_000)
    yield "many nots", "m.yaml", _sfsm("not " * 30_000 + "x > 1")
    yield "long sum", "m.yaml", _sfsm(" + ".join(["x"] * 50_000) + " > 1")
    yield "nonlinear", "m.yaml", _sfsm("x ** 7 - 3 * x ** 5 * z + z ** 4 == 17 * x * z", inputs="x: real, z: real")
    products = " and ".join(f"(a{k} * a{k + 1} > {k} or a{k} + a{k + 1} < {k})" for k in range(40))
    names = ", ".join(f"a{k}: int" for k in range(41))
    yield "many nonlinear products", "m.yaml", _sfsm(products, inputs=names, output="y == a0")
    guards = "\n".join(f"    - {{when: 'x * z > {k} * x + z ** 2', then: 'y == {k} * x', to: a}}" for k in range(30))
    yield (
        "exponential classes",
        "m.yaml",
        "machine: sfsm\nname: h\ninputs: {x: real, z: real}\noutputs: {y: real}\ninitial: a\nstates:\n  a:\n" + guards,
    )


def _machines() -> Iterator[tuple[str, str, str]]:
    chain = "".join(f"  s{k}: [{{when: a, then: b, to: s{k + 1}}}]\n" for k in range(30_000))
    yield "a long chain", "m.yaml", f"machine: fsm\ninitial: s0\nstates:\n{chain}  s30000: []\n"
    edges = "".join(
        f's{k} -> s{(k * 7919 + j) % 9000} [label="i{j} / o{k % 3}"]\n' for k in range(9000) for j in range(6)
    )
    yield "a dense machine", "m.dot", f"digraph {{\n{edges}}}\n"
    rows = "".join(f"{k} {j} {j % 2} {(k * k + j) % 30_000}\n" for k in range(30_000) for j in range(4))
    yield "many states", "m.fsm", rows
    inputs = "".join(f"    - {{when: i{k}, then: o{k}, to: a}}\n" for k in range(20_000))
    yield "many inputs", "m.yaml", f"machine: fsm\ninitial: a\nstates:\n  a:\n{inputs}"
    yield (
        "livelock",
        "m.yaml",
        "machine: statemachine\nname: l\nsignals: {in: [go], out: []}\ninputs: {x: int}\noutputs: {y: int = 0}\n"
        "variables: {n: int = 0}\ninitial: a\nstates:\n"
        "  a: [{do: [n = n + 1], to: b}]\n  b: [{do: [n = n * 2], to: a}]\n",
    )
    yield (
        "growing numbers",
        "m.yaml",
        "machine: sts\nname: g\nvariables: {n: int = 2}\ninputs: {go: {}}\noutputs: {out: {p: int}}\n"
        "initial: a\nstates:\n"
        "  a: [{gate: go, set: {n: n * n}, to: a}, {gate: out, when: p == n * n, to: a}]\n",
    )
    yield (
        "extra states",
        "m.yaml",
        "machine: fsm\ninitial: a\nfault_domain: {extra_states: 20}\nstates:\n  a:\n"
        + "".join(f"    - {{when: i{k}, then: o, to: a}}\n" for k in range(10))
        + "  b: []\n",
    )


def _names() -> Iterator[tuple[str, str, str]]:
    yield (
        "markup in every name",
        "m.yaml",
        f"machine: fsm\nname: '{EVIL}</title><script>alert(1)</script>'\ninitial: '{EVIL}'\nstates:\n  '{EVIL}':\n"
        f"    - {{when: '{EVIL}i', then: '{EVIL}o', to: '{EVIL}', req: ['{EVIL}r']}}\n"
        f"requirements: {{'{EVIL}r': '{EVIL}t'}}\n",
    )
    yield "markup in a mistake", "m.yaml", f"machine: fsm\n'{EVIL}': 3\n"
    long = "n" * 200_000
    yield (
        "a long name",
        "m.yaml",
        f"machine: fsm\ninitial: {long}\nstates:\n  {long}: [{{when: {long}, then: o, to: {long}}}]\n",
    )
