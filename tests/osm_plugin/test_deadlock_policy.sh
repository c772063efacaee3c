#!/usr/bin/env bash
# The option deadlock: tables and log messages if lanes suffice, if they do not suffice, and if QoS is off. The fabric is a ring
# of switches that needs two lanes.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/lanes.sh
. "$tests_dir/lanes.sh"
skip_without opensm ibsim ibsim-run

make_ring 6 2 >"$scratch/ring.net"
make_tree 3 2 2 1 >"$scratch/tree.net"
dump=$scratch/levels
extra_conf=$scratch/conf

# routed NAME CONF OPTIONS [OPTION of opensm...]: runs one sweep on the ring with a line of opensm.conf and options of the plugin.
routed() {
  local name=$1
  printf '%s\n' "$2" >"$extra_conf"
  plugin_options="$3 budget.seconds=600 service_level_dump=$dump"
  shift 3
  route "$scratch/$name" "${engine:-pssp}" "$scratch/ring.net" "$@"
}

expect_log() { expect_line "$scratch/$1/opensm.log" "$2"; }
expect_engine() { expect_equal "engine of $1" "$(used_engine "$scratch/$1")" "$2"; }

# ---- require ----
routed enough '' deadlock=require -Q
expect_engine enough pssp
expect_log enough 'osmpssp: routing: engine=pssp .* vls=2 max_vls=8 .* deadlock_free=yes '
expect_log enough '0x04 -> osmpssp: pssp: virtual lanes: the plugin sets the service levels'
expect_equal 'levels of the ring' "$(levels_in "$dump")" 01

# The dump of the previous routing is removed when another engine routes.
routed no-qos '' deadlock=require
expect_engine no-qos minhop
expect_log no-qos "0x01 -> osmpssp: ERR 7A20: pssp: does not route this fabric: deadlock=require.* QoS is off.* set 'qos TRUE'"
[[ ! -e $dump ]] || fail "the service levels of pssp are still there while minhop's tables are in use"
expect_log no-qos "service_level_dump $dump was removed: another engine routes the fabric"

routed few 'max_op_vls 1' deadlock=require -Q
expect_engine few minhop
expect_log few '0x01 -> osmpssp: ERR 7A20: pssp: does not route .* these routes need 2 virtual lanes, and 1 can be used: max_op_vls is 1 in opensm\.conf'
# best can select other tables.
engine=best routed best-few 'max_op_vls 1' deadlock=require -Q
expect_engine best-few best
expect_log best-few 'osmpssp: routing: engine=best .* vls=1 max_vls=1 .* rejected_for_vls=[1-9][0-9]* '
routed qos-in-conf 'qos TRUE' deadlock=require
expect_engine qos-in-conf pssp

# ---- prefer, the default ----
routed prefer-no-qos '' ''
expect_engine prefer-no-qos pssp
expect_log prefer-no-qos "0x01 -> osmpssp: ERR 7A22: pssp: the routes can deadlock under congestion \\(credit loop of 6 channels\\), .*QoS is off; set 'qos TRUE'"
expect_log prefer-no-qos ' deadlock_free=no '
expect_equal 'levels without QoS' "$(levels_in "$dump")" 0
routed prefer-few 'max_op_vls 1' '' -Q
expect_engine prefer-few pssp
expect_log prefer-few 'can deadlock .* these routes need 2 virtual lanes, and 1 can be used: max_op_vls is 1'
routed prefer-first '' 'first_lane=8' -Q
expect_log prefer-first 'can deadlock .* first_lane=8 leaves none of 8 virtual lanes .*; set a lower first_lane'

# ---- ignore ----
routed ignore '' deadlock=ignore -Q
expect_log ignore 'the routes can deadlock under congestion: credit loop of 6 channels$'
expect_log ignore ' efi=[0-9.]+ vls=- max_vls=- .* deadlock_free=no '
routed ignore-unseen '' 'deadlock=ignore credit_loop_check=off' -Q
expect_equal 'lines about deadlocks' "$(grep -c 'deadlock under' "$scratch/ignore-unseen/opensm.log")" 0

# ---- how the lanes are used ----
routed first '' 'first_lane=3 deadlock=require' -Q
expect_equal 'levels from lane 3 on' "$(levels_in "$dump")" 34
routed spread '' 'spread_lanes=on deadlock=require' -Q
expect_equal 'levels over all lanes' "$(levels_in "$dump")" 01234567
routed reversible '' 'reversible=on deadlock=require' -Q
expect_log reversible ' vls=[2-8] max_vls=8 .* reversible=yes '

# A dump that cannot be written only causes an error in the log.
plugin_options="service_level_dump=$scratch/no/such/folder/levels"
route "$scratch/unwritten" pssp "$scratch/ring.net" -Q
expect_engine unwritten pssp
expect_log unwritten "0x01 -> osmpssp: ERR 7A26: pssp: service_level_dump is not written: .*$scratch/no/such/folder"

# ---- one lane is enough: the service levels are OpenSM's, here those of a partition ----
dir=$scratch/tree
printf 'Default=0x7fff, sl=3, ipoib: ALL=full, SELF=full;\n' >"$scratch/partitions.conf"
printf 'partition_config_file %s\n' "$scratch/partitions.conf" >"$extra_conf"
plugin_options="deadlock=require budget.seconds=600 service_level_dump=$dump"
simulate "$dir" "$scratch/tree.net"
start_opensm "$dir" pssp -Q
expect_log tree ' vls=1 max_vls=8 '
ask_paths "$dir" CA
expect_equal 'levels on the tree' "$(awk '{ print $3 }' "$dir/paths" | sort -u)" 3
end_process "$opensm_pid"
stop_simulation "$dir"
