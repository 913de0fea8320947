# The virtual environment is made anew when what it is made from changes; everything else runs inside it.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(wildcard src/fullproof/*/kernels/*.py)
INSTALLED := $(VENV)/.installed

.PHONY: demo test check format lint types imports bench docs clean

demo: $(INSTALLED)
	$(BIN)/fullproof demo --report demo-report

test: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 tests

check: format lint types imports test

format: $(INSTALLED)
	$(BIN)/ruff format --check .

lint: $(INSTALLED)
	$(BIN)/ruff check .

types: $(INSTALLED)
	$(BIN)/mypy

imports: $(INSTALLED)
	$(BIN)/lint-imports

bench: $(INSTALLED)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev,bench]'
	$(BIN)/python -m benchmarks

docs: $(INSTALLED)
	$(BIN)/python -m pytest -q tests/docs

$(INSTALLED): pyproject.toml setup.py $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build demo-report
