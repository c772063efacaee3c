#!/usr/bin/env bash
# With stable=on an opensm that was killed and starts again changes neither a route nor a service level. A state file that is
# damaged or not ours is ignored, with a line in the log.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run

dir=$scratch/torus
dump=$dir/osm/opensm-lfts.dump
levels=$dir/osm/levels
state=$dir/osm/osmpssp-pssp.state
with_state="stable=on deadlock=require service_level_dump=$levels"

entries() { awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") print $(i + 1) } /^0x/ { print $1, $2 }' "$1"; }

# kill_opensm: ends opensm like a crash.
kill_opensm() {
  kill -KILL "$opensm_pid"
  wait "$opensm_pid" 2>/dev/null || true
  forget_child "$opensm_pid"
}

# restart OPTIONS: starts another opensm on the same fabric, with its own log and dumps.
restart() {
  plugin_options=$1
  rm -f "$dir/opensm.log" "$dump" "$levels"
  start_opensm "$dir" pssp -Q
}

plugin_options=$with_state
"$PSSP_BUILD_DIR/bin/make_topo" torus 4x4 --hosts 2 -o "$scratch/torus.net" 2>/dev/null
start_simulation_with_console "$dir" "$scratch/torus.net"
start_opensm "$dir" pssp -Q
expect_equal 'lines about a state file before the first one' "$(grep -c 'state file:' "$dir/opensm.log")" 0
link=$(awk '/^Switch/ { from = $3 } /^\[/ && /"S/ { split($0, part, /[][]/); print "Unlink " from "[" part[2] "]"; exit }' "$scratch/torus.net")
[[ $link == Unlink* ]] || fail "no link to cut in the topology: $link"
change "$dir" "$link"
expect_routing "$dir" ' kept=[0-9]+ '
expect_line "$dir/opensm.log" 'osmpssp: routing: engine=pssp reason=repaired '
cp "$dump" "$scratch/before.dump"
cp "$levels" "$scratch/before.levels"
[[ $(head -c 14 "$state") == 'osmpssp state ' ]] || fail "no state in $state"

# After kill -9 and a restart nothing changes.
kill_opensm
restart "$with_state"
expect_line "$dir/opensm.log" "0x02 -> osmpssp: state file: pssp: restored the tables and service levels of 16 switches from $state"
expect_routing "$dir" ' reason=kept .* entries_changed=0 kept=[0-9]+ replaced=0 moved=0 added=0 removed=0 .* service_levels=kept '
expect_same <(entries "$dump") <(entries "$scratch/before.dump")
expect_same "$levels" "$scratch/before.levels"
kill_opensm

# The engine itself would compute other tables; otherwise the test would be meaningless. That start has not touched the state.
restart "$with_state stable_state=off"
expect_different <(entries "$dump") <(entries "$scratch/before.dump") 'tables from scratch and tables of before'
kill_opensm
cp "$state" "$scratch/state"

# ignored REASON [OPTIONS]: the state file must be ignored, with the reason in the log.
ignored() {
  restart "${2:-$with_state}"
  expect_line "$dir/opensm.log" "0x02 -> osmpssp: state file: pssp: $state is ignored, and many paths can change: .*$1"
  expect_equal "engine with an ignored state file: $1" "$(used_engine "$dir")" pssp
  kill_opensm
}
ignored 'the options of the engine have changed' "$with_state max_extra_hops=1"
head -c 1000 "$scratch/state" >"$state"
ignored 'damaged'
# A damaged state file is replaced by a good one. A foreign file, or anything but a regular file, is not.
expect_same <(head -c 14 "$state") <(head -c 14 "$scratch/state") 'what replaces a damaged state'
printf 'my notes\n' >"$state"
ignored 'this plugin did not write it'
expect_line "$dir/opensm.log" '0x01 -> osmpssp: ERR 7A26: pssp: the state file is not written: '
expect_equal 'a file that the plugin did not write' "$(<"$state")" 'my notes'
rm "$state"
mkfifo "$state"
ignored 'it is a FIFO'
rm "$state"
ln -s "$scratch/state" "$state"
ignored 'symbolic link'
stop_simulation "$dir"
