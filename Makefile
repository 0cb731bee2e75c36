# `make` alone lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
APT_PACKAGES := gcc g++ gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm
C_FILES = $(shell find firmware tests -name '*.[ch]')

.DEFAULT_GOAL := help
.PHONY: help setup tools demo test lint bench bench-diff bench-all size size-diff kernel-costs \
        bench-boards test-renode fuzz docs clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --quiet --disable-pip-version-check --editable '.[reference,examples,dev]'
	touch $@

tools:
	@scripts/install-tools $(APT_PACKAGES)

setup: tools $(STAMP) ## virtual environment, Python packages, compilers and emulator

demo: setup ## build the digits example for stm32 and run it on an emulated one
	$(BIN)/python examples/digits/demo.py

test: setup lint ## all tests, and the linters
	$(BIN)/pytest -n auto

lint: $(STAMP) ## the linters alone
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(C_FILES)

bench: setup ## instructions and bytes of the models at hand, and what TFLM saves, as tables
	$(BIN)/python benchmarks/instructions.py
	$(BIN)/python benchmarks/rewrite.py

bench-diff: setup ## the same against another revision: make bench-diff REV=v1.0
	scripts/bench-diff "$(REV)" $(BIN)/python instructions.py

bench-all: setup ## every int8 model on three CPUs, with chosen and with portable kernels
	$(BIN)/python benchmarks/every_model.py

size: setup ## flash and RAM by part of the models at hand
	$(BIN)/python benchmarks/sizes.py

size-diff: setup ## the same against another revision: make size-diff REV=v1.0
	scripts/bench-diff "$(REV)" $(BIN)/python sizes.py

kernel-costs: setup ## measure the kernels anew, for the table that choices are made from
	PYTHONPATH=. $(BIN)/python benchmarks/kernel_costs.py

bench-boards: setup ## every board that has an emulator: fits or not, sizes, peak, instructions
	$(BIN)/python benchmarks/boards.py

test-renode: setup ## the digits on every board in Renode; says so where Renode is absent
	PYTHON=$(BIN)/python scripts/test-renode

FUZZ_SECONDS ?= 600

fuzz: setup ## damage models: the reader under atheris, then the whole pipeline, FUZZ_SECONDS each
	$(BIN)/pip install --quiet --quiet --disable-pip-version-check --editable '.[fuzz]' || true
	$(BIN)/python -m tests.fuzz.reader --seconds $(FUZZ_SECONDS)
	$(BIN)/python -m tests.fuzz.pipeline --seconds $(FUZZ_SECONDS)

count-cases: $(STAMP) ## count the cases that the operators' tests compare, for docs/
	MCUCOMP_COUNT_CASES=docs/operator-cases.json $(BIN)/pytest -q tests/oracle
	$(BIN)/python docs/generate.py

docs: $(STAMP) ## write the generated tables of docs/ anew
	$(BIN)/python docs/generate.py

clean: ## remove what the other targets made
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
