#!/usr/bin/env bash
# capacity_file in a running opensm: a link with capacity 0 carries no route if another path exists. A missing, outdated or broken
# file changes no entry and does not stop the routing.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover

capacity=$scratch/capacity
# Counts the entries for the link between M1_1, the sixth switch, and M2_1, in both directions.
entries_over_link() {
  awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") at = $(i + 1) }
    /^0x/ && ((at ~ /200005$/ && $2 == "001") || (at ~ /200006$/ && $2 == "002")) { ++count }
    END { print count + 0 }' "$1"
}
write_capacity() { printf '# pssp capacity 1\n%s\n' "$1" >"$capacity"; }

make_mesh 4 4 2 >"$scratch/mesh.net"
dir=$scratch/pssp
plugin_options="capacity_file=$capacity"
start_simulation_with_console "$dir" "$scratch/mesh.net"
start_opensm "$dir" pssp
dump=$dir/osm/opensm-lfts.dump
expect_line "$dir/opensm.log" "osmpssp: ERR 7A25: pssp: capacity_file is ignored: cannot read $capacity.*; all links count with their nominal capacity"
cp "$dump" "$scratch/nominal"
(($(entries_over_link "$dump") > 0)) || fail 'the link is not used'

write_capacity '0x200005 1 0'
change "$dir"
expect_line "$dir/opensm.log" "osmpssp: pssp: capacity_file $capacity: 1 of 24 links between switches have less capacity, 1 of them are avoided"
expect_equal 'entries over the link that is avoided' "$(entries_over_link "$dump")" 0
# eval_lft confirms this for the fabric with all its links, and route_lft computes the same tables offline.
in_fabric "$dir" H0_0_1 ibnetdiscover >"$scratch/fabric.net" 2>/dev/null
expect 0 '' "$bin/eval_lft" "$dump" "$scratch/fabric.net" --capacity "$capacity" -n 10 --json
check jq -e '.unreachable_pairs == 0 and .forwarding_loops == 0' "$scratch/stdout"
"$bin/route_lft" --stable "$scratch/nominal" --from-baseline --in-force "$scratch/nominal" "$scratch/fabric.net" --capacity "$capacity" \
  -o "$scratch/offline" 2>/dev/null
entries() { awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") print $(i + 1) } /^0x/ { print $1, $2 }' "$1"; }
expect_same <(entries "$dump") <(entries "$scratch/offline")

# Truncated lines, files of another fabric, too many links, old files and pipes: the plugin uses nominal capacities and logs the
# reason.
refused() {
  change "$dir"
  tail -n +"$((lines + 1))" "$dir/opensm.log" >"$scratch/new"
  expect_line "$scratch/new" "osmpssp: ERR 7A25: pssp: capacity_file is ignored: .*$1"
  expect_same "$dump" "$scratch/nominal"
  lines=$(wc -l <"$dir/opensm.log")
}
lines=$(wc -l <"$dir/opensm.log")
printf '# pssp capacity 1\n0x200005 1 0\n0x2000' >"$capacity"
refused 'capacity:3: '
write_capacity '0x999 1 0'
refused 'has no node 0x0000000000000999'
write_capacity "$(for port in 1 2 3 4; do echo "0x200005 $port 50"; done)"
refused '4 of the 24 links'
write_capacity '0x200005 1 0'
touch -d '2 days ago' "$capacity"
refused 'older than 24 hours'
rm "$capacity"
mkfifo "$capacity"
refused 'it is a'
rm "$capacity"
end_process "$opensm_pid"
stop_simulation "$dir"

# An engine that needs the link uses it: without the link one lane would not suffice.
dir=$scratch/meshdor
write_capacity '0x200005 1 0'
extra_conf=$scratch/conf
printf 'qos TRUE\nmax_op_vls 1\n' >"$extra_conf"
plugin_options+=' deadlock=require budget.seconds=600'
route "$dir" meshdor "$scratch/mesh.net"
expect_equal "engine of $dir" "$(used_engine "$dir")" meshdor
expect_line "$dir/opensm.log" 'ERR 7A25: meshdor: capacity_file is ignored: no tables suit the capacities in this file: deadlock=require, '
expect_equal 'refusals of meshdor' "$(grep -c 'ERR 7A20' "$dir/opensm.log" || true)" 0
