# Every command of the project. `make` lists them; each one does its own set-up.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# A fresh rustup installation is not yet on the path of the running shell.
export PATH := $(PATH):$(HOME)/.cargo/bin

# Crates with tests that read upstream's tables and files, kept outside the repository.
SHARED_PACKAGES := model simulator cli
SHARED_FLAGS := $(addprefix --package ,$(SHARED_PACKAGES)) --features '$(addsuffix /shared-data,$(SHARED_PACKAGES))'
export DROVER_SHARED := $(abspath $(or $(DROVER_SHARED),../shared))

# Debian's mirrors now and then do not answer at once.
APT := DEBIAN_FRONTEND=noninteractive apt-get --option Acquire::Retries=5

REPORT_SCENARIO := scenarios/three-waves.yaml
REPORT_FOLDER := runs/three-waves
DROVER := target/release/drover
PAGE := ui/dist/index.html
PAGE_PACKAGES := ui/node_modules/.package-lock.json
PAGE_SOURCES := $(shell find ui/src ui/index.html ui/public ui/vite.config.ts ui/tsconfig.json -type f 2> /dev/null)
BENCH_FILE := target/bench.json
# The public trace is measured where it is at hand.
BENCH_TRACES := $(if $(wildcard $(DROVER_SHARED)/data/traces/openb_pod_list_default.csv),--openb $(DROVER_SHARED)/data/traces)

# Crates with tests that start real clusters.
REAL_PACKAGES := testbed judge kubernetes
REAL_STORIES := --package cli --features cli/real --test it
REAL_FLAGS := $(addprefix --package ,$(REAL_PACKAGES)) --features '$(addsuffix /real,$(REAL_PACKAGES))'

# Random pods that the simulated scheduler and the real one decide about.
JUDGE_PODS := 10000
JUDGE_SEED := 1

# Random federations that are watched after every event.
SOAK_CASES := 1000

CRASH_KILLS := 200
CHECK_SECONDS := 60
FUZZ_SECONDS := 60

.PHONY: help demo build report test test-page test-shared test-real judge judge-waves soak crash check-api fuzz check fix bench bench-page toolchain services clusters node browser

help: ## List the commands
	@printf 'Drover: decides where workloads run in a federation of clusters.\n\n'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## Open a desk on a simulated federation, with its page: the address is printed; Ctrl-C ends it
	@$(DROVER) demo $(DEMO_FLAGS)

build: toolchain ## Build drover with its page; without Node the page is left out
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory $(PAGE); \
	else printf 'Node is missing, so the page is left out; the API and the command line are there.\n' >&2; fi
	cargo build --locked --release --bin drover

report: toolchain ## Run three waves of load without anybody, and write a report
	@mkdir -p $(REPORT_FOLDER)
	cargo run --locked --release --bin drover -- run $(REPORT_SCENARIO) --review simulated --out $(REPORT_FOLDER)
	@if [[ ! -s $(REPORT_FOLDER)/report.html ]]; then printf 'The run wrote no report.\n' >&2; exit 1; fi
	@printf '\nThe report: %s\n' "$(abspath $(REPORT_FOLDER))/report.html"

$(PAGE_PACKAGES): ui/package-lock.json
	cd ui && npm ci --no-audit --no-fund
	@touch $@

$(PAGE): $(PAGE_PACKAGES) $(PAGE_SOURCES)
	cd ui && npm run --silent build
	@touch $@

test: toolchain services node browser $(PAGE) ## Check everything that needs nothing but the repository: format, lints, tests, tidy, licences, the page
	cargo fetch --locked
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- --deny warnings
	@mkdir -p target
	cargo test --locked --workspace | tee target/test.log
	@$(call summary,target/test.log)
	@$(MAKE) --no-print-directory test-page
	@printf 'make test: format, lints, tests, tidy, licences and the page are in order.\n'

test-page: node browser $(PAGE) ## Check the page: types, lints, unit tests, and whole stories in Chromium against the real program
	cd ui && npm run --silent check
	cd ui && npm run --silent test
	cargo build --locked --bin drover
	cd ui && npm run --silent size
	cd ui && DROVER=$(abspath target/debug/drover) npm run --silent e2e

