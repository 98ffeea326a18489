# Two commands for a fresh machine with python3 (3.11 or newer): make demo, make test
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test bounds check docs packages bench fuzz faults clean

demo: $(VENV)/installed
	$(BIN)/thinveil audit synthetic --scheme d4d-2:egonets=50 --seed 1 --out thinveil-report --force

test: check
	$(BIN)/python -m pytest -q -n 2 --dist worksteal

# the suite once more, every index of every kernel checked; such kernels are kept apart from the fast ones
bounds: $(VENV)/installed-test
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/$(VENV)/bounds $(BIN)/python -m pytest -q -n 2 --dist worksteal

check: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# the documentation, without a network; whatever Sphinx warns of is an error
docs: $(VENV)/installed-docs
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html

# what is built and installed is what works: wheel and sdist, the lowest and the newest Python and packages
packages:
	PYTHON=$(PYTHON) tests/packages.sh

bench: $(VENV)/installed-test
	for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done

# FUZZ=3600 for an hour
FUZZ ?= 600
fuzz: $(VENV)/installed-test
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ) --seed $$(date +%s)

# kill every command at random moments, and fill disks (as the superuser)
KILLS ?= 200
faults: $(VENV)/installed-test
	THINVEIL_KILLS=$(KILLS) $(BIN)/python -m pytest -q -s tests/test_faults.py

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "thinveil needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --editable .
	touch $@

$(VENV)/installed-test: $(VENV)/installed
	$(INSTALL) --editable '.[test]'
	touch $@

$(VENV)/installed-docs: $(VENV)/installed
	$(INSTALL) --editable '.[docs]'
	touch $@

clean:
	rm -rf $(VENV) build dist docs/_build thinveil-report
