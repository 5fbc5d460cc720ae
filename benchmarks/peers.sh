#!/bin/sh
# This library against autobyteus, the PyPI package of the same design, and the response parser of transformers, in an
# environment of its own (.venv-peers).
# --no-deps: its streaming parser needs pydantic and none of the forty other packages it asks for.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
BIN=.venv-peers/bin
PEER=autobyteus==1.4.4

if ! "$PYTHON" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
    echo "autobyteus installs on Python 3.11 only; say PYTHON=python3.11 (this is $("$PYTHON" -V))" >&2
    exit 2
fi
[ -x "$BIN/python" ] || "$PYTHON" -m venv .venv-peers
"$BIN/python" -m pip install --quiet --disable-pip-version-check --no-deps "$PEER"
"$BIN/python" -m pip install --quiet --disable-pip-version-check pydantic "transformers>=5.22,<6" .
"$BIN/python" -m benchmarks.peers
exec "$BIN/python" -m benchmarks.transformers_peer
