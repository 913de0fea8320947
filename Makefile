# The virtual environment is made anew when what it is made from changes; everything else runs inside it.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(shell find src/fullproof -path '*/kernels/*.py' -o -path '*/kernels/*.pxd')
# Two states of the environment: with what the package needs, which is enough for a first look, and with what its tests
# and checks need, too.
CORE := $(VENV)/.core-installed
INSTALLED := $(VENV)/.installed
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
# Every process compiles what it imports where this is set.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-all check format lint types imports bench docs proofs kit editor wheel clean

demo: $(CORE)
	$(BIN)/fullproof demo --report demo-report

# The tests that a change needs every time, with a quarter of the examples of each property; `test-all` takes all of them,
# and adds the tests marked slow: attacks, and failures at every point of a run. Each of the three processes gets a third
# of the list in one piece, so that what the tests of a file share is made once, and takes over from the others at the
# end. Three on two cores, since many tests wait for processes of theirs.
PYTEST := $(BIN)/python -m pytest -n 3 --dist worksteal

test: $(INSTALLED)
	FULLPROOF_EXAMPLES=0.25 $(PYTEST) -m 'not slow' tests

test-all: $(INSTALLED)
	$(PYTEST) tests

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
	$(INSTALL) -e '.[dev,bench]'
	$(BIN)/python -m benchmarks

# The site, strictly: a broken link or a page that nothing leads to is an error (not with --quiet, which hides warnings
# from --strict, too). Then every block in it is executed.
docs: $(INSTALLED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(PYTEST) -q tests/docs

# What certificates rest on, proven by Coq, and the checker that is extracted from the proof (Debian: coq, ocaml-nox).
proofs:
	@command -v coqc >/dev/null || { echo 'make proofs needs coqc and ocamlopt: apt-get install coq ocaml-nox'; exit 1; }
	$(MAKE) -C proofs/coq

# The editor of the workbench, CodeMirror in one file of the package. Without it pages have a plain text field.
editor:
	cd editor && npm ci --no-audit --no-fund && npm run --silent build

# What is published, in dist/: the archive of the source, without C code, and a wheel that is built from it. Both are then
# installed in fresh environments, with and without a compiler. `make editor` before it puts the editor into both.
wheel: $(INSTALLED)
	rm -rf dist
	FULLPROOF_PURE=1 $(BIN)/python -m build --sdist --outdir dist .
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-cache-dir --no-deps --wheel-dir dist dist/fullproof-*.tar.gz
	$(BIN)/python -m release.installs dist

# Requirements of certify and judge, with the tests that verify them and their results: material for a qualification.
kit: $(INSTALLED)
	$(BIN)/python -m qualification qualification-kit

$(CORE): pyproject.toml setup.py $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) -e .
	touch $@

$(INSTALLED): pyproject.toml setup.py $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) -e '.[dev]'
	touch $(CORE) $@

clean:
	rm -rf $(VENV) build dist demo-report site qualification-kit
