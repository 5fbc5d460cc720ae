"""How a reply ends: the providers' words for it, and their errors."""

from __future__ import annotations

from streamparse.providers.deltas import Delta, Finish, ProviderError
from streamparse.providers.fields import Fields, child, text

_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "completed": "stop",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "requires_action": "tool_calls",
    # The provider could not make a call of what the model wrote.
    "malformed_function_call": "error",
    "malformed_tool_use": "error",
    "malformed_model_output": "error",
    "unexpected_tool_call": "error",
    "failed": "error",
    "model_length": "length",
    "content_filtered": "content_filter",
    "guardrail_intervened": "content_filter",
}
#: Why a reply ended when it was complete.
WHOLE_REASONS = frozenset({"stop", "tool_calls"})
#: Why a reply ended before it was complete. With any other reason, what has come decides.
CUT_REASONS = frozenset(
    {
        *("length", "error", "timeout", "incomplete", "cancelled", "canceled", "aborted", "abort"),
        *("content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii", "language"),
        "insufficient_system_resource",
    }
)
_NO_REASONS = ("", "finish_reason_unspecified")


def read_finish(source: Fields, name: str) -> list[Delta]:
    """`Finish` with the normalised reason in the field `name`, or nothing where there is none."""
    if not source.get(name):  # as in nearly all chunks
        return []
    reason = text(source, name).lower()
    return [] if reason in _NO_REASONS else [Finish(_REASONS.get(reason, reason))]


def read_error(source: Fields) -> list[Delta]:
    """`ProviderError` if the field `error` holds one: a sentence, or an object with a `message`."""
    message = text(source, "error") or _message(child(source, "error"))
    return [ProviderError(message)] if message else []


def read_error_event(event: Fields) -> list[Delta]:
    """`ProviderError` for an event that is one, even if it does not say which. OpenAI's has its message in itself."""
    return read_error(event) or [ProviderError(text(event, "message") or "the provider reported an error")]


def _message(error: Fields) -> str:
    return text(error, "message") or text(error, "type") or text(error, "code")
