# The virtual environment is made anew when what it is made from changes; everything else runs inside it.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(wildcard src/fullproof/*/kernels/*.py)
INSTALLED := $(VENV)/.installed

.PHONY: demo test test-all check format lint types imports bench docs clean

demo: $(INSTALLED)
	$(BIN)/fullproof demo --report demo-report

# The tests that a change needs every time; `test-all` adds those marked slow: attacks, and failures at every point of a run.
test: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 -m 'not slow' tests

test-all: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 tests

check: format lint types imports test-all

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

# The site, strictly: a broken link or a page that nothing leads to is an error (not with --quiet, which hides warnings
# from --strict, too). Then every block in it is executed.
docs: $(INSTALLED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(BIN)/python -m pytest -q -n 2 tests/docs

$(INSTALLED): pyproject.toml setup.py $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build demo-report site
