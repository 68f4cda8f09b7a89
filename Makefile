# Three commands do everything on a fresh machine: `make demo`, `make test` and `make docs`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Published data kept beside the checkout is used, unless LAPWING_DATA names another folder.
ifneq ($(wildcard ../shared/data),)
export LAPWING_DATA ?= $(abspath ../shared/data)
endif

.PHONY: demo test lint bench docs fuzz clean lock

demo: $(READY)
	$(BIN)/lapwing demo

# Two workers use two cores; threads inside them would only get in each other's way.
test: export OPENBLAS_NUM_THREADS = 1
test: lint $(VENV)/.ready-docs
	$(BIN)/pytest -n 2 --dist worksteal

lint: $(READY)
	$(BIN)/ruff check src tests bench docs docsite fuzz
	$(BIN)/ruff format --check src tests bench docs docsite fuzz
	$(BIN)/mypy
	$(BIN)/lint-imports

# Damaged files by the thousand: no reader may die of one. Stops after MINUTES, goes on when called again.
MUTANTS ?= 10000
MINUTES ?= 60
fuzz: export OPENBLAS_NUM_THREADS = 1
fuzz: $(READY)
	$(BIN)/python -m fuzz --mutants $(MUTANTS) --minutes $(MINUTES) --report bench/results/fuzz.md

bench: $(VENV)/.ready-bench
	$(BIN)/python -m bench

# The site in site/: pages, notebooks (executed), a page an algorithm, the reference. No warnings.
docs: export NO_MKDOCS_2_WARNING = 1
docs: export OPENBLAS_NUM_THREADS = 1
docs: $(VENV)/.ready-docs
	$(BIN)/python -m mkdocs build --strict
	@echo "open site/index.html"

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -c constraints.txt -e ".[test]"
	@touch $@

$(VENV)/.ready-bench: $(READY)
	$(BIN)/pip install -q -c constraints.txt -e ".[bench]"
	@touch $@

# Kept out of the extra `test`: 200 MB of mkdocs and Jupyter are nothing to who only runs pytest.
$(VENV)/.ready-docs: $(READY)
	$(BIN)/pip install -q -c constraints.txt -e ".[docs]"
	@touch $@

# Write down the versions that work today.
lock: $(READY)
	$(BIN)/pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf $(VENV) demo bench/out site build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests bench docs docsite -name __pycache__ -type d -prune -exec rm -rf {} +
