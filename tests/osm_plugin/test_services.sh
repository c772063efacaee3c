#!/usr/bin/env bash
# Multicast, path queries, ibtracert and ibdmchk work the same with our engine and with a built-in one.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run saquery ibtracert dump_fts
join_group=$PSSP_BUILD_DIR/tests/osm_plugin/join_group
[[ -x $join_group ]] || skip 'join_group is not built (libibmad-dev is not installed)'

readonly broadcast_group=ff12:401b:ffff::ffff:ffff members=(H0 H4 H11)

# lid_of DIR HOST: prints the LID of HOST.
lid_of() { awk -v host="'$2'" '$NF == host && $3 == "#" { print $1; exit }' "$1/osm/opensm-lfts.dump"; }

join_members() {
  local member
  for member in "${members[@]}"; do
    expect_equal "group of $member" "$(in_fabric "$1" "$member" "$join_group" $broadcast_group)" 0xc000
  done
}

# The three hosts are attached to three leaves. The multicast tree must reach each of them and have no cycle, so it has one link
# less than switches.
check_multicast() {
  local dump=$1/osm/opensm.mcfdbs
  awk '
    /^Switch / { at = $2 }
    /^0xC000 :/ { switches++; for (f = 3; f <= NF; f++) ports[at] = ports[at] " " $f; entries += NF - 2 }
    END {
      printf "%d %d\n", switches, entries
      for (leaf = 0; leaf <= 3; leaf++) print ports["0x000000000020000" leaf]
    }' "$dump" >"$1/tree"
  local switches entries
  read -r switches entries <"$1/tree"
  expect_equal "ports in the tree of $switches switches and 3 members" "$entries" "$((2 * (switches - 1) + 3))"
  # H0, H4 and H11 are attached to port 1 of L0, port 2 of L1 and port 3 of L3.
  expect_line "$1/tree" '^ 0x001 0x00[4-7]'
  expect_line "$1/tree" '^ 0x002 0x00[4-7]'
  expect_line "$1/tree" '^ 0x003 0x00[4-7]'
}

check_paths() {
  local from to lid record
  for from in H0 H5 H11; do
    for to in H2 H7 H9; do
      lid=$(lid_of "$1" $to)
      record=$(in_fabric "$1" H3 saquery --src-to-dst "$(lid_of "$1" $from):$lid") || fail "no path record from $from to $to"
      grep -q "dlid\\.*$((lid))\$" <<<"$record" || fail "path record from $from to $to is for another LID:"$'\n'"$record"
      in_fabric "$1" H3 ibtracert "$(lid_of "$1" $from)" "$lid" >"$1/trace" 2>&1 ||
        fail "ibtracert from $from to $to:"$'\n'"$(cat "$1/trace")"
      expect_line "$1/trace" "-> ca port .* \"$to\"\$"
    done
  done
}

# ibdmchk crashes at its end, with a built-in engine too, but prints its findings before. It writes details to one fixed folder
# that is not writable for ordinary users.
check_with_ibdmchk() {
  command -v ibdmchk >/dev/null && [[ -w /var/cache/ibutils ]] || return 0
  (
    cd "$1/osm"
    ibdmchk -s opensm-subnet.lst -f opensm.fdbs -m opensm.mcfdbs >"$1/ibdmchk" 2>&1
    true
  ) 2>/dev/null || true
  expect_line "$1/ibdmchk" '^-I- Scanned:132 CA to CA paths'
  expect_line "$1/ibdmchk" '^-I- no credit loops found'
  expect_equal 'errors and warnings of ibdmchk' "$(grep '^-[EW]-' "$1/ibdmchk")" ''
}

make_tree 4 2 3 2 >"$scratch/tree.net"
for engine in pssp minhop; do
  dir=$scratch/$engine
  simulate "$dir" "$scratch/tree.net"
  start_opensm "$dir" "$engine"
  join_members "$dir"
  kill -HUP "$opensm_pid"
  wait_for_sweeps "$dir" 2
  check_multicast "$dir"
  check_paths "$dir"
  check_with_ibdmchk "$dir"
  end_process "$opensm_pid"
  stop_simulation "$dir"
done
expect_equal 'engine' "$(used_engine "$scratch/pssp")" pssp
# Multicast trees depend on the hop counts, which are the same as minhop's.
expect_same "$scratch/pssp/osm/opensm.mcfdbs" "$scratch/minhop/osm/opensm.mcfdbs"
