"""Expressions over lists beside functions over Python's own lists, made together: the text says what the function does.

No code of this file knows how fullproof holds a list or evaluates an expression.
"""

from collections.abc import Callable, Mapping
from random import Random

Given = Mapping[str, object]
Pair = tuple[str, Callable[[Given], object]]

NAMES = {"int": ("p", "q"), "bool": ("b",), "enum": ("k",)}
"""Lists by the type of their elements."""
SINGLE = {"int": ("i", "j"), "bool": ("c",), "enum": ("e",)}
DEFAULT = {"int": 0, "bool": False, "enum": "red"}
COLOURS = ("red", "green", "blue")


def condition(random: Random, depth: int = 2) -> Pair:
    """A random condition."""
    dice = random.random()
    if depth and dice < 0.35:
        (one, f), (two, g) = condition(random, depth - 1), condition(random, depth - 1)
        match random.choice(("and", "or", "not")):
            case "and":
                return f"({one}) and ({two})", lambda v: f(v) and g(v)
            case "or":
                return f"({one}) or ({two})", lambda v: f(v) or g(v)
            case _:
                return f"not ({one})", lambda v: not f(v)
    kind = random.choice(("int", "int", "bool", "enum"))
    if dice < 0.55:
        (item, f), (items, g) = element(random, kind, 1), a_list(random, kind, 1)
        return f"({item}) in ({items})", lambda v: f(v) in g(v)
    equal = random.random() < 0.6
    sign = "==" if equal else "!="
    if dice < 0.75:
        (one, f), (two, g) = a_list(random, kind, 2), a_list(random, kind, 1)
    else:
        (one, f), (two, g) = element(random, kind, 2), element(random, kind, 1)
    return f"({one}) {sign} ({two})", lambda v: (f(v) == g(v)) == equal


def a_list(random: Random, kind: str, depth: int) -> Pair:
    """A random list of elements of a kind."""
    dice = random.random()
    if not depth or dice < 0.4:
        name = random.choice(NAMES[kind])
        return name, lambda v: v[name]
    if dice < 0.55:
        parts = [element(random, kind, depth - 1) for _ in range(random.randint(0, 2))]
        return f"[{', '.join(text for text, _ in parts)}]", lambda v: [f(v) for _, f in parts]
    items, g = a_list(random, kind, depth - 1)
    if dice < 0.75:
        item, f = element(random, kind, depth - 1)
        return f"append({items}, {item})", lambda v: [*g(v), f(v)]
    if dice < 0.9:
        return f"rest({items})", lambda v: g(v)[1:]
    (test, f), (other, h) = condition(random, 0), a_list(random, kind, depth - 1)
    return f"if {test} then {items} else {other}", lambda v: g(v) if f(v) else h(v)


def element(random: Random, kind: str, depth: int) -> Pair:
    """A random element of a kind."""
    dice = random.random()
    if depth and dice < 0.4:
        (items, g), (place, f) = a_list(random, kind, depth - 1), element(random, "int", 0)
        if items != "[]":
            return f"({items})[{place}]", lambda v: _at(g(v), f(v), DEFAULT[kind])
    if depth and kind == "int" and dice < 0.6:
        items, g = a_list(random, random.choice(("int", "enum")), depth - 1)
        return f"len({items})", lambda v: len(g(v))
    if dice < 0.8:
        name = random.choice(SINGLE[kind])
        return name, lambda v: v[name]
    value = {"int": random.randint(0, 3), "bool": random.random() < 0.5, "enum": random.choice(COLOURS)}[kind]
    return str(value).lower() if kind == "bool" else str(value), lambda _: value


def _at(items: list, place: int, default: object) -> object:
    return items[place] if 0 <= place < len(items) else default
