# `make lab` to read and play, `make test` to check everything; `make` lists all targets.

PYTHON ?= python3
REPO   ?=
HW     ?=
NB     ?=
JOBS   ?= 2
CPUS   ?=
ROWS   ?=

BIN       := .venv/bin
STAMP     := .venv/.installed
NOTEBOOKS := $(sort $(wildcard notebooks/*.ipynb notebooks/homework/*/*.ipynb))
CHROMIUM   = for c in chromium chromium-browser google-chrome; do command -v $$c && break; done

.PHONY: help setup lab test check fuzz defects minutes words sections notation portable matrix figures execute bench release validate grade grades lint system badge pins clean site site-serve site-check pdf slides
.DELETE_ON_ERROR:

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

# Python compiles a file once, not in each of the many processes: some containers forbid it to keep what it compiled.
unexport PYTHONDONTWRITEBYTECODE

# The same numbers and pictures on every machine: one BLAS thread, no hash seed, no locale, no time zone.
RUNS := test check fuzz defects sections portable figures execute bench validate grade grades site site-check pdf slides
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
	JUPYTER_CONFIG_PATH="$(CURDIR)/lab/$(if $(TEACH),teach,read)" $(BIN)/jupyter lab \
	  --ServerApp.root_dir=notebooks --LabApp.default_url=/lab/tree/00_map.ipynb \
	  $(if $(TEACH),,--ContentsManager.hide_globs="['*.csv', '__pycache__']") $(if $(filter 0,$(shell id -u)),--allow-root)

test: lint ## Run everything: unit and property tests, lectures, figures, Binder layout, grader, browser
	$(BIN)/pytest -q --nbval -n $(JOBS) --dist loadscope notebooks tests
	@[ -n "$$($(CHROMIUM))" ] || echo "The browser tests were left out: no chromium found; 'make system' installs it."

# Notebooks with changes since the last commit.
CHANGED = $$(git status --porcelain -- notebooks 2>/dev/null | sed -n 's|.* "*\(notebooks/.*\.ipynb\)"*$$|\1|p')
CORE   := $(addprefix tests/test_,protocol.py fast.py interrupts.py ledger.py exploring.py house.py)
check: lint ## Between two edits, in less than a minute: code style, the core, the lectures that changed
	$(BIN)/pytest -q --nbval -n $(JOBS) --dist loadscope $(CORE) $(CHANGED)

portable: $(STAMP) ## Run all lectures as other processors would, and compare: make portable CPUS="Prescott/v2 Haswell/v3"
	$(BIN)/python tools/portable.py --jobs $(JOBS) $(CPUS)

matrix: $(STAMP) ## Run the tests with other Pythons, old and new packages, and as on Binder (needs uv): make matrix ROWS=3.12
	$(BIN)/python tools/matrix.py --jobs $(JOBS) $(ROWS)

SEED := $(or $(SEED),$(shell date +%s))
fuzz: $(STAMP) ## Try property tests on ten times as many, fresh examples: make fuzz SEED=1 K=winnow
	OLC_FUZZ=$(SEED) $(BIN)/pytest -n $(JOBS) -m hypothesis $(if $(K),-k "$(K)") tests

defects: $(STAMP) ## Plant small defects, one by one: each must make a test fail (some seconds each): make defects K=winnow
	$(BIN)/python tools/defects.py $(K)

minutes: $(STAMP) ## Count how long each lecture takes, and write it into first cells and README
	$(BIN)/python tools/reading.py --write

words: $(STAMP) ## List what words claim and no cell computes, and how the prose sounds: make words L=05
	$(BIN)/python tools/words.py $(if $(L),notebooks/$(L)*.ipynb)

sections: $(STAMP) ## Execute each section of each lecture alone, after the imports (minutes): make sections L=05
	$(BIN)/python tools/alone.py --run $(if $(L),notebooks/$(L)*.ipynb)

notation: $(STAMP) ## Find letters that a lecture uses otherwise than notebooks/notation.csv says: make notation L=05
	$(BIN)/python tools/notation.py $(if $(L),notebooks/$(L)*.ipynb)

figures: $(STAMP) ## Draw every figure of the course into figures/
	$(BIN)/python -m olc_helpers figures --out figures

execute: $(STAMP) ## Execute all lectures in place (no diff if nothing changed), or some: make execute L="05 12"
	$(BIN)/python tools/execute.py --jobs $(JOBS) $(if $(L),$(foreach l,$(L),$(or $(wildcard notebooks/$(l)*.ipynb),$(error There is no lecture $(l)))),$(NOTEBOOKS))

NODE := web/node_modules/.package-lock.json
$(NODE): web/package.json web/package-lock.json
	@command -v npm >/dev/null || { echo "The site needs Node.js (20 or newer) with npm: apt-get install nodejs npm, or see your package manager."; exit 1; }
	npm ci --prefix web --no-fund --no-audit --loglevel=error
	@touch $@

