#!/usr/bin/env bash
# deploy_tables apply and back-out without readers of their output (a closed terminal, `2>&1 | head`): the change is completed, or
# the timer reverts it. Their output consists only of messages, which do not affect the status and are also in the log.
# shellcheck source=tests/tools/deploy_tables/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
deploy=$PSSP_BUILD_DIR/bin/deploy_tables
[[ -x $deploy ]] || skip 'deploy_tables is not built'

active_old_tables
open_lost_pipe

# unheard STATUS COMMAND...: runs a command whose outputs have no reader.
unheard() {
  local status=0 expected=$1
  shift
  in_fabric "$dir" "$host" "$deploy" "$@" --state "$state" --opensm-pid "$opensm_pid" >&9 2>&9 || status=$?
  expect_equal "status of deploy_tables $1 without a reader" "$status" "$expected"
}
nothing_pending() { [[ ! -e $state/pending ]]; }

unheard 0 apply new.lft old.topo --confirm-within 20s
check in_switches "$dir" new.lft
check test -e "$state/pending"
eventually nothing_pending
same_entries "$state/active.lft" old.lft
eventually in_switches "$dir" old.lft
expect_line "$state/log" 'all switches hold the new tables'
# The log gets this line after the change is no longer pending.
eventually grep -q 'the previous tables are in force' "$state/log"

unheard 0 apply new.lft old.topo --confirm-within 60s
check in_switches "$dir" new.lft
unheard 0 back-out
check nothing_pending
same_entries "$state/active.lft" old.lft
eventually in_switches "$dir" old.lft

# SIGPIPE ends the command that reloads opensm, which counts as any other failure, so the tables are reverted.
apply_by_a_writer() {
  in_fabric "$dir" "$host" "$deploy" apply new.lft old.topo --state "$state" --confirm-within 60s --patience 2 --reload 'yes >&9' >stdout 2>stderr
}
expect 7 'was reverted: ' apply_by_a_writer
check nothing_pending
same_entries "$state/active.lft" old.lft