test-shared: toolchain ## Run upstream's own tables against the simulator; needs ../shared, or DROVER_SHARED
	@if [[ ! -d "$$DROVER_SHARED/data/conformance" ]]; then \
	  printf 'There are no tables in %s.\n' "$$DROVER_SHARED/data/conformance" >&2; \
	  printf 'Put the shared folder beside the repository, or say where it is: make test-shared DROVER_SHARED=<folder>\n' >&2; \
	  exit 1; \
	fi
	@mkdir -p target
	cargo test --locked $(SHARED_FLAGS) -- --show-output | tee target/test-shared.log | grep -v '^  left out: '
	cargo clippy --locked --all-targets $(SHARED_FLAGS) -- --deny warnings
	@printf '\n'
	@grep -E '^[A-Za-z0-9_/.-]+: [0-9]+ passed, [0-9]+ left out' target/test-shared.log | sort -u > target/conformance.txt || true
	@cat target/conformance.txt
	@if ! grep -E '^[A-Za-z0-9_/.-]+: [0-9]+ passed, [0-9]+ left out' docs/conformance.md | diff - target/conformance.txt; then \
	  printf 'The counts in docs/conformance.md (<) are not those of this run (>); mend the page.\n' >&2; \
	  exit 1; \
	fi
	@$(call summary,target/test-shared.log)
	@printf 'make test-shared: the tables agree. Rows left out, with reasons: target/test-shared.log\n'

test-real: toolchain clusters ## Start real clusters, Karmada and Prometheus without containers, and run the tests against them; the first time builds them, with Go
	@mkdir -p target
	cargo test --locked $(REAL_FLAGS) -- --nocapture | tee target/test-real.log
	cargo test --locked $(REAL_STORIES) -- --nocapture --test-threads 1 real_clusters real_waves kubectl | tee --append target/test-real.log
	cargo clippy --locked $(REAL_FLAGS) --all-targets -- --deny warnings
	cargo clippy --locked $(REAL_STORIES) -- --deny warnings
	@$(call summary,target/test-real.log)
	@printf 'make test-real: the clusters came up, did their work, and are gone.\n'

judge: toolchain clusters ## Compare 10,000 decisions of the simulated scheduler, and some of other controllers, with those of the real ones; writes docs/judged.md
	cargo run --locked --release --package judge -- $(JUDGE_PODS) $(JUDGE_SEED) docs/judged.md

judge-waves: toolchain clusters ## Bring the three waves into real clusters and simulate them beside; writes docs/fidelity-real.md and its figure
	DROVER_WAVES_PAGE=1 cargo test --locked $(REAL_STORIES) -- --nocapture the_three_waves_are_as_they_are_simulated

soak: toolchain ## Watch 1,000 random federations with faults after every event, and run each of them again; SOAK_CASES=n for more
	DROVER_CASES=$(SOAK_CASES) cargo test --locked --package simulator --lib federations

check: toolchain ## Check quickly while working: format, compile, tidy, licences
	cargo fmt --all --check
	cargo check --locked --workspace --all-targets
	cargo xtask tidy
	cargo xtask licences

fix: toolchain services ## Repair what a machine can: lints, format, expected texts in tests
	cargo clippy --workspace --all-targets --fix --allow-dirty --allow-staged
	cargo fmt --all
	UPDATE_EXPECT=1 cargo test --workspace
	@printf 'make fix: done; read the difference before you commit it.\n'

crash: toolchain services ## Kill a desk 200 times at random moments on each database, and check that nothing is lost or done twice; CRASH_KILLS=n for more
	DROVER_KILLS=$(CRASH_KILLS) cargo test --locked --release --package cli --test it crash -- --show-output

check-api: toolchain ## Let schemathesis try every endpoint of a real desk; needs python3 and a package index
	scripts/check-api.sh $(CHECK_SECONDS)

fuzz: toolchain ## Run every fuzz target for a minute; FUZZ_SECONDS=n for longer
	scripts/fuzz.sh $(FUZZ_SECONDS)

bench: toolchain ## Measure the simulator, up to a million pods, and the desk under load; writes target/bench.json
	@mkdir -p $(dir $(BENCH_FILE))
	cargo run --locked --release --bin drover -- bench --large --out $(BENCH_FILE) $(BENCH_TRACES)
	cargo bench --locked --package server --bench desk
	@$(MAKE) --no-print-directory bench-page

