"""Status: what the proxy does, for a person who looks at its page. Nothing of what is said through it is kept.

status.begin("qwen3", ("hermes",))      a request for a model, and what is read for it
status.end(found=2)                     it was answered, and so many calls were found in its text
status.note("the server answered 500")  something went wrong
status.page("http://h:8008/")            the page, as HTML without anything from elsewhere
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable
from html import escape

from streamparse._version import __version__
from streamparse.presenter.sendable import sendable

_log = logging.getLogger("streamparse.proxy")
_MOST_MODELS = 100
_MOST_ERRORS = 20
_LONGEST_NAME = 200

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>streamparse proxy</title>
<meta http-equiv="refresh" content="5">
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #222; }}
table {{ border-collapse: collapse; width: 100%; margin: 0 0 1.5rem; }}
th, td {{ text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }}
th {{ font-weight: 600; }} code {{ background: #f3f3f3; padding: 0 .2rem; }}
@media (prefers-color-scheme: dark) {{
  body {{ background: #181818; color: #ddd; }} th, td {{ border-color: #444; }} code {{ background: #2a2a2a; }} }}
</style></head><body>
<h1>streamparse proxy</h1>
<table>
<tr><th>clients use</th><td><code>{address}v1</code></td></tr>
<tr><th>instead of</th><td><code>{upstream}</code></td></tr>
<tr><th>tools</th><td>{tools}</td></tr>
<tr><th>streams now</th><td>{now}</td></tr>
<tr><th>requests so far</th><td>{replies}</td></tr>
<tr><th>calls repaired</th><td>{found}</td></tr>
<tr><th>errors of its own</th><td>{failures}</td></tr>
<tr><th>recording</th><td>{recording}</td></tr>
<tr><th>version</th><td>{version}</td></tr>
</table>
<h2>Models</h2>
<table><tr><th>model</th><th>read as</th><th>requests</th></tr>
{models}
</table>
<h2>Last errors</h2>
<table><tr><th>when</th><th>what</th></tr>
{errors}
</table>
</body></html>
"""
_NONE = "<tr><td>none so far</td><td></td></tr>"


class Status:
    """Counts. `clock` tells the time of errors."""

    def __init__(
        self,
        upstream: str,
        recording: str | None = None,
        clock: Callable[[], float] = time.time,
        *,
        is_prompted: bool = False,
    ) -> None:
        self._upstream = upstream
        self._is_prompted = is_prompted
        self._recording = recording
        self._clock = clock
        self.now = self.replies = self.found = self.failures = 0
        self._told: set[str] = set()
        self._models: dict[str, tuple[str, int]] = {}
        self._errors: deque[tuple[str, str]] = deque(maxlen=_MOST_ERRORS)

    def begin(self, model: str, formats: Iterable[str]) -> None:
        """A request for a model."""
        self.now += 1
        model = sendable(model[:_LONGEST_NAME])
        count = self._models.pop(model, ("", 0))[1]
        self._models[model] = ", ".join(formats), count + 1
        while len(self._models) > _MOST_MODELS:
            del self._models[next(iter(self._models))]

    def end(self, found: int) -> None:
        """It was answered, or left."""
        self.now -= 1
        self.replies += 1
        self.found += found

    def note(self, what: str) -> None:
        """Something went wrong: a sentence of ours, not of the server's."""
        when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(self._clock()))
        self._errors.appendleft((when, what))

    def note_own(self, what: str) -> None:
        """The proxy itself has failed. Whoever runs it is told once of each place: a pipe may have no reader."""
        self.failures += 1
        self.note(f"an error of the proxy itself: {what}")
        if what not in self._told:
            self._told.add(what)
            _log.error("an error of the proxy itself: %s", what)

    def page(self, address: str) -> str:
        """The page, which was asked for at this address."""
        models = "\n".join(_row(name or "(none)", *map(str, said)) for name, said in reversed(self._models.items()))
        return _PAGE.format(
            address=escape(address),
            upstream=escape(self._upstream),
            tools="taught in the prompt" if self._is_prompted else "sent to the server",
            now=self.now,
            replies=self.replies,
            found=self.found,
            failures=self.failures,
            recording=f"to <code>{escape(self._recording)}</code>" if self._recording else "off",
            version=escape(__version__),
            models=models or _NONE,
            errors="\n".join(_row(*one) for one in self._errors) or _NONE,
        )


def _row(*cells: str) -> str:
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
