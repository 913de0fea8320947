"""Random SCXML documents without inputs, in which every entry, exit and transition writes down that it happened."""

from __future__ import annotations

from hypothesis import strategies as st

CONDITIONS = (None, None, "n == 1", "n &lt; 2", "n >= 2", "n != 0 &amp;&amp; n != 3", "n == 0 || n == 3", "n % 2 == 0")
EVENTS = ("a", "b", "a.b", "a b", "a.*", "b a.b")


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A chart of up to seven states."""
    count = draw(st.integers(1, 7))
    ending = draw(st.booleans())
    parents: list[int | None] = [None]
    final = [False]
    for number in range(1, count):
        parents.append(draw(st.sampled_from([None, *(k for k in range(number) if not final[k])])))
        final.append(ending and draw(st.booleans()))
    nested_final = any(final[k] and parents[k] is not None for k in range(count))
    events = EVENTS if nested_final else (*EVENTS, "*")  # an asterisk would also mean done.state events
    body = "".join(draw(_state(k, parents, final, events)) for k in range(count) if parents[k] is None)
    first = draw(st.sampled_from([None, *range(count)]))
    initial = "" if first is None else f' initial="v{first}"'
    data = "".join(f'<data id="{name}" expr="{value}"/>' for name, value in (("h", 0), ("n", 0), ("fuel", 6)))
    head = '<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:fp="urn:fullproof:scxml" fp:in="a a.b b"'
    return f"{head}{initial}><datamodel>{data}</datamodel>{body}</scxml>"


@st.composite
def _content(draw: st.DrawFn, code: int, *, send: bool = True) -> str:
    note = f'<assign location="h" expr="(h * 31 + {code}) % 1000003"/>'
    count = '<assign location="n" expr="(n + 1) % 4"/>'
    choices = ["", note, note + count, count + note]
    return draw(st.sampled_from([*choices, *([f'{note}<send event="s{code}"/>'] if send else [])]))


@st.composite
def _state(draw: st.DrawFn, number: int, parents: list[int | None], final: list[bool], events: tuple[str, ...]) -> str:
    inner = [k for k in range(len(parents)) if parents[k] == number]
    below = [k for k in range(len(parents)) if number in _around(k, parents)]
    tag = "final" if final[number] else "state"
    entry, leave = draw(_content(100 + number)), draw(_content(200 + number))
    parts = [f"<onentry>{entry}</onentry>" if entry else "", f"<onexit>{leave}</onexit>" if leave else ""]
    attribute = ""
    if below:
        aim = draw(st.sampled_from(below))
        how = draw(st.sampled_from(["default", "attribute", "element"]))
        attribute = f' initial="v{aim}"' if how == "attribute" else ""
        if how == "element":
            action = draw(_content(300 + number))
            parts.append(f'<initial><transition target="v{aim}">{action}</transition></initial>')
    inside = [draw(_state(k, parents, final, events)) for k in inner]
    done = any(final[k] for k in inner)
    arrows = [] if tag == "final" else draw(_transitions(number, len(parents), events, done=done, final=final))
    mixed = draw(st.permutations([*arrows])) if not done else arrows
    return f'<{tag} id="v{number}"{attribute}>{"".join([*parts, *mixed, *inside])}</{tag}>'


@st.composite
def _transitions(
    draw: st.DrawFn, number: int, count: int, events: tuple[str, ...], *, done: bool, final: list[bool]
) -> list[str]:
    found = []
    if done and draw(st.booleans()):
        aim = draw(st.integers(0, count - 1))
        head = f'<transition event="done.state.v{number}" cond="fuel > 0" target="v{aim}">'
        spent = '<assign location="fuel" expr="fuel - 1"/>'
        found.append(f"{head}{spent}{draw(_content(400 + number))}</transition>")
    # Where done.state events are waited for, eventless transitions could leave them behind in the queue.
    eventless = [] if any(final) else [None, None]
    for k in range(draw(st.integers(0, 3))):
        event = draw(st.sampled_from([*events, *eventless]))
        condition = draw(st.sampled_from(CONDITIONS))
        action = draw(_content(500 + 10 * number + k))
        if event is None:
            condition = "fuel > 0" + (f" &amp;&amp; ({condition})" if condition else "")
            action = '<assign location="fuel" expr="fuel - 1"/>' + action
        words = [
            f' event="{event}"' if event else "",
            f' cond="{condition}"' if condition else "",
            draw(st.sampled_from(["", *(f' target="v{aim}"' for aim in range(count))])),
            draw(st.sampled_from(["", "", ' type="internal"', ' type="external"'])),
        ]
        found.append(f"<transition{''.join(words)}>{action}</transition>")
    return found


def _around(number: int, parents: list[int | None]) -> list[int]:
    found = []
    parent = parents[number]
    while parent is not None:
        found.append(parent)
        parent = parents[parent]
    return found
