"""The fast lane for large YAML files gives the tree of the slow one, or leaves the text to it."""

from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullproof.core.errors import UserError
from fullproof.formats.document.tree import Node
from fullproof.formats.yaml import lanes, reader
from fullproof.formats.yaml.reader import parse_yaml

LINES = st.sampled_from(
    [
        "    - {when: x <= vmax, then: y == B0 + (x - 1) / c, to: s0}",
        "    - {when: a, then: 'null', to: s0}  ",
        "    - {when: a, then: 'it''s', to: s0}",
        "    - {when: a, then: '', to: s1}",
        "    - {when: a, when: b, to: s1}",
        "    - {when: a, then: b, to: s1} # a comment",
        "    - {when: a, then: [b], to: s1}",
        "    - {when: -x > 1, then: x -, to: 0}",
        "    - {when: a , then: b, to: c}",
        "    - {when: 100%, then: é, to: c}",
        "    - {when: no, then: 0, to: 1.5}",
        "    - &q {when: a, then: b, to: c}",
        "    - {a: b}",
        "  - {a: b}",
        "      - {a: b}",
        "- {a: b}",
        "  s1:",
        "  s0: |",
        "  s3: >-",
        "  k: 'some",
        "   text'",
        '  l: "',
        '  "',
        "    continued",
        "    - [",
        "      ]",
        "    - - {a: b}",
        "    - fullproof-line-3",
        "# - {a: b}",
        "",
        "---",
        "    ? x",
        "\t- {a: b}",
    ]
)


def outcome(text: str) -> Node | str:
    try:
        return parse_yaml(text, file="m.yaml")
    except UserError as error:
        return str(error)


def slow(text: str) -> Node | str:
    with mock.patch.object(reader, "split_lanes", lambda _: None):
        return outcome(text)


def eager(text: str) -> Node | str:
    with mock.patch.object(lanes, "MIN_LINES", 1):
        return outcome(text)


@given(st.lists(LINES, max_size=8).map("\n".join))
@settings(max_examples=400)
def test_both_lanes_agree_on_any_lines(text: str) -> None:
    assert eager(text) == slow(text)
    nested = "states:\n" + text
    assert eager(nested) == slow(nested)


ENTRY = st.builds(
    "{}: {}".format,
    st.sampled_from(["when", "then", "to", "req"]),
    st.text(st.sampled_from("ab0 .()*/+<>=%-'_,:#é[]{}&!|\"\\~?"), max_size=8),
)


@given(st.lists(ENTRY, min_size=1, max_size=3).map(", ".join))
@settings(max_examples=400)
def test_both_lanes_agree_on_any_entries(body: str) -> None:
    text = f"s0:\n  - {{{body}}}\n  - {{when: a}}\n"
    assert eager(text) == slow(text)


def test_large_files_take_the_fast_lane() -> None:
    line = "    - {when: x <= vmax, then: y == 0, to: s0}\n"
    text = "states:\n  s0:\n" + line * 300
    with mock.patch.object(reader, "_events", wraps=reader._events) as events:
        tree = parse_yaml(text, file="m.yaml")
    assert events.call_count == 1
    assert line not in events.call_args.args[0]
    assert tree == slow(text)


@pytest.mark.parametrize("bad", ["    - {when: a, when: b}\n", "    - {when: a\n", "  s0: []\n"])
def test_mistakes_are_told_by_the_slow_lane(bad: str) -> None:
    text = "states:\n  s0:\n" + "    - {when: a, then: b, to: s0}\n" * 300 + bad
    assert isinstance(outcome(text), str)
    assert outcome(text) == slow(text)
