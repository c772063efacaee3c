#!/usr/bin/env bash
# What watching a fabric costs: discovery, a sweep of all counters, both in wall clock and processor time, beside ibnetdiscover and
# ibqueryerrors on the same simulated fabric in the same run.
# usage: monitor.sh [TOPOLOGY [ROUNDS]]      default: a fat tree of 873 switches and 24,624 ports, 5 rounds
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
: "${PSSP_BUILD_DIR:=$here/../build}"
export PSSP_BUILD_DIR
# shellcheck source=ibsim_harness/simulation.sh
. "$here/../ibsim_harness/simulation.sh"
own_children
scratch=$(mktemp -d)
trap 'end_children; rm -rf "$scratch"' EXIT
cd "$scratch"

topology=${1:-} rounds=${2:-5}
if [[ -z $topology ]]; then
  topology=$scratch/tree.net
  "$(find_built bin/make_topo)" xgft 9,24,24 1,9,9 -o "$topology"
fi
monitor=$(find_built bin/monitor_fabric)
start_simulation "$scratch/fabric" "$topology" start_child
write_opensm_conf "$scratch/fabric" minhop '' ''
prepare_opensm "$scratch/fabric" minhop once
run_child 600 "${opensm_command[@]}" >opensm.out 2>&1 || die "$exit_simulation" "opensm failed: $(tail_of opensm.out)"
attach_to "$scratch/fabric"

# measure NAME COMMAND...: wall clock and processor seconds.
measure() {
  local name=$1
  shift
  /usr/bin/time --quiet --format "%e %U %S %M" --output times "${in_simulation[@]}" "$@" >out 2>err || true
  awk -v name="$name" '{ printf "%-34s %7.2f s wall  %6.2f s processor  %7.1f MB\n", name, $1, $2 + $3, $4 / 1024 }' times
}

for ((round = 1; round <= rounds; round++)); do
  measure 'ours: discovery and two sweeps' "$monitor" once --interval 0.05 --top 1
  tail -n 2 out | grep 'ports answered' || cat err
done
measure 'ours: the same, two seconds apart' "$monitor" once --interval 2 --top 1
grep 'ports answered' out || cat err
measure 'ibnetdiscover: discovery' ibnetdiscover
measure 'ibqueryerrors: discovery, one sweep' ibqueryerrors --skip-sl --threshold-file /dev/null
