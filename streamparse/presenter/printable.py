"""printable: a text that others chose, such as the name of a file, as it can be shown to anyone.

printable("a\\nb")        'a\\\\nb', in one line
"""


def printable(text: str) -> str:
    """The text in one line: control characters, and marks that reorder a line, are written as escapes."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)
