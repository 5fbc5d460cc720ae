"""What becomes of a reply: one test for each row of the table in docs/proxy.md, cut everywhere."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import formats
from streamparse.proxy import Exchange, Settings
from tests.proxy.replies import (
    ARGUMENTS,
    CALL,
    EMPTY,
    FOREIGN,
    TOOLS,
    Got,
    chunks,
    cut,
    everywhere,
    folded,
    got,
    request,
    run,
    without_ids,
)
from tests.proxy.scripted import chunk

SEARCH = ("search", ARGUMENTS)
NOW = ("now", "{}")
#: A format without calls that might begin with any word, so that no word is held back.
HERMES = Settings(format="hermes")


# -- finish_reason -----------------------------------------------------------------------------------------------------


def test_stop_becomes_tool_calls_if_there_is_a_complete_call() -> None:
    assert everywhere(f"Let me look.\n{CALL}") == Got("Let me look.", "", [SEARCH], "tool_calls")


@pytest.mark.parametrize("reason", ["length", "content_filter", "insufficient_system_resource"])
def test_other_reasons_are_never_touched(reason: str) -> None:
    assert everywhere(f"Let me look.\n{CALL}", reason) == Got("Let me look.", "", [SEARCH], reason)
    assert everywhere("Hi.", reason) == Got("Hi.", "", [], reason)


def test_tool_calls_without_any_call_is_stop() -> None:
    assert everywhere("Hi.", "tool_calls") == Got("Hi.", "", [], "stop")


def test_a_server_that_never_says_why_has_the_reason_told_only_for_calls() -> None:
    assert everywhere(f"Hi.{CALL}", None) == Got("Hi.", "", [SEARCH], "tool_calls")
    assert everywhere("Hi.", None) == Got("Hi.", "", [], None)


# -- calls that are not complete ---------------------------------------------------------------------------------------


def test_a_call_that_was_cut_off_never_looks_complete() -> None:
    text = f"Let me look.\n{CALL}"
    for size in range(text.index('"search"') + len('"search"'), text.index("5}}")):
        found = everywhere(text[:size]) if size % 7 == 0 else run([{"content": text[:size]}])
        assert (found.content, found.reason) == ("Let me look.", "length")
        assert [name for name, _ in found.calls] == ["search"]
        assert not found.calls[0][1].endswith("}")
        assert ARGUMENTS.startswith(found.calls[0][1])


@pytest.mark.parametrize("before", ["", "Let me look.\n", "Let me look. \n\n\n", "```json\n", " "])
@pytest.mark.parametrize("broken", [CALL[:30], CALL[:60], f"{CALL[:44]} \n", CALL[:-14]])
def test_without_stream_it_is_left_out_and_its_text_is_given_back_to_the_letter(before: str, broken: str) -> None:
    assert folded({"content": before + broken}) == {
        "index": 0,
        "message": {"role": "assistant", "content": before + broken},
        "finish_reason": "length",
    }


def test_a_complete_call_is_kept_beside_one_that_is_not() -> None:
    choice = folded({"content": f"{CALL}\n{CALL[:60]}"})
    assert without_ids(choice["message"]["tool_calls"]) == [SEARCH]
    assert (choice["message"]["content"], choice["finish_reason"]) == (f"\n{CALL[:60]}", "length")


def test_one_that_is_not_complete_and_stands_in_the_field_as_well_is_dropped() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": ARGUMENTS}}
    choice = folded({"content": f"Hi.\n{CALL[:60]}", "tool_calls": [call]})
    assert (choice["message"]["content"], choice["finish_reason"]) == ("Hi.", "tool_calls")
    assert choice["message"]["tool_calls"] == [call]


# -- index, id, arguments ----------------------------------------------------------------------------------------------


def test_calls_are_numbered_and_have_ids_and_names_from_the_beginning() -> None:
    assert everywhere(f"{CALL}\n{EMPTY}\n{CALL}") == Got("", "", [SEARCH, NOW, SEARCH], "tool_calls")
    first = next(one for one in chunks([{"content": CALL}]) if one["choices"][0]["delta"].get("tool_calls"))
    entry = first["choices"][0]["delta"]["tool_calls"][0]
    assert entry == {
        "index": 0,
        "id": entry["id"],
        "type": "function",
        "function": {"name": "search", "arguments": ""},
    }
    assert entry["id"].startswith("call_")


def test_the_models_own_id_is_kept() -> None:
    text = (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>"
        '{"q": "x"}<|tool_call_end|><|tool_calls_section_end|>'
    )
    made = chunks([{"content": text}], settings=Settings(format="kimi_k2"))
    entries = [call for one in made for call in one["choices"][0]["delta"].get("tool_calls", ())]
    assert entries[0]["id"] == "functions.search:0"
    assert entries[0]["function"]["name"] == "search"


def test_arguments_have_the_types_of_the_schema() -> None:
    text = (
        "<tool_call>\n<function=search>\n<parameter=q>\n5\n</parameter>\n<parameter=n>\n5\n</parameter>\n"
        "</function>\n</tool_call>"
    )
    found = everywhere(text, settings=Settings(format="qwen3_coder"))
    assert found == Got("", "", [("search", '{"q": "5", "n": 5}')], "tool_calls")


def test_no_arguments_are_an_empty_object() -> None:
    assert everywhere(EMPTY) == Got("", "", [NOW], "tool_calls")
    assert without_ids(folded({"content": EMPTY})["message"]["tool_calls"]) == [NOW]


# -- white space and fences --------------------------------------------------------------------------------------------


def test_white_space_around_calls_and_the_fences_of_a_call_go() -> None:
    assert everywhere(f"<think>Hm.</think>\n\n{CALL}\n\n") == Got("", "Hm.", [SEARCH], "tool_calls")
    assert everywhere(f"Sure:\n\n```json\n{CALL}\n```\nDone.") == Got("Sure:\nDone.", "", [SEARCH], "tool_calls")


def test_white_space_between_texts_stays() -> None:
    assert everywhere("Hi.\n\n  Ho. \n") == Got("Hi.\n\n  Ho. \n", "", [], "stop")


# -- reasoning ---------------------------------------------------------------------------------------------------------


def test_reasoning_goes_to_its_field() -> None:
    assert everywhere("<think>Hm.</think>Hi.") == Got("Hi.", "Hm.", [], "stop")


@pytest.mark.parametrize(
    ("setting", "fields"),
    [
        ("reasoning_content", {"reasoning_content"}),
        ("reasoning", {"reasoning"}),
        ("both", {"reasoning", "reasoning_content"}),
    ],
)
def test_the_field_of_reasoning_can_be_chosen(setting: Any, fields: set[str]) -> None:
    made = chunks([{"content": "<think>Hm.</think>Hi."}], settings=Settings(reasoning_field=setting))
    told = [set(one["choices"][0]["delta"]) & {"reasoning", "reasoning_content"} for one in made]
    assert [names for names in told if names] == [fields]
    message = folded({"content": "<think>Hm.</think>Hi."}, settings=Settings(reasoning_field=setting))["message"]
    assert message == {"role": "assistant", "content": "Hi.", **dict.fromkeys(fields, "Hm.")}


def test_a_known_model_may_begin_within_reasoning() -> None:
    assert everywhere("Hm.</think>\n\nHi.", model="Qwen/QwQ-32B") == Got("\n\nHi.", "Hm.", [], "stop")


def test_it_does_not_if_the_server_has_split_the_reasoning_off() -> None:
    deltas = [{"role": "assistant", "content": ""}, {"reasoning_content": "Hm."}, {"content": "Hi."}]
    assert run(deltas, model="Qwen/QwQ-32B") == Got("Hi.", "Hm.", [], "stop")
    choice = folded({"content": "Hi.", "reasoning_content": "Hm."}, model="Qwen/QwQ-32B")
    assert choice["message"] == {"role": "assistant", "content": "Hi.", "reasoning_content": "Hm."}


@pytest.mark.parametrize(
    "fields",
    [
        {"chat_template_kwargs": {"enable_thinking": False}},
        {"chat_template_kwargs": {"thinking": False}},
        {"enable_thinking": False},
        {"think": False},
        {"thinking": {"type": "disabled"}},
        {"reasoning_effort": "none"},
    ],
)
def test_it_does_not_if_the_request_says_so(fields: dict[str, Any]) -> None:
    assert everywhere("Hi.", model="Qwen/QwQ-32B", **fields) == Got("Hi.", "", [], "stop")
    assert everywhere("Hi.", model="Qwen/QwQ-32B", chat_template_kwargs=None) == Got("", "Hi.", [], "stop")


# -- calls in reasoning ------------------------------------------------------------------------------------------------


def thinking(reasoning: str, reason: str = "stop", *more: dict[str, Any], **fields: Any) -> Got:
    """What a client gets of reasoning in its field, wherever it is cut, and of a message with it; both are the same."""
    found = [
        run([{"role": "assistant"}, *({"reasoning_content": one} for one in pieces), *more], reason, HERMES, **fields)
        for pieces in cut(reasoning)
    ]
    for one in found:
        assert one == found[0]
    message = {"content": None, "reasoning_content": reasoning, **{name: one[name] for one in more for name in one}}
    choice = folded(message, reason, HERMES, **fields)
    calls = without_ids(choice["message"].get("tool_calls") or [])
    assert Got(choice["message"]["content"] or "", reasoning, calls, choice["finish_reason"]) == found[0]
    assert choice["message"]["reasoning_content"] == reasoning
    return found[0]


@pytest.mark.parametrize("behind", ["", "\n\n"])
def test_a_call_with_which_the_reasoning_ends_is_one_if_the_reply_says_nothing_else(behind: str) -> None:
    reasoning = f"I need cats.\n{CALL}{behind}"
    for reason in ("stop", "tool_calls"):
        assert thinking(reasoning, reason) == Got("", reasoning, [SEARCH], "tool_calls")
    assert thinking(reasoning, "stop", {"content": "\n"}).calls == [SEARCH]


def test_long_reasoning_may_end_with_a_call_too() -> None:
    for length in (1000, 2040, 5000):
        reasoning = f"{'Hm. ' * (length // 4)}\n{CALL}\n{EMPTY}"
        deltas = [{"reasoning_content": reasoning[place : place + 7]} for place in range(0, len(reasoning), 7)]
        assert run(deltas, settings=HERMES) == Got("", reasoning, [SEARCH, NOW], "tool_calls")
        deltas.append({"reasoning_content": " Or not."})
        assert run(deltas, settings=HERMES).calls == []


def test_several_calls_with_which_it_ends_are_calls_or_the_first_of_them() -> None:
    reasoning = f"{EMPTY}. No: {CALL}\n{EMPTY}"
    assert thinking(reasoning).calls == [SEARCH, NOW]
    assert thinking(reasoning, parallel_tool_calls=False).calls == [SEARCH]


@pytest.mark.parametrize(
    "reasoning",
    [f"{CALL} is what I could write.", f"Hm. {CALL}.", f"Hm. {FOREIGN}", f"{CALL}\n{FOREIGN}", CALL[:60], "Hm."],
)
def test_a_call_that_is_only_thought_of_is_none(reasoning: str) -> None:
    assert thinking(reasoning) == Got("", reasoning, [], "stop")


def test_a_call_in_reasoning_is_none_if_the_reply_says_more_or_is_cut_off() -> None:
    assert thinking(CALL, "stop", {"content": "Hi."}) == Got("Hi.", CALL, [], "stop")
    assert thinking(CALL, "length") == Got("", CALL, [], "length")
    assert thinking(CALL, tools=[]) == Got("", CALL, [], "stop")
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
    assert thinking(CALL, "tool_calls", {"tool_calls": [call]}) == Got("", CALL, [NOW], "tool_calls")
    made = chunks([{"reasoning_content": CALL}], None)
    assert got(made) == Got("", CALL, [], None)


def test_a_call_in_reasoning_that_the_text_does_not_close_is_one_too() -> None:
    assert everywhere(f"<think>I need cats. {CALL}", settings=HERMES) == Got(
        "", f"I need cats. {CALL}", [SEARCH], "tool_calls"
    )
    assert everywhere(f"<think>I need cats. {CALL}</think>\n", settings=HERMES).calls == [SEARCH]
    assert everywhere(f"<think>I need cats. {CALL}</think>Hi.", settings=HERMES).calls == []


# -- what is in fields already -----------------------------------------------------------------------------------------

NATIVE = {"index": 0, "id": "a", "type": "function", "function": {"name": "search", "arguments": ""}}


def native(arguments: str = ARGUMENTS, **fields: Any) -> dict[str, Any]:
    function = {**NATIVE["function"], "arguments": arguments}  # type: ignore[dict-item]  # it is one
    return {"tool_calls": [{**NATIVE, "function": function, **fields}]}


def test_fields_pass_as_they_are_and_come_out_as_the_same_object() -> None:
    exchange = Exchange(request())
    for delta in (
        {"role": "assistant", "content": None, "refusal": None},
        {"reasoning_content": "Hm."},
        {"reasoning": "Hm.", "reasoning_details": [{"type": "x"}], "content": ""},
        {"content": "Hi."},
        {"content": "Ho.", "refusal": None},
        {"content": [{"type": "text", "text": "parts"}]},
        native(""),
        {"content": None, "tool_calls": [{"index": 0, "function": {"arguments": ARGUMENTS}}]},
        {"annotations": [{"type": "url_citation"}]},
        {},
    ):
        given = chunk(delta)
        made = exchange.feed(given)
        assert made == [given]
        assert made[0] is given
    last = chunk({}, "tool_calls")
    assert exchange.feed(last)[0] is last


def test_one_that_is_held_does_not_hold_those_beside_it() -> None:
    """It has the name of a call in the text, and may be the second telling of that one."""
    now = {"index": 0, "id": "b", "type": "function", "function": {"name": "now", "arguments": '{"x": '}}
    rest = {"tool_calls": [{"index": 0, "function": {"arguments": "1}"}}]}
    said = [{"content": CALL}, {"tool_calls": [now]}, native('{"q": "b"}', index=1), rest]
    calls = [SEARCH, ("now", '{"x": 1}'), ("search", '{"q": "b"}')]
    assert run(said, "tool_calls", HERMES).calls == calls


def test_text_beside_them_is_cleaned() -> None:
    for pieces in cut(f"<think>Hm.</think>Hi.\n{EMPTY}"):
        deltas = [*({"content": piece} for piece in pieces), native("")]
        deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in ARGUMENTS]
        assert run(deltas, "tool_calls") == Got("Hi.", "Hm.", [NOW, SEARCH], "tool_calls")


def test_in_one_delta_reasoning_comes_first_then_text_then_calls() -> None:
    delta = {"role": "assistant", "reasoning_content": "Hm.", "content": "Hi <think>ho</think>", **native()}
    made = chunks([delta])
    assert [one["choices"][0]["delta"] for one in made] == [
        {"role": "assistant", "reasoning_content": "Hm."},
        {"content": "Hi "},
        {"reasoning_content": "ho"},
        native(),
        {},
    ]


def test_what_was_held_back_comes_before_what_is_in_a_field() -> None:
    made = chunks([{"content": "a <tool_"}, {"reasoning_content": "Hm."}])
    assert [one["choices"][0]["delta"] for one in made] == [
        {"role": "assistant", "content": "a"},
        {"content": " <tool_"},
        {"reasoning_content": "Hm."},
        {},
    ]


def test_a_call_that_came_twice_is_told_once_whichever_came_first() -> None:
    for pieces in cut(f"Hi.\n{CALL}"):
        texts = [{"content": piece} for piece in pieces]
        assert run([*texts, native()], "tool_calls") == Got("Hi.", "", [SEARCH], "tool_calls")
        assert run([*texts, native(""), native(id=None)]) == Got("Hi.", "", [SEARCH], "tool_calls")
        assert run([native(), *texts], "tool_calls") == Got("Hi.", "", [SEARCH], "tool_calls")


def test_a_second_telling_that_was_cut_off_is_dropped_too() -> None:
    assert run([native(), {"content": CALL[:70]}], "stop") == Got("", "", [SEARCH], "tool_calls")


def test_calls_of_one_name_and_other_arguments_are_two() -> None:
    other = '{"q": "birds"}'
    for pieces in cut(CALL):
        texts = [{"content": piece} for piece in pieces]
        both = [SEARCH, ("search", other)]
        assert run([*texts, native(other)], "tool_calls") == Got("", "", both, "tool_calls")
        assert run([native(other), *texts], "tool_calls") == Got("", "", both[::-1], "tool_calls")
        assert run([native(other), {"content": CALL[:70]}]).reason == "length"


def test_a_server_that_gives_all_calls_the_number_0_is_mended() -> None:
    calls = [native(), native('{"q": "birds"}', id="b"), native('{"q": "fish"}', id="c")]
    arguments = [ARGUMENTS, '{"q": "birds"}', '{"q": "fish"}']
    assert run(calls, "stop") == Got("", "", [("search", one) for one in arguments], "tool_calls")


def test_calls_in_the_field_without_arguments_get_an_empty_object() -> None:
    now = {"tool_calls": [{**NATIVE, "function": {"name": "now", "arguments": ""}}]}
    assert run([now], "tool_calls") == Got("", "", [NOW], "tool_calls")
    message = folded({"content": None, **now}, "tool_calls")["message"]
    assert without_ids(message["tool_calls"]) == [NOW]


def test_calls_in_the_field_that_were_cut_off_never_look_complete() -> None:
    assert run([native('{"q": "ca')]).reason == "length"
    assert run([native("")], "length") == Got("", "", [("search", "")], "length")
    choice = folded({"content": "Hi.", **native('{"q": "ca')})
    assert choice["message"] == {"role": "assistant", "content": 'Hi.\n\nsearch {"q": "ca', "tool_calls": []}
    assert choice["finish_reason"] == "length"


def test_without_stream_calls_of_the_field_stand_before_those_of_the_text() -> None:
    message = folded({"content": f"Hi.\n{CALL}\n{EMPTY}", **native()})["message"]
    assert without_ids(message["tool_calls"]) == [SEARCH, NOW]
    assert message["content"] == "Hi."


def test_entries_that_are_no_functions_pass() -> None:
    entry = {"id": "a", "type": "custom", "custom": {"name": "x", "input": "y"}}
    assert folded({"content": None, "tool_calls": [entry]}, "tool_calls")["message"]["tool_calls"] == [entry]
    given = chunk({"function_call": {"name": "search", "arguments": ARGUMENTS}, "role": "assistant"})
    assert Exchange(request()).feed(given) == [given]
    made = chunks([{"tool_calls": "no list"}, {"tool_calls": ["no entry"]}])
    assert [one["choices"][0]["delta"] for one in made] == [{"role": "assistant"}, {}]


# -- role, first chunk, unknown fields, usage --------------------------------------------------------------------------


def test_the_role_stands_in_the_first_delta_of_a_choice_and_in_no_other() -> None:
    assert everywhere(f"Hi.{CALL}", role=False) == Got("Hi.", "", [SEARCH], "tool_calls")
    deltas = [{"role": "assistant", "content": "Hi"}, {"role": "assistant", "content": "."}]
    made = chunks(deltas, settings=HERMES)
    deltas = [one["choices"][0]["delta"] for one in made]
    assert deltas == [{"role": "assistant", "content": "Hi"}, {"content": "."}, {}]
    made = chunks([{"role": "assistant", "content": "<tool_call>"}])
    deltas = [one["choices"][0]["delta"] for one in made]
    assert deltas == [{"role": "assistant"}, {"content": "<tool_call>"}, {}]


def test_what_a_chunk_says_of_itself_is_kept() -> None:
    about = {"id": "1", "object": "chat.completion.chunk", "created": 7, "model": "m", "system_fingerprint": "fp"}
    exchange = Exchange(request())
    choice = {"index": 0, "delta": {"content": f"Hi.{EMPTY}Ho."}, "finish_reason": None, "token_ids": [1]}
    made = exchange.feed({**about, "choices": [choice], "x_unknown": {"y": 1}, "usage": {"total_tokens": 9}})
    assert [{name: one.get(name) for name in about} for one in made] == [about] * len(made)
    assert [one.get("x_unknown") for one in made] == [{"y": 1}] * len(made)
    assert ["usage" in one for one in made] == [False] * (len(made) - 1) + [True]
    assert ["token_ids" in one["choices"][0] for one in made] == [False] * (len(made) - 1) + [True]


def test_usage_is_told_even_if_the_text_is_held_back() -> None:
    exchange = Exchange(request())
    exchange.feed(chunk({"role": "assistant", "content": ""}))
    made = exchange.feed(chunk({"content": "<tool_call>"}, usage={"total_tokens": 9}))
    assert made == [chunk({}, usage={"total_tokens": 9})]
    assert exchange.feed(chunk({"content": "\n"})) == []


def test_the_chunk_with_the_usage_stays_last() -> None:
    usage = {**chunk({}), "choices": [], "usage": {"total_tokens": 9}}
    exchange = Exchange(request())
    exchange.feed(chunk({"role": "assistant", "content": "a <tool"}))
    made = [*exchange.feed(usage), *exchange.finish()]
    assert [one["choices"][0]["delta"] for one in made[:-1]] == [{"content": " <tool"}]
    assert made[-1] is usage
    assert exchange.finish() == []


def test_usage_that_is_told_in_between_ends_nothing() -> None:
    usage = {"id": "x", "choices": [], "usage": {"total_tokens": 3}}
    exchange = Exchange(request())
    assert exchange.feed(usage) == [usage]
    made = exchange.feed(chunk({"role": "assistant", "content": f"Hi. {EMPTY[:20]}"}))
    assert exchange.feed(usage) == []
    told, *more = exchange.feed(chunk({"content": EMPTY[20:]}))
    assert told == usage
    assert exchange.feed(usage) == []
    *last, told = exchange.finish()
    assert told == usage
    assert got([*made, *more, *last]) == Got("Hi.", "", [("now", "{}")], "tool_calls")


def test_chunks_without_choices_pass() -> None:
    exchange = Exchange(request())
    for given in ({"choices": [], "prompt_filter_results": []}, {"x": 1}, {"choices": ["no choice"]}, {"choices": 5}):
        assert exchange.feed(given)[0] is given  # type: ignore[arg-type]  # what servers send
    odd = {"choices": [{"index": 0, "text": "of another interface"}]}
    assert exchange.feed(odd)[0] is odd
    assert exchange.fold({"error": {"message": "x"}}) == {"error": {"message": "x"}}
    assert exchange.fold({"choices": ["x"]}) == {"choices": ["x"]}


# -- n > 1 -------------------------------------------------------------------------------------------------------------


def test_choices_are_read_by_themselves() -> None:
    texts = [f"Hi.{CALL}", "<think>Hm.</think>Ho."]
    exchange = Exchange(request(n=2))
    made = []
    for place in range(max(map(len, texts))):
        for index, text in enumerate(texts):
            made += exchange.feed(chunk({"content": text[place]}, index=index)) if place < len(text) else []
    for index in (0, 1):
        made += exchange.feed(chunk({}, "stop", index))
    assert got(made, 0) == Got("Hi.", "", [SEARCH], "tool_calls")
    assert got(made, 1) == Got("Ho.", "Hm.", [], "stop")


def test_numbers_of_choices_may_be_anything() -> None:
    for index in (None, "x", [[]], {"a": 1}):
        exchange = Exchange(request())
        made = exchange.feed(chunk({"role": "assistant", "content": EMPTY}, "stop", index))  # type: ignore[arg-type]
        assert made[-1]["choices"] == [{"index": index, "delta": {}, "finish_reason": "tool_calls"}]
    same = {"index": 0, "message": {"role": "assistant", "content": EMPTY}, "finish_reason": "stop"}
    folded = Exchange(request(stream=False)).fold({"choices": [same, same]})
    assert [without_ids(one["message"]["tool_calls"]) for one in folded["choices"]] == [[("now", "{}")]] * 2


def test_reasoning_that_is_no_text_gives_way() -> None:
    message = folded({"content": "<think>Hm.</think>Hi.", "reasoning_content": [1]})["message"]
    assert (message["content"], message["reasoning_content"]) == ("Hi.", "Hm.")


def test_choices_in_one_chunk_are_taken_apart_only_if_one_changes() -> None:
    def both(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
        choices = [{"index": index, "delta": delta, "finish_reason": None} for index, delta in enumerate((one, two))]
        return {**chunk({}), "choices": choices}

    exchange = Exchange(request(n=2), HERMES)
    first = both({"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"})
    assert exchange.feed(first)[0] is first
    made = exchange.feed(both({"content": "c"}, {"content": "d <tool"}))
    assert [one["choices"] for one in made] == [
        [{"index": 0, "delta": {"content": "c"}, "finish_reason": None}],
        [{"index": 1, "delta": {"content": "d"}, "finish_reason": None}],
    ]


# -- logprobs ----------------------------------------------------------------------------------------------------------


def test_tokens_stay_with_their_text_and_those_of_calls_go() -> None:
    tokens = ["Hi", ".", "\n", "<tool_call>", '{"name": "now", ', '"arguments": {}}', "</tool_call>", "Ho", "."]
    exchange = Exchange(request(logprobs=True), HERMES)
    made = []
    for token in tokens:
        given = chunk({"content": token})
        given["choices"][0]["logprobs"] = {"content": [{"token": token, "logprob": -1.0}]}
        made += exchange.feed(given)
    made += exchange.feed(chunk({}, "stop"))
    told = [
        (one["choices"][0]["delta"].get("content"), [token["token"] for token in probs["content"]])
        for one in made
        if (probs := one["choices"][0].get("logprobs"))
    ]
    assert told == [("Hi", ["Hi"]), (".", ["."]), ("\nHo", ["Ho"]), (".", ["."])]
    assert exchange.has_logprobs


def test_tokens_of_one_chunk_are_told_apart() -> None:
    tokens = [{"token": token} for token in ("Hi", " ", "<tool_call>", '{"name"', ': "now"', "}", "</tool_call>")]
    text = "".join(token["token"] for token in tokens)
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None, "logprobs": {"content": tokens}}
    made = Exchange(request(logprobs=True)).feed({"choices": [choice]})
    probs = [one["choices"][0]["logprobs"] for one in made]
    assert probs[0] == {"content": [{"token": "Hi"}]}
    assert probs[1:] == [None] * (len(made) - 1)
    response = {"choices": [{"index": 0, "message": {"content": text}, "logprobs": {"content": tokens}}]}
    assert Exchange(request()).fold(response)["choices"][0]["logprobs"] == {"content": [{"token": "Hi"}]}


def test_other_forms_of_logprobs_are_dropped_where_the_text_changes() -> None:
    choice = {"index": 0, "delta": {"content": f"a{EMPTY}"}, "finish_reason": None, "logprobs": ["?"]}
    made = Exchange(request()).feed({"choices": [choice]})
    assert {one["choices"][0]["logprobs"] for one in made} == {None}
    plain = {"index": 0, "delta": {"role": "assistant", "content": "a"}, "logprobs": {"content": ["?"]}}
    given = {"choices": [plain]}
    assert Exchange(request(), HERMES).feed(given)[0] is given


# -- stop, tool_choice, parallel_tool_calls, names ---------------------------------------------------------------------


def test_a_stop_within_a_call_is_a_truncated_call() -> None:
    assert everywhere('<tool_call>\n{"name": "search", "arguments": {"q": "a', "stop").reason == "length"


def test_no_call_is_read_if_the_request_wants_none() -> None:
    for fields in ({"tool_choice": "none"}, {"tools": None}, {"tools": []}, {"tools": [{"type": "web_search"}]}):
        assert everywhere(f"<think>Hm.</think>{CALL}", **fields) == Got(CALL, "Hm.", [], "stop")
        assert folded({"content": CALL}, **fields)["message"] == {"role": "assistant", "content": CALL}


def test_with_always_calls_are_read_all_the_same() -> None:
    always = Settings(always=True)
    assert everywhere(FOREIGN, settings=always, tools=None) == Got("", "", [("rm", '{"q": "/"}')], "tool_calls")
    assert everywhere(FOREIGN, settings=always) == Got(FOREIGN, "", [], "stop")


def test_functions_of_the_old_interface_are_tools_as_well() -> None:
    functions = [tool["function"] for tool in TOOLS]
    assert everywhere(CALL, tools=None, functions=functions).calls == [SEARCH]
    assert everywhere(CALL, tools=[*TOOLS, *TOOLS]).calls == [SEARCH]


def test_a_call_that_nobody_declared_is_text_to_the_letter() -> None:
    assert everywhere(f"So: {FOREIGN} ok") == Got(f"So: {FOREIGN} ok", "", [], "stop")
    assert everywhere(f"{FOREIGN}{CALL}") == Got(FOREIGN, "", [SEARCH], "tool_calls")
    assert everywhere(f"{FOREIGN}<think>Hm.</think>") == Got(FOREIGN, "Hm.", [], "stop")
    assert everywhere(f"{FOREIGN}Hi </think>ho", settings=HERMES) == Got(f"{FOREIGN}Hi ho", "", [], "stop")
    assert everywhere(f"{FOREIGN[:50]}") == Got(FOREIGN[:50], "", [], "stop")
    assert folded({"content": f"So: {FOREIGN} ok"}) == {
        "index": 0,
        "message": {"role": "assistant", "content": f"So: {FOREIGN} ok"},
        "finish_reason": "stop",
    }


def test_bare_json_is_a_call_only_of_a_declared_tool() -> None:
    call = '{"name": "search", "arguments": {"q": "x"}}'
    assert everywhere(call).calls == [("search", '{"q": "x"}')]
    other = call.replace("search", "rm")
    assert everywhere(other) == Got(other, "", [], "stop")


def test_names_are_compared_without_case_and_told_as_declared() -> None:
    assert everywhere(CALL.replace("search", "Search")).calls == [SEARCH]


def test_one_call_at_a_time_ends_the_reply_with_the_first() -> None:
    text = f"Hi.{CALL}\nHo.{EMPTY}"
    for pieces in cut(text):
        exchange = Exchange(request(parallel_tool_calls=False))
        made = []
        for piece in pieces:
            made += exchange.feed(chunk({"content": piece}))
        assert got(made) == Got("Hi.", "", [SEARCH], "tool_calls")
        assert exchange.is_over
        assert exchange.feed(chunk({}, "stop")) == exchange.finish() == exchange.abandon() == []
    choice = folded({"content": text}, parallel_tool_calls=False)
    assert without_ids(choice["message"]["tool_calls"]) == [SEARCH]
    assert (choice["message"]["content"], choice["finish_reason"]) == ("Hi.", "tool_calls")


def test_one_call_at_a_time_holds_for_calls_in_the_field_too() -> None:
    exchange = Exchange(request(parallel_tool_calls=False))
    made = exchange.feed(chunk(native()))
    made += exchange.feed(chunk(native('{"q": "birds"}', id="b", index=1)))
    assert got(made) == Got("", "", [SEARCH], "tool_calls")
    assert exchange.is_over
    both = [native()["tool_calls"][0], native('{"q": "birds"}', id="b")["tool_calls"][0]]
    choice = folded({"content": "Hi.", "tool_calls": both}, parallel_tool_calls=False)
    assert choice["message"]["tool_calls"] == both[:1]
    assert choice["message"]["content"] == "Hi."


def test_one_call_at_a_time_is_for_each_choice() -> None:
    exchange = Exchange(request(parallel_tool_calls=False, n=2))
    exchange.feed(chunk({"content": CALL}))
    assert not exchange.is_over
    made = exchange.feed(chunk({"content": "Hi."}, index=1))
    assert not exchange.is_over
    made += exchange.feed(chunk({}, "stop", index=1))
    assert got(made, 1) == Got("Hi.", "", [], "stop")
    assert exchange.is_over


# -- errors ------------------------------------------------------------------------------------------------------------


def test_an_error_in_the_stream_passes_behind_what_was_held_back() -> None:
    exchange = Exchange(request())
    exchange.feed(chunk({"role": "assistant", "content": "a <tool"}))
    error = {"error": {"message": "out of memory"}}
    made = exchange.feed(error)
    assert [one["choices"][0]["delta"] for one in made[:-1]] == [{"content": " <tool"}]
    assert made[-1] is error
    assert exchange.is_failed


def test_what_breaks_off_is_not_complete() -> None:
    exchange = Exchange(request())
    made = exchange.feed(chunk({"content": CALL[:70]}))
    made += exchange.abandon()
    found = got(made)
    assert found.reason is None
    assert not found.calls[0][1].endswith("}")


# -- which format ------------------------------------------------------------------------------------------------------


def test_a_format_is_given_by_its_name() -> None:
    for given, kind in ((formats.get("hermes"), "Format"), (["hermes", 3], "int")):
        with pytest.raises(TypeError, match=f"^a format is given by its name, as in 'hermes' .*; not {kind}$"):
            Settings(format=given)  # type: ignore[arg-type]
    assert Settings(format=" hermes, json ").format == ("hermes", "json")


def test_the_format_is_that_of_the_map_or_the_flag_or_the_model_or_auto() -> None:
    settings = Settings(models={"*CODER*": "qwen3_coder", "gpt-*": "native", "x": ["glm45", "json"]})
    for model, named in {
        "my-coder": ("qwen3_coder",),
        "gpt-7": ("native",),
        "x": ("glm45", "json"),
        "Qwen/Qwen3-8B": ("qwen3",),
        "unheard-of": ("auto",),
        None: ("auto",),
    }.items():
        assert Exchange(request(model=model), settings).formats == named
    assert Exchange(request(model="Qwen/Qwen3-8B"), Settings(format="hermes, json")).formats == ("hermes", "json")


def test_replies_of_a_native_model_are_not_read() -> None:
    exchange = Exchange(request(), Settings(format="native"))
    given = chunk({"content": f"<think>Hm.</think>{CALL}"}, "stop")
    assert exchange.is_passive
    assert exchange.feed(given)[0] is given
    response = {"choices": [{"index": 0, "message": {"content": CALL}, "finish_reason": "stop"}]}
    assert exchange.fold(response) is response
    assert exchange.has_ended
    assert exchange.finish() == []


@pytest.mark.parametrize(
    "wrong",
    [{"format": "no-such"}, {"models": {"a": "no-such"}}, {"models": ["a"]}, {"models": {1: "xml"}}, {"always": 1}],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, LookupError, Exception)):
        Settings(**wrong)


def test_in_prompted_mode_the_tools_are_in_the_prompt_and_the_calls_in_the_text() -> None:
    settings = Settings(is_prompted=True)
    body = request(messages=[{"role": "user", "content": "Cats?"}])
    exchange = Exchange(body, settings)
    assert exchange.formats == ("hermes",)
    assert "tools" not in exchange.request
    assert '"name": "search"' in exchange.request["messages"][0]["content"]
    assert everywhere(CALL, settings=settings) == Got("", "", [SEARCH], "tool_calls")
    assert Exchange(body).request is body


def test_what_was_found_is_counted() -> None:
    exchange = Exchange(request())
    exchange.feed(chunk({"content": f"{CALL}{EMPTY}{FOREIGN}"}))
    exchange.feed(chunk(native()))
    exchange.feed(chunk({}, "stop"))
    assert exchange.found == 2
