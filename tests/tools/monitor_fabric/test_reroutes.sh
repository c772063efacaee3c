#!/usr/bin/env bash
# The daemon in a fabric whose stock opensm routes around a failed link: the reroute is in the interface, in the events and in the database,
# with the same counts as reroute_impact computes offline.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl ibnetdiscover

make_tree 4 3 3 1 >tree.net
dir=$scratch/fabric
start_simulation_with_console "$dir" "$scratch/tree.net"
start_opensm "$dir" minhop
take "$dir" H0 before

printf '[sweep]\ninterval_s = 1\ndiscovery_interval_s = 1\ntables_interval_s = 2\n[server]\nlisten = 127.0.0.1:0\n' >serve.conf
total_is() { [[ $(curl -sf "$url/api/v1/reroutes" | tee reroutes.json | jq .total) == "$1" ]]; }

serve "$dir" H0 --config serve.conf --database history.sqlite
total_is 0 || fail "a reroute before the first change: $(<reroutes.json)"
# The tables are read during the first sweep.
sweep_is() { (($(curl -sf "$url/api/v1/status" | jq .sweep) >= $1)); }
eventually sweep_is 3
printf 'Unlink "L0"[4]\n' >&"$console"
sweep_again "$dir"
eventually total_is 1
take "$dir" H0 after
"$PSSP_BUILD_DIR/bin/reroute_impact" before.lft after.lft before.topo --after-topology after.topo --json >offline.json
numbers='{entries, blocks, switches, flows, moved, longer, lost, gained}'
expect_equal 'the reroute' "$(jq -c ".reroutes[0] | $numbers" reroutes.json)" \
  "$(jq -c '.tables + (.flows | {flows: .all, moved, longer, lost, gained}) | {entries, blocks, switches, flows, moved, longer, lost, gained}' offline.json)"
check jq -e '.reroutes[0] | .moved > 0 and .end >= .time and .jobs == []' reroutes.json
expect_line said 'rerouted: routes changed: [1-9][0-9,]* table entries in [1-9][0-9,]* blocks'
check test "$(curl -sf "$url/api/v1/events?kind=rerouted" | jq .total)" = 1

# ---- the reroute is still listed after a restart ----
cp reroutes.json first.json
end_daemon
serve "$dir" H0 --config serve.conf --database history.sqlite
total_is 1 || fail "forgotten: $(<reroutes.json)"
expect_equal 'the reroute after a restart' "$(jq -c '.reroutes' reroutes.json)" "$(jq -c '.reroutes' first.json)"
expect 0 'rerouted' "$monitor" events --database history.sqlite
end_daemon
