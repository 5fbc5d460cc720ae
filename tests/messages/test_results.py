"""The result of each call, however it is given."""

from __future__ import annotations

import pytest

from streamparse import ToolInvocation, ToolResult
from streamparse.messages import Answer, find_answers
from streamparse.messages.results import with_plain_ids

ONE = ToolInvocation("seg_1", "f", call_id="c1")
TWO = ToolInvocation("seg_2", "g")
CUT = ToolInvocation("seg_3", "h", status="truncated", error="the call was cut off before its end", call_id="c3")


def test_results_in_order() -> None:
    assert find_answers([ONE, TWO], ["a", {"b": "é"}]) == [
        Answer(ONE, "c1", "a", False),
        Answer(TWO, "call_2", '{"b": "é"}', False, {"b": "é"}),
    ]


def test_results_by_id() -> None:
    results = {"seg_2": ToolResult("no", is_error=True), "c1": "a"}
    assert find_answers([ONE, TWO], results) == [Answer(ONE, "c1", "a", False), Answer(TWO, "call_2", "no", True)]


@pytest.mark.parametrize("results", [["a", None], ["a"], {"c1": "a"}])
def test_a_call_that_cannot_be_run_is_answered_with_its_error(results: object) -> None:
    sentence = "The call was not run: the call was cut off before its end."
    assert find_answers([ONE, CUT], results) == [  # type: ignore[arg-type]
        Answer(ONE, "c1", "a", False),
        Answer(CUT, "c3", sentence, True),
    ]


def test_new_ids_are_not_those_of_other_calls() -> None:
    calls = [ToolInvocation("seg_1", "f"), ToolInvocation("seg_2", "f", call_id="call_1")]
    assert [answer.call_id for answer in find_answers(calls, ["a", "b"])] == ["call_1001", "call_1"]


def test_data_is_the_result_as_it_was_given() -> None:
    results = [{"b": 1}, ToolResult(["a"], is_error=True)]
    assert [answer.data for answer in find_answers([ONE, TWO], results)] == [{"b": 1}, ["a"]]
    assert [answer.data for answer in find_answers([ONE, CUT], ["a text"])] == [None, None]


def test_plain_ids() -> None:
    ids = ["c-1_A", "functions.f:0", "c-1_A", "x" * 64, "x" * 65, "call_5"]
    calls = [ToolInvocation(f"seg_{number}", "f", call_id=call_id) for number, call_id in enumerate(ids)]
    answers = find_answers(calls, list("abcdef"))
    plain = with_plain_ids(answers)
    assert [answer.call_id for answer in plain] == ["c-1_A", "call_2", "call_3", "x" * 64, "call_1005", "call_5"]
    assert [(answer.call, answer.content) for answer in plain] == list(zip(calls, "abcdef", strict=True))


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="the call c1 of 'f' has no result"):
        find_answers([ONE], [])
    with pytest.raises(ValueError, match=r"^too many results: 2, where reply\.calls has 1$"):
        find_answers([ONE], ["a", "b"])
    with pytest.raises(ValueError, match="no call of this reply has the id 'c9'"):
        find_answers([ONE], {"c9": "a"})
    with pytest.raises(TypeError, match="not a text"):
        find_answers([ONE], "a")
    with pytest.raises(TypeError, match=r"ready for json\.dumps"):
        find_answers([ONE], [object()])


def test_a_tool_that_gives_nothing() -> None:
    assert find_answers([ONE], [None]) == [Answer(ONE, "c1", "null", False)]
    assert find_answers([ONE], {"c1": None}) == [Answer(ONE, "c1", "null", False)]


def test_two_calls_with_one_id() -> None:
    again = ToolInvocation("seg_2", "f", status="malformed", error="late", call_id="c1")
    assert [answer.call_id for answer in find_answers([again, ONE], ["a", "b"])] == ["c1", "call_2"]
    assert [answer.content for answer in find_answers([again, ONE], {"c1": "ok"})] == [
        *("The call was not run: late.", "ok"),
    ]
