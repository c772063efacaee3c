#!/usr/bin/env bash
# A relay records the order in which a stock opensm writes its tables after a link was lost and after it returned. The results of
# reroute_impact for this order must be those of a naive program, which follows every pair of hosts after every write, with the
# entries that were sent.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/../../../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover jq python3
cd "$scratch"
impact=$PSSP_BUILD_DIR/bin/reroute_impact recorder=$PSSP_BUILD_DIR/tests/mad_recorder
[[ -x $recorder ]] || skip 'mad_recorder is not built'

make_tree 4 3 3 1 >tree.net
dir=$scratch/fabric
start_simulation_with_console "$dir" "$scratch/tree.net"
ibsim_name=$(<"$dir/state/socket")
start_child "$recorder" --log "$scratch/requests" --table-writes "$scratch/writes" --timeout 200 "$ibsim_name" "$ibsim_name-relay" 2>recorder.err
eventually has_socket "$ibsim_name-relay"
printf '%s\n' "$ibsim_name-relay" >"$dir/state/socket"
start_opensm "$dir" ftree
printf '%s\n' "$ibsim_name" >"$dir/state/socket"
host=$(<"$dir/state/host")

# compare BEFORE AFTER COMMAND: lets ibsim execute the command and opensm sweep, and compares the results of both programs.
compare() {
  local known
  known=$(wc -l <writes)
  printf '%s\n' "$3" >&"$console"
  sweep_again "$dir"
  take "$dir" "$host" "$2"
  tail -n "+$((known + 1))" writes >new_writes
  python3 "$PSSP_SOURCE_DIR/tests/tools/reroute_impact/live/naive_replay.py" "$host" "$1.lft" "$2.lft" "$2.topo" new_writes order >naive.json
  check test -s order
  "$impact" "$1.lft" "$2.lft" "$1.topo" --after-topology "$2.topo" --order order --json >impact.json
  expect_equal "$3" "$(jq -cS '.in_between[0] | {no_route, loop}' impact.json)" "$(jq -cS . naive.json)"
}
take "$dir" "$host" start
compare start lost 'Unlink "L0"[4]'
check jq -e '.no_route.at_first > 0' naive.json
compare lost back 'Link "L0"[4] "S0"[1]'
check jq -e '.no_route.at_first == 0' naive.json
