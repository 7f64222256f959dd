# `make` shows what there is; `make run` plays; `make check` is what CI runs.
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 1
# As in the Dockerfile: where a compiler is missing, whatever is not a wheel shall be missed here already.
WHEELS := --only-binary=:all: --no-binary=http-ece

.PHONY: help
help: ## Show the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | awk -F'\t' '{printf "  make %-10s %s\n", $$1, $$2}'

.venv/.runs: requirements.lock pyproject.toml
	@echo "Installing what Semiramis needs into .venv: a minute or two, the first time only …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(WHEELS) -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

.venv/.checks: .venv/.runs requirements-dev.lock
	@echo "Installing what the checks need into .venv: a minute or two, the first time only …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	@touch $@

.PHONY: run
run: .venv/.runs ## Start the server, with everything it needs: HOST=… PORT=… WORKERS=…
	@echo "Starting: Postgres, the tables, pages and bots …"
	@$(BIN)/python -m app serve --host $(HOST) --port $(PORT) --workers $(WORKERS)

.PHONY: check
check: lint test ## Lint, types, import rules and all tests, browser tests included

.PHONY: lint
lint: .venv/.checks ## Format and lint checks, types, import rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.PHONY: format
format: .venv/.checks ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: test
test: .venv/.checks ## All tests, two at a time, those in browsers last (T=… for some)
	$(BIN)/python tests/find_chromium.py
ifdef T
	$(BIN)/python -m pytest $(T)
else
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal --durations 25 --ignore tests/e2e
	$(BIN)/python -m pytest --numprocesses 3 --dist worksteal --durations 25 tests/e2e
endif

.PHONY: stories
stories: .venv/.checks ## The tests in browsers, every story in every language
	SEMIRAMIS_STORIES=all $(BIN)/python -m pytest --numprocesses 3 --dist worksteal tests/e2e

.PHONY: promises
promises: .venv/.checks ## The promises over many more random games (N=…)
	SEMIRAMIS_PROMISES=$(or $(N),5000) $(BIN)/python -m pytest tests/games/test_promises.py --timeout 0

.PHONY: bench
bench: .venv/.checks ## Measure the rules and the server
	$(BIN)/python -m app bench
	$(BIN)/python -m bench

.PHONY: soak
soak: .venv/.checks ## An evening of 200 tables: does anything grow? (MINUTES=… TABLES=…)
	$(BIN)/python -m bench.soak --minutes $(or $(MINUTES),30) --tables $(or $(TABLES),200)

.PHONY: messages
messages: .venv/.checks ## Bring the catalogues up to date with the sentences in the source
	$(BIN)/python -m tests.messages

.PHONY: game
game: .venv/.checks ## Begin a new game: slug=…
	$(BIN)/python -m tests.new_game $(slug)

.PHONY: lock
lock: .venv/.checks ## Pin the newest versions that fit
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile -q --upgrade --no-emit-index-url --no-annotate --no-header pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --upgrade --no-emit-index-url --no-annotate --no-header --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

.PHONY: clean
clean: ## Remove what was installed and measured here (not var/)
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache test-results
