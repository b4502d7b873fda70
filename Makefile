# make demo   a first look at a real model: everything is installed into .venv, nothing else is needed
# make test   what CI runs: formatting, linting, types, the whole test suite
# make quick  the tests that are not slow
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Two workers on two cores: what tests start has a thread of its own, and compiled files to start from
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test quick lint types models browser notebooks bench clean

demo: .venv/core
	$(BIN)/cuescope investigate firefox:en-pt --data simplegen --out artifacts/demo

# The notebooks with their outputs, as they are shown
notebooks: .venv/test models
	cd notebooks && for each in *.ipynb; do ../$(BIN)/jupyter execute --inplace $$each; done

test: lint types models browser
	CUESCOPE_REQUIRE_MODELS=1 $(PYTEST) --doctest-modules tests src

quick: .venv/test models
	$(PYTEST) -m "not slow" tests

lint: .venv/test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/test
	$(BIN)/mypy

models: .venv/core
	$(BIN)/cuescope models get firefox:en-pt
	$(BIN)/cuescope models get firefox:pt-en
	$(BIN)/cuescope models get argos:zh-en

# The report is tested in a real browser; without one those tests are skipped, unless required
browser:
	command -v chromium > /dev/null || { apt-get update -qq && apt-get install -y -qq chromium; } \
	  || echo "no chromium, and it cannot be installed: the report's browser tests are skipped"

# bench_sweep.py runs bench_sweep_tl.py itself. Reference data: CUESCOPE_DATA, `cuescope data get`
bench: .venv/test
	failed=0; for probe in $(filter-out %_tl.py %_all.py %_page.py, $(wildcard probes/bench_*.py)); do \
	  $(BIN)/python $$probe || failed=1; done; exit $$failed

# torch first, by its exact version: see constraints.txt
.venv/core: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install --quiet -c constraints.txt torch
	$(PIP) install --quiet -c constraints.txt -e .
	touch $@

.venv/test: .venv/core
	$(PIP) install --quiet -c constraints.txt -e ".[test,nlp]"
	touch $@

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache
