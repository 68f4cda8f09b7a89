# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Published data kept beside the checkout is used, unless LAPWING_DATA names another folder.
ifneq ($(wildcard ../shared/data),)
export LAPWING_DATA ?= $(abspath ../shared/data)
endif

.PHONY: demo test lint bench clean lock

demo: $(READY)
	$(BIN)/lapwing demo

# Two workers use two cores; threads inside them would only get in each other's way.
test: export OPENBLAS_NUM_THREADS = 1
test: lint
	$(BIN)/pytest -n 2 --dist worksteal

lint: $(READY)
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.ready-bench
	$(BIN)/python -m bench

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -c constraints.txt -e ".[test]"
	@touch $@

$(VENV)/.ready-bench: $(READY)
	$(BIN)/pip install -q -c constraints.txt -e ".[bench]"
	@touch $@

# Write down the versions that work today.
lock: $(READY)
	$(BIN)/pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf $(VENV) demo bench/out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +
