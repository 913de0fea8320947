from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean


def test_an_error_names_its_place_in_one_line() -> None:
    error = UserError("first\n  second", at=Place(file="m.yaml", line=3, column=7))
    assert str(error) == "m.yaml, line 3, column 7: first second"


def test_an_error_without_a_place_is_the_message_alone() -> None:
    assert str(UserError("no")) == "no"


def test_the_nearest_name_is_suggested() -> None:
    assert did_you_mean("intial", ["initial", "inputs"]) == "; did you mean 'initial'?"


def test_another_case_is_the_nearest_name() -> None:
    assert did_you_mean("VMAX", ["vmax", "vmin"]) == "; did you mean 'vmax'?"


def test_where_nothing_is_near_the_known_names_are_listed() -> None:
    assert did_you_mean("zzz", ["b", "a"]) == "; expected one of a, b"
    assert did_you_mean("zzz", []) == ""
    assert did_you_mean("zzz", map(str, range(20))).endswith(", ...")
