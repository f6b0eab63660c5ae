# `make lab` to read and play, `make test` to check everything; `make` lists all targets, and
# tools/README.md what authors call besides.

PYTHON ?= python3
JOBS   ?= 2

BIN       := .venv/bin
STAMP     := .venv/.installed
NOTEBOOKS := $(sort $(wildcard notebooks/*.ipynb notebooks/homework/*/*.ipynb))

.PHONY: help setup lab test figures site release grade execute bench
.DELETE_ON_ERROR:

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

# Python compiles a file once, not in each of the many processes: some containers forbid it to keep what it compiled.
unexport PYTHONDONTWRITEBYTECODE

# The same numbers and pictures on every machine: one BLAS thread, no hash seed, no locale, no time zone.
RUNS := test figures execute bench site
$(RUNS): export OPENBLAS_NUM_THREADS = 1
$(RUNS): export PYTHONHASHSEED = 0
$(RUNS): export LC_ALL = C.UTF-8
$(RUNS): export PYTHONUTF8 = 1
$(RUNS): export TZ = UTC

setup: $(STAMP) ## Create .venv with the pinned packages (PYTHON=python3.12 picks the interpreter)
$(STAMP): pyproject.toml binder/requirements.txt requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version)'
	@echo "Installing the pinned packages into .venv: about a minute, once."
	$(PYTHON) -m venv .venv
	@if command -v uv >/dev/null; then install="uv pip install -q --compile-bytecode --python $(BIN)/python"; \
	else install="$(BIN)/python -m pip install -q --disable-pip-version-check"; fi; \
	$$install -r requirements-dev.txt && $$install --no-deps -e .
	@touch $@

lab: $(STAMP) ## Open the lectures in JupyterLab; make lab TEACH=1 has nbgrader's menus
	JUPYTER_CONFIG_PATH="$(CURDIR)/$(if $(TEACH),grader,binder/lab)" $(BIN)/jupyter lab \
	  --LabApp.extra_labextensions_path="$(CURDIR)/binder/lab/labextensions" \
	  --ServerApp.root_dir=notebooks --LabApp.default_url=/lab/tree/00_map.ipynb \
	  $(if $(TEACH),,--ContentsManager.hide_globs="['*.csv', '__pycache__']") $(if $(filter 0,$(shell id -u)),--allow-root)

test: $(STAMP) ## Check the course: style, lectures and homework by nbval, mathematics, figures, browser
	$(BIN)/ruff check -q --output-format concise .
	$(BIN)/ruff format -q --check .
	$(BIN)/pytest -q --nbval -n $(JOBS) --dist loadscope notebooks tests

figures: $(STAMP) ## Draw every figure of the course into figures/
	$(BIN)/python -m olc_helpers figures --out figures

execute: $(STAMP) ## Execute all lectures in place (no diff if nothing changed), or some: make execute L="05 12"
	$(BIN)/python tools/execute.py --jobs $(JOBS) $(if $(L),$(foreach l,$(L),$(or $(wildcard notebooks/$(l)*.ipynb),$(error There is no lecture $(l)))),$(NOTEBOOKS))

NODE := web/node_modules/.package-lock.json
$(NODE): $(wildcard web/package*.json)
	@command -v npm >/dev/null || { echo "The site needs Node.js (20 or newer) with npm: apt-get install nodejs npm, or see your package manager."; exit 1; }
	npm ci --prefix web --no-fund --no-audit --loglevel=error
	@touch $@

site: $(STAMP) $(NODE) ## Build the reading site into site/, for any server or to open as files (web/README.md)
	$(BIN)/python web/build.py --jobs $(JOBS)

release: $(STAMP) ## Write the student versions of the homework into release/: make release HW=hw1_experts for one
	@$(MAKE) -s -C grader release

grade: $(STAMP) ## Grade submitted/*/HW in a sandbox and write tables and pages: make grade HW=hw1_experts (grader/README.md)
	@$(MAKE) -s -C grader grade

bench: .venv/.bench ## Measure the speed against other packages and of the sliders (minutes); writes bench/*.md
	$(BIN)/python bench/bench.py
	$(BIN)/python bench/sliders.py --write
.venv/.bench: $(STAMP) requirements-bench.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-bench.txt
	@touch $@
