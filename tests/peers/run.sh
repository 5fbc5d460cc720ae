#!/bin/sh
# The tests of this directory in an environment of their own (.venv-peer-tests): xgrammar imports torch, which is large.
# TORCH says which: TORCH=torch==2.13.0+cpu, say, where pip finds a build without the libraries for GPUs.
# openai-harmony loads its vocabulary over the network, or from $TIKTOKEN_ENCODINGS_BASE; without, its test is skipped.
set -eu
cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-python3}
BIN=.venv-peer-tests/bin

[ -x "$BIN/python" ] || "$PYTHON" -m venv .venv-peer-tests
"$BIN/python" -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
"$BIN/python" -m pip install --quiet --disable-pip-version-check --editable . --group peers "${TORCH:-torch}" \
    "pytest>=8.2" "pytest-asyncio>=0.24" "hypothesis>=6.100" "jsonschema>=4.23"
"$BIN/python" -c "import openai_harmony, transformers, xgrammar"  # without them the tests would be skipped
exec "$BIN/python" -m pytest -q tests/peers "$@"
