# What one does with a checkout.  Needs Python 3.11 or newer with venv, and make; nothing else.
#
# Three stamps: `make demo` waits for the libraries that Muniment runs on, all else for the tools
# too, and `make bench` for what draws.

.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
BENCH := $(VENV)/.bench
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input
PYTEST := $(BIN)/python -m pytest --quiet
SOURCES := src tests $(wildcard bench)

# The first Python on the path that is new enough; PYTHON=... names another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)

.PHONY: help setup format lint types imports tidy docs reference pages test faults soak bench demo check clean

help:  ## list these targets
	@sed -n 's/^\([a-z]*\):.*##/\1:/p' $(firstword $(MAKEFILE_LIST))

$(RUNTIME): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Muniment needs Python 3.11 or newer with venv." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --editable .
	@$(BIN)/python -m compileall -q src  # the first command is as quick as the second
	@touch $@

$(DEV): $(RUNTIME)
	@$(PIP) install --editable '.[dev]'
	@touch $@

$(BENCH): $(DEV)
	@$(PIP) install --editable '.[bench]'
	@touch $@

setup: $(DEV)  ## make the virtual environment

format: $(DEV)  ## write the layout of all code, and what ruff can mend
	$(BIN)/ruff check --fix --quiet $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

lint: $(DEV)  ## check layout and style
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)

types: $(DEV)  ## check types
	$(BIN)/mypy

imports: $(DEV)  ## check who imports whom
	$(BIN)/lint-imports

tidy: $(DEV)  ## check the walls: sizes, names, places
	$(PYTEST) tests/tidy tests/requirements

docs: $(DEV)  ## check that the pages are true
	$(PYTEST) tests/docs

reference: $(DEV)  ## write the pages that are made from the code
	$(BIN)/python -m tests.docs.pages

pages: $(DEV)  ## write onto the pages what their commands print today; look at the difference
	$(BIN)/python -m tests.docs.refill

test: $(DEV)  ## run the whole suite
	$(PYTEST) -n auto

faults: $(DEV)  ## kill, fill and spoil, many times over
	$(PYTEST) -n auto -m faults --hypothesis-profile=faults

soak: $(DEV)  ## run for minutes
	$(PYTEST) -n auto -m soak --hypothesis-profile=soak

bench: $(BENCH)  ## print speed and retrieval figures as JSON, and draw them in build/bench
	@$(BIN)/python -m bench --plots build/bench

demo: $(RUNTIME)  ## run the main job on the conversation in examples/
	@$(BIN)/muniment demo

check: lint types imports test  ## everything that must pass before a change is taken

clean:  ## remove the virtual environment and all caches
	rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests examples -name __pycache__ -type d -prune -exec rm -rf {} +
