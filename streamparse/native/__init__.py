"""Calls and reasoning that come in fields of a provider's chunks, as segments beside the text.

`stream.py` takes chunks and keeps the calls under way; `calls.py` is what a call of each kind writes.
"""

from streamparse.native.stream import NativeStream

__all__ = ["NativeStream"]
