#!/usr/bin/env bash
# A writer of history that is killed at any moment: the database is whole, what was acknowledged is there, and the next one
# goes on. PSSP_KILLS=200 for the night.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
skip_without sqlite3
database=$scratch/history.db
writer=$PSSP_BUILD_DIR/tests/write_history
RANDOM=1
before=0
for ((kill = 1; kill <= ${PSSP_KILLS:-6}; kill++)); do
  # Without a pause between sweeps, so that it is always writing, summing or deleting.
  # What the last one said must be gone before this one is waited for.
  rm -f "$scratch/said"
  "$writer" "$database" 0 1 >"$scratch/said" &
  pid=$!
  # The first sweep says that it runs; some moments later it is gone.
  until [[ -s $scratch/said ]]; do
    [[ -d /proc/$pid ]] || fail 'the writer ended'
    sleep .002
  done
  sleep ".$((RANDOM % 3))$((RANDOM % 10))$((RANDOM % 10))"
  builtin kill -KILL "$pid"
  wait "$pid" 2>"$scratch/null" || true
  reported=$(tail -n 1 "$scratch/said")
  expect_equal "integrity after kill $kill" "$(sqlite3 "$database" 'PRAGMA integrity_check')" ok
  there=$(sqlite3 "$database" 'SELECT max(sweep_id) FROM sweep')
  ((there >= reported && there <= reported + 1 && there > before)) || fail "sweep $there is the last, $reported was said, $before before"
  rows=$(sqlite3 "$database" 'SELECT count(DISTINCT n) FROM (SELECT count(*) AS n FROM sample GROUP BY sweep_id)')
  expect_equal 'different numbers of rows a sweep' "$rows" 1
  before=$there
done
expect_equal 'sweeps without a gap' "$(sqlite3 "$database" 'SELECT max(sweep_id) - min(sweep_id) + 1 - count(*) FROM sweep')" 0
