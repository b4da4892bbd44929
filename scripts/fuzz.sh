#!/usr/bin/env bash
# Runs every fuzz target for a while on the toolchain that is here. A finding stops it and leaves the input in fuzz/artifacts/.
#
#   scripts/fuzz.sh [seconds for each target] [target ...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../fuzz"

seconds=${1:-60}
shift || true
if [[ $# -eq 0 ]]; then set -- $(sed -n 's/^name = "\(.*\)"/\1/p' Cargo.toml | tail -n +2); fi

# What cargo-fuzz would set, without the sanitizers that need an unstable toolchain: our crates forbid unsafe code.
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
host=$(rustc -vV | sed -n 's/^host: //p')
cargo build --release --target "$host" --bins

mkdir -p corpus artifacts
# What ships is where fuzzing begins, and one text of every kind: a line of %% lies between two of them.
for file in seeds/*.txt; do
  target=$(basename "$file" .txt)
  mkdir -p "corpus/$target"
  awk -v folder="corpus/$target" '/^%%$/ { text++; lines = 0; next }
    { printf "%s%s", (lines++ ? "\n" : ""), $0 > (folder "/seed-" text + 0) }' "$file"
done
mkdir -p corpus/scenario corpus/experiment corpus/desk
cp -n ../scenarios/*.yaml corpus/scenario/ || true
cp -n ../experiments/*.yaml corpus/experiment/ || true
cp -n ../desks/*.yaml corpus/desk/ 2> /dev/null || true

# A journal begins with the header of its run, which nobody hits upon by chance.
if [[ -x ../target/release/drover ]]; then
  run=$(mktemp -d)
  mkdir -p corpus/journal
  if ../target/release/drover run ../scenarios/three-waves.yaml --out "$run/run" > /dev/null 2>&1; then
    head -n 3 "$run"/run/journal.jsonl > corpus/journal/three-waves
  fi
  rm -rf "$run"
fi

# Words of the API, so that they need not be found letter by letter.
grep -oE '"[A-Za-z/][A-Za-z0-9_/.-]*"' ../openapi.json | sort -u > corpus/words.dict

for target in "$@"; do
  mkdir -p "corpus/$target"
  printf '== %s, %s s ==\n' "$target" "$seconds"
  "target/$host/release/$target" -max_total_time="$seconds" -artifact_prefix="artifacts/$target-" \
    -rss_limit_mb=4096 -timeout=20 -print_final_stats=1 -dict=corpus/words.dict "corpus/$target" 2> "artifacts/$target.log" \
    || { tail -40 "artifacts/$target.log" >&2; exit 1; }
  grep -E 'DONE|stat::number_of_executed_units|stat::new_units_added' "artifacts/$target.log"
done
printf 'fuzz: nothing found.\n'
