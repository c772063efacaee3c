#!/usr/bin/env bash
# Fabrics with few or no routes.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

# Two hosts connected back to back: opensm calls no engine.
printf 'Hca\t1 "A"\n[1]\t"B"[1]\n\nHca\t1 "B"\n[1]\t"A"[1]\n' >"$scratch/pair.net"
dir=$scratch/pair
mkdir -p "$dir/state" "$dir/osm"
printf 'pssp-pair-%s\n' "$$" >"$dir/state/socket"
printf 'A\n' >"$dir/state/host"
IBSIM_SOCKNAME=$(<"$dir/state/socket") start_child ibsim -s -n "$scratch/pair.net" >"$dir/ibsim.log" 2>&1
eventually has_socket "$(<"$dir/state/socket")"
sweep_once "$dir" pssp
expect_line "$dir/opensm.log" 'SUBNET UP'
end_process "$child_pid"

# One switch, and unconnected ports and switches.
{
  make_tree 1 0 3 0
  printf 'Switch\t4 "lonely"\n\nHca\t1 "unplugged"\n'
} >"$scratch/star.net"
route "$scratch/star" pssp "$scratch/star.net"
expect_equal 'engine on one switch' "$(used_engine "$scratch/star")" pssp
expect_line "$scratch/star/opensm.log" 'osmpssp: routing: engine=pssp .* switches=1 hosts=3 lids=4 .* efi=0 vls=1 max_vls=1 '

# Half of the links between leaves and spines are missing.
make_tree 4 2 3 2 | sed '/^\[[46]\]\t"S/d; /"L[0-3]"\[[46]\]$/d' >"$scratch/damaged.net"
route "$scratch/damaged" pssp "$scratch/damaged.net"
expect_equal 'engine on the damaged tree' "$(used_engine "$scratch/damaged")" pssp
expect_equal 'rows of the damaged tree' "$(grep -c ': yes$' "$scratch/damaged/osm/opensm.fdbs")" "$((6 * 18))"

# Adapters that OpenSM treats as routers or aggregation nodes are routed like any other adapter.
make_tree 2 1 2 1 | sed 's/^Hca\t1 "H1"/Hca\t1 "H1"\t\t# "Mellanox Technologies Aggregation Node"/' >"$scratch/sharp.net"
route "$scratch/sharp" pssp "$scratch/sharp.net"
expect_equal 'engine with an aggregation node' "$(used_engine "$scratch/sharp")" pssp
expect_line "$scratch/sharp/osm/opensm-lfts.dump" "Aggregation Node"
expect_equal 'rows with an aggregation node' "$(grep -c ': yes$' "$scratch/sharp/osm/opensm.fdbs")" "$((3 * 7))"
