# Every target sets itself up: the first run makes a local .venv, later runs use it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
NPM    := tests/e2e/npm/node_modules/.ready
DEMO   := .venv-demo

# Compiled tests are kept, whatever the shell says: to compile them takes longer than to run many of them.
export PYTHONDONTWRITEBYTECODE :=
# A set has the same order in every run, too.
export PYTHONHASHSEED ?= 0

.PHONY: test test-e2e cover test-litellm test-peers lint demo bench bench-peers fuzz format clean

CORE_PATH := streamparse/core/*,streamparse/states/*,streamparse/families/*,streamparse/parser.py,streamparse/delivery.py,streamparse/handler.py,streamparse/iterate.py,streamparse/reply.py,streamparse/segment.py,streamparse/outcome.py,streamparse/messages/*,streamparse/arguments/*,streamparse/invocations/*,streamparse/blocks/*,streamparse/plans/*,streamparse/native/*,streamparse/providers/*,streamparse/directory/*,streamparse/diff/*,streamparse/presenter/*,streamparse/workspace/*,streamparse/agent/*,streamparse/encoders/*,streamparse/proxy/*
# What adds nothing to what is covered of the core path, or is not exact.
NO_COVER  := tests/cli tests/e2e tests/properties tests/testing tests/test_pages.py tests/test_examples.py tests/test_recipes.py tests/test_types.py
# What changes files, starts programs, terminals and servers, or runs what the documentation shows; and what runs type
# checkers.
E2E       := tests/diff tests/directory tests/properties/test_histories.py tests/properties/test_tree_histories.py tests/proxy tests/e2e tests/cli tests/agent tests/workspace tests/test_pages.py tests/test_examples.py tests/test_recipes.py
TYPES     := tests/test_types.py

test: $(READY)          ## the suite, which always gives the same answer
	$(BIN)/pytest -n 2 --dist worksteal -q $(E2E:%=--ignore=%) --ignore=$(TYPES)

test-e2e: $(READY) $(NPM) ## edits of files, the proxy, programs in real terminals, SDKs over real connections
	$(BIN)/pytest -n 2 --dist worksteal -q $(E2E)

cover: $(READY)         ## the exact cases, cut at a few places only, must cover every branch of the core path
	STREAMPARSE_CUTS=thin $(BIN)/pytest -n 2 --dist worksteal -q --cov --cov-report= $(NO_COVER:%=--ignore=%)
	$(BIN)/coverage report --fail-under=100 --include='$(CORE_PATH)'

test-litellm:           ## the tests with LiteLLM's own chunks, in an environment of its own
	PYTHON=$(PYTHON) sh tests/litellm/run.sh

test-peers:             ## formats against openai-harmony, transformers and xgrammar, in an environment of its own
	PYTHON=$(PYTHON) sh tests/peers/run.sh

lint: $(READY)          ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q $(TYPES)

demo: $(DEMO)/.ready    ## a reply streamed into your terminal, segment by segment
	@$(DEMO)/bin/python -m streamparse demo

bench: $(READY)         ## speed, as ratios within one run
	$(BIN)/python -m benchmarks.run

bench-peers:            ## speed against a package of the same design and the parser of transformers, in its own environment
	PYTHON=$(PYTHON) sh benchmarks/peers.sh

# What it tries is chosen by SEED alone: a run that found something can be repeated, and says how.
fuzz: export STREAMPARSE_SEED  := $(or $(SEED),$(shell od -An -N3 -tu4 /dev/urandom | tr -d ' '))
fuzz: export STREAMPARSE_TIMES := $(or $(TIMES),16)
fuzz: $(READY)          ## the guarantees on other random inputs than the suite's, and many more
	@echo "make fuzz SEED=$$STREAMPARSE_SEED TIMES=$$STREAMPARSE_TIMES"
	$(BIN)/pytest -n 2 --dist worksteal -q $(or $(FUZZ),tests/properties tests/formats/open)

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) $(DEMO) $(dir $(NPM)) .venv-peers .venv-peer-tests .venv-litellm .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage*

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable ".[acp,proxy]" --group dev --group sdks
	@touch $@

# Where the clients cannot be installed, their tests are skipped.
$(NPM): tests/e2e/npm/package-lock.json
	@sh tests/e2e/npm/install.sh

$(DEMO)/.ready: pyproject.toml
	@echo "setting up $(DEMO) for the demo: this package with rich and click, a few seconds …"
	@$(PYTHON) -m venv $(DEMO)
	@$(DEMO)/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[cli]"
	@touch $@
