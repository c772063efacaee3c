#!/usr/bin/env bash
# The daemon is killed at random moments: the next one serves at once, the database is intact, and no served sweep is missing, except perhaps
# the last one, which may not have been written yet. PSSP_KILLS=200 for nightly tests, which also print how soon each new daemon served. The
# limit is PSSP_SERVES_WITHIN_MS (3000).
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl sqlite3

make_tree 4 2 3 2 >tree.net
dir=$scratch/fabric
database=$scratch/history.sqlite
milliseconds() { date +%s%3N; }
rows() { sqlite3 "$database" 'SELECT count(*) FROM sweep'; }
# Prints the number of the last sweep that the interface serves.
last_sweep() { curl -sf "$url/api/v1/status" 2>"$scratch/null" | jq .sweep; }

RANDOM=1
slowest=0 missing=0 before=0
for ((kill = 1; kill <= ${PSSP_KILLS:-4}; kill++)); do
  # ibsim serves at most ten clients and does not notice that one was killed.
  if ((kill % 6 == 1)); then
    ((kill == 1)) || stop_simulation "$dir"
    bring_up "$dir" "$scratch/tree.net"
    attach_to "$dir"
  fi
  : >said
  began=$(milliseconds)
  "${in_simulation[@]/#SIM_HOST=*/SIM_HOST=H0}" "$monitor" serve --listen 127.0.0.1:0 --interval 1 --database "$database" 2>said &
  daemon=$! waiter=$!
  children+=("$waiter")
  eventually grep -q 'listening on http://' said
  url=$(sed -n 's/.*listening on \(http:[^ ]*\)\/$/\1/p' said)
  eventually curl -sf -o health "$url/healthz"
  took=$(($(milliseconds) - began))
  ((took <= slowest)) || slowest=$took
  while below=$(pgrep -P "$daemon"); do daemon=$below; done
  sleep "$((RANDOM % 2)).$((RANDOM % 10))$((RANDOM % 10))$((RANDOM % 10))"
  last=$(last_sweep) || fail "the daemon does not answer: $(<said)"
  builtin kill -KILL "$daemon"
  wait "$waiter" 2>"$scratch/null" || true
  expect_equal "integrity after kill $kill" "$(sqlite3 "$database" 'PRAGMA integrity_check')" ok
  there=$(rows)
  # Sweep numbers of the interface restart with each process, those in the database continue.
  ((there - before >= last - 1)) || fail "kill $kill: $last sweeps were served, $((there - before)) are in the database"
  ((there - before >= last)) || missing=$((missing + 1))
  before=$there
  [[ $(sqlite3 "$database" 'SELECT max(sweep_id) - min(sweep_id) + 1 - count(*) FROM sweep') == 0 ]] || fail 'the sweep numbers have a gap'
  # All sweeps of one process have the same number of rows.
  expect_equal 'different numbers of rows a sweep' \
    "$(sqlite3 "$database" 'SELECT count(DISTINCT n) FROM (SELECT count(*) AS n FROM sample GROUP BY sweep_id)')" 1
done
printf '%s kills: %s sweeps, the last served one was missing %s times; served within %s ms\n' "$((kill - 1))" "$before" "$missing" "$slowest"
[[ -z ${PSSP_KILLS:-} ]] || ((slowest <= ${PSSP_SERVES_WITHIN_MS:-3000})) || fail "it took $slowest ms until a new daemon served"
