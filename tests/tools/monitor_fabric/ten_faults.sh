#!/usr/bin/env bash
# Ten faults, one after the other, in a fabric with opensm: each is one incident, one alert of a real Prometheus and one call of the webhook,
# and nothing else appears; each ends when the fault is repaired. A monitor that is killed calls nobody: that is an alert alone.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl python3 prometheus sqlite3 ibnetdiscover

make_tree 4 2 3 2 | sed 's/^\[.*/&\t# 4xQDR/' >tree.net
dir=$scratch/fabric
start_simulation_with_console "$dir" "$scratch/tree.net"
start_opensm "$dir" minhop
in_fabric "$dir" H0 ibnetdiscover >plan.topo 2>null
# LIDs, as opensm's dump of the tables has them.
switch_lid=$(sed -n "s/.* of switch Lid \([0-9]*\) guid .*('L3').*/\1/p" "$dir/osm/opensm-lfts.dump")
host_lid=$((16#$(sed -n "s/^0x\([0-9A-Fa-f]*\) .*: 'H7'.*/\1/p" "$dir/osm/opensm-lfts.dump" | sed -n 1p)))
unused_lid=48000
record "$scratch/requests" --timeout 100 --port-info "$scratch/port_info" \
  --exchange "$switch_lid" --with "$unused_lid" --while "$scratch/silent"

echo take >mode
: >calls
# shellcheck disable=SC2119  # without a certificate
begin_hook
address=127.0.0.1:$(free_ports 1)
trap 'end_counting; end_hook 2>"$scratch/null"; end_prometheus 2>"$scratch/null"; end_all' EXIT
# begin_daemon LINE...: with these lines in its section [verdicts].
begin_daemon() {
  cat >serve.conf <<END
[server]
listen = $address
[fabric]
window = 8
[sweep]
interval_s = 1
discovery_interval_s = 1
[cabling]
plan_file = $scratch/plan.topo
[notifications]
webhook = http://127.0.0.1:$hook_port/hook
delay_s = 2
[verdicts]
END
  printf '%s\n' "$@" >>serve.conf
  serve "$dir" H0 --config serve.conf --database history.sqlite
}
# Errors are forgotten soon.
begin_daemon 'short_window_s = 3' 'long_window_s = 1' 'flaps_s = 2'
# The rules as they are shipped, but with the patience of this test.
sed -E 's/^( *for): [1-9].*/\1: 2s/; s/^( *keep_firing_for): .*/\1: 0s/' "$PSSP_SOURCE_DIR/monitor/grafana/pssp-alerts.yml" >rules.yml
begin_prometheus "$address" "$scratch/rules.yml"

# ---- what there is ----
incidents() {
  ask incidents | jq -r '
    def place: if .port then "\(.name) port \(.port)" else .name end;
    [(.faults[] | "\([.end, .peer | values | place] | join(" - ")): \(.kind)"), (.congestion[] | "congestion: \(.summary)")] | join("; ")'
}
# alerts_of EXPRESSION: names and places.
alerts_of() { query "$1" | jq -r '[.data.result[].metric | [.alertname, .node, .port | values] | join(" ")] | unique | join("; ")'; }
# Those since the last fault was over.
alerts_since_then() { alerts_of "max_over_time(ALERTS{alertstate=\"firing\"}[$(($(date +%s) - begun))s])"; }
# The kind is that which the fault had when it was announced.
calls() { jq -r '.body | "\(.status) \(.text)"' calls | sed 's/ cleared: / /; s/: .*//' | paste -sd ';'; }
incidents_are() { [[ $(incidents) == "$1" ]]; }
alerts_are() { [[ $(alerts_of 'ALERTS{alertstate="firing"}') == "$1" ]]; }
calls_are() { [[ $(calls) == "$1" ]]; }
# fault NAME ALERT INCIDENT: what was injected is this alone.
fault() {
  name=$1 alert=$2 place=${3%: *}
  eventually incidents_are "$3"
  eventually alerts_are "$2"
  eventually calls_are "opened $place"
}
# repaired: the fault is over, and nothing else was.
repaired() {
  eventually incidents_are ''
  eventually alerts_are ''
  eventually calls_are "opened $place;cleared $place"
  expect_equal "alerts during '$name'" "$(alerts_since_then)" "$alert"
  : >calls
  begun=$(date +%s)
  printf '%s: %d s\n' "$name" "$SECONDS"
}
# set_counter NODE PORT COUNTER VALUE
set_counter() { printf 'PerformanceSet "%s"[%d] %s=%d\n' "$@" >&"$console"; }
# begin_counting FUNCTION: until end_counting it is called again and again, with the milliseconds that have passed.
begin_counting() {
  local begun_us=${EPOCHREALTIME/./}
  while true; do
    "$1" $(((${EPOCHREALTIME/./} - begun_us) / 1000))
    sleep 0.05
  done &
  counting=$!
}
end_counting() {
  [[ -v counting ]] || return 0
  builtin kill "$counting"
  wait "$counting" || true
  unset counting
}

begun=$(date +%s)
sweeps_pass 3
expect_equal 'a fabric without faults' "$(incidents)$(alerts_since_then)$(calls)" ''

# ---- counters ----
cable='L1 port 5 - S0 port 4'
symbol_errors() { set_counter L1 5 PortCounters.SymbolErrorCounter "$1"; }
begin_counting symbol_errors
fault 'symbol errors' 'FabricSymbolErrors L1 5' "$cable: errors"
end_counting
repaired
discards() { set_counter S0 4 PortCounters.PortXmitDiscards "$1"; }
begin_counting discards
fault discards 'FabricDiscards S0 4' "$cable: errors"
end_counting
repaired

# A link that goes down counts that at both ends.
for _ in 1 2; do
  obey 'Unlink "L1"[5]'
  sweep_after_change "$dir" 'ReLink "L1"[5]'
done
flaps() {
  set_counter L1 5 PortCounters.LinkDownedCounter "$(($1 / 100))"
  set_counter S0 4 PortCounters.LinkDownedCounter "$(($1 / 100))"
}
begin_counting flaps
fault flapping 'FabricLinkFlaps L1 5' "$cable: errors"
end_counting
repaired

# Host H1 fills a link of its leaf with 95 % of what 4xQDR carries, and from the fourth second on waits half of the time.
traffic() {
  local waited=$(($1 < 3000 ? 0 : $1 - 3000))
  set_counter L0 4 PortCountersExtended.PortXmitData "$((950000 * $1))"
  set_counter H1 1 PortCountersExtended.PortXmitData "$((10000 * waited))"
  set_counter H1 1 PortCounters.PortXmitWait "$((10000 * waited))"
}
begin_counting traffic
fault 'a saturated link' 'FabricCongestion S0 0' 'congestion: 1 link to S0 is saturated (1 host waiting)'
end_counting
repaired

# ---- the monitor itself ----
# What was sent is in the history, so that it is not sent again.
nothing_is_open() { [[ -z $(sqlite3 history.sqlite 'SELECT * FROM notified') ]]; }
eventually nothing_is_open
builtin kill -KILL "$daemon"
wait "$waiter" 2>null || true
eventually alerts_are FabricMonitorDown
# A link that is down for long_window_s was taken out on purpose.
begin_daemon 'short_window_s = 3'
eventually alerts_are ''
expect_equal 'alerts of a dead monitor' "$(alerts_since_then)" FabricMonitorDown
expect_equal 'calls of a dead monitor' "$(calls)" ''
begun=$(date +%s)

# ---- states ----
sweep_after_change "$dir" 'Unlink "L1"[5]'
fault down 'FabricLinkDown L1 5' "$cable: link_down"
sweep_after_change "$dir" 'ReLink "L1"[5]'
repaired
# PortInfo of a host: one lane is active; the active speed is SDR (the enabled ones are SDR to QDR).
echo "$host_lid 31 1" >port_info
fault width 'FabricWidth H7 1' 'H7 port 1 - L2 port 2: width'
rm port_info
repaired
echo "$host_lid 35 $((0x17))" >port_info
fault speed 'FabricSpeed H7 1' 'H7 port 1 - L2 port 2: speed'
rm port_info
repaired
touch silent
fault 'a silent switch' 'FabricNodeSilent L3 0' 'L3: not_responding'
rm silent
repaired
# exchange FIRST SECOND: the ports of leaf L1 that hosts H3 and H4 are cabled to.
exchange() {
  obey 'Unlink "H3"[1]'
  obey 'Unlink "H4"[1]'
  sweep_after_change "$dir" "$(printf 'Link "%s"[1] "L1"[%d]\n' H3 "$1" H4 "$2")"
}
exchange 2 1
fault 'two swapped cables' 'FabricCabling H3 1' 'H3 port 1 - L1 port 2: cabling'
exchange 1 2
repaired
end_daemon
