#!/bin/sh
# The tests of this directory in an environment of their own (.venv-litellm): litellm pins an older openai than the
# other tests are for.
set -eu
cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-python3}
BIN=.venv-litellm/bin

[ -x "$BIN/python" ] || "$PYTHON" -m venv .venv-litellm
"$BIN/python" -m pip install --quiet --disable-pip-version-check --editable . \
    "litellm>=1.106,<2" "pytest>=8.2" "pytest-asyncio>=0.24" "hypothesis>=6.100"
# Else its import asks the network for a table of prices, three times.
LITELLM_LOCAL_MODEL_COST_MAP=True
export LITELLM_LOCAL_MODEL_COST_MAP
"$BIN/python" -c "import litellm"  # without it the tests would be skipped
exec "$BIN/python" -m pytest -q tests/litellm "$@"
