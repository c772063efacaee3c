#!/usr/bin/env bash
# Node types in a running opensm come from io_guid_file of opensm.conf and from node_types_file. The tables are those of route_lft
# --node-types. Broken files do not stop the routing. Options of opensm.conf that our engines do not use are logged once.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run ibnetdiscover

# Four leaves of eight hosts with four uplinks. One host per leaf is a server, which its name does not show.
"$bin/make_topo" xgft 8,4 1,4 -o "$scratch/tree.net" 2>/dev/null
printf '0x10000e port of node\n0x10001e\n0x10002f # port\n0x10003f\n0xdead\n' >"$scratch/io"
: >"$scratch/roots"
extra_conf=$scratch/conf
printf 'io_guid_file %s\nroot_guid_file %s\nmax_reverse_hops 2\n' "$scratch/io" "$scratch/roots" >"$extra_conf"
types=$scratch/types
entries() { awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") print $(i + 1) } /^0x/ { print $1, $2 }' "$1"; }

dir=$scratch/opensms
plugin_options='stable=off'  # else node types count only when the baseline is made
simulate "$dir" "$scratch/tree.net"
start_opensm "$dir" dmodk
dump=$dir/osm/opensm-lfts.dump
expect_line "$dir/opensm.log" "osmpssp: dmodk: io_guid_file $scratch/io: 4 hosts of 1 node types; 1 hosts are not in the fabric"
in_fabric "$dir" H00000 ibnetdiscover >"$scratch/fabric.net" 2>/dev/null
printf 'io 0x10000e 0x10001e 0x10002f 0x10003f\n' >"$types"
expect 0 '4 hosts of 1 node types' "$bin/route_lft" -e dmodk "$scratch/fabric.net" --node-types "$types" -o "$scratch/told"
expect 0 '' "$bin/route_lft" -e dmodk "$scratch/fabric.net" -o "$scratch/by_name"
expect_same <(entries "$dump") <(entries "$scratch/told")
expect_different <(entries "$scratch/told") <(entries "$scratch/by_name") 'tables with and without types'

printf 'node\n' >>"$scratch/io"
sweep_again "$dir"
expect_line "$dir/opensm.log" "osmpssp: ERR 7A25: dmodk: the files of node types are ignored: $scratch/io:6: "
expect_same <(entries "$dump") <(entries "$scratch/by_name")
expect_equal 'lines about options that mean nothing' \
  "$(grep -c 'option without effect: dmodk: this engine does not use these options of opensm.conf: root_guid_file, max_reverse_hops$' "$dir/opensm.log")" 1
end_process "$opensm_pid"
stop_simulation "$dir"

# node_types_file takes precedence over opensm's own file. A host with two types counts as having none.
plugin_options="node_types_file=$types"
route "$scratch/ours" dmodk "$scratch/tree.net"
expect_line "$scratch/ours/opensm.log" "osmpssp: dmodk: node_types_file $types: 4 hosts of 1 node types"
expect_line "$scratch/ours/opensm.log" 'does not use these options of opensm.conf: root_guid_file, max_reverse_hops, io_guid_file .node_types_file replaces it'
expect_same <(entries "$scratch/ours/osm/opensm-lfts.dump") <(entries "$scratch/told")
printf 'mds 0x10000f\n' >>"$types"
route "$scratch/two" dmodk "$scratch/tree.net"
expect_line "$scratch/two/opensm.log" "node types are ignored: $types:2: host 0x000000000010000f is of node type 'mds' here and of node type 'io' in $types:1"
expect_equal 'engine' "$(used_engine "$scratch/two")" dmodk
