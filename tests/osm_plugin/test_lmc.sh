#!/usr/bin/env bash
# Several LIDs per port: each LID is routed, and if there are several paths, the LIDs of a port do not all use the same one.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

make_tree 4 2 3 2 >"$scratch/tree.net"
for lmc in 1 2; do
  dir=$scratch/lmc$lmc
  route "$dir" pssp "$scratch/tree.net" -l "$lmc"
  expect_equal "engine at LMC $lmc" "$(used_engine "$dir")" pssp
  expect_line "$dir/opensm.log" "osmpssp: routing: engine=pssp .* switches=6 hosts=12 lids=$((6 + 12 * (1 << lmc))) "
  expect_equal "rows at LMC $lmc" "$(grep -c ': yes$' "$dir/osm/opensm.fdbs")" "$((6 * (6 + 12 * (1 << lmc))))"
  # At leaf L0, all LIDs of hosts at other leaves have an entry, and not every host's LIDs use only one port.
  awk '/^Unicast/ { at_l0 = /0x0000000000200000/ } at_l0 && $2 >= 4 && /Channel Adapter/ { print $NF, $2 }' \
    "$dir/osm/opensm-lfts.dump" >"$dir/remote"
  expect_equal "LIDs of hosts beyond L0 at LMC $lmc" "$(wc -l <"$dir/remote")" "$((9 * (1 << lmc)))"
  (($(sort -u "$dir/remote" | wc -l) > 9)) || fail "at LMC $lmc every host's LIDs leave L0 by one port"
done
