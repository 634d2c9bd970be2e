VENV ?= .venv
PY := $(VENV)/bin/python

.PHONY: demo test test-all lint clean

$(VENV)/.installed: pyproject.toml
	python3 -m venv $(VENV) || (echo "python3 -m venv failed; on Debian/Ubuntu: apt-get install python3-venv" && exit 1)
	$(PY) -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

demo: $(VENV)/.installed  ## run every case with the scripted reference system and print where the report lies
	$(PY) -m pytest --clinicare-system=reference -n 2 -q

lint: $(VENV)/.installed
	$(PY) -m ruff check . && $(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports

test: lint  ## the project's own tests
	$(PY) -m pytest -m "not slow" -n 2 -q

test-all: lint
	$(PY) -m pytest -n 2 -q

clean:
	rm -rf $(VENV) .clinicare
