#!/usr/bin/env bash
# Service levels over several sweeps: they stay if they are still proved, are recomputed if not, and are OpenSM's if one lane
# suffices. The subnet administrator's answers always match the dump.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/lanes.sh
. "$tests_dir/lanes.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run

dump=$scratch/levels

expect_consistent() {
  expect_equal "engine of $1" "$(used_engine "$1")" pssp
  ask_paths "$1" . 3
  expect_levels_of_dump "$1" "$dump"
}

# A ring loses a link, becomes a line that needs one lane, and is repaired.
make_ring 6 2 >"$scratch/ring.net"
dir=$scratch/ring
plugin_options="deadlock=require budget.seconds=600 service_level_dump=$dump"
start_simulation_with_console "$dir" "$scratch/ring.net"
start_opensm "$dir" pssp -Q
expect_routing "$dir" ' vls=2 max_vls=8 '
expect_consistent "$dir"
cp "$dump" "$scratch/first"
change "$dir"
expect_routing "$dir" ' vls=2 max_vls=8 service_levels=kept '
expect_same "$dump" "$scratch/first"
expect_consistent "$dir"
change "$dir" 'Unlink "R0"[1]'
expect_routing "$dir" ' vls=1 max_vls=8 service_levels=opensm '
expect_line "$dir/opensm.log" 'osmpssp: pssp: virtual lanes: OpenSM sets the service levels of unicast paths again'
expect_consistent "$dir"
expect_equal 'levels of the line' "$(levels_in "$dump")" 0
change "$dir" 'Link "R0"[1] "R1"[2]'
expect_routing "$dir" ' vls=2 max_vls=8 service_levels=(new|kept) '
expect_consistent "$dir"
expect_same "$dump" "$scratch/first"
end_process "$opensm_pid"
stop_simulation "$dir"

# A torus loses one link after the other.
"$PSSP_BUILD_DIR/bin/make_topo" torus 5x5 >"$scratch/torus.net" 2>/dev/null
dir=$scratch/torus
start_simulation_with_console "$dir" "$scratch/torus.net"
start_opensm "$dir" pssp -Q
for link in '' '"S00"[2]' '"S22"[3]'; do
  [[ -z $link ]] || change "$dir" "Unlink $link"
  expect_routing "$dir" ' vls=[2-8] max_vls=8 service_levels=(new|kept) '
  expect_consistent "$dir"
done
end_process "$opensm_pid"
stop_simulation "$dir"

# Another opensm left the operational lanes of the ports at one. OpenSM raises them after routing, so that only the second sweep
# can use several lanes.
dir=$scratch/raised
simulate "$dir" "$scratch/ring.net"
printf 'max_op_vls 1\n' >"$scratch/conf"
extra_conf=$scratch/conf
sweep_once "$dir" minhop -Q
extra_conf=
start_opensm "$dir" pssp -Q
wait_for_sweeps "$dir" 2
expect_line "$dir/opensm.log" \
  'does not route .* 1 can be used: link .*\(R0\)\[1\] -> .*\(R1\)\[2\] has 1 of 8 lanes operational now; OpenSM raises the number of virtual lanes to 8'
expect_line "$dir/opensm.log" 'requested another heavy sweep'
expect_routing "$dir" ' vls=2 max_vls=8 '
expect_consistent "$dir"
end_process "$opensm_pid"
stop_simulation "$dir"

# Several LIDs per port, and OpenSM's unicast cache, with which a sweep does not call the engine.
dir=$scratch/lids
printf 'use_ucast_cache TRUE\n' >"$scratch/conf"
extra_conf=$scratch/conf
simulate "$dir" "$scratch/ring.net"
start_opensm "$dir" pssp -Q -l 2
for sweep in 1 2; do
  wait_for_sweeps "$dir" "$sweep"
  ask_paths "$dir" . 7 2
  expect_equal 'paths with four LIDs a port' "$(wc -l <"$dir/paths")" "$((8 * (12 * 4 + 6 - 1)))"
  expect_levels_of_dump "$dir" "$dump"
  kill -HUP "$opensm_pid"
done
end_process "$opensm_pid"
stop_simulation "$dir"
