#!/usr/bin/env bash
# Rollback of deploy_tables if opensm was restarted, has ended or is reloaded by a command, if the adapter's device hangs, and
# with node names that look like other formats. Until the switches were read back and hold the previous tables, `pending` remains,
# status is 7 and says so, and the next call completes the rollback.
# shellcheck source=tests/tools/deploy_tables/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
deploy=$PSSP_BUILD_DIR/bin/deploy_tables
[[ -x $deploy ]] || skip 'deploy_tables is not built'

# Whatever the umask is, other users can neither read nor write the state.
umask 0
active_old_tables
chmod go-w "$state/active.lft"
nothing_pending() { [[ ! -e $state/pending ]]; }
has_ended() { ! is_running "$1"; }
timer_of() { sed -n 's/^timer process \([0-9]*\) .*/\1/p' "$state/pending"; }
# restart OPTION...: restarts opensm with these additional options; it reads the active file.
restart() {
  end_process "$opensm_pid"
  start_opensm "$dir" file -U "$state/active.lft" "$@"
}
apply() { run 0 'all switches hold' apply new.lft old.topo --confirm-within "$@"; }

# ---- files are private; a link in place of an output file is refused ----
printf 'not to be touched\n' >victim
cp victim victim.before
ln -s "$scratch/victim" "$state/next.lft"
run 8 'next.lft: it is a symbolic link' apply new.lft old.topo --confirm-within 60s --opensm-pid "$opensm_pid"
expect_same victim victim.before
rm "$state/next.lft"

# ---- opensm is restarted while a change is pending: its command line identifies the new process ----
apply 60s --opensm-pid "$opensm_pid"
expect_equal 'files that others can use' "$(find "$state" ! -name active.lft -perm /077 | sort)" ''
restart
check in_switches "$dir" new.lft
run 0 'is not confirmed; it is reverted at' status
run 0 'the previous tables are in force' back-out
went_back

# The same for the timer, and for a back-out that names the earlier process.
apply 5s --opensm-pid "$opensm_pid"
restart
eventually nothing_pending
went_back
apply 60s --opensm-pid "$opensm_pid"
before=$opensm_pid
restart
run 0 'the previous tables are in force' back-out --opensm-pid "$before"
went_back

# ---- opensm is restarted with another command line: the change stays pending until its process is named ----
apply 60s --opensm-pid "$opensm_pid"
restart -t 2001
run 7 "opensm .process [0-9]*. has ended since the tables were applied, .*--opensm-pid.*the switches hold other tables: .*run pssp deploy back-out again" back-out
same_entries "$state/active.lft" old.lft
run 7 'change .* is being reverted, and the switches may still hold its tables' status
run 7 '"phase": ?"going_back"' status --json
run 7 'cannot be confirmed: it was interrupted' confirm
run 2 'was interrupted .going_back.: run pssp deploy back-out to finish it' apply new.lft old.topo --confirm-within 60s --opensm-pid "$opensm_pid"
run 7 'has ended since the tables were applied' back-out --unconfirmed any
check in_switches "$dir" new.lft
run 0 'the previous tables are in force' back-out --opensm-pid "$opensm_pid"
went_back
restart

# ---- opensm is gone when confirmed tables are taken back ----
apply 60s --opensm-pid "$opensm_pid"
run 0 'is confirmed' confirm
end_process "$opensm_pid"
run 7 'process [0-9]*: .*; the switches hold other tables' back-out --opensm-pid "$opensm_pid"
run 7 'is being reverted' status
start_opensm "$dir" file -U "$state/active.lft"
run 0 'the previous tables are in force' back-out --opensm-pid "$opensm_pid"
went_back
# The switches already hold the previous tables, as after a boot, so opensm need not be told.
run 2 'no previous tables' back-out --opensm-pid "$opensm_pid"

# ---- reload by a command: it is in the timer's command line and not read from a file ----
# shellcheck disable=SC2016  # the command's
printf 'printf "x\\n" >>"%s/reloads"; kill -HUP "$1"\n' "$scratch" >reload.sh
apply 5s --reload "sh $scratch/reload.sh $opensm_pid" --opensm-log "$dir/opensm.log"
expect_equal 'commands in the state folder' "$(grep -rl reload.sh "$state" || true)" ''
eventually nothing_pending
went_back
expect_equal 'commands that were run' "$(wc -l <reloads)" 2
apply 60s --reload "sh $scratch/reload.sh $opensm_pid" --opensm-log "$dir/opensm.log"
printf 'reload touch %s/executed\n' "$scratch" >>"$state/pending"
# shellcheck disable=SC2016  # no variable of ours
sed -i '/^end$/d; $aend' "$state/pending"
run 7 'whose command is not stored; give it again with --reload' back-out
run 7 'is being reverted' status
run 0 'the previous tables are in force' back-out --reload "sh $scratch/reload.sh $opensm_pid"
went_back
check test ! -e executed

# ---- the device hangs in open(): gives up after a timeout, releases the lock, and keeps the pending change ----
if [[ -e $shim ]]; then
  apply 60s --opensm-pid "$opensm_pid"
  attach_to "$dir"
  # shellcheck disable=SC2016  # the inner shell's
  start_child "${in_simulation[@]/#SIM_HOST=*/SIM_HOST=$host}" sh -c \
    'exec env LD_PRELOAD="$0 $LD_PRELOAD" FAULT_CALL=open FAULT_NTH=1 FAULT_HANG=1 FAULT_ALONE=1 FAULT_KEEP_PRELOAD=1 FAULT_CALLER=libibumad FAULT_HIT="$1" "$2" back-out --state "$3"' \
    "$shim" "$scratch/hit" "$deploy" "$state" >hung.out 2>hung.err
  hung=$child_pid
  eventually test -e hit
  run 7 'is being reverted' status
  run 8 'process [0-9]* is changing the deployed tables' back-out
  eventually has_ended "$hung"
  expect_line hung.err 'was not open after 20 s: its device hangs'
  run 7 'is being reverted' status
  run 0 'the previous tables are in force' back-out
  went_back
fi

# ---- guard ended while it removed the tables, and while it deployed repaired ones ----
interrupted_guard() {
  printf 'deploy_tables: unconfirmed change, version 1\nphase %s\nid 000009_x\nprevious \nend\n' "$1" >"$state/pending"
  chmod 600 "$state/pending"
  run 7 "guard was interrupted while it $2, and the switches may hold other tables" status
  run 2 'run pssp deploy guard, or back-out, to finish it' apply new.lft old.topo --confirm-within 60s --opensm-pid "$opensm_pid"
  run 0 '' back-out --unconfirmed any
  check test -e "$state/pending"
}
interrupted_guard handing_over 'deployed repaired tables'
in_fabric "$dir" "$host" "$deploy" guard --state "$state" --opensm-pid "$opensm_pid" 2>guard.err &
guard=$!
eventually grep -q 'watching the fabric for the tables' guard.err
kill "$(pgrep -P "$guard" -f deploy_tables || echo "$guard")"
wait "$guard" || true
went_back
interrupted_guard falling_back 'removed the tables'
run 0 'the tables were moved to .*routes with minhop' guard --opensm-pid "$opensm_pid"
run 0 'guard moved the tables to aside.lft' status
check test ! -e "$state/pending"
end_process "$opensm_pid"
stop_simulation "$dir"
