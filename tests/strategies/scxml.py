"""Random SCXML documents without inputs, in which every entry, exit and transition writes down that it happened."""

from __future__ import annotations

from random import Random

CONDITIONS = (None, None, "n == 1", "n &lt; 2", "n >= 2", "n != 0 &amp;&amp; n != 3", "n == 0 || n == 3", "n % 2 == 0")
EVENTS = ("a", "b", "a.b", "a b", "a.*", "b a.b", "*")
INNER = ("i", "i.j", "done.state", "i.*")


def random_document(dice: Random, *, most: int = 9) -> str:
    """A chart with up to so many states: parallel and history states, internal events and conditional actions."""
    return _Document(dice, dice.randint(1, most)).text()


class _Document:
    def __init__(self, dice: Random, count: int) -> None:
        self.dice = dice
        self.parents: list[int | None] = [None]
        self.kinds = ["state"]
        weights = dice.choice(
            [("state",), ("state", "final"), ("state", "state", "state", "parallel", "final", "history")]
        )
        self.inner_events = dice.random() < 0.6
        self.limited = dice.random() < 0.9
        for number in range(1, count):
            kind = dice.choice(weights)
            open_ones = [k for k in range(number) if self.kinds[k] in ("state", "parallel")]
            if kind in ("final", "history"):
                open_ones = [k for k in open_ones if kind == "history" or self.kinds[k] == "state"]
            self.parents.append(dice.choice([*([None] if kind != "history" else []), *open_ones] or [None]))
            self.kinds.append(kind if kind != "history" or open_ones else "state")
        for number, kind in enumerate(self.kinds):  # parallel states and those with a history need states inside
            if kind == "parallel" and not self.inside(number):
                self.kinds[number] = "state"
        for number, kind in enumerate(self.kinds):
            above = self.parents[number]
            if kind == "history" and (above is None or not self.inside(above)):
                self.kinds[number] = "state"
            if kind == "final" and above is not None and self.kinds[above] == "parallel":
                self.kinds[number] = "state"

    def inside(self, number: int | None) -> list[int]:
        return [k for k, parent in enumerate(self.parents) if parent == number and self.kinds[k] != "history"]

    def around(self, number: int) -> list[int]:
        found, parent = [], self.parents[number]
        while parent is not None:
            found.append(parent)
            parent = self.parents[parent]
        return found

    def below(self, number: int | None) -> list[int]:
        ours = [k for k, kind in enumerate(self.kinds) if kind != "history"]
        return ours if number is None else [k for k in ours if number in self.around(k)]

    def text(self) -> str:
        tops = [k for k, parent in enumerate(self.parents) if parent is None]
        body = "".join(self.state(k) for k in tops)
        own = "".join(self.transitions(None)) if self.dice.random() < 0.15 else ""
        initial = "" if self.dice.random() < 0.5 else f' initial="{self.together(self.below(None))}"'
        data = "".join(f'<data id="{name}" expr="{value}"/>' for name, value in (("h", 0), ("n", 0), ("fuel", 6)))
        head = '<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:fp="urn:fullproof:scxml" fp:in="a a.b b"'
        return f"{head}{initial}><datamodel>{data}</datamodel>{own}{body}</scxml>"

    def together(self, among: list[int]) -> str:
        """A state, perhaps with others that are active with it."""
        chosen = [self.dice.choice(among)]
        for other in self.dice.sample(among, len(among)):
            if len(chosen) < 3 and self.dice.random() < 0.4 and all(self.parallel(other, one) for one in chosen):
                chosen.append(other)
        return " ".join(f"v{k}" for k in chosen)

    def parallel(self, first: int, second: int) -> bool:
        a, b = [first, *self.around(first)], [second, *self.around(second)]
        shared = next((k for k in a if k in b), None)
        return shared not in (None, first, second) and self.kinds[shared or 0] == "parallel"

    def content(self, code: int) -> str:
        note = f'<assign location="h" expr="(h * 31 + {code}) % 1000003"/>'
        count = '<assign location="n" expr="(n + 1) % 4"/>'
        choices = ["", "", note, note + count, count + note]
        if self.dice.random() < 0.1 or code >= 500:
            choices.append(f'{note}<send event="s{code}"/>')
        if self.inner_events and self.dice.random() < 0.3:
            name = self.dice.choice(["i", "i.j", "a"])
            burn = f'<if cond="fuel > 0"><assign location="fuel" expr="fuel - 1"/><raise event="{name}"/></if>'
            case = self.dice.choice([c for c in CONDITIONS if c])
            choices += [burn + note, note + f'<if cond="{case}">{count}<elseif cond="n == 3"/>{note}<else/>{burn}</if>']
            choices.append(
                f'<foreach array="[1, 2]" item="n"><assign location="h" expr="(h + {code} * n) % 99"/></foreach>'
            )
        return self.dice.choice(choices)

    def state(self, number: int) -> str:
        kind = self.kinds[number]
        if kind == "history":
            deep = self.dice.choice(["", ' type="deep"', ' type="shallow"'])
            aims = self.below(self.parents[number])
            above = self.parents[number]
            if "deep" not in deep or (above is not None and self.kinds[above] == "parallel"):
                aims = self.inside(self.parents[number])
            action = self.content(700 + number)
            inner = f'<transition target="{self.together(aims)}">{action}</transition>'
            return f'<history id="v{number}"{deep}>{inner}</history>'
        entry, leave = self.content(100 + number), self.content(200 + number)
        parts = [f"<onentry>{entry}</onentry>" if entry else "", f"<onexit>{leave}</onexit>" if leave else ""]
        attribute, below = "", self.below(number)
        if below and kind == "state":
            how = self.dice.choice(["default", "attribute", "element"])
            aim = self.together(below)
            attribute = f' initial="{aim}"' if how == "attribute" else ""
            if how == "element":
                parts.append(f'<initial><transition target="{aim}">{self.content(300 + number)}</transition></initial>')
        inside = [self.state(k) for k, parent in enumerate(self.parents) if parent == number]
        arrows = [] if kind == "final" else self.transitions(number)
        return f'<{kind} id="v{number}"{attribute}>{"".join([*parts, *arrows, *inside])}</{kind}>'

    def transitions(self, number: int | None) -> list[str]:
        found = []
        dice, count = self.dice, len(self.kinds)
        done = [f"done.state.v{number}"] if number is not None and self.inside(number) else []
        for k in range(dice.randint(0, 3)):
            event = dice.choice([*EVENTS, None, *done, *(INNER if self.inner_events else ())])
            if event == "done.state" and not any(self.inside(k) for k in range(count)):
                event = "a"
            condition = dice.choice(CONDITIONS)
            if dice.random() < 0.2:
                asked = f"In('v{dice.randrange(count)}')"
                condition = asked if condition is None or dice.random() < 0.5 else f"{asked} || {condition}"
            action = self.content(500 + 10 * (number or 0) + k)
            if event is None or (self.limited and event not in ("a", "b", "a.b")):
                condition = "fuel > 0" + (f" &amp;&amp; ({condition})" if condition else "")
                action = '<assign location="fuel" expr="fuel - 1"/>' + action
            histories = [f"v{k}" for k, kind in enumerate(self.kinds) if kind == "history"]
            target = self.together(self.below(None)) if dice.random() < 0.8 or not histories else dice.choice(histories)
            words = [
                f' event="{event}"' if event else "",
                f' cond="{condition}"' if condition else "",
                f' target="{target}"' if dice.random() < 0.8 else "",
                dice.choice(["", "", ' type="internal"', ' type="external"']),
            ]
            found.append(f"<transition{''.join(words)}>{action}</transition>")
        return found
