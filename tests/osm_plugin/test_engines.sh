#!/usr/bin/env bash
# Every engine routes in the stock opensm, with the same hop counts as opensm's minhop.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

# expect_routed DIR ENGINE SWITCHES LIDS: the engine must have routed without errors.
expect_routed() {
  expect_equal "engine in $1" "$(used_engine "$1")" "$2"
  expect_line "$1/opensm.log" "0x02 -> osmpssp: routing: engine=$2 reason=scratch computed_by=$2 .* switches=$3 hosts=[0-9]+ lids=$4 .* efi=[0-9.]+ .* seconds=[0-9.]+\$"
  expect_equal "errors in $1" "$(reasons_in_log "$1" | grep -v 'ERR 7A22: .* can deadlock' || true)" ''
  # Every LID has a row with a hop count in each switch's dump, and every path is minimal.
  expect_equal "rows of $1" "$(grep -Ec '^0x[0-9A-F]{4} : [0-9]{3}  : [0-9]{2}   : yes$' "$1/osm/opensm.fdbs")" "$(($3 * $4))"
}

make_tree 4 2 3 2 >"$scratch/tree.net"
make_mesh 4 3 2 >"$scratch/mesh.net"
for topology in tree mesh; do
  route "$scratch/$topology-minhop" minhop "$scratch/$topology.net"
  for engine in pssp p2ssp meshdor updown dmodk; do
    [[ $topology-$engine == tree-meshdor || $topology-$engine == mesh-dmodk ]] && continue
    dir=$scratch/$topology-$engine
    route "$dir" "$engine" "$scratch/$topology.net"
    case $topology in
      tree) expect_routed "$dir" "$engine" 6 18 ;;
      mesh) expect_routed "$dir" "$engine" 12 36 ;;
    esac
    expect_same "$dir/osm/opensm-lid-matrix.dump" "$scratch/$topology-minhop/osm/opensm-lid-matrix.dump"
  done
done
