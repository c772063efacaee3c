#!/usr/bin/env bash
# The disk is full for some time: sweeps continue, and the status reports it. As soon as there is room, rows are written again, and an event
# records the gap. PSSP_FULL_SWEEPS=60 for a full disk of one minute.
set -euo pipefail
if [[ ! -v PSSP_OWN_MOUNTS ]]; then
  # A mount that only this script sees and that ends with it.
  export PSSP_OWN_MOUNTS=1
  spaces=(unshare --mount)
  ((UID == 0)) || spaces+=(--map-root-user)
  if ! "${spaces[@]}" true 2>/dev/null; then
    echo 'a file system of its own cannot be mounted here'
    exit 77
  fi
  exec "${spaces[@]}" -- "$0" "$@"
fi
# shellcheck source=tests/monitor/faults/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without sqlite3
mkdir disk
mount -t tmpfs -o size=8m tmpfs disk 2>err || skip "no tmpfs can be mounted: $(<err)"
database=$scratch/disk/history.sqlite
end_mounted() {
  rm -f full
  umount -l disk || true
  end_all
}
trap end_mounted EXIT

make_tree 4 2 3 2 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
serve "$dir" H0 --listen 127.0.0.1:0 --interval 1 --database "$database"
sweeps_pass 3

# ---- no room: all space that becomes free is filled at once ----
touch full
(while [[ -e full ]]; do
  cat /dev/zero >>disk/filler || true
  sleep .02
done 2>cat.err) &
filler=$!
has_problem() { ask status | jq -e '.problems | any(test("^the history: .*full"))' >null; }
eventually has_problem
# The space that the writer freed when it failed is also filled.
sweeps_pass 1
full_at=$(now_ms)
sweeps_pass "${PSSP_FULL_SWEEPS:-4}"
# A row is written some time after its sweep, so the row of the last sweep might be written after the disk has room again.
without_room_until=$(ask status | jq .time)
sweeps_pass 1
has_problem || fail "the problem is gone while the disk is full: $(ask status)"
expect_equal 'all ports answer while the disk is full' "$(ask status | jq '.sweep_figures.asked == .sweep_figures.answered')" true
expect_equal 'state of the history' "$(ask status | jq '.database.state | test("full")')" true

# ---- room again ----
rm full
wait "$filler"
rm disk/filler
free_at=$(now_ms)
no_problem() { ! has_problem; }
eventually no_problem
sweeps_pass 2
end_daemon
expect_equal 'integrity' "$(sqlite3 "$database" 'PRAGMA integrity_check')" ok
"$monitor" events -d "$database" --kind history_gap --json >gaps
check jq -e 'length >= 1 and (.[0].text | test("^[1-9][0-9]* sweeps since .* were not written"))' gaps >null
lost=$(sqlite3 "$database" "SELECT count(*) FROM sweep WHERE time_ms > $full_at AND time_ms <= $without_room_until")
expect_equal 'sweeps that were written without room' "$lost" 0
first=$(sqlite3 "$database" "SELECT min(time_ms) FROM sweep WHERE time_ms >= $free_at - 1000")
[[ -n $first ]] || fail 'no rows are written although there is room again'
printf 'rows again %d ms after there was room\n' "$((first - free_at))"
