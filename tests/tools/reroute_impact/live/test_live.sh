#!/usr/bin/env bash
# reroute_impact --live beside a stock opensm that loses a link and gets it back. The results must be those of the tables dumped
# before and after the change. A relay between the program and the fabric must see only Get requests.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/../../../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover jq
cd "$scratch"
impact=$PSSP_BUILD_DIR/bin/reroute_impact recorder=$PSSP_BUILD_DIR/tests/mad_recorder
[[ -x $recorder ]] || skip 'mad_recorder is not built'
! grep -q 'without access to fabrics' < <("$impact" --live --for 0.1 --Ca no_such_adapter 2>&1) || skip 'built without the monitor'

make_tree 4 3 3 1 >tree.net
dir=$scratch/fabric
start_simulation_with_console "$dir" "$scratch/tree.net"
start_opensm "$dir" minhop

# change COMMAND: lets ibsim execute the command, and triggers a sweep of opensm.
change() {
  printf '%s\n' "$1" >&"$console"
  sweep_again "$dir"
}
take "$dir" H0 before

# The watcher connects to the relay, opensm does not.
ibsim_name=$(<"$dir/state/socket")
start_child "$recorder" --log "$scratch/requests" --timeout 100 "$ibsim_name" "$ibsim_name-relay" 2>recorder.err
recorder_pid=$child_pid
eventually has_socket "$ibsim_name-relay"

# watch OUTPUT OPTION...: starts the watcher; sets watcher (its process) and waiter (the process that started it).
watch() {
  local output=$1 below
  shift
  : >"$output.err"
  printf '%s\n' "$ibsim_name-relay" >"$dir/state/socket"
  in_fabric "$dir" H0 "$impact" --live "$@" >"$output" 2>"$output.err" &
  waiter=$!
  eventually grep -q 'watching' "$output.err"
  printf '%s\n' "$ibsim_name" >"$dir/state/socket"
  watcher=$waiter
  while below=$(pgrep -P "$watcher"); do watcher=$below; done
}
end_watch() {
  kill -INT "$watcher"
  wait "$waiter" || fail "the watcher ended with status $?: $(tail -n 3 ./*.err)"
}
# as_offline BEFORE AFTER FLOWS.JSON: the numbers of flows must be those of the dumps.
as_offline() {
  "$impact" "$1.lft" "$2.lft" "$1.topo" --after-topology "$2.topo" --json >offline.json
  expect_equal "flows $1 to $2" "$(jq -c '.flows | {all, same, moved, longer, lost, gained, unrouted}' "$3")" \
    "$(jq -c '.flows | {all, same, moved, longer, lost, gained, unrouted}' offline.json)"
  expect_equal "tables $1 to $2" "$(jq -c .tables "$3")" "$(jq -c .tables offline.json)"
  check jq -e '.flows.moved > 0' offline.json
}

# ---- a link is removed; JSON output, with jobs ----
printf '{"id": "hit", "nodes": ["H[0-4]"]}\n{"id": "inside", "nodes": ["H3", "h4.site"]}\n' >jobs.list
watch lost.json --json --jobs jobs.list
change 'Unlink "L0"[4]'
eventually grep -q 'reroute: ' lost.json.err
end_watch
take "$dir" H0 after
jq '.reroutes[0]' lost.json >reroute.json
as_offline before after reroute.json
check jq -e '(.reroutes | length) == 1 and .resolution.mean_ms > 0 and .switches == 7' lost.json
check jq -e '.over and .first_ms >= 0 and .last_ms >= .first_ms and (.changes | length) >= .tables.blocks' reroute.json
check jq -e '.no_route.at_first > 0 and .no_route.longest_ms > 0 and .snapshots[-1].no_route == 0' reroute.json
check jq -e '.errors == [] and [.jobs[].id] == ["hit"] and .jobs[0].flows.moved > 0' reroute.json

# ---- the link returns; text output ----
watch back.txt
change 'Link "L0"[4] "S0"[1]'
eventually grep -q '^reroute: ' back.txt
end_watch
take "$dir" H0 back
"$impact" after.lft back.lft after.topo --after-topology back.topo --json >offline.json
expect_line back.txt "moved: another path +$(jq .flows.moved offline.json) "
expect_line back.txt '^ +[0-9.]+ s  [LS][0-9]: block 0, [0-9]+ entries'
expect_line back.txt '^watched for [0-9.]+ s: 7 switches with 7 blocks; a block was read again after'
expect_line back.txt 'counted during the reroute: 0 XmitDiscards, 0 RcvErrors'

end_process "$recorder_pid"
check test "$(wc -l <requests)" -gt 200
expect_equal 'MADs that are not a Get' "$(awk '$2 != "01"' requests | sed -n 1,3p)" ''
