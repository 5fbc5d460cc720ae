"""From the text of arguments to values.

`decoder.py` is what a format declares; `xml.py` finds the arguments of a call written as tags, `xml_value.py` what is
in one of them, `xml_growing.py` what there is of one that has no end yet, `xml_tags.py` the tags; `tagged.py` and
`nested_tags.py` read the tags of open models, `parameters.py` those of the cline formats; `json_call.py` reads a call
that is JSON, `json_keys.py` says which keys it has, `json_text.py` reads JSON as such, `partial_json.py` what there is
of it if it is cut, `plain_text.py` arguments that may also be a plain text; `literals.py` reads what other languages
write, `python_literals.py` and `gemma.py` say which; `step.py` is what a call says of its place in a plan, `schema.py`
tells what a JSON schema makes of a text. Pure functions: text in, values out, `ArgumentsError` for what cannot be
decoded.
"""

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, is_same
from streamparse.arguments.gemma import FUNCTION_GEMMA_ARGUMENTS, GEMMA_ARGUMENTS
from streamparse.arguments.json_call import JSON_ARGUMENTS, JSON_CALL_ARGUMENTS, SENTINEL_ARGUMENTS
from streamparse.arguments.parameters import PARAMETER_ARGUMENTS
from streamparse.arguments.plain_text import CODE_ARGUMENTS, INPUT_ARGUMENTS
from streamparse.arguments.python_literals import (
    JSON_OR_PYTHON_ARGUMENTS,
    PYTHON_ARGUMENTS,
    PYTHON_OR_JSON_ARGUMENTS,
)
from streamparse.arguments.schema import ANY, Schema
from streamparse.arguments.xml import XML_ARGUMENTS

__all__ = [
    "ANY",
    "CODE_ARGUMENTS",
    "FUNCTION_GEMMA_ARGUMENTS",
    "GEMMA_ARGUMENTS",
    "INPUT_ARGUMENTS",
    "JSON_ARGUMENTS",
    "JSON_CALL_ARGUMENTS",
    "JSON_OR_PYTHON_ARGUMENTS",
    "PARAMETER_ARGUMENTS",
    "PYTHON_ARGUMENTS",
    "PYTHON_OR_JSON_ARGUMENTS",
    "SENTINEL_ARGUMENTS",
    "XML_ARGUMENTS",
    "ArgumentDecoder",
    "ArgumentsError",
    "DecodedCall",
    "Schema",
    "Signature",
    "is_same",
]
