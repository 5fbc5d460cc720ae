"""From the text of arguments to values: what all decoders share.

`decoder.py` is what a format declares, `growing.py` shows arguments while they come, `schema.py` tells what a JSON
schema makes of a text, `json_text.py` reads and writes JSON as such, `json_strings.py` has the patterns of its strings,
`argument_text.py` writes the arguments of a call as JSON text that grows, `step.py` is what a call says of its place in
a plan, `example.py` makes up arguments for a prompt. How the calls of a family are decoded stands beside its states, in
`families/`. Pure functions: text in, values out, `ArgumentsError` for what cannot be decoded.
"""

from streamparse.arguments.argument_text import JsonArgumentStream
from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, is_same
from streamparse.arguments.schema import ANY, Schema

__all__ = [
    "ANY",
    "ArgumentDecoder",
    "ArgumentsError",
    "DecodedCall",
    "JsonArgumentStream",
    "Schema",
    "Signature",
    "is_same",
]
