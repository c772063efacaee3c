#!/usr/bin/env bash
# A writer of history is killed at random moments: the database is intact, all reported sweeps are in it, and the next writer continues it.
# PSSP_KILLS=200 for nightly tests.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
skip_without sqlite3
database=$scratch/history.db
writer=$PSSP_BUILD_DIR/tests/write_history
RANDOM=1
before=0
for ((kill = 1; kill <= ${PSSP_KILLS:-6}; kill++)); do
  # There is no pause between sweeps, so the writer is always writing, summing or deleting.
  # The output of the previous writer must be gone before the test waits for that of this one.
  rm -f "$scratch/said"
  "$writer" "$database" 0 1 >"$scratch/said" &
  pid=$!
  # The first sweep shows that the writer runs; a moment later it is killed.
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
  ((there >= reported && there <= reported + 1 && there > before)) || fail "sweep $there is the last one in the database, $reported was the last one reported, $before the last one before"
  rows=$(sqlite3 "$database" 'SELECT count(DISTINCT n) FROM (SELECT count(*) AS n FROM sample GROUP BY sweep_id)')
  expect_equal 'different numbers of rows a sweep' "$rows" 1
  before=$there
done
expect_equal 'sweeps without a gap' "$(sqlite3 "$database" 'SELECT max(sweep_id) - min(sweep_id) + 1 - count(*) FROM sweep')" 0
