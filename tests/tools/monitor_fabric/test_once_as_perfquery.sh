#!/usr/bin/env bash
# `once --json` and the stock perfquery print the same values for ports whose counters were set at ibsim's console.
# usage: test_once_as_perfquery.sh [PORTS]    number of ports of the leaves, at random; default 24 of 28
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without perfquery
ports=${1:-24}
leaves=4
((ports <= 28)) || leaves=$((ports / 7 + 2))

make_tree "$leaves" 2 3 2 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"

# ---- random counters, below their largest values ----
RANDOM=7
random_below() { printf '%s\n' "$(((RANDOM << 45 | RANDOM << 30 | RANDOM << 15 | RANDOM) % $1))"; }
declare -A limit=([SymbolErrorCounter]=65535 [LinkErrorRecoveryCounter]=255 [LinkDownedCounter]=255 [PortRcvErrors]=65535
  [PortRcvRemotePhysicalErrors]=65535 [PortRcvSwitchRelayErrors]=65535 [PortXmitDiscards]=65535 [PortXmitConstraintErrors]=255
  [PortRcvConstraintErrors]=255 [LocalLinkIntegrityErrors]=15 [ExcessiveBufferOverrunErrors]=15 [VL15Dropped]=65535
  [PortXmitWait]=4294967295)
declare -A wide_limit=([PortXmitData]=1000000000000 [PortRcvData]=1000000000000 [PortXmitPkts]=1000000000000
  [PortRcvPkts]=1000000000000 [PortUnicastXmitPkts]=1000000000000 [PortUnicastRcvPkts]=1000000000000)
for ((leaf = 0; leaf < leaves; leaf++)); do
  for ((port = 1; port <= 7; port++)); do
    for counter in "${!limit[@]}"; do
      printf 'PerformanceSet "L%d"[%d] PortCounters.%s=%d\n' "$leaf" "$port" "$counter" "$(random_below "${limit[$counter]}")"
    done
    for counter in "${!wide_limit[@]}"; do
      printf 'PerformanceSet "L%d"[%d] PortCountersExtended.%s=%d\n' "$leaf" "$port" "$counter" \
        "$(random_below "${wide_limit[$counter]}")"
    done
  done
done >settings
set_counters "$dir" "$scratch/settings"

in_fabric "$dir" H0 "$monitor" once --interval 0.1 --json >ports.json
expect_equal 'requested ports' "$(jq '.sweep.asked' ports.json)" "$((leaves * (7 + 4 + 3)))"
expect_equal 'ports that answered' "$(jq '.sweep.answered' ports.json)" "$((leaves * (7 + 4 + 3)))"

# ---- field by field ----
# Data and packet counters rise by less than a megabyte, because perfquery's own requests are counted.
jq -r '.ports[] | select(.name | startswith("L")) | . as $p | [.lid, .port] + ([
    ["SymbolErrorCounter", "symbol_errors"], ["LinkErrorRecoveryCounter", "link_error_recoveries"],
    ["LinkDownedCounter", "link_downed"], ["PortRcvErrors", "receive_errors"],
    ["PortRcvRemotePhysicalErrors", "receive_remote_physical_errors"],
    ["PortRcvSwitchRelayErrors", "receive_switch_relay_errors"], ["PortXmitDiscards", "transmit_discards"],
    ["PortXmitConstraintErrors", "transmit_constraint_errors"], ["PortRcvConstraintErrors", "receive_constraint_errors"],
    ["LocalLinkIntegrityErrors", "local_link_integrity_errors"],
    ["ExcessiveBufferOverrunErrors", "excessive_buffer_overruns"], ["VL15Dropped", "vl15_dropped"],
    ["PortXmitWait", "transmit_wait"], ["PortXmitData", "transmit_bytes"], ["PortRcvData", "receive_bytes"],
    ["PortXmitPkts", "transmit_packets"], ["PortRcvPkts", "receive_packets"],
    ["PortUnicastXmitPkts", "unicast_transmit_packets"], ["PortUnicastRcvPkts", "unicast_receive_packets"]
  ] | map("\(.[0])=\($p.counters[.[1]])")) | join(" ")' ports.json | sort | shuf -n "$ports" --random-source=<(yes) >ours
compared=0
while read -r lid port fields; do
  {
    in_fabric "$dir" H0 perfquery "$lid" "$port"
    in_fabric "$dir" H0 perfquery -x "$lid" "$port" | sed 's/^/x/'
  } 2>/dev/null | sed 's/:\.*/ /' >theirs
  for field in $fields; do
    name=${field%=*} value=${field#*=}
    case $name in
      Port*Data | Port*Pkts)
        found=$(awk -v name="x$name" '$1 == name { print $2 }' theirs)
        [[ $name != *Data ]] || found=$((found * 4))
        ((found >= value && found - value < 1000000)) || fail "LID $lid port $port: $name is $value, perfquery says $found"
        ;;
      *)
        found=$(awk -v name="$name" '$1 == name { print $2 }' theirs)
        expect_equal "LID $lid port $port: $name" "$value" "$found"
        ;;
    esac
    ((++compared))
  done
done <ours
((compared >= 19 * ports)) || fail "only $compared fields compared"
printf '%d fields of %d ports are those of perfquery\n' "$compared" "$(wc -l <ours)"
