"""What the package `jsonschema` says of a value, where it is installed: for keywords that `validation.py` leaves to it.

    {"type": "integer", "multipleOf": 5}        7        the arguments: 7 is not a multiple of 5

Nothing is loaded from elsewhere: a reference to another document is not followed. What is wrong with a schema is not
the model's to mend, so it is no problem of the value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

try:
    import jsonschema
    import referencing
except ImportError:
    jsonschema = referencing = None


def find_problem(value: Any, schema: Mapping[str, Any]) -> str | None:
    """The most telling of the errors; None if there is none, or nobody to find one."""
    if jsonschema is None:
        return None
    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        error = jsonschema.exceptions.best_match(kind(schema, registry=referencing.Registry()).iter_errors(value))
    except Exception:  # it cannot read the schema; of how many ways there are to say so, none is common to all
        return None
    if error is None:
        return None
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path).lstrip(".")
    return f"{place or 'the arguments'}: {error.message}"
