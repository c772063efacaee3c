#!/usr/bin/env bash
# The tables in the switches are, byte for byte, those that route_lft computes for the same fabric without opensm.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run
route_lft=$PSSP_BUILD_DIR/bin/route_lft
[[ -x $route_lft ]] || skip 'route_lft is not built'

make_tree 4 2 3 2 >"$scratch/tree.net"
make_mesh 4 3 2 >"$scratch/mesh.net"
# Parallel links of which one is missing, and a host without a cable.
{
  make_tree 3 2 2 2 | sed '/^\[3\]\t"S0"\[1\]$/d; /^\[1\]\t"L0"\[3\]$/d'
  printf 'Hca\t1 "unplugged"\n'
} >"$scratch/damaged.net"

# Shuffled ports and GUIDs, and a missing link: both programs number the switches by the structure.
"$PSSP_BUILD_DIR/bin/make_topo" xgft 3,4 1,2 --kill-links 1 --permute-ports --shuffle-guids -o "$scratch/untidy.net" 2>/dev/null

# For an incomplete tree the first tables are those of the complete tree, repaired, if the repair costs little
# (test_damaged_start.sh).
"$PSSP_BUILD_DIR/bin/make_topo" k-ary-n-tree 4 3 --kill-links 4 --seed 2 -o "$scratch/lacking.net" 2>/dev/null

# same_offline TOPOLOGY ENGINE OPTIONS [OPTION of route_lft]: compares with opensm under event_plugin_options OPTIONS.
same_offline() {
  local topology=$1 engine=$2 dir=$scratch/$1-$2${3:+-${3//=/-}}
  plugin_options=$3
  route "$dir" "$engine" "$scratch/$topology.net"
  expect_equal "engine on $topology" "$(used_engine "$dir")" "$engine"
  "$route_lft" --engine "$engine" ${4:+"$4"} "$scratch/$topology.net" -o "$dir/offline.lft" 2>"$dir/route_lft.err" ||
    fail "route_lft --engine $engine on $topology: $(tail_of "$dir/route_lft.err")"
  expect_same "$dir/osm/opensm-lfts.dump" "$dir/offline.lft"
}

for topology in tree mesh damaged untidy; do
  for engine in pssp p2ssp meshdor updown dmodk; do
    [[ $engine == meshdor && $topology != mesh ]] && continue
    [[ $engine == dmodk && $topology == mesh ]] && continue
    same_offline "$topology" "$engine" '' --first-start
  done
done
for topology in damaged untidy; do same_offline "$topology" pssp stable=off; done

# The complete tree is the baseline if the repair costs little; both programs decide in the same way.
said=$scratch/said
for engine in pssp best updown; do
  same_offline lacking "$engine" '' --first-start
  cat "$scratch/lacking-$engine/route_lft.err" >>"$said"
  expect_equal "opensm and $engine agree on the baseline" "$(grep -c 'baseline is the complete tree' "$scratch/lacking-$engine/opensm.log")" \
    "$(grep -c 'baseline is the complete tree' "$scratch/lacking-$engine/route_lft.err")"
done
for outcome in 'baseline is the complete tree' 'score .* less today'; do
  grep "$outcome" "$said" >/dev/null || fail "no engine: $outcome: $(cat "$said")"
done
