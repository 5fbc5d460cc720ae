"""Server-sent events through an exchange, cut anywhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streamparse.encoders import AnthropicEncoder
from streamparse.proxy import Exchange, Settings
from streamparse.proxy.frames import ChatFrames, EncodedFrames, Frames
from tests.cuts import some
from tests.proxy.replies import CALL, Got, got, request
from tests.proxy.scripted import chunk, frame, leaking

SEARCH = ("search", '{"q": "cats & <dogs>", "n": 5}')
HERMES = Settings(format="hermes")


def frames(**fields: Any) -> ChatFrames:
    return ChatFrames(Exchange(request(**fields), HERMES))


def events(stream: bytes) -> list[Any]:
    """The data of a stream, which has one line of it in each event."""
    found = []
    for event in stream.decode().split("\n\n")[:-1]:
        assert "\n" not in event
        if event.startswith("data: {"):
            found.append(json.loads(event.removeprefix("data: ")))
        else:
            found.append(event.removeprefix("data: "))
    return found


def read(stream: bytes, reader: Frames) -> bytes:
    return reader.feed(stream) + reader.close()


def small(*pieces: str, end: str = "") -> bytes:
    """A stream in which little stands but what the model wrote, to be cut everywhere."""
    deltas = [({"content": piece}, None) for piece in pieces] + [({}, "stop")]
    data = [{"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]} for delta, reason in deltas]
    written = [json.dumps(one, separators=(",", ":")) for one in data]
    return "".join(f"data: {one}\n\n" for one in [*written, *([end] if end else []), "[DONE]"]).encode()


EMPTY = '<tool_call>{"name": "now"}</tool_call>'
NOW = ("now", "{}")


def splits(stream: bytes) -> list[list[bytes]]:
    whole = [[stream], [stream[place : place + 1] for place in range(len(stream))]]
    return whole + [[stream[:place], stream[place:]] for place in some(range(1, len(stream)))]


def test_the_bytes_may_be_cut_anywhere() -> None:
    stream = small("Caf\u00e9. ", EMPTY, end='{"choices":[],"usage":{"total_tokens":3}}')
    for pieces in splits(stream):
        reader = frames()
        *made, usage, last = events(b"".join([*map(reader.feed, pieces), reader.close()]))
        assert got(made) == Got("Caf\u00e9.", "", [NOW], "tool_calls")
        assert (usage["usage"], last) == ({"total_tokens": 3}, "[DONE]")


@pytest.mark.parametrize("ending", [b"\r\n", b"\r"])
def test_lines_may_end_in_three_ways(ending: bytes) -> None:
    stream = small("Hi.", EMPTY).replace(b"\n\n", ending * 2)
    for pieces in splits(stream):
        reader = frames()
        *made, last = events(b"".join([*map(reader.feed, pieces), reader.close()]))
        assert got(made) == Got("Hi.", "", [NOW], "tool_calls")
        assert last == "[DONE]"


def test_an_event_that_is_not_changed_is_sent_as_it_came() -> None:
    odd = b'data:{"id" :"1","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi\\u00e9."}}]}'
    end = b'data:  {"choices":[{"index":0,"delta":{ },"finish_reason":"stop"}]}'
    assert (
        read(odd + b"\n\n" + end + b"\n\ndata: [DONE]\n\n", frames()) == odd + b"\n\n" + end + b"\n\ndata: [DONE]\n\n"
    )


def test_comments_are_passed_on() -> None:
    stream = b": OPENROUTER PROCESSING\n\n" + leaking("Hi.") + b": ignored"
    made = read(stream, frames())
    assert made.startswith(b": OPENROUTER PROCESSING\n\ndata: {")
    assert made.endswith(b"data: [DONE]\n\n")


def test_two_events_without_an_empty_line_between_them_are_two() -> None:
    one, two = chunk({"role": "assistant", "content": "Hi"}), chunk({"content": "."}, "stop")
    stream = f"data: {json.dumps(one)}\ndata: {json.dumps(two)}\n\ndata: [DONE]\n\n".encode()
    assert events(read(stream, frames())) == [one, two, "[DONE]"]


def test_what_is_held_back_comes_before_the_end() -> None:
    stream = frame(chunk({"role": "assistant", "content": "a <tool_"})) + frame("[DONE]")
    deltas = [one if isinstance(one, str) else one["choices"][0]["delta"] for one in events(read(stream, frames()))]
    assert deltas == [{"role": "assistant", "content": "a"}, {"content": " <tool_"}, "[DONE]"]


def test_behind_the_end_nothing_is_read() -> None:
    reader = frames()
    assert reader.feed(leaking("Hi.")).endswith(b"data: [DONE]\n\n")
    assert reader.is_done
    assert reader.feed(frame(chunk({"content": "?"}))) == reader.close() == reader.fail("x") == b""
    assert reader.feed(frame("[DONE]") + frame("[DONE]")) == b""


def test_an_error_in_the_stream_is_passed_and_no_end_follows() -> None:
    error = {"error": {"message": "out of memory", "code": 7}}
    stream = frame(chunk({"role": "assistant", "content": "Hi."})) + frame(error) + frame("[DONE]")
    assert events(read(stream, frames())) == [chunk({"role": "assistant", "content": "Hi."}), error]


def test_data_that_is_no_json_is_an_error() -> None:
    *_, last = events(read(frame(chunk({"content": "Hi."})) + b"data: <html>\n\n" + frame("[DONE]"), frames()))
    assert last["error"]["message"] == "the server sent data that is not JSON: <html>"


@pytest.mark.parametrize("is_told", [True, False])
def test_a_stream_that_ends_before_the_reply_is_broken(is_told: bool) -> None:
    reader = frames()
    begun = reader.feed(frame(chunk({"content": "a <tool"})))
    made = events(begun + (reader.fail("the line is dead") if is_told else reader.close()))
    assert [one["choices"][0]["delta"] for one in made[:-1]] == [
        {"role": "assistant", "content": "a"},
        {"content": " <tool"},
    ]
    why = "the line is dead" if is_told else "the model server ended the stream before the reply had ended"
    assert made[-1] == {"error": {"message": why, "type": "server_error", "param": None, "code": None}}


def test_a_stream_without_the_last_word_has_ended_if_the_reply_has() -> None:
    stream = leaking("Hi.").removesuffix(frame("[DONE]"))
    assert read(stream, frames()) == stream
    assert read(stream.rstrip(), frames()) == stream


def test_nothing_at_all_is_a_broken_stream() -> None:
    assert [list(one) for one in events(frames().close())] == [["error"]]


def test_one_call_at_a_time_ends_the_stream() -> None:
    reader = frames(parallel_tool_calls=False)
    *made, last = events(reader.feed(leaking(["Hi.", CALL, "Ho.", CALL])))
    assert got(made) == Got("Hi.", "", [SEARCH], "tool_calls")
    assert (last, reader.is_done, reader.exchange.is_over) == ("[DONE]", True, True)


# -- another interface -------------------------------------------------------------------------------------------------


def anthropic() -> EncodedFrames:
    exchange = Exchange(request(), HERMES)
    return EncodedFrames(exchange, AnthropicEncoder(model="m", tools=exchange.tools, id="msg_1"))


def kinds(stream: bytes) -> list[str]:
    return [line.removeprefix("event: ") for line in stream.decode().split("\n") if line.startswith("event: ")]


def test_repaired_chunks_are_written_by_an_encoder() -> None:
    usage = '{"choices":[],"usage":{"prompt_tokens":4,"completion_tokens":5}}'
    for pieces in splits(small("<think>Hm.</think>Hi.", EMPTY, end=usage)):
        reader = anthropic()
        made = b"".join([*map(reader.feed, pieces), reader.close()])
        assert b'"stop_reason": "tool_use"' in made
        assert b'"usage": {"output_tokens": 5, "input_tokens": 4}' in made
        starts = [
            json.loads(line.removeprefix("data: "))["content_block"]["type"]
            for line in made.decode().split("\n")
            if line.startswith('data: {"type": "content_block_start"')
        ]
        assert starts == ["thinking", "text", "tool_use"]
        assert kinds(made)[-1] == "message_stop"


def test_errors_are_told_in_its_words() -> None:
    error = {"error": {"message": "out of memory"}}
    made = read(frame(chunk({"content": "Hi."})) + frame(error), anthropic())
    assert kinds(made)[-1] == "error"
    assert b'"message": "out of memory"' in made
    reader = anthropic()
    made = reader.feed(frame(chunk({"content": "Hi."}))) + reader.fail("the line is dead")
    assert kinds(made)[-1] == "error"
    assert b"the line is dead" in made


def test_chunks_that_say_nothing_of_a_choice_are_left_out() -> None:
    odd = b"".join(map(frame, ({"id": "x"}, {"choices": {}}, {"choices": None, "usage": 5})))
    assert kinds(read(odd + leaking("Hi."), anthropic())) == kinds(read(leaking("Hi."), anthropic()))


def test_it_has_an_end_even_if_the_server_does_not_say_so() -> None:
    made = read(leaking("Hi.").removesuffix(frame("[DONE]")), anthropic())
    assert kinds(made)[-1] == "message_stop"


# -- a delta that is written into the line it came in ------------------------------------------------------------------


def line(text: str, before: str = "", behind: str = "") -> bytes:
    """A line of data as some server writes it, with blanks of its own and something around the delta."""
    return f'data: {{{before}"choices" :[{{"index":0,"delta"{text},"finish_reason":null{behind}}}]}}\n\n'.encode()


ROLE = frame(chunk({"role": "assistant", "content": ""}))


@pytest.mark.parametrize("content", ['"Hi "', '"Caf\\u00e9 "', '"Caf\u00e9 "', '"\\ud83d "'])
@pytest.mark.parametrize("blank", ["", " "])
def test_all_else_in_the_line_stays_as_it_is(content: str, blank: str) -> None:
    around = ('"model" : "Hi ","x": {"content": "Hi "},', ',"x" :1')
    reader = frames()
    reader.feed(ROLE)
    made = reader.feed(line(f':{blank}{{"content":{blank}{content}}}', *around))
    assert made == line(f": {json.dumps({'content': json.loads(content).rstrip()})}", *around)


@pytest.mark.parametrize(
    ("text", "before"),
    [
        (': {"content": "Hi "}', '"x": {"delta": {"content": "Hi "}},'),
        (' : {"content": "Hi "}', '"x": {"delta": {"content": "Hi "}},'),
        (' : {"content": "Hi "}', '"x": {"content": "Hi "},'),
        (': {"content" : "Hi "}', '"x": {"content": "Hi "},'),
        (': {"content": "H\\u0069 "}', ""),
    ],
)
def test_where_it_is_not_certain_which_delta_is_meant_the_chunk_is_written_anew(text: str, before: str) -> None:
    reader = frames()
    reader.feed(ROLE)
    made = reader.feed(line(text, before))
    assert json.loads(made[6:]) == json.loads(line(': {"content": "Hi"}', before)[6:])


def test_a_key_with_an_escape_is_no_place_to_write_to() -> None:
    reader = frames()
    reader.feed(ROLE)
    given = line(': {"content": "Hi "}', '"x": {"delta": {"content": "Hi "}},').replace(
        b':0,"delta"', b':0,"d\\u0065lta"'
    )
    made = json.loads(reader.feed(given)[6:])
    assert (made["x"], made["choices"][0]["delta"]) == ({"delta": {"content": "Hi "}}, {"content": "Hi"})


def test_more_than_one_text_in_a_chunk_is_written_anew() -> None:
    reader = frames()
    reader.feed(ROLE)
    made = reader.feed(line(': {"content": "Hu ", "refusal": null}'))
    assert json.loads(made[6:])["choices"][0]["delta"] == {"content": "Hu", "refusal": None}
    both = [
        {"index": index, "delta": {"role": "assistant", "content": "a <"}, "finish_reason": None} for index in (0, 1)
    ]
    both[0]["delta"] = {"content": "<"}
    made = reader.feed(frame({"choices": both}))
    assert [choice["index"] for choice in json.loads(made[6:])["choices"]] == [1]


def test_half_a_character_is_passed_on() -> None:
    reader = frames()
    reader.feed(ROLE)
    made = reader.feed(line(':{"content":"caf\u00e9 \\ud83d "}'))
    assert json.loads(made[6:])["choices"][0]["delta"] == {"content": "caf\u00e9 \ud83d"}
