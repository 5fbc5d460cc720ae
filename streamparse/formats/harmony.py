"""harmony: the messages of gpt-oss. A header names a channel, and a recipient if the message is a call.

    <|channel|>analysis<|message|>Need weather.<|end|>
    <|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"city": "Oslo"}<|call|>
    <|start|>assistant<|channel|>final<|message|>It is cold.<|return|>

How headers are read stands in `channels.py`. `functions.` is left out of names; tools of the model's own,
`browser.search` or `python`, keep theirs. What is sent to `python` is code, not JSON: its one argument.
"""

from __future__ import annotations

from streamparse.families.json.plain_text import CODE_ARGUMENTS
from streamparse.families.messages.grammar import JSON_CALL, TEXT_CALL, Message
from streamparse.formats import teaching
from streamparse.formats.channels import message_format
from streamparse.formats.prompt import Prompt, Turn


def _call(recipient: str) -> Message:
    body = TEXT_CALL if recipient == "python" else JSON_CALL
    return Message(body, recipient.removeprefix("functions.") or recipient)


HARMONY = message_format(
    "harmony",
    _call,
    aliases=("gpt_oss",),
    arguments=CODE_ARGUMENTS,
    prompt=Prompt(
        call="<|start|>assistant<|channel|>commentary to=functions.$name <|constrain|>json<|message|>"
        "$arguments<|call|>",
        result=Turn("<|start|>functions.$name to=assistant<|channel|>commentary<|message|>$result<|end|>"),
        teach=teaching.HARMONY,
    ),
)
