"""Text in pictures: always legal, never wider than promised, never lost without an ellipsis."""

import xml.etree.ElementTree as ET
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullproof.report.drawing.text_width import text_width, visible, wrap

ANY_TEXT = st.text(alphabet=st.characters(), max_size=60)


@given(ANY_TEXT)
def test_visible_text_is_legal_in_xml_and_stands_on_one_line(text: str) -> None:
    shown = visible(text)
    assert ET.fromstring(f"<t>{escape(shown)}</t>").text == (shown or None)
    assert len(shown.splitlines()) <= 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\nb", "a␊b"), ("\x7f", "␡"), ("\u202ex", "�x"), ("\ud800", "�"), ("é Ж 日", "é Ж 日"), ("a\u00a0b", "a b")],
)
def test_what_cannot_be_seen_gets_a_sign(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(ANY_TEXT.map(visible), st.integers(4, 20), st.integers(1, 6))
def test_wrapped_text_fits_and_loses_nothing_in_silence(text: str, width: int, lines: int) -> None:
    wrapped = wrap(text, width=width, lines=lines)
    assert 1 <= len(wrapped) <= lines
    # A word may be a fifth too long, and boxes have room for letters that are wider than those of Helvetica.
    assert all(text_width(line, size=1) <= 1.2 * 2.2 * width + 0.001 for line in wrapped)
    kept = "".join(wrapped).replace(" ", "")
    whole = text.replace(" ", "")
    assert kept == whole or (kept.endswith("…") and whole.startswith(kept[:-1]))


def test_a_line_breaks_between_phrases_before_words_before_parts_of_names() -> None:
    assert wrap("n := n + 1, rn := 0, toggle := 1 - toggle", width=14, lines=9) == (
        "n := n + 1, rn := 0,",
        "toggle := 1 - toggle",
    )
    assert wrap("b1 == 1 and b2 == 0", width=6, lines=9) == ("b1 == 1", "and b2 == 0")
    assert wrap("generateSecondApplicationCryptogram", width=10, lines=9) == (
        "generateSecond",
        "Application",
        "Cryptogram",
    )


def test_wide_letters_take_more_room() -> None:
    assert text_width("WWW", size=10) > text_width("iii", size=10)
    assert text_width("日本", size=10) > text_width("ab", size=10)
    assert text_width("e\u0301", size=10) == text_width("e", size=10)
