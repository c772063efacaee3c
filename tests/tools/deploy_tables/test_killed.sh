#!/usr/bin/env bash
# deploy_tables apply, killed at each of its calls that write (with --all, also at those that open and close). Afterwards opensm's
# file is the new one only if a timer that reverts it is in force. Without --all some of these points are sampled.
# shellcheck source=tests/tools/deploy_tables/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
deploy=$PSSP_BUILD_DIR/bin/deploy_tables
[[ -x $deploy ]] || skip 'deploy_tables is not built'
[[ -e $shim ]] || skip 'this build cannot end programs at a call'
call_step=8
[[ ${1:-} != --all ]] || call_step=1

active_old_tables

apply_ended() { ended "$1" "$2" apply new.lft old.topo --confirm-within 30s --opensm-pid "$opensm_pid"; }

# The active file must be the old one, or the new one with a timer; then everything is reverted.
old_or_new() {
  local place="apply, killed at $1 $2" point
  if same_bytes <(entries "$state/active.lft") <(entries old.lft); then
    point=old
  elif same_bytes <(entries "$state/active.lft") <(entries new.lft); then
    point=new
    in_fabric "$dir" "$host" "$deploy" status --state "$state" --json >status.json || fail "$place: the new tables, and nothing takes them back"
    check jq -e '.pending.came_about and .pending.timer_in_force' status.json >/dev/null
  else
    fail "$place: active.lft is neither the old file nor the new one"
  fi
  points=$((points + 1))
  seen[$point]=$((seen[$point] + 1))
  if [[ -e $state/pending ]]; then
    in_fabric "$dir" "$host" "$deploy" back-out --state "$state" --opensm-pid "$opensm_pid" >stdout 2>stderr || fail "$place: back-out: $(cat stderr)"
  fi
  same_entries "$state/active.lft" old.lft
  ((points % 5 != 0)) || fresh_simulation
}

points=0
declare -A seen=([old]=0 [new]=0)
calls=(rename fsync write)
((call_step > 1)) || calls+=(open close)
for call in "${calls[@]}"; do
  # Test each rename.
  step=$call_step
  [[ $call != rename ]] || step=1
  for ((nth = 1; ; nth += step)); do
    apply_ended "$call" "$nth"
    ((hit)) || break
    expect_equal "status at $call $nth" "$status" 137
    old_or_new "$call" "$nth"
  done
  # There was no such call any more: this apply ran to its end.
  expect_equal "an apply that was not killed" "$status" 0
  old_or_new "$call" none
done
held "$dir" now
same_entries now.lft old.lft
printf '%d points, %d with the old file and %d with the new one\n' "$points" "${seen[old]}" "${seen[new]}"
check test "${seen[new]}" -ge 3

# ---- a full disk: reported, the old file stays, and no change is pending ----
fault=FAULT_FROM
for call in write fsync; do
  for ((nth = 1; ; nth += call_step)); do
    apply_ended "$call" "$nth"
    ((hit)) || break
    # After the rename only writes to the log, which may fail silently, and the flush of the folder follow.
    [[ $status == [08] ]] || fail "apply, $call $nth and all behind it fail: status $status: $(cat stderr)"
    old_or_new "$call" "$nth"
  done
  old_or_new "$call" none
done
expect_equal 'unfinished files' "$(find "$state" -name '*.tmp')" ''

# ---- opensm ends when it reads the file: the old file is active again, and apply reports this ----
opensm_gone() {
  in_fabric "$dir" "$host" "$deploy" apply new.lft old.topo --state "$state" --confirm-within 60s --patience 2 --reload "kill -KILL $opensm_pid"
}
expect 7 'was reverted: .*opensm did not read the previous file' opensm_gone
same_entries "$state/active.lft" old.lft
check test ! -e "$state/pending"
