"""`streamparse proxy` as a process of its own, and what it holds: memory, sockets, streams.

with ProxyProcess(upstream.url) as proxy:
    OpenAI(base_url=proxy.url, api_key="k")
    proxy.memory, proxy.files, proxy.streams
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx2

#: Whether the system tells what a process holds.
HAS_PROC = Path("/proc/self/fd").exists()


class ProxyProcess:
    """The command, until the test is over. It has to end when it is asked to, and to have said nothing."""

    def __init__(self, upstream: str, *options: str) -> None:
        self._command = [sys.executable, "-m", "streamparse", "proxy", "--upstream", upstream, "--port", "0", *options]

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self._command, stdout=pipe, stderr=pipe, text=True)
        assert self._process.stdout is not None  # it is a pipe
        found = re.search(r"http://127\.0\.0\.1:\d+", self._process.stdout.readline())
        assert found is not None, self._process.communicate()
        self.origin = found.group()
        self.url = f"{self.origin}/v1"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            said = self._process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            raise
        if kind is None:
            assert said[1] == "", "nothing is logged"

    @property
    def memory(self) -> int:
        """How many bytes of memory it has."""
        found = re.search(r"VmRSS:\s+(\d+) kB", self._about("status").read_text())
        assert found is not None
        return int(found.group(1)) * 1024

    @property
    def files(self) -> int:
        """How many files it has open, which are sockets for the most part."""
        return len(list(self._about("fd").iterdir()))

    @property
    def streams(self) -> int:
        """How many replies are on their way, as its page says."""
        found = re.search(r"<th>streams now</th><td>(\d+)</td>", httpx2.get(self.origin, timeout=60).text)
        assert found is not None
        return int(found.group(1))

    def _about(self, what: str) -> Path:
        return Path("/proc", str(self._process.pid), what)


def wait_for(condition: Callable[[], Any]) -> None:
    """Until it is so, or a minute has passed."""
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it never became so")
