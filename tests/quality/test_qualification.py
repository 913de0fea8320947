"""The qualification kit: no requirement without a test, no test without its requirement, and no gap is hidden."""

import ast
from pathlib import Path

import pytest
from qualification import __main__ as command
from qualification.evidence import FAILED, PASSED, SKIPPED, Case, Verification, read_results
from qualification.kit import GapError, assemble, read_source
from qualification.strictdoc import strictdoc_text

TESTS = Path(__file__).parent.parent


def marked() -> dict[str, set[str]]:
    """The requirements that tests name, with the names of these tests."""
    found: dict[str, set[str]] = {}
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else []:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.requirement":
                    for name in mark.args:
                        found.setdefault(ast.literal_eval(name), set()).add(node.name)
    return found


def verifications(**results: str) -> list[Verification]:
    """One passing test for each requirement, but for those whose result is given (with _ for -)."""
    made = []
    for name in read_source()["requirements"]:
        result = results.get(name.replace("-", "_"), PASSED)
        made.append(Verification(f"tests.x::test_{name}", (name,), (Case("", "", result, "", (name,)),)))
    return made


def test_each_requirement_has_a_test_and_each_test_its_requirement():
    assert set(marked()) == set(read_source()["requirements"])


def test_the_kit_is_verified_only_where_all_tests_passed():
    assert assemble(verifications()).result == PASSED
    assert assemble(verifications(JUDGE_4=SKIPPED)).result == SKIPPED
    assert assemble(verifications(JUDGE_4=SKIPPED, CERTIFY_1=FAILED)).result == FAILED


def test_gaps_are_errors():
    with pytest.raises(GapError, match="no test names the requirement CERTIFY-1"):
        assemble(verifications()[1:])
    stranger = Verification("tests.x::test_y", ("JUDGE-99",), ())
    with pytest.raises(GapError, match="JUDGE-99, which is not in requirements"):
        assemble([*verifications(), stranger])


JUNIT = """<testsuites><testsuite name="pytest">
<testcase classname="tests.a" name="test_one[x]"><properties><property name="requirement" value="JUDGE-1"/></properties>
</testcase>
<testcase classname="tests.a" name="test_one[y]"><properties><property name="requirement" value="JUDGE-1"/></properties>
<skipped message="no Coq"/></testcase>
<testcase classname="tests.a" name="test_two"><properties><property name="requirement" value="JUDGE-1"/></properties>
<failure message="assert 1 == 2">trace</failure></testcase>
<testcase classname="tests.a" name="test_other"/>
</testsuite></testsuites>"""


def test_results_are_read_by_test_and_a_skipped_case_is_no_pass(tmp_path):
    path = tmp_path / "results.xml"
    path.write_text(JUNIT)
    one, two = read_results(path)
    assert (one.test, one.result, one.count(PASSED), one.cases[1].reason) == ("tests.a::test_one", SKIPPED, 1, "no Coq")
    assert (two.test, two.result, two.cases[0].reason) == ("tests.a::test_two", FAILED, "assert 1 == 2")


def test_the_pages_name_everything(tmp_path, monkeypatch, capsys):
    made = verifications(CERTIFY_11=FAILED)
    monkeypatch.setattr(command, "execute", lambda junit: junit)
    monkeypatch.setattr(command, "read_results", lambda junit: made)
    monkeypatch.setattr("sys.argv", ["qualification", str(tmp_path)])
    assert command.main() == 1
    assert "23 of 24 requirements verified by 24 tests, 24 cases" in capsys.readouterr().out
    source = read_source()
    for text in ((tmp_path / "kit.html").read_text(), (tmp_path / "kit.sdoc").read_text()):
        assert not [name for part in ("requirements", "hazards") for name in source[part] if name not in text]
        assert "material for a qualification, not a qualification" in text


def test_strictdoc_reads_the_export(tmp_path):
    pytest.importorskip("strictdoc", reason="strictdoc is not installed")
    from strictdoc.backend.sdoc.reader import SDReader

    path = tmp_path / "kit.sdoc"
    path.write_text(strictdoc_text(assemble(verifications()), "about"))
    SDReader.read(path.read_text(), file_path=str(path))
