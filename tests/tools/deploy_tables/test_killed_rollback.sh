#!/usr/bin/env bash
# Rollback of deploy_tables, killed at each of its calls that change something (with --all, also at those that open, read and
# close): by a person, by the timer, and of confirmed tables. Afterwards status is 7 and names the change unless the switches hold
# the previous tables, and the next call (back-out, or the unit at boot) completes the rollback.
# shellcheck source=tests/tools/deploy_tables/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
deploy=$PSSP_BUILD_DIR/bin/deploy_tables
[[ -x $deploy ]] || skip 'deploy_tables is not built'
[[ -e $shim ]] || skip 'this build cannot end programs at a call'
call_step=4
[[ ${1:-} != --all ]] || call_step=1

active_old_tables

# new_tables WAY: deploys new tables, which are confirmed or wait for confirmation.
new_tables() {
  run 0 'all switches hold' apply new.lft old.topo --confirm-within 10m --opensm-pid "$opensm_pid"
  [[ $1 != confirmed ]] || run 0 'is confirmed' confirm
}
# rollback WAY: sets words to the call that reverts the tables.
rollback() {
  case $1 in
    person) words=(back-out) ;;
    timer) words=(back-out --unconfirmed "$(sed -n 's/^id //p' "$state/pending")" --wait-until 1) ;;
    confirmed) words=(back-out --opensm-pid "$opensm_pid") ;;
  esac
}

# An incomplete rollback must be reported, and the next call must complete it.
named_and_finished() {
  local place="$1, killed at $2 $3" code=0
  in_fabric "$dir" "$host" "$deploy" status --state "$state" --json >status.json 2>stderr || code=$?
  if jq -e '.pending == null' status.json >/dev/null; then
    # Killed before the first note about confirmed tables, or after the last step.
    if [[ $1 != confirmed ]] || ! in_switches "$dir" new.lft; then
      in_switches "$dir" old.lft || fail "$place: nothing waits, and the switches do not hold the tables of before: $(<status.json)"
    fi
  elif jq -e '.pending.phase == "unconfirmed" and .pending.timer_in_force and .pending.came_about' status.json >/dev/null; then
    expect_equal "$place: status before the way back began" "$code" 0
  else
    expect_equal "$place: status" "$code" 7
    seen=$((seen + 1))
  fi
  # The unit at boot completes what has begun; a person does the rest.
  if ((points % 2 == 0)); then
    in_fabric "$dir" "$host" "$deploy" back-out --unconfirmed any --state "$state" >stdout 2>stderr || fail "$place: back-out --unconfirmed any: $(cat stderr)"
  fi
  if [[ -e $state/pending ]] || in_switches "$dir" new.lft; then
    in_fabric "$dir" "$host" "$deploy" back-out --state "$state" --opensm-pid "$opensm_pid" >stdout 2>stderr || fail "$place: back-out: $(cat stderr)"
  fi
  went_back
  points=$((points + 1))
  ((points % 4 != 0)) || fresh_simulation
}

points=0 seen=0
calls=(rename unlink kill fsync write)
((call_step > 1)) || calls+=(open read close)
for way in person timer confirmed; do
  for call in "${calls[@]}"; do
    # Test each of these calls.
    step=$call_step
    [[ $call != @(rename|unlink|kill) ]] || step=1
    for ((nth = 1; ; nth += step)); do
      new_tables "$way"
      rollback "$way"
      ended "$call" "$nth" "${words[@]}"
      ((hit)) || break
      expect_equal "status at $call $nth ($way)" "$status" 137
      named_and_finished "$way" "$call" "$nth"
    done
    expect_equal "a rollback that was not killed ($way): $(cat stderr)" "$status" 0
    went_back
  done
done
printf '%d points, in %d of which the way back had begun\n' "$points" "$seen"
check test "$seen" -ge 6
