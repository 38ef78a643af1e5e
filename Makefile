# `make play` and `make test` need git, make and Python 3.11 or later; everything else goes into .venv.
.DEFAULT_GOAL := help
.PHONY: help play test test-slow test-table test-lan fuzz soak nightly check format messages bench wheel example clean

VENV := .venv
BIN := $(VENV)/bin
# Processes that share the tests. Some tests start several programs themselves, so more than two gain little.
JOBS := 2
# Twice quiet: errors only.
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet

help:
	@echo 'make play       a game of Go Fish against three bots'
	@echo 'make test       the tests (make test-slow: the slow ones, make soak: the very long ones)'
	@echo 'make test-table tables with tagged cards and emulated readers, whole games between programs (minutes)'
	@echo 'make test-lan   a network of namespaces with real programs on it (root on Linux, iproute2)'
	@echo 'make fuzz       every decoder and parser (FUZZ_TIME=60 seconds for each; TARGETS="..." for some)'
	@echo 'make nightly    make soak, and 10,200 simulated tables with faults (about two hours)'
	@echo 'make check      ruff, mypy and the import contracts (make format: what ruff can repair)'
	@echo 'make messages   the catalogue of texts brought up to date (docs/translating.md)'
	@echo 'make bench      the measurements described in benchmarks/README.md'
	@echo 'make bots       the win rates of docs/bots.md played again (some minutes)'
	@echo 'make wheel      dist/*.whl'
	@echo 'make firmware   the reference reader (make test-firmware: its tests, in an emulator)'
	@echo 'make example    dist/*.whl of the game in examples/old_maid'
	@echo 'make pictures   docs/pictures/*.svg: the full screen of the real program'
	@echo 'make captures   docs/captures/*.txt: every phase of every game on the full screen, as text'
	@echo 'make clean      remove all that these commands made'

# 130: Ctrl-C has paused the game, which is no error.
play: $(VENV)/installed
	@$(BIN)/shoal play go-fish --bots 3 || { code=$$?; [ $$code -eq 130 ] || exit $$code; }

test: $(VENV)/installed-dev
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal -m 'not slow and not soak'

test-slow: $(VENV)/installed-dev
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal -m 'slow and not soak'

TABLE_TESTS := tests/e2e/test_blank_table.py tests/e2e/test_printed_table.py tests/e2e/test_tabletop.py \
	tests/e2e/test_tabletop_wiring.py tests/cli/test_readers.py tests/cli/test_table_setup.py tests/cli/test_tags.py

test-table: $(VENV)/installed-dev
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal -m 'not soak' $(TABLE_TESTS)

# Each network is of its own namespaces, and its tests mostly wait: for signs of life that stay away.
test-lan: $(VENV)/installed-dev
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal tests/lan

# Our own fuzzer; with ENGINE=atheris that one, a target at a time, where it can be installed.
FUZZ_TIME := 60
TARGETS :=
ENGINE := own
fuzz: $(VENV)/installed-dev
	@if [ $(ENGINE) = atheris ]; then \
		$(BIN)/python -c 'import atheris' 2>/dev/null || $(PIP) install atheris || exit 1; \
		for target in $(or $(TARGETS),$$($(BIN)/python -m tests.fuzz --list)); do \
			nice -n 10 $(BIN)/python -m tests.fuzz $$target --seconds $(FUZZ_TIME) --engine atheris || exit 1; \
		done; \
	else nice -n 10 $(BIN)/python -m tests.fuzz $(TARGETS) --seconds $(FUZZ_TIME); fi

soak: $(VENV)/installed-dev
	@$(BIN)/python -m pytest -q -m soak

nightly: soak
	@$(BIN)/shoal soak --games 10000
	@$(BIN)/shoal soak --games 200 --real --seats 6

check: $(VENV)/installed-dev
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo

format: $(VENV)/installed-dev
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .

messages: $(VENV)/installed-dev
	@$(BIN)/python scripts/messages.py

bench: $(VENV)/installed
	@$(BIN)/shoal bench

bots: $(VENV)/installed
	@$(BIN)/python benchmarks/win_rates.py

wheel: $(VENV)/installed-dev
	@rm -rf dist
	@$(PIP) wheel --no-deps --wheel-dir dist .
	@ls dist/*.whl

example: $(VENV)/installed
	@$(PIP) wheel --no-deps --wheel-dir dist ./examples/old_maid
	@ls dist/shoal_old_maid-*.whl

clean:
	@rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are newer than pyproject.toml once what it lists is installed. An environment whose Python has been
# removed or upgraded away is made anew.
$(VENV)/installed: pyproject.toml scripts/find-python
	@if ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
		python=$$(scripts/find-python) && echo "Setting up $(VENV) with $$python" && "$$python" -m venv --clear $(VENV); \
	fi
	@$(PIP) install --editable .
	@touch $@

# After the other one, so that `make -j` never runs two installers in one environment.
$(VENV)/installed-dev: $(VENV)/installed
	@$(PIP) install --editable '.[dev,mqtt]'
	@touch $@

# The reference reader (firmware/README.md). Needs avr-gcc; the tests need simavr too and say what is missing.
.PHONY: firmware test-firmware
firmware:
	@$(MAKE) --no-print-directory -C firmware

test-firmware: $(VENV)/installed-dev
	@$(BIN)/python -m pytest -q tests/firmware

.PHONY: pictures
pictures: $(VENV)/installed-dev
	@$(BIN)/python scripts/pictures.py

.PHONY: captures
captures: $(VENV)/installed-dev
	@$(BIN)/python scripts/captures.py
