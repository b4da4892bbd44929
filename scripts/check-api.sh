#!/usr/bin/env bash
# Lets schemathesis try every endpoint of a real desk with what the OpenAPI file allows and with what it does not.
# Needs python3 with venv and a package index; everything it installs goes below target/.
#
#   scripts/check-api.sh [seconds]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=${1:-60}
tools=target/check-api
folder=$(mktemp -d)
desk=

finish() {
  if [[ -n "$desk" ]]; then kill "$desk" 2> /dev/null || true; wait "$desk" 2> /dev/null || true; fi
  rm -rf "$folder"
}
trap finish EXIT

if [[ ! -x $tools/bin/schemathesis ]]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet schemathesis
fi
cargo build --locked --package cli
drover=$PWD/target/debug/drover

# A scenario that does not come to its end meanwhile.
cp scenarios/live-waves.yaml "$folder/"
cat > "$folder/desk.yaml" <<DESK
drover: desk/v1
storage: sqlite:$folder/drover.db
listen: 127.0.0.1:0
world: { simulate: live-waves.yaml, speed: 60 }
limits: { requests_per_second: 100000, burst: 100000 }
DESK
token=$("$drover" token create --config "$folder/desk.yaml" --name anna --role admin 2> /dev/null)
"$drover" serve --config "$folder/desk.yaml" --ready-file "$folder/ready" 2> "$folder/log" > /dev/null &
desk=$!
for _ in $(seq 300); do
  if [[ -s $folder/ready ]]; then break; fi
  if ! kill -0 "$desk" 2> /dev/null; then cat "$folder/log" >&2; exit 1; fi
  sleep 0.1
done
address=$(< "$folder/ready")

# Letting a virtual day pass takes a while in a debug build on a busy machine.
# Streams never end, so nothing can be said about their answers here; they have tests of their own.
"$tools/bin/schemathesis" run openapi.json --url "$address" \
  --header "Authorization: Bearer $token" \
  --exclude-path /api/v1/events \
  --request-timeout 60 --max-time "$seconds" --workers 2 --seed 1 --suppress-health-check all --warnings off \
  --exclude-checks positive_data_acceptance

if grep -q panicked "$folder/log"; then
  cat "$folder/log" >&2
  exit 1
fi
printf 'check-api: no server error and no answer that the OpenAPI file does not describe.\n'
