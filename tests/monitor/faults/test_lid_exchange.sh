#!/usr/bin/env bash
# Two switches exchange their LIDs without any notice: readings that may come from the other switch are taken back.
# shellcheck source=tests/monitor/faults/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
[[ -x $PSSP_BUILD_DIR/tests/mad_recorder ]] || skip 'mad_recorder is not built'

make_tree 4 2 3 2 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
in_fabric "$dir" H0 "$monitor" once --interval 0.1 --json >ports.json
lid_of() { jq -r --arg name "$1" 'first(.ports[] | select(.name == $name)) | .lid' ports.json; }
# L1 has sent a hundred megabytes more than L0. A link carries these quickly, so the counters of L1 are plausible in place of those of L0.
for ((port = 1; port <= 7; port++)); do
  printf 'PerformanceSet "L1"[%d] PortCountersExtended.PortXmitData=%d\n' "$port" 25000000
done >settings
set_counters "$dir" "$scratch/settings"
record "$scratch/relay" --timeout 100 --exchange "$(lid_of L0)" --with "$(lid_of L1)" --while "$scratch/exchanged"
printf '[sweep]\nverify_nodes = 12\n' >serve.conf
serve "$dir" H0 --listen 127.0.0.1:0 --interval 1 --config serve.conf --database "$database"
guid=$(ask 'nodes?name=L0' | jq -r '.nodes[0].guid')
sweeps_pass 4
began=$(now_ms)
touch exchanged
has_reported() { [[ $(ask 'events?kind=wrong_node' | jq --arg guid "$1" '[.events[] | select(.guid == $guid)] | length') -gt 0 ]]; }
eventually has_reported "$guid"
sweeps_pass 1
ended=$(now_ms)
rm exchanged
sweeps_pass 16
end_daemon

export_rows rows --node "$guid"
# A sweep that began before the exchange may have readings from after it.
jq -s --argjson began "$((began - 1000))" --argjson ended "$((ended - 1000))" '
  { sweeps: (map(.sweep) | unique | length),
    doubtful: (map(select(.status == "doubtful")) | length),
    read_meanwhile: (map(select(.time_ms > $began + 1000 and .time_ms < $ended and .status == "read")) | length),
    read_later: (map(select(.time_ms > $ended and .counters.transmit_bytes != null)) | length),
    most: (map(.counters.transmit_bytes // 0) | max) }' rows >figures
check jq -e '.doubtful > 0 and .read_meanwhile == 0 and .read_later > 0 and .most < 100000000' figures >null || fail "$(<figures)"
# Only readings of the two exchanged switches are taken back.
export_rows all
expect_equal 'nodes with doubtful samples' "$(jq -r 'select(.status == "doubtful") | .node' all | sort -u | wc -l)" 2
no_impossible_rates
