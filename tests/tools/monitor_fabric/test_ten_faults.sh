#!/usr/bin/env bash
# Ten faults, one after the other, in a fabric with opensm. Each fault must cause one incident, one alert of a real Prometheus and one call of
# the webhook, and nothing else; all of them end when the fault is repaired. A killed monitor causes only an alert. The speed of the machine
# does not matter: error counters rise with each reading, and the requests of the monitor wait while opensm routes around a change.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl python3 prometheus sqlite3 ibnetdiscover

make_tree 4 2 3 2 | sed 's/^\[.*/&\t# 4xQDR/' >tree.net
dir=$scratch/fabric
start_simulation_with_console "$dir" "$scratch/tree.net"
start_opensm "$dir" minhop
in_fabric "$dir" H0 ibnetdiscover >plan.topo 2>null
# lid_of NAME: prints the LID of a node from opensm's dump of the tables.
lid_of() {
  local lid
  lid=$(sed -n "s/.* of switch Lid \([0-9]*\) guid .*('$1').*/\1/p" "$dir/osm/opensm-lfts.dump")
  [[ -n $lid ]] || lid=$((16#$(sed -n "s/^0x\([0-9A-Fa-f]*\) .*: '$1'.*/\1/p" "$dir/osm/opensm-lfts.dump" | sed -n 1p)))
  printf '%d\n' "$lid"
}
record "$scratch/requests" --timeout 100 --tick 0 --port-info "$scratch/port_info" --counters "$scratch/counters" --silent "$scratch/silent" \
  --hold-while "$scratch/hold"

echo take >mode
: >calls
# shellcheck disable=SC2119  # without a certificate
begin_hook
address=127.0.0.1:$(free_ports 1)
trap 'end_hook 2>"$scratch/null"; end_prometheus 2>"$scratch/null"; end_all' EXIT
# Short windows, so that verdicts on errors end soon. The relay decides which nodes do not answer, so the timeout can be long.
cat >serve.conf <<END
[server]
listen = $address
[fabric]
window = 8
timeout_ms = 60000
[sweep]
interval_s = 1
discovery_interval_s = 1
[cabling]
plan_file = $scratch/plan.topo
[notifications]
webhook = http://127.0.0.1:$hook_port/hook
delay_s = 1
[verdicts]
short_window_s = 1
long_window_s = 1
flaps_s = 1
END
begin_daemon() { serve "$dir" H0 --config serve.conf --database history.sqlite; }
begin_daemon
# The shipped rules with shorter periods. A loaded machine may miss several scrapes in a row.
sed -E 's/^( *for): [1-9].*/\1: 1s/; s/^( *keep_firing_for): .*/\1: 0s/; /alert: FabricMonitorDown/,/for:/s/for: .*/for: 8s/' \
  "$PSSP_SOURCE_DIR/monitor/grafana/pssp-alerts.yml" >rules.yml
begin_prometheus "$address" "$scratch/rules.yml"

# ---- functions that list incidents, alerts and calls ----
incidents() {
  ask incidents | jq -r '
    def place: if .port then "\(.name) port \(.port)" else .name end;
    [(.faults[] | "\([.end, .peer | values | place] | join(" - ")): \(.kind)"), (.congestion[] | "congestion: \(.summary)")] | join("; ")'
}
# alerts_of EXPRESSION: prints names and locations of alerts.
alerts_of() { query "$1" | jq -r '[.data.result[].metric | [.alertname, .node, .port | values] | join(" ")] | unique | join("; ")'; }
# Alerts since the last fault was repaired. Late sweeps on a loaded machine are not a fault.
alerts_since_then() { alerts_of "max_over_time(ALERTS{alertstate=\"firing\",alertname!=\"FabricMonitorLate\"}[$(($(date +%s) - begun))s])"; }
# The kind is the one that the fault had in its first notification.
calls() { jq -r '.body | "\(.status) \(.text)"' calls | sed 's/ cleared: / /; s/: .*//' | paste -sd ';'; }
incidents_are() { [[ $(incidents) == "$1" ]]; }
alerts_are() { [[ $(alerts_of 'ALERTS{alertstate="firing",alertname!="FabricMonitorLate"}') == "$1" ]]; }
calls_are() { [[ $(calls) == "$1" ]]; }
# fault NAME ALERT INCIDENT: waits until the injected fault has caused exactly this alert and this incident.
fault() {
  name=$1 alert=$2 place=${3%: *}
  eventually incidents_are "$3"
  eventually alerts_are "$2"
  eventually calls_are "opened $place"
}
# repaired: waits until the fault is over, and checks that there was no other one.
repaired() {
  eventually incidents_are ''
  eventually alerts_are ''
  eventually calls_are "opened $place;cleared $place"
  expect_equal "alerts during '$name'" "$(alerts_since_then)" "$alert"
  ignore_earlier_alerts
  printf '%s: %d s\n' "$name" "$SECONDS"
}
# The present second may still have a sample of an alert.
ignore_earlier_alerts() {
  : >calls
  begun=$(($(date +%s) + 1))
}
# rise NODE PORT COUNTER EACH PER_SECOND ...: from now on, these counters rise by EACH with each reading and by PER_SECOND each second.
# Without arguments, no counter rises.
declare -A place_of=([SymbolErrorCounter]='18 32 16' [LinkDownedCounter]='18 56 8' [PortXmitDiscards]='18 112 16' [PortXmitWait]='18 320 32'
  [PortXmitData]='29 64 64')
rise() {
  local place
  : >rising
  for (($#; $# > 0; )); do
    read -r -a place <<<"${place_of[$3]}"
    printf '%d %d %d %d %d %d %d\n' "$(lid_of "$1")" "$2" "${place[@]}" "$4" "$5" >>rising
    shift 5
  done
  mv rising counters
}
# change COMMANDS: runs commands on ibsim's console. The requests of the monitor wait until opensm has routed around the change.
change() {
  touch hold
  eventually test -e hold.on
  sweep_after_change "$dir" "$1"
  rm hold
  eventually is_released
}
is_released() { [[ ! -e hold.on ]]; }

begun=$(date +%s)
sweeps_pass 3
expect_equal 'a fabric without faults' "$(incidents)$(alerts_since_then)$(calls)" ''

# ---- counters ----
cable='L1 port 5 - S0 port 4'
rise L1 5 SymbolErrorCounter 50 0
fault 'symbol errors' 'FabricSymbolErrors L1 5' "$cable: errors"
rise
repaired
rise S0 4 PortXmitDiscards 200 0
fault discards 'FabricDiscards S0 4' "$cable: errors"
rise
repaired
# Both ends of a link count that it goes down.
rise L1 5 LinkDownedCounter 4 0 S0 4 LinkDownedCounter 4 0
fault flapping 'FabricLinkFlaps L1 5' "$cable: errors"
rise
repaired
# Host H1 fills a link of its leaf to nine tenths of the rate of 4xQDR, and then also waits half of the time.
rise L0 4 PortXmitData 0 900000000
sweeps_pass 4
rise L0 4 PortXmitData 0 900000000 H1 1 PortXmitData 0 10000000 H1 1 PortXmitWait 0 10000000
fault 'a saturated link' 'FabricCongestion S0 0' 'congestion: 1 link to S0 is saturated (1 host waiting)'
rise
repaired

# ---- the monitor itself ----
# Sent notifications are in the history, so that they are not sent again.
nothing_is_open() { [[ -z $(sqlite3 history.sqlite 'SELECT * FROM notified') ]]; }
eventually nothing_is_open
builtin kill -KILL "$daemon"
wait "$waiter" 2>null || true
eventually alerts_are FabricMonitorDown
begin_daemon
eventually alerts_are ''
expect_equal 'alerts of a dead monitor' "$(alerts_since_then)" FabricMonitorDown
expect_equal 'calls of a dead monitor' "$(calls)" ''
ignore_earlier_alerts

# ---- states ----
change 'Unlink "L1"[5]'
fault down 'FabricLinkDown L1 5' "$cable: link_down"
change 'ReLink "L1"[5]'
repaired
# PortInfo of a host: one lane is active; the active speed is SDR (the enabled ones are SDR to QDR).
echo "$(lid_of H7) 31 1" >port_info
fault width 'FabricWidth H7 1' 'H7 port 1 - L2 port 2: width'
rm port_info
repaired
echo "$(lid_of H7) 35 $((0x17))" >port_info
fault speed 'FabricSpeed H7 1' 'H7 port 1 - L2 port 2: speed'
rm port_info
repaired
lid_of L3 >silent
fault 'a silent switch' 'FabricNodeSilent L3 0' 'L3: not_responding'
rm silent
repaired
# exchange FIRST SECOND: the ports of leaf L1 that hosts H3 and H4 are cabled to.
exchange() {
  change "$(printf 'Unlink "H3"[1]\nUnlink "H4"[1]\nLink "H3"[1] "L1"[%d]\nLink "H4"[1] "L1"[%d]' "$1" "$2")"
}
exchange 2 1
fault 'two swapped cables' 'FabricCabling H3 1' 'H3 port 1 - L1 port 2: cabling'
exchange 1 2
repaired
end_daemon
