#!/usr/bin/env bash
# Length of a tick of PortXmitWait: ibsim does not report it, so a tick counts as a word. With a relay that reports another length, rates,
# shares and history are scaled, but counters are not. Each node is asked once.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl
[[ -x $PSSP_BUILD_DIR/tests/mad_recorder ]] || skip 'mad_recorder is not built'

make_tree 2 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"

watch() { serve "$dir" H1 --listen 127.0.0.1:0 --interval 1 "$@"; }
swept() { (($(ask status | jq .sweep) >= $1)); }
# waited TICKS: sets the counter of that port at ibsim's console.
waited() {
  printf 'PerformanceSet "%s"[%s] PortCounters.PortXmitWait=%s\n' "$id" "$number" "$1" >lines
  set_counters "$dir" "$scratch/lines"
}
# Prints the sum of a counter of that port over the whole history.
sum_of() {
  "$monitor" export -d "$1" --node "$guid" --format jsonl |
    jq -s --argjson port "$number" "map(select(.port == \$port) | .counters.$2 // 0) | add"
}
has_count() { (($(sum_of "$1" transmit_wait) == $2)); }

# ---- ibsim reports no tick: a tick is a word ----
watch --database words.sqlite
eventually swept 3
link=$(ask 'links?kind=switch&limit=1' | jq -c '.links[0]')
guid=$(jq -r .guid <<<"$link") number=$(jq -r .port <<<"$link") id=$(jq -r .name <<<"$link")
expect_equal 'length of the tick and reason' "$(ask "ports/$guid/$number" | jq -c '[.tick_bytes, (.tick_bytes_reason | contains("did not report"))]')" '[null,true]'
expect_equal 'silent ports' "$(ask status | jq .summary.silent_ports)" 0
waited 1000
eventually has_count words.sqlite 1000
end_daemon

# ---- the relay reports 7: eight symbols, which are 32 bytes on four lanes ----
record "$scratch/requests" --tick 7
watch --database ticks.sqlite
eventually swept 3
expect_equal 'bytes of a tick' "$(ask "ports/$guid/$number" | jq .tick_bytes)" 32
waited 3000
eventually has_count ticks.sqlite 16000
expect_equal 'the counter' "$(ask "ports/$guid/$number" | jq .item.counters.transmit_wait)" 3000
eventually swept 6
end_daemon
end_process "$recorder_pid"
nodes=$(grep -c '^04 01 0001' requests)
expect_equal 'requests for ticks, one per node' "$(grep -c '^04 01 0010' requests)" "$nodes"