site: $(STAMP) $(NODE) ## Build the reading site into site/, ready to be put on any server or opened as files
	$(BIN)/python web/build.py --jobs $(JOBS)

site-serve: ## Show the reading site on this machine
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory site 8000

site-check: $(STAMP) $(NODE) ## Check the built site in a browser: links, formulas, explorers, games, accessibility (minutes)
	$(BIN)/pytest -q -n $(JOBS) --dist loadgroup web/checks

pdf: $(STAMP) $(NODE) ## Write the whole course as site/course.pdf
	$(BIN)/python web/pdf.py --jobs $(JOBS)

slides: $(STAMP) $(NODE) ## Write a deck for each lecture into site/slides/
	$(BIN)/python web/slides.py --jobs $(JOBS)

bench: .venv/.bench ## Measure the speed against other packages and of the sliders (minutes); writes bench/*.md
	$(BIN)/python bench/bench.py
	$(BIN)/python bench/sliders.py bench/SLIDERS.md
.venv/.bench: $(STAMP) requirements-bench.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-bench.txt
	@touch $@

release: $(STAMP) ## Write the student versions of the homework into release/: make release HW=hw1_experts for one
	$(BIN)/python tools/homework.py release $(HW)

validate: $(STAMP) ## Run the checks of a homework notebook: make validate NB=path/to.ipynb
	$(BIN)/python tools/homework.py validate $(if $(NB),"$(NB)",NB=path/to.ipynb)

grade: $(STAMP) ## Grade submitted/*/HW in a sandbox: make grade HW=hw1_experts JOBS=2 (TIMEOUT= MEMORY= DUE= FORCE=1 UNSAFE=1)
	$(BIN)/python tools/homework.py grade --jobs $(JOBS) $(if $(TIMEOUT),--timeout $(TIMEOUT)) $(if $(MEMORY),--memory $(MEMORY)) \
	  $(if $(DUE),--due "$(DUE)") $(if $(FORCE),--force) $(if $(UNSAFE),--unsafe) $(if $(HW),$(HW),HW=hw1_experts)

grades: $(STAMP) ## Write the tables of all grades into grades/ and a page for each student into feedback/
	$(BIN)/python tools/homework.py grades --jobs $(JOBS) $(if $(SOLUTIONS),--solutions) $(HW)

lint: $(STAMP) ## Check the code style of package, tests and lectures
	$(BIN)/ruff check -q --output-format concise .
	$(BIN)/ruff format -q --check .

INITDB = { command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null; }
system: ## Install what pip cannot, on Debian and Ubuntu: bubblewrap to grade, chromium and PostgreSQL for all tests
	@missing="$$($(CHROMIUM) | grep -q . || echo chromium) $$(command -v bwrap >/dev/null || echo bubblewrap) \
	  $$($(INITDB) | grep -q . || echo postgresql)"; missing=$$(echo $$missing); \
	if [ -z "$$missing" ]; then echo "Found chromium, bubblewrap and PostgreSQL."; \
	elif command -v apt-get >/dev/null; then sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing; \
	else echo "Install these with your package manager: $$missing"; exit 1; fi

badge: ## Point README and citation at your repository: make badge REPO=me/course
	@case "$(REPO)" in ?*/?*) ;; *) echo "Usage: make badge REPO=owner/repository"; exit 2;; esac
	@old=$$(sed -n 's|^repository-code: "https://github.com/\(.*\)"|\1|p' CITATION.cff) && new="$(REPO)" && \
	sed -i.bak -e "s|$$old|$$new|g" -e "s|$${old%/*}\.github\.io/$${old#*/}|$${new%/*}.github.io/$${new#*/}|g" \
	  README.md CITATION.cff && rm README.md.bak CITATION.cff.bak

COMPILE = uv pip compile -q --upgrade --universal --python-version 3.11 --fork-strategy fewest --no-header --no-annotate
pins: ## Compile the newest pins (needs uv)
	$(COMPILE) --extra course pyproject.toml -o binder/requirements.txt
	@{ echo "-r binder/requirements.txt"; \
	  $(COMPILE) --extra course --extra dev -c binder/requirements.txt pyproject.toml | grep -vxFf binder/requirements.txt; \
	} > requirements-dev.txt
	@{ echo "-r requirements-dev.txt"; \
	  $(COMPILE) --extra course --extra dev --extra bench -c binder/requirements.txt -c requirements-dev.txt pyproject.toml | \
	  grep -vxFf binder/requirements.txt | grep -vxFf requirements-dev.txt; \
	} > requirements-bench.txt

clean: ## Remove .venv, figures, site and caches
	rm -rf .venv figures site .site-cache web/node_modules .pytest_cache .ruff_cache .hypothesis build *.egg-info
	find . -name __pycache__ -o -name .ipynb_checkpoints | xargs rm -rf
