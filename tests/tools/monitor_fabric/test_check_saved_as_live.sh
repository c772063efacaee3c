#!/usr/bin/env bash
# `check --totals` gives the same verdicts for counters read from a simulated fabric and for the same counters saved as ibdiagnet saves them.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"

make_tree 3 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
printf '%s\n' PortXmitWait=1000 >thresholds
cat >settings <<'END'
PerformanceSet "L0"[1] PortCounters.SymbolErrorCounter=10
PerformanceSet "L1"[2] PortCounters.LinkDownedCounter=255
PerformanceSet "L2"[4] PortCounters.PortRcvErrors=65535
PerformanceSet "H3"[1] PortCounters.VL15Dropped=1
PerformanceSet "S1"[2] PortCounters.PortXmitWait=1001
PerformanceSet "S0"[2] PortCounters.PortXmitWait=1000
END
set_counters "$dir" "$scratch/settings"
status=0
in_fabric "$dir" H0 "$monitor" check --totals --thresholds thresholds --json >live.json || status=$?
expect_equal 'status of the fabric' "$status" 7
in_fabric "$dir" H0 "$monitor" once --interval 0.1 --json >ports.json
stop_simulation "$dir"

# Writes ibdiagnet2.db_csv from the output of `once`; ibsim counts in the fields of PortCounters, 4xSDR.
jq -r '
  def columns: {symbol_errors: "SymbolErrorCounter", link_error_recoveries: "LinkErrorRecoveryCounter", link_downed: "LinkDownedCounter",
    receive_errors: "PortRcvErrors", vl15_dropped: "VL15Dropped", transmit_wait: "PortXmitWait"};
  (.ports | map({name, guid, kind, lid}) | unique_by(.guid)) as $nodes |
  "START_NODES", "NodeDesc,NumPorts,NodeType,NodeGUID",
  (.ports | group_by(.guid)[] | "\"\(.[0].name)\",\(map(.port) | max),\(if .[0].kind == "switch" then 2 else 1 end),\(.[0].guid)"),
  "END_NODES", "START_PORTS", "NodeGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv,PortPhyState,PortState",
  ($nodes[] | select(.kind == "switch") | "\(.guid),0,\(.lid),0,0,5,4"),
  (.ports[] | "\(.guid),\(.port),\(if .kind == "switch" then 0 else .lid end),2,1,5,4"),
  "END_PORTS", "START_LINKS", "NodeGuid1,PortNum1,NodeGuid2,PortNum2",
  (.ports[] | select(.peer) | "\(.guid),\(.port),\(.peer.guid),\(.peer.port)"),
  "END_LINKS", "START_PM_INFO", "NodeGUID,PortNumber,\([columns[]] | join(","))",
  (.ports[] | .counters as $c | "\(.guid),\(.port),\([columns | keys_unsorted[] | $c[.] // "N/A"] | join(","))"),
  "END_PM_INFO"' ports.json >saved

status=0
"$monitor" check --totals --thresholds thresholds --json --from saved >saved.json || status=$?
expect_equal 'status of the file' "$status" 7
expect_equal 'bad ports' "$(jq '[.verdicts[] | select(.level == "bad")] | length' live.json)" 5
expect_same live.json saved.json
