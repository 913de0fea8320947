"""Replies become JSON in the order of their fields."""

from fullproof.artefacts.replies import CompareReply, FailureReply, RunReply, fields_of


def test_optional_fields_are_left_out_and_details_are_fields() -> None:
    open_ = CompareReply(relation="ioco", conforms=None, counterexample=None, details={"depth": 3}, undecided=["x"])
    assert list(fields_of(open_).items()) == [
        ("relation", "ioco"),
        ("conforms", None),
        ("counterexample", None),
        ("depth", 3),
        ("undecided", ["x"]),
    ]


def test_replies_inside_of_replies() -> None:
    failure = FailureReply(test="t", verdict="fail", step=1, input="a", observed="b", allowed=["c"], reason="r")
    counts = dict.fromkeys(("tests", "passed", "failed", "inconclusive", "errors", "steps", "resets"), 1)
    run = fields_of(
        RunReply(verdict="fail", **counts, coverage={"transitions": 1, "of": 2}, seconds=0.5, failures=(failure,))
    )
    names = ["seconds", "failures", "groups", "hypotheses", "command", "hashes", "meta", "baseline", "diagnosis"]
    assert [name for name in run if name in names] == names
    assert run["failures"] == [
        {"test": "t", "verdict": "fail", "step": 1, "input": "a", "observed": "b", "allowed": ["c"], "reason": "r",
         "shortest": None, "cause": None, "group": None}
    ]  # fmt: skip
