# Every target sets itself up: the first run makes a local .venv, later runs use it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: test test-litellm test-peers lint demo bench bench-peers fuzz format clean

CORE_PATH := streamparse/core/*,streamparse/states/*,streamparse/parser.py,streamparse/handler.py,streamparse/arguments/*,streamparse/invocations/*,streamparse/blocks/*,streamparse/plans/*,streamparse/native/*,streamparse/providers/*,streamparse/diff/*

test: $(READY)          ## the whole suite; the exact cases must cover every branch of the core path
	$(BIN)/pytest -n 2 -q --cov --cov-report= --ignore=tests/properties
	$(BIN)/coverage report --fail-under=100 --include='$(CORE_PATH)'
	$(BIN)/pytest -n 2 -q tests/properties

test-litellm:           ## the tests with LiteLLM's own chunks, in an environment of its own
	PYTHON=$(PYTHON) sh tests/litellm/run.sh

test-peers: $(READY)    ## formats against their reference implementations, which load their vocabularies from the network
	$(BIN)/python -m pip install --quiet --group peers
	$(BIN)/pytest -q tests/formats/test_harmony_peer.py

lint: $(READY)          ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

demo: $(READY)          ## a reply streamed into your terminal, segment by segment
	$(BIN)/python -m streamparse demo

bench: $(READY)         ## speed, as ratios within one run
	$(BIN)/python -m benchmarks.run

bench-peers:            ## speed against the PyPI package of the same design, in its own environment
	PYTHON=$(PYTHON) sh benchmarks/peers.sh

fuzz: $(READY)          ## the guarantees on many more random inputs than the suite has time for
	STREAMPARSE_FUZZ=2000 $(BIN)/pytest -n 2 -q tests/properties

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .venv-peers .venv-litellm .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage*

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable ".[cli]" --group dev --group sdks
	@touch $@
