#!/usr/bin/env bash
# Measures how long the stock opensm waits for our plugin on large fabrics, and for its own engines.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"
# shellcheck source=ibsim_harness/living.sh
. "$benchmarks_dir/../ibsim_harness/living.sh"

usage() {
  cat <<'EOF'
usage: largest_fabric.sh [--engines A,B,...] [SPEC...]

Starts the stock opensm on fabrics that ibsim simulates, disconnects a link
between two switches, and reconnects it. Prints a table for each fabric with one
line per sweep and engine:

  sweep    first, refined (tables that the plugin computed in the background),
           link lost, link back
  locked   seconds during which opensm holds its lock for routing: in its log,
           from "building routing" to "tables configured"
  plugin   part of this time that the plugin logs; "-": engine of opensm
  entries  LFT entries that the plugin changed
  RSS      peak memory of opensm so far in MiB
  state    size of the plugin's state file in MiB

SPEC is a topology file, or a fabric as for make_topo, as one argument (default:
fabrics of 4390, 11,664 and 48,924 LIDs). The default engines are
best,minhop,ftree.

Run nothing else on the machine meanwhile. The largest fabric takes minutes per
engine.
Exit codes: 0 success, 2 usage, 21 ibsim or opensm failed.
EOF
}

list=best,minhop,ftree specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --engines) list=$2 && shift 2 ;;
    -*) usage >&2 && exit 2 ;;
    *) specs+=("$1") && shift ;;
  esac
done
((${#specs[@]} > 0)) || specs=(thunderbird 'xgft 18,18,33 1,9,9' 'xgft 36,36,36 1,18,18')
PSSP_BUILD_DIR=$(readlink -f "$PSSP_BUILD_DIR")
own_children
trap 'end_children; rm -rf "$scratch"' EXIT
# ibsim's client library creates folders in the working directory of its clients.
cd "$scratch"

# Prints a line for each routing in opensm's log, beginning with line FROM.
sweeps() {
  awk -v engine="$1" -v sweep="$2" -v rss="$3" -v state="$4" -v from="$5" '
    function stamp() { split($3, t, ":"); return (t[1] * 60 + t[2]) * 60 + t[3] + $4 / 1e6 }
    NR < from { next }
    /building routing with/ { began = stamp(); plugin = entries = "-"; kind = sweep }
    /osmpssp: routing:/ {
      plugin = $0; sub(/.* seconds=/, "", plugin)
      entries = $0; sub(/.* entries_changed=/, "", entries); sub(/ .*/, "", entries)
      if (/background=used/ && sweep == "first") kind = "refined"
    }
    /tables configured on all switches/ && began {
      locked = stamp() - began
      if (locked < 0) locked += 24 * 3600  # past midnight
      printf "%-8s %-10s %8.2f %8s %12s %8d %8s\n", engine, kind, locked, plugin, entries, rss, state
      began = 0
    }' "$6"
}

for spec in "${specs[@]}"; do
  take_fabric "$spec"
  topology=$(readlink -f "$topology")
  printf '\n%s\n%-8s %-10s %8s %8s %12s %8s %8s\n' "$spec" engine sweep locked plugin entries RSS state
  IFS=, read -ra names <<<"$list"
  for engine in "${names[@]}"; do
    dir=$scratch/$engine log=$scratch/$engine/opensm.log
    rm -rf "$dir"
    mkdir -p "$dir"
    start_simulation_with_console "$dir" "$topology"
    write_opensm_conf "$dir" "$engine" ''
    prepare_opensm "$dir" "$engine" stay
    start_child "${opensm_command[@]}" >"$dir/opensm.out" 2>&1
    opensm_pid=$child_pid
    measure() {
      local state='-' from=$2
      [[ ! -f $dir/osm/osmpssp-$engine.state ]] || state=$(stat -c %s "$dir/osm/osmpssp-$engine.state" | awk '{ printf "%.1f", $1 / 1048576 }')
      sweeps "$engine" "$1" "$(($(awk '/VmHWM/ { print $2 }' "/proc/$opensm_pid/status") >> 10))" "$state" "$from" "$log"
    }
    limit_s=$(($(default_timeout "$dir") * 2))
    wait_until_settled "$dir" '0 0' 50 "$limit_s"
    while [[ $(awk -F"background=" "/background=/ { word = \$2 } END { print word }" "$log") == running* ]]; do sleep 1; done
    measure first 1
    # The two ends of a cable between switches, in ibsim's notation.
    mapfile -t cable < <(awk '/^Switch/ { gsub(/"/, "", $3); here = $3 } /^\[/ && here && !/\[1\]$/ {
      split($0, part, /[][" \t]+/); if (part[3] ~ /^S/) { printf "\"%s\"[%s]\n", here, part[2]; exit } }' "$topology")
    for change in "link lost:Unlink" "link back:ReLink"; do
      line=$(($(wc -l <"$log") + 1))
      before=$(sweep_counts "$dir")
      obey "${change#*:} ${cable[0]}"
      kill -HUP "$opensm_pid"
      wait_until_settled "$dir" "$before" 50 "$limit_s"
      measure "${change%:*}" "$line"
    done
    end_process "$opensm_pid"
    stop_simulation "$dir"
  done
done
