"""The lines of a patch that show by themselves what they are.

diff --git a/x b/x         @@ -1,2 +1,2 @@         *** Update File: x         Binary files a/x and b/x differ
From 1234… Mon Sep 17 00:00:00 2001               \\ No newline at end of file
"""

from __future__ import annotations

import re

from streamparse.diff.git_header import GIT

DIRECTIVE = re.compile(r"\*\*\* (Begin Patch|End Patch|End of File|Move to|[a-z]+ File)\b:?[ \t]*(.*)", re.IGNORECASE)
HUNK = re.compile(r"@@+(?:[ \t-].*)?")
#: The first line of a commit, as `git format-patch` (in a mail) and `git log` write it; and that of any mail.
COMMIT = re.compile(
    r"(From|commit) [0-9a-f]{40,64}(?: .*)?"
    r"|From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d .*\d{4}.*"
)
BINARY = re.compile(r"(?:Binary files|Files) (.+) and (.+) differ|GIT binary patch")
_BEGINS_BINARY = re.compile(r"Binary files .+ and .+ differ")
NO_NEWLINE = re.compile(r"\\ ?No newline.*", re.IGNORECASE)


def begins_patch(body: str) -> bool:
    """Whether a line, by itself, shows that it belongs to a patch."""
    return body.startswith(GIT) or any(pattern.fullmatch(body) for pattern in (HUNK, DIRECTIVE, _BEGINS_BINARY))


def changes_file(body: str) -> bool:
    """Whether the line is `*** Update File: x`, behind which there is a hunk, or anything else in another text."""
    match = DIRECTIVE.fullmatch(body)
    return match is not None and match[1].lower() == "update file"


def will_begin_patch(beginning: str) -> bool:
    """Whether a line of which only the beginning is there shows that it belongs to a patch."""
    return beginning.startswith((GIT, "@@ "))