bench-page: node browser build ## Measure how smoothly the lists of the page move with 10,000 workloads and 100 clusters
	cd ui && npm run --silent size
	cd ui && DROVER=$(abspath $(DROVER)) npm run --silent smooth

# Says what is missing instead of failing somewhere inside a build.
toolchain:
	@if ! command -v cargo > /dev/null; then \
	  printf 'cargo is missing. Get it with rustup, see https://rustup.rs, or run:\n' >&2; \
	  printf "  curl --proto '=https' --tlsv1.2 --silent --show-error --fail https://sh.rustup.rs | sh\n" >&2; \
	  exit 1; \
	fi
	@if ! command -v cc > /dev/null; then \
	  printf 'A C linker is missing; on Debian and Ubuntu: apt-get install gcc libc6-dev\n' >&2; \
	  exit 1; \
	fi
	@wanted=$$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml); \
	if ! found=$$(cargo --version); then \
	  printf 'rust-toolchain.toml asks for Rust %s, and it could not be installed.\n' "$$wanted" >&2; \
	  printf 'With a network, run: rustup toolchain install %s\n' "$$wanted" >&2; \
	  printf 'Without one, a toolchain that is here already may do: RUSTUP_TOOLCHAIN=stable make <command>\n' >&2; \
	  exit 1; \
	elif [[ "$$found" != "cargo $$wanted "* ]]; then \
	  printf 'Note: rust-toolchain.toml asks for Rust %s, this is %s; lints and format may differ.\n' "$$wanted" "$$found" >&2; \
	fi

# The tests of the desk start a PostgreSQL server of their own; this only sees to it that the programs are there.
services:
	@have() { command -v initdb > /dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' > /dev/null; }; \
	if ! have && [[ $$(id --user) == 0 ]] && command -v apt-get > /dev/null; then \
	  printf 'PostgreSQL is missing; installing it for the tests.\n'; \
	  { $(APT) update && $(APT) install --yes --no-install-recommends postgresql; } > /dev/null; \
	fi; \
	if ! have; then \
	  printf 'PostgreSQL 15 or newer is missing; on Debian and Ubuntu: apt-get install postgresql\n' >&2; \
	  exit 1; \
	fi

# Prometheus is Debian's; everything else is found or built by the test bed itself.
clusters:
	@if ! command -v prometheus > /dev/null && [[ $$(id --user) == 0 ]] && command -v apt-get > /dev/null; then \
	  printf 'Prometheus is missing; installing it for the tests.\n'; \
	  { $(APT) update && $(APT) install --yes --no-install-recommends prometheus; } > /dev/null; \
	fi; \
	if ! command -v prometheus > /dev/null; then \
	  printf 'Prometheus is missing; on Debian and Ubuntu: apt-get install prometheus\n' >&2; \
	  exit 1; \
	fi
	@version=$$({ go env GOVERSION || true; } 2> /dev/null | sed -n 's/^go1\.\([0-9]*\).*/\1/p'); \
	if (( $${version:-0} < 26 )); then \
	  printf 'Go 1.26 or newer is missing, with which the servers are built once: https://go.dev/dl\n' >&2; \
	  exit 1; \
	fi

node:
	@if ! command -v npm > /dev/null || ! node --eval 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'; then \
	  printf 'The page needs Node 20.19 or newer with npm; see https://nodejs.org\n' >&2; \
	  exit 1; \
	fi

# The tests of the page drive a browser that is here already.
browser:
	@have() { [[ -x "$${CHROMIUM:-/usr/bin/chromium}" ]]; }; \
	if ! have && [[ $$(id --user) == 0 ]] && command -v apt-get > /dev/null; then \
	  printf 'Chromium is missing; installing it for the tests.\n'; \
	  { $(APT) update && $(APT) install --yes --no-install-recommends chromium; } > /dev/null; \
	fi; \
	if ! have; then \
	  printf 'Chromium is missing; on Debian: apt-get install chromium; elsewhere say where it is: CHROMIUM=<program>\n' >&2; \
	  exit 1; \
	fi

# Adds up the results of all test binaries in a log.
define summary
awk '/^test result:/ { passed += $$4; failed += $$6 } \
  END { printf "\n%d tests passed, %d failed\n", passed, failed; exit passed == 0 }' $(1)
endef
