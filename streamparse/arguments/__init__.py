"""From the text of arguments to values.

`decoder.py` is what a format declares; `xml.py` finds the arguments of a call written as tags, `xml_value.py` what is
in one of them, `xml_tags.py` the tags; `tagged.py` and `nested_tags.py` read the tags of open models, `literals.py`
what is Python's own in them; `json_call.py` reads a call that is JSON, `json_text.py` JSON as such; `schema.py` tells
what a JSON schema makes of a text. Pure functions: text in, values out, `ArgumentsError` for what cannot be decoded.
"""

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, is_same
from streamparse.arguments.json_call import JSON_ARGUMENTS, JSON_CALL_ARGUMENTS, SENTINEL_ARGUMENTS
from streamparse.arguments.schema import ANY, Schema
from streamparse.arguments.xml import XML_ARGUMENTS

__all__ = [
    "ANY",
    "JSON_ARGUMENTS",
    "JSON_CALL_ARGUMENTS",
    "SENTINEL_ARGUMENTS",
    "XML_ARGUMENTS",
    "ArgumentDecoder",
    "ArgumentsError",
    "DecodedCall",
    "Schema",
    "Signature",
    "is_same",
]
