#!/usr/bin/env bash
# Temporary files of an opensm that was killed while it wrote are removed at the next start, including those of engines that are
# not in use. Files of running processes, and files with similar names, remain.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

make_tree 3 2 2 1 >"$scratch/tree.net"
dir=$scratch/sim
osm=$dir/osm
dump=$scratch/dumps/levels
mkdir "$scratch/dumps"
plugin_options="service_level_dump=$dump"
simulate "$dir" "$scratch/tree.net"
start_opensm "$dir" pssp
living=$opensm_pid

true &
dead=$!
wait "$dead"
leave() { printf 'osmpssp state ' >"$1"; }
gone=("$osm/osmpssp-pssp.state.$dead-0.tmp" "$osm/osmpssp-pssp.state.$dead-17.tmp" "$osm/osmpssp-best.state.$dead-0.tmp" "$dump.$dead-0.tmp")
# A running process that is not opensm: the process id was reused.
gone+=("$osm/osmpssp-pssp.state.$$-0.tmp")
for file in "${gone[@]}"; do leave "$file"; done
kept=("$osm/osmpssp-pssp.state.$living-5.tmp" "$osm/osmpssp-pssp.state.$dead-0.tmp~" "$osm/osmpssp-pssp.state.0$dead-0.tmp"
  "$osm/osmpssp-pssp.state.$dead.tmp" "$osm/osmpssp-pssp.state.x-0.tmp" "$osm/osmpssp-none.state.$dead-0.tmp" "$osm/notes.$dead-0.tmp"
  "$osm/osmpssp-pssp.state.-$dead-0.tmp" "$osm/osmpssp-pssp.state.$dead-0.tmp.tmp")
for file in "${kept[@]}"; do leave "$file"; done
leave "$scratch/target"
ln -s "$scratch/target" "$osm/osmpssp-dmodk.state.$dead-0.tmp"
mkdir "$osm/osmpssp-heal.state.$dead-0.tmp"
mkfifo "$osm/osmpssp-cassp.state.$dead-0.tmp"
kept+=("$scratch/target" "$osm/osmpssp-dmodk.state.$dead-0.tmp" "$osm/osmpssp-heal.state.$dead-0.tmp" "$osm/osmpssp-cassp.state.$dead-0.tmp")

# A second opensm beside the first one, which is running.
other=$scratch/other
mkdir -p "$other"
cp -r "$dir/state" "$other/state"
mkdir "$other/osm"
write_opensm_conf "$other" pssp "$plugin_options" ''
prepare_opensm "$other" pssp once -D 0x47
run_child 60 "${opensm_command[@]/#OSM_CACHE_DIR=*/OSM_CACHE_DIR=$osm}" >"$other/opensm.out" 2>&1 || true

for file in "${gone[@]}"; do [[ ! -e $file ]] || fail "$file was left by a process that is dead, and is still there"; done
for file in "${kept[@]}"; do [[ -e $file ]] || fail "$file is gone"; done
expect_equal 'lines about leftovers' "$(grep -c 'removed the unfinished file .* of a killed opensm' "$other/opensm.log")" "${#gone[@]}"
end_process "$living"
stop_simulation "$dir"
