"""Item and AnyItem: what a `Reply` gives, and what a `Presenter` gives, which tells what becomes of the calls in it."""

from __future__ import annotations

from typing import TypeAlias

from streamparse.events import AnyEvent
from streamparse.invocations.invocation import ToolInvocation
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.outcome import StreamEnd

#: What comes of a stream.
Item: TypeAlias = AnyEvent | ToolInvocation | StreamEnd
#: The same, and what a presenter says of the calls among it: builders, encoders and a presenter's readers take it.
AnyItem: TypeAlias = Item | ToolLifecycle
