"""CallSteps: what becomes of calls, as parts of the AI SDK's stream.

    steps.write(ToolLifecycle("progress", …, message="3 files"), call)
        {"type": "tool-output-available", "toolCallId": "call_…", "output": "3 files", "preliminary": true, …}

| what a presenter tells | what becomes of it |
|---|---|
| `approval_requested` | `tool-approval-request`: its `approvalDescriptor` has the question |
| `approved` | `tool-approval-response` (7), and `tool-input-available` if the arguments were edited |
| `progress` | `tool-output-available`, `preliminary`, with all that was told so far |
| `result` | `tool-output-available`, or `tool-output-error` if it failed |
| `denied` | `tool-output-denied` if somebody was asked, else `tool-output-error` |
| `skipped` | `tool-output-error` |

Version 5 knows no approvals: there a denial is `tool-output-error`, and the encoder says the question as data.
"""

from __future__ import annotations

from attrs import define, field

from streamparse.core.pieces import Pieces
from streamparse.encoders.ai_sdk_parts import Json, ToldCall, plain
from streamparse.encoders.growth import Growth
from streamparse.invocations import ToolLifecycle
from streamparse.messages.results import as_text
from streamparse.wire import present


@define
class _Output:
    """What a call has reported while it ran."""

    text: Pieces = field(factory=Pieces)
    growth: Growth = field(factory=Growth)


@define
class CallSteps:
    """Writes what becomes of the calls of a message, for a client of this version."""

    _version: int
    _asked: set[str] = field(factory=set)  # the calls that somebody was asked about
    _outputs: dict[str, _Output] = field(factory=dict)  # of the calls that run

    def write(self, step: ToolLifecycle, call: ToldCall) -> list[Json]:
        """The parts of a step."""
        if step.is_last:
            self._outputs.pop(call.id, None)
        match step.state:
            case "approval_requested":
                return [self._ask(step, call)]
            case "approved":
                edited = [] if step.arguments is None else [call.input_part(step.arguments)]
                return edited + self._respond(call, True, step.message)
            case "progress":
                return self._report(call, step.message or "")
            case "result" if not step.is_error:
                return [call.part("tool-output-available", output=plain(step.content))]
            case "result":
                return [call.part("tool-output-error", errorText=as_text(step.content))]
            case "denied" if self._version > 5 and call.id in self._asked:  # the person knows why
                return [*self._respond(call, False, None), {"type": "tool-output-denied", "toolCallId": call.id}]
            case "denied" | "skipped":
                return [call.part("tool-output-error", errorText=step.message or "")]
        return []

    def _ask(self, step: ToolLifecycle, call: ToldCall) -> Json:
        self._asked.add(call.id)
        request = {"type": "tool-approval-request", "approvalId": call.id, "toolCallId": call.id}
        reason = present(reason=step.reason) if self._version == 7 else {}
        return {**request, "approvalDescriptor": descriptor_of(step), **reason}

    def _respond(self, call: ToldCall, is_approved: bool, message: str | None) -> list[Json]:
        if self._version < 7 or call.id not in self._asked:
            return []
        response = {"type": "tool-approval-response", "approvalId": call.id, "approved": is_approved}
        return [{**response, **present(reason=message)}]

    def _report(self, call: ToldCall, message: str) -> list[Json]:
        output = self._outputs.setdefault(call.id, _Output())
        output.text.add(message)
        if not output.growth.add(len(message)):
            return []
        return [call.part("tool-output-available", output=output.text.text(), preliminary=True)]


def descriptor_of(step: ToolLifecycle) -> Json:
    """A question, as the client shows it and sends it back: `ai_sdk_request.py` reads the id."""
    return present(approvalId=step.approval_id, description=step.message, reason=step.reason)
