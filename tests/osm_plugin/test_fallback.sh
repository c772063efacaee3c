#!/usr/bin/env bash
# If an engine of ours does not route a fabric, opensm uses the next engine in its list, and the log has the reason.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

make_tree 3 2 2 1 >"$scratch/tree.net"

# With a list: the tree is not a mesh. The second engine computes the same tables as alone.
route "$scratch/list" meshdor,pssp "$scratch/tree.net"
expect_equal 'engine of the list' "$(used_engine "$scratch/list")" pssp
expect_line "$scratch/list/opensm.log" '0x01 -> osmpssp: ERR 7A20: meshdor: does not route this fabric: .+; OpenSM uses the next engine'
route "$scratch/alone" pssp "$scratch/tree.net"
for dump in opensm-lfts.dump opensm-lid-matrix.dump opensm.fdbs; do
  expect_same "$scratch/list/osm/$dump" "$scratch/alone/osm/$dump"
done

# Without a list opensm falls back to minhop, and gets the tables that minhop computes without the plugin.
route "$scratch/fallback" meshdor "$scratch/tree.net"
expect_equal 'engine after meshdor' "$(used_engine "$scratch/fallback")" minhop
route "$scratch/minhop" minhop "$scratch/tree.net"
expect_same "$scratch/fallback/osm/opensm-lfts.dump" "$scratch/minhop/osm/opensm-lfts.dump"

printf '# options\ncredit_loop_check=off\n' >"$scratch/options.conf"
plugin_options="options_file=$scratch/options.conf"
route "$scratch/good" pssp "$scratch/tree.net"
expect_equal 'engine with an options file' "$(used_engine "$scratch/good")" pssp
