#!/usr/bin/env bash
# `check --totals` and the stock ibqueryerrors name the same ports; `check` sees what counts, and nothing else.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without ibqueryerrors

make_tree 3 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"

# ---- nothing is wrong ----
in_fabric "$dir" H0 "$monitor" check --interval 0.1 >check.txt || fail "status $? of a good fabric: $(<check.txt)"
expect_line check.txt '^0 bad, 0 to watch, 0 unknown; 24 of 24 ports answered$'

# ---- totals ----
printf '%s\n' '# thresholds' SymbolErrorCounter=10 LinkDownedCounter=3 PortRcvErrors=5 PortXmitWait=1000 >thresholds
cat >settings <<'END'
PerformanceSet "L0"[1] PortCounters.SymbolErrorCounter=10
PerformanceSet "L0"[3] PortCounters.SymbolErrorCounter=11
PerformanceSet "L1"[2] PortCounters.LinkDownedCounter=255
PerformanceSet "L2"[4] PortCounters.PortRcvErrors=6
PerformanceSet "H3"[1] PortCounters.VL15Dropped=1
PerformanceSet "S1"[2] PortCounters.PortXmitWait=1001
PerformanceSet "S0"[2] PortCounters.PortXmitWait=1000
END
set_counters "$dir" "$scratch/settings"
status=0
in_fabric "$dir" H0 "$monitor" check --totals --thresholds thresholds --json >totals.json || status=$?
expect_equal 'status of bad totals' "$status" 7
jq -r '.verdicts[] | "\(.name) \(.port)"' totals.json | sort -u >ours
in_fabric "$dir" H0 ibqueryerrors --skip-sl --threshold-file thresholds >errors.txt 2>qe.err || true
# A heading names the node, lines below it its ports; port ALL sums them up.
awk '/^Errors for/ { split($0, part, "\""); name = part[2] }
  /GUID 0x[0-9a-f]+ port [0-9]+:/ { sub(":", "", $4); print name, $4 }' errors.txt | sort -u >theirs
expect_equal 'ports by ibqueryerrors' "$(wc -l <theirs)" 5
expect_same ours theirs

# ---- what counts between two sweeps ----
in_fabric "$dir" H0 "$monitor" check --interval 2 --json >check.json &
checking=$!
sleep 1
printf '%s\n' 'PerformanceSet "L0"[4] PortCounters.PortRcvErrors=40' 'PerformanceSet "L2"[1] PortCounters.PortRcvRemotePhysicalErrors=7' >settings
set_counters "$dir" "$scratch/settings"
status=0
wait "$checking" || status=$?
expect_equal 'status of a bad port' "$status" 7
expect_equal 'the worst' "$(jq -r '.verdicts[0] | "\(.level) \(.name) \(.port) \(.what) \(.value)"' check.json)" 'bad L0 4 receive_errors 40'
expect_equal 'to watch' "$(jq -r '[.verdicts[] | select(.level == "watch") | .name + .what] | join(" ")' check.json)" \
  L2receive_remote_physical_errors
# L1's counter is full.
expect_equal 'unknown' "$(jq -r '[.verdicts[] | select(.level == "unknown") | .name + .what] | join(" ")' check.json)" L1link_downed

status=0
in_fabric "$dir" H0 "$monitor" check --totals --thresholds thresholds --nagios >nagios.txt || status=$?
expect_equal 'status for Nagios' "$status" 2
expect_line nagios.txt '^FABRIC CRITICAL - 7 bad'

printf 'Nonsense=1\n' >thresholds
status=0
in_fabric "$dir" H0 "$monitor" check --totals --thresholds thresholds >out 2>err || status=$?
expect_equal 'status of a wrong file' "$status" 3
expect_line err 'thresholds:1: '
