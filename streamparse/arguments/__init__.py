"""From the text of arguments to values: what all decoders share.

    decoder.py                              what a format declares: how its arguments are decoded
    growing.py                              arguments while they come
    follower.py                             the same for a call with a body, which is told to its record
    sink.py                                 whom a reader of tags tells what it finds
    schema.py, schema_variants.py           what a JSON schema makes of a text; what it says at all
    validation.py, json_schema.py           whether a value fits a schema; what the package `jsonschema` says of it
    json_text.py, json_strings.py           JSON as such; the patterns of its strings
    argument_text.py                        the arguments of a call as JSON text that grows
    wrapper.py                              what models put around arguments
    step.py                                 what a call says of its place in a plan
    example.py                              arguments made up for a prompt

How the calls of a family are decoded stands beside its states, in `families/`. Pure functions: text in, values out,
`ArgumentsError` for what cannot be decoded.
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
