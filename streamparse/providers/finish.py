"""How a reply ends: the providers' words for it, and their errors."""

from __future__ import annotations

from streamparse.outcome import FinishReason
from streamparse.providers.deltas import Delta, Finish, ProviderError
from streamparse.providers.fields import Fields, child, text

#: The providers' words in lower case, but for those of an `Outcome`, which stand for themselves.
_REASONS: dict[str, FinishReason] = {
    **dict.fromkeys(("stop", "end_turn", "stop_sequence", "completed", "complete", "eos", "eos_token"), "stop"),
    **dict.fromkeys(("load", "unload"), "stop"),  # Ollama: only the model came or went, and nothing is missing
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"), "length"),
    **dict.fromkeys(("model_length", "incomplete", "error_limit", "max_completion_tokens"), "length"),
    "budget_exceeded": "length",
    **dict.fromkeys(("tool_calls", "tool_use", "function_call", "requires_action", "tool_call"), "tool_calls"),
    **dict.fromkeys(("content_filter", "content_filtered", "guardrail_intervened", "safety"), "content_filter"),
    **dict.fromkeys(("recitation", "blocklist", "prohibited_content", "spii", "language"), "content_filter"),
    **dict.fromkeys(("image_safety", "image_prohibited_content", "error_toxic", "sensitive"), "content_filter"),
    **dict.fromkeys(("image_recitation", "model_armor", "jailbreak"), "content_filter"),
    "refusal": "refusal",
    **dict.fromkeys(("pause", "pause_turn", "compaction", "continuation", "requires_continuation"), "pause"),
    **dict.fromkeys(("cancelled", "canceled", "aborted", "abort", "user_cancel"), "cancelled"),
    **dict.fromkeys(("error", "failed", "timeout", "network_error", "insufficient_system_resource", "other"), "error"),
    # The provider could not make a call of what the model wrote.
    **dict.fromkeys(("malformed_function_call", "malformed_tool_use", "malformed_model_output"), "error"),
    **dict.fromkeys(("unexpected_tool_call", "missing_thought_signature", "too_many_tool_calls"), "error"),
    **dict.fromkeys(("malformed_response", "no_image", "image_other"), "error"),
}
#: Why a reply ended when it was complete.
WHOLE_REASONS = frozenset({"stop", "tool_calls"})
#: Why a reply ended before it was complete, in a sentence for whoever wonders. With any other reason, what has come
#: decides.
CUT_REASONS: dict[str, str] = {
    "length": "the reply was cut off: it reached its limit of tokens",
    "content_filter": "the reply was cut off by the provider's content filter",
    "refusal": "the reply was cut off: the provider refused to go on",
    "error": "the reply was cut off: the provider reported an error",
    "cancelled": "the reply was cut off: it was cancelled",
}
_NO_REASONS = ("", "finish_reason_unspecified", "null")


def read_finish(source: Fields, name: str) -> list[Delta]:
    """`Finish` for the reason in the field `name`, or nothing where there is none."""
    if not source.get(name):  # as in nearly all chunks
        return []
    word = text(source, name)
    return [] if word.lower() in _NO_REASONS else [Finish(_REASONS.get(word.lower(), "unknown"), word)]


def read_error(source: Fields) -> list[Delta]:
    """`ProviderError` if the field `error` holds one: a sentence, or an object with a `message`."""
    message = text(source, "error") or _message(child(source, "error"))
    return [ProviderError(message)] if message else []


def read_error_event(event: Fields) -> list[Delta]:
    """`ProviderError` for an event that is one, even if it does not say which. OpenAI's has its message in itself."""
    return read_error(event) or [ProviderError(text(event, "message") or "the provider reported an error")]


def _message(error: Fields) -> str:
    return text(error, "message") or text(error, "type") or text(error, "code")
