"""Calls that are JSON objects, and arguments that are JSON: `{"name": "f", "arguments": {"a": 1}}`."""
