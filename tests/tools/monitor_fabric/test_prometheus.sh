#!/usr/bin/env bash
# A real Prometheus scrapes ten sweeps of the daemon: its rates are those of the history, and each query of the dashboard is
# understood and has an answer.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl prometheus sqlite3

make_tree 4 2 3 2 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
serve "$dir" H0 --listen 127.0.0.1:0 --interval 1 --database history.sqlite
address=${url#http://}
port=$((20000 + RANDOM % 20000))
cat >prometheus.yml <<END
global: {scrape_interval: 1s, evaluation_interval: 5s}
rule_files: ['$PSSP_SOURCE_DIR/monitor/grafana/pssp-alerts.yml']
scrape_configs: [{job_name: fabric, static_configs: [{targets: ['$address']}]}]
END
prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address=127.0.0.1:$port --log.level=error >prometheus.log 2>&1 &
prometheus=$!
end_prometheus() {
  builtin kill "$prometheus" || true
  wait "$prometheus" || true
}
trap 'end_prometheus 2>"$scratch/null"; end_all' EXIT

# query EXPRESSION: its result, as Prometheus has it.
query() { curl -sf "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$1"; }
sweeps_are() { [[ $(query 'changes(pssp_monitor_sweeps_total[1m])' | jq -r '.data.result[0].value[1] // 0') -ge $1 ]]; }
eventually curl -sf -o ready "http://127.0.0.1:$port/-/ready"
# An error, so that there is one to show.
printf 'PerformanceSet "L0"[1] PortCounters.SymbolErrorCounter=77\n' >settings
set_counters "$dir" "$scratch/settings"
for wanted in 3 6 10; do eventually sweeps_are "$wanted"; done

# ---- rates: what the port next to us sent, from both ----
# The time of the sweep is scraped with its counters; two rates over the same scrapes cancel what Prometheus extrapolates.
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
  fail "Prometheus says $theirs bytes/s of port ${guid}[$number], the history $(tail -n 3 ours)"

# ---- every query of the dashboard ----
# shellcheck disable=SC2016  # variables of Grafana
jq -r '.panels[].targets[]?.expr' "$PSSP_SOURCE_DIR/monitor/grafana/pssp-fabric.json" |
  sed 's/\$__rate_interval/30s/g; s/"\$switch"/".*"/g; s/"\$port"/".*"/g' >queries
while read -r each; do
  query "$each" >answer || fail "not understood: $each"
  jq -e '.status == "success" and (.data.result | length > 0)' answer >"$scratch/null" || fail "no data: $each"
done <queries
# ---- and the alerts are loaded ----
expect_equal 'alerts' "$(curl -sf "http://127.0.0.1:$port/api/v1/rules" | jq '[.data.groups[].rules[]] | length')" \
  "$(grep -c 'alert:' "$PSSP_SOURCE_DIR/monitor/grafana/pssp-alerts.yml")"
