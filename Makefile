PYTHON ?= python3
VENV ?= .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test test-all lint foils pictures bench clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; set it with: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "no virtual environment; on Debian or Ubuntu: apt-get install python3-venv"; exit 1; }

$(VENV)/.installed: pyproject.toml | $(PY)
	$(PIP) -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP) -e ".[dev]"
	@touch $@

demo: $(VENV)/.installed  ## run every case with the scripted reference system; prints the result and where the report lies
	$(PY) -m pytest --clinicare-system=reference -n 2 -q

lint: $(VENV)/.installed-dev  ## style, types, direction of imports
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports

test: lint  ## the project's own tests
	$(PY) -m pytest -m "not slow" -n 2 --dist loadgroup -q

.clinicare/clis:  ## an agent CLI for the slow tests (needs npm and its registry)
	npm install --silent --no-fund --no-audit --prefix $@ @anthropic-ai/claude-code

test-all: lint  ## the slow tests as well
	-@test -d .clinicare/clis || $(MAKE) -s .clinicare/clis
	$(PY) -m pytest -n 2 --dist loadgroup -q

FOILS := reference shortcut careless committer abstainer fabricator idle
foils: $(VENV)/.installed-dev  ## every scripted system on every case: writes the table docs/foils.md
	@rm -rf .clinicare/foils
	@for system in $(FOILS); do \
	  $(PY) -m pytest --clinicare-system=$$system --clinicare-runs=.clinicare/foils --clinicare-shell=off -n 2 -q >/dev/null || true; \
	done
	@{ sed '/^|/,$$d' docs/foils.md; $(VENV)/bin/clinicare runs compare --markdown --runs .clinicare/foils; } > .clinicare/foils.md
	@mv .clinicare/foils.md docs/foils.md

pictures: $(VENV)/.installed-dev  ## the pictures of the docs; CHARTS=DIR: real charts, for that of realism
	$(VENV)/bin/clinicare cases matrix --out docs/coverage.svg
	@test -z "$(CHARTS)" || $(VENV)/bin/clinicare charts realism $(CHARTS) --out docs/realism.svg

benchmarks/.venv-inspect/.installed:
	$(PYTHON) -m venv benchmarks/.venv-inspect
	@echo '*' > benchmarks/.venv-inspect/.gitignore
	benchmarks/.venv-inspect/bin/python -m pip install --quiet --disable-pip-version-check inspect-ai
	@touch $@

bench: $(VENV)/.installed benchmarks/.venv-inspect/.installed  ## cost of the harness against plain pytest and inspect-ai
	$(PY) benchmarks/harness_cost.py

clean:  ## remove what make and runs have made
	rm -rf $(VENV) benchmarks/.venv-inspect .clinicare
