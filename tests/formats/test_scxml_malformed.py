"""SCXML files that are wrong, or that hold more than is read, end in one line with the right place."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.shared import ROOT

from fullproof.core.errors import UserError
from fullproof.formats import read_model

WELL = """\
<?xml version="1.0" encoding="UTF-8"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:fp="urn:fullproof:scxml" version="1.0" initial="off" fp:out="ding">
  <datamodel>
    <data id="x" fp:role="input" fp:type="int 0..9"/>
    <data id="n" expr="1" fp:type="int 0..3"/>
    <data id="größe" expr="'big'" fp:type="enum small, big"/>
  </datamodel>
  <state id="off">
    <transition event="go" cond="x &lt; 5 &amp;&amp; n > 0" target="on"><send event="ding"/></transition>
  </state>
  <state id="on" initial="a">
    <onentry><assign location="n" expr="n - 1"/></onentry>
    <state id="a"><transition event="stop" target="off"/></state>
    <state id="b"/>
  </state>
</scxml>
"""
CASES = [
    # the data that a script in another file assigns has no type, but that is not the reason
    (
        "</datamodel>",
        '<data id="z"/></datamodel><state id="s"><onentry><script src="a.js"/></onentry></state>',
        "7, 65",
        "src of <script> is not supported: a script in another file",
    ),
    # not XML
    ("</scxml>\n", "", "16, 1", "not well-formed XML: no element found"),
    ("</datamodel>", "</datamodels>", "7, 5", "not well-formed XML: mismatched tag"),
    ('id="off">', "id=off>", "8, 13", "not well-formed XML"),
    ("x &lt; 5", "x < 5", "9, 36", "not well-formed XML"),
    ("&amp;&amp;", "&&", "9, 44", "not well-formed XML"),
    ("x &lt; 5", "x &less; 5", "9, 5", "not well-formed XML: undefined entity"),
    ("</scxml>", "</scxml><scxml/>", "16, 9", "not well-formed XML: junk after document element"),
    ("<scxml xmlns", '<!DOCTYPE scxml [<!ENTITY a "b">]><scxml xmlns', "2, 1", "a document type declaration"),
    ("<scxml xmlns", '<!DOCTYPE scxml SYSTEM "http://x.example/y.dtd"><scxml xmlns', "2, 1", "a document type"),
    ('xmlns:fp="urn:fullproof:scxml" ', "", "2, 1", "not well-formed XML: unbound prefix"),
    # not SCXML
    ("2005/07/scxml", "2005/07/sxcml", "2, 1", "the root element is <scxml>, expected <scxml xmlns="),
    ('version="1.0" initial', 'version="2.0" initial', "2, 88", "unknown version '2.0'; did you mean '1.0'?"),
    ('initial="off"', 'initial="of"', "2, 102", "unknown initial state 'of'; did you mean 'off'?"),
    ('initial="off"', 'initial="off on"', "2, 102", "the initial states 'off' and 'on' are never active together"),
    ('initial="off"', 'inital="off"', "2, 101", "unknown attribute 'inital' of <scxml>; did you mean 'initial'?"),
    ("<datamodel>", "<datamodel>5", "3, 14", "unexpected text '5' in <datamodel>"),
    ('<state id="b"/>', '<state id="a"/>', "14, 16", "two states have the id 'a'"),
    ('<state id="b"/>', '<state id="a b"/>', "14, 16", "the id 'a b' is not one word"),
    ('<state id="b"/>', '<stat id="b"/>', "14, 5", "unexpected <stat> in <state>; did you mean 'state'?"),
    ('<state id="b"/>', '<final id="b"><transition target="a"/></final>', "14, 19", "unexpected <transition>"),
    ('id="on" initial="a"', 'id="on" initial="off"', "11, 3", "the initial state 'off' of 'on' is not inside it"),
    # more than is read
    ('<state id="b"/>', "<parallel/>", "14, 5", "parallel state 'parallel1' has no states inside it"),
    ('<state id="b"/>', '<history id="h"/>', "14, 5", "expected one <history> with one <transition>"),
    ('<state id="b"/>', '<invoke src="x"/>', "14, 5", "<invoke> is not supported: invoked services"),
    ('<state id="b"/>', "<script>n = 1</script>", "14, 5", "unexpected <script> in <state>"),
    ('<send event="ding"/>', '<raise event="e"/>', "", ""),
    ('<send event="ding"/>', "<raise/>", "9, 73", "<raise> lacks the attribute 'event'"),
    ('<send event="ding"/>', '<raise event="go stop"/>', "9, 87", "the event 'go stop' is not one word"),
    ('<send event="ding"/>', "<if/>", "9, 73", "<if> lacks the attribute 'cond'"),
    ('<send event="ding"/>', '<if cond="n"/>', "9, 83", "n is int"),
    ('<send event="ding"/>', '<if cond="true"><else/><else/></if>', "9, 96", "<else> after <else>"),
    ('<send event="ding"/>', '<foreach array="n" item="n"/>', "9, 89", "a loop over 'n', expected a list"),
    ('<send event="ding"/>', "<script>n = 1; f();</script>", "9, 88", "unexpected 'f()' in a script"),
    ('<send event="ding"/>', '<script src="a.js"/>', "9, 86", "src of <script> is not supported: a script in another"),
    ('<send event="ding"/>', "<script>m = 1</script>", "9, 84", "unknown output or variable 'm'"),
    (
        '<state id="b"/>',
        '<history id="h"><transition target="off"/></history>',
        "14, 5",
        "the default 'off' of history",
    ),
    ('<state id="b"/>', '<history id="h" type="long"><transition target="a"/></history>', "14, 27", "unknown type"),
    ('id="b"/>', 'id="b"><transition event="go" target="a off"/></state>', "14, 19", "are never active together"),
    ("n > 0", "In('c')", "9, 54", "unknown state 'c'"),
    ("n > 0", "In(a)", "9, 57", "expected a state in quotes, as in In('idle')"),
    ('<send event="ding"/>', '<send event="ding" delayexpr="d"/>', "9, 103", "delayexpr of <send> is not supported"),
    ('<send event="ding"/>', '<send event="ding"><param name="p"/></send>', "9, 92", "<param> is not supported"),
    ('<send event="ding"/>', '<send event="ding" target="#_internal"/>', "", ""),
    ('<send event="ding"/>', '<send event="dong"/>', "9, 86", "unknown output signal 'dong'; did you mean 'ding'?"),
    ('<send event="ding"/>', "<send/>", "9, 73", "<send> lacks the attribute 'event'"),
    (' fp:out="ding"', "", "", ""),
    ('event="stop"', 'event="error.execution"', "13, 38", "event 'error.execution' never happens here"),
    ('event="stop"', 'event=" "', "13, 38", "the event is empty"),
    ('event="stop"', 'event="done.state.on"', "", ""),
    ('event="stop" target="off"', 'event="stop" target="offf"', "13, 52", "unknown target 'offf'; did you mean 'off'?"),
    ('event="stop" target="off"', 'event="stop" type="inner"', "13, 50", "unknown type 'inner'"),
    ('event="stop"', 'event="ding"', "9, 86", "event 'ding' is sent and also waited for"),
    # values
    ("n > 0", "m > 0", "9, 54", "unknown name 'm'"),
    ("n > 0", "n &gt; 'big'", "9, 54", "n is int, cannot be compared with enum value big"),
    ("n > 0", "n", "9, 54", "n is int"),
    ("n > 0", "n = 0", "9, 56", "did you mean ==?"),
    ("n > 0", "größe == 'small'", "", ""),
    ("n > 0", "größe == 'smal'", "9, 63", "unknown name 'smal'; did you mean 'small'?"),
    ('location="n"', 'location="x"', "12, 32", "'x' is an input, only outputs and variables are assigned"),
    ('location="n"', 'location="m"', "12, 32", "unknown output or variable 'm'"),
    ('expr="n - 1"', 'expr="n - 0.5"', "12, 41", "n - 0.5 is real, but n is int"),
    ('expr="n - 1"', "", "12, 14", "<assign> lacks the attribute 'expr'"),
    ('expr="1" fp:type', 'expr="7" fp:type', "5, 24", "initial value 7 lies outside int 0..3"),
    ('id="n" expr="1"', 'id="x" expr="1"', "5, 15", "data 'x' is declared twice"),
    ('id="n" expr="1"', 'id="1" expr="1"', "5, 15", "'1' is not a name"),
    ('id="n" expr="1"', 'id="n" fp:role="variable"', "5, 5", "variable 'n' needs an initial value"),
    ('fp:role="input"', 'fp:role="in"', "4, 27", "unknown role 'in'"),
    ('fp:role="input"', 'fp:role="input" expr="1"', "4, 40", "an input such as 'x' cannot have an initial value"),
    ('fp:type="int 0..9"', "", "4, 5", "input 'x' has no type, expected for example fp:type="),
    ('fp:type="int 0..9"', 'fp:type="int 9..0"', "4, 47", "the range 9..0 is empty"),
    (' fp:type="enum small, big"', "", "", ""),
    ('initial="off" fp', 'initial="on" fp', "", ""),
    ('expr="n - 1"', 'expr="x"', "", ""),
]


def complaint(path: Path) -> UserError:
    with pytest.raises(UserError) as caught:
        read_model(path)
    assert len(str(caught.value).splitlines()) == 1
    assert caught.value.at.file == str(path)
    assert len(caught.value.message) <= 300
    return caught.value


def test_the_corpus_is_large() -> None:
    assert len([case for case in CASES if case[2]]) >= 50


@pytest.mark.parametrize(("old", "new", "place", "message"), CASES, ids=range(len(CASES)))
def test_one_line_with_its_place(old: str, new: str, place: str, message: str, tmp_path: Path) -> None:
    assert WELL.count(old) == 1
    path = tmp_path / "m.scxml"
    path.write_text(WELL.replace(old, new), encoding="utf-8")
    if not place:
        read_model(path)
        return
    error = complaint(path)
    assert message in error.message
    assert f"{error.at.line}, {error.at.column}" == place, str(error)


def test_deep_and_entities(tmp_path: Path) -> None:
    path = tmp_path / "m.scxml"
    head = '<scxml xmlns="http://www.w3.org/2005/07/scxml">'
    path.write_text(head + "<state>" * 10_000 + "</state>" * 10_000 + "</scxml>")
    assert complaint(path).message == "elements are nested more than 60 deep"
    laughs = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 12))
    path.write_text(f'<!DOCTYPE l [<!ENTITY l0 "lol">{laughs}]>{head}&l11;</scxml>')
    assert complaint(path).message.startswith("a document type declaration")
    path.write_text(f'<!DOCTYPE l [<!ENTITY l SYSTEM "file:///etc/passwd">]>{head}&l;</scxml>')
    assert complaint(path).message.startswith("a document type declaration")


TEXTS = [WELL, *(path.read_text() for path in sorted((ROOT / "tests" / "data" / "scxml").glob("*.scxml")))]
PIECES = st.sampled_from(
    [
        *('"', "<", ">", "/", "&", "=", "id=", "<state>", "</state>", "<final/>", "<state/>", ' fp:choice="true"', "1"),
        *(" event='*'", " initial='a'", "&#10;", "é", "]]>", "<!--", "?", ":", "fp:", "x", " ", "\n", "'", "-", "&lt;"),
    ]
)


@given(st.sampled_from(TEXTS), st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 12), PIECES), max_size=3))
@settings(max_examples=150, deadline=None)
@example(WELL, [])
def test_whatever_the_text(text: str, edits: list[tuple[int, int, str]]) -> None:
    for position, length, piece in edits:
        position %= len(text)
        text = text[:position] + piece + text[position + length :]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m.scxml"
        path.write_text(text, encoding="utf-8")
        try:
            read_model(path)
        except UserError as error:
            assert len(str(error).splitlines()) == 1
            assert error.at.line is not None
