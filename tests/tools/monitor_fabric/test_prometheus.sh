#!/usr/bin/env bash
# A real Prometheus scrapes ten sweeps of the daemon: its rates equal those of the history, every query of the dashboard is valid and has a
# result, the first failure of a link raises its alert, and the metrics page has all series that the tests of the alerts use.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl prometheus sqlite3

make_tree 4 2 3 2 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
serve "$dir" H0 --listen 127.0.0.1:0 --interval 1 --database history.sqlite
address=${url#http://}
begin_prometheus "$address" "$PSSP_SOURCE_DIR/monitor/grafana/pssp-alerts.yml" "$PSSP_SOURCE_DIR/monitor/grafana/pssp-compat.yml"
trap 'end_prometheus 2>"$scratch/null"; end_all' EXIT

sweeps_are() { [[ $(query 'changes(pssp_monitor_sweeps_total[1m])' | jq -r '.data.result[0].value[1] // 0') -ge $1 ]]; }
# Sets an error counter, so that there is an error to show.
printf 'PerformanceSet "L0"[1] PortCounters.SymbolErrorCounter=77\n' >settings
set_counters "$dir" "$scratch/settings"
for wanted in 3 6 10; do eventually sweeps_are "$wanted"; done
# A link that was never down goes down three times; another port becomes bad, and another one unknown.
printf 'PerformanceSet "%s"[%d] PortCounters.%s=%d\n' L1 1 LinkDownedCounter 3 L1 2 PortRcvErrors 40 L1 3 PortRcvErrors 65535 >settings
set_counters "$dir" "$scratch/settings"

# ---- rates of the port next to the monitor, from Prometheus and from the history ----
# The time of the sweep is scraped with its counters; the extrapolation of Prometheus cancels in the ratio of two rates over the same scrapes.
own='infiniband_switch_port_transmit_data_bytes_total'
query "pssp_monitor_last_sweep_timestamp_seconds[1m]" >sweep_times
first=$(jq -r '.data.result[0].values[0][1] | tonumber * 1000 | round' sweep_times)
last=$(jq -r '.data.result[0].values[-1][1] | tonumber * 1000 | round' sweep_times)
((last - first >= 9000)) || fail "only $((last - first)) ms were scraped"
at=$(jq -r '.data.result[0].values[-1][0]' sweep_times)
busiest=$(query "topk(1, delta(${own}[1m] @ $at))" | jq -c '.data.result[0].metric')
guid=$(jq -r .guid <<<"$busiest")
number=$(jq -r .port <<<"$busiest")
theirs=$(query "delta(${own}{guid=\"$guid\",port=\"$number\"}[1m] @ $at) / on(instance) delta(pssp_monitor_last_sweep_timestamp_seconds[1m] @ $at)" |
  jq -r '.data.result[0].value[1]')
"$monitor" export -d history.sqlite --node "${guid}[$number]" --format jsonl >ours
jq -se --argjson first "$first" --argjson last "$last" --argjson theirs "$theirs" '
  [.[] | select(.time_ms > $first and .time_ms <= $last)]
  | (map(.counters.transmit_bytes) | add) * 1000 / (map(.covered_ms) | add)
  | . > 0 and ((. - $theirs) | fabs) <= 0.01 * .' ours >"$scratch/null" ||
  fail "Prometheus has $theirs bytes/s for port ${guid}[$number], the history $(tail -n 3 ours)"

# ---- every query of the dashboard ----
# shellcheck disable=SC2016  # variables of Grafana
jq -r '.panels[].targets[]?.expr' "$PSSP_SOURCE_DIR/monitor/grafana/pssp-fabric.json" |
  sed 's/\$__rate_interval/30s/g; s/"\$switch"/".*"/g; s/"\$port"/".*"/g' >queries
while read -r each; do
  query "$each" >answer || fail "invalid query: $each"
  jq -e '.status == "success" and (.data.result | length > 0)' answer >"$scratch/null" || fail "no data: $each"
done <queries
# ---- metrics that dashboards for another exporter use ----
sed -n 's/^ *- record: //p' "$PSSP_SOURCE_DIR/monitor/grafana/pssp-compat.yml" >recorded
expect_equal 'recorded' "$(wc -l <recorded)" 8
while read -r each; do
  query "$each" | jq -e '.data.result | length > 0 and all(.[].metric; .switch and .uplink and .uplink_port and .port)' >"$scratch/null" ||
    fail "nothing is recorded as $each, or without the labels that are shown"
done <recorded
# The signaling rate is higher than the data rate by the line coding of ibsim's rates.
# one_number QUERY: prints the result of a query whose result is one number.
one_number() { query "$1" | jq -r '.data.result[0].value[1]'; }
expect_equal 'line coding' \
  "$(one_number 'max(infiniband_switch_port_raw_rate_bytes_per_second / infiniband_switch_port_rate_bytes_per_second)')" 1.25
# A LID in the metrics of a cable leads to the node that has this LID.
for kind in SW/switch CA/hca; do
  there="infiniband_switch_uplink_info{uplink_type=\"${kind%/*}\"}"
  # shellcheck disable=SC2016  # of Prometheus
  node=$(printf 'label_replace(label_replace(%s, "guid", "$1", "uplink_guid", "(.*)"), "lid", "$1", "uplink_lid", "(.*)")' "$there")
  expect_equal "LIDs of ${kind#*/}" "$(one_number "count($node * on(guid, lid) group_left infiniband_${kind#*/}_info)")" "$(one_number "count($there)")"
done
# ---- the first errors of a port are a rise ----
flaps='ALERTS{alertname="FabricLinkFlaps",alertstate="firing",node="L1",port="1"}'
fires() { query "$flaps" | jq -e '.data.result | length == 1' >"$scratch/null"; }
eventually fires

# ---- the daemon serves every metric and label that the tests of the alerts use ----
# A cable between switches is removed, which a walk finds.
# shellcheck disable=SC2154  # start_simulation_with_console opened it
printf 'Unlink "L3"[4]\n' >&"$console"
kill -USR1 "$daemon"
is_bad() {
  curl -sf "http://$address/metrics" >page && grep -q 'level="bad"' page && grep -q 'level="unknown"' page &&
    grep -q '^pssp_fault.*what="state"' page
}
eventually is_bad
sed -nE "s/.*series: '([^']*)'.*/\1/p" "$PSSP_SOURCE_DIR/tests/monitor/grafana/alerts_test.yml" | sort -u | grep -v '^up{' >fed
(($(wc -l <fed) > 8)) || fail "few series: $(<fed)"
while read -r each; do
  name=${each%%\{*}
  # Prometheus itself adds the instance, and the metric up.
  grep -oE '[a-z_]+="' <<<"$each" | sed '/^instance=/d' >labels
  grep -E "^${name}[{ ]" page >candidates || fail "the daemon serves no $name"
  while read -r label; do
    grep -q "[{,]$label" candidates || fail "$name of the daemon has no label ${label%=*}"
  done <labels
done <fed
# The series of link failures begins at 0, and the daemon also serves it for a port that was never down.
check grep -q '^infiniband_switch_port_link_downed_total{.*,port="3",switch="L0"} 0$' page

# ---- the alerts are loaded ----
expect_equal 'alerts' "$(curl -sf "http://127.0.0.1:$port/api/v1/rules" | jq '[.data.groups[].rules[] | select(.type == "alerting")] | length')" \
  "$(grep -c 'alert:' "$PSSP_SOURCE_DIR/monitor/grafana/pssp-alerts.yml")"
