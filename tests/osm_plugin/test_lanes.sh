#!/usr/bin/env bash
# Two fabrics for which OpenSM's dfsssp needs more than eight lanes. The running opensm's path records and SL2VL tables must be
# what the plugin proved, and ibdmchk must find no credit loop.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/lanes.sh
. "$tests_dir/lanes.sh"
skip_without opensm ibsim ibsim-run saquery smpquery

# expect_by_saquery DIR COUNT: saquery must get the same answers for some of the paths.
expect_by_saquery() {
  local slid dlid level
  while read -r slid dlid level; do
    at_any_host "$1" saquery --src-to-dst "$slid:$dlid" >"$1/record"
    expect_line "$1/record" "sl\\.+0x$(printf %X "$level")\$"
  done < <(shuf -n "$2" --random-source="$1/paths" "$1/paths")
}

# expect_identity DIR LID PORT: the SL2VL tables of the port must map each level to the lane of the same number, for the eight
# lanes of ibsim's ports.
expect_identity() {
  at_any_host "$1" smpquery sl2vl "$2" "$3" >"$1/sl2vl"
  expect_line "$1/sl2vl" '^ports:'
  expect_equal "SL2VL of LID $2 port $3" \
    "$(grep '^ports:' "$1/sl2vl" | grep -vF '| 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|')" ''
}

# expect_even_weights DIR LID PORT: all lanes must have the same weight.
expect_even_weights() {
  at_any_host "$1" smpquery vlarb "$2" "$3" >"$1/vlarb"
  expect_equal "weights of LID $2 port $3" "$(sed -n 's/^WEIGHT: *//p' "$1/vlarb" | sort -u)" \
    '|0x4 |0x4 |0x4 |0x4 |0x4 |0x4 |0x4 |0x4 |'
}

# credit_loops DIR SL2VL: prints what ibdmchk reports for the tables with the levels in DIR/path-levels. ibdmchk crashes at its
# end, with tables of any engine, but prints its findings before.
credit_loops() {
  (
    cd "$1/osm"
    ibdmchk -s opensm-subnet.lst -f opensm.fdbs -m opensm.mcfdbs -c "$1/path-levels" -d "$2" >"$1/ibdmchk" 2>&1
    true
  ) 2>/dev/null || true
  sed -n 's/^-I- Analyzing Fabric for Credit Loops \([0-9]* SLs\).*/\1/p; s/^-[IE]- \(.*credit loops.*\)/\1/p' "$1/ibdmchk"
}

# expect_confirmed DIR DUMP: ibdmchk must find no loop with the levels of the dump for all paths between adapters and opensm's
# SL2VL tables. It must find a loop if all levels map to lane 0, which shows that its check works.
expect_confirmed() {
  command -v ibdmchk >/dev/null && [[ -w /var/cache/ibutils ]] || return 0
  local levels
  awk 'FILENAME ~ /positions$/ && $4 == "CA" { at[$1] = $2; guid[$1] = $3 }
    FILENAME !~ /positions$/ && /^0x/ { row[$1] = $2 }
    END {
      for (from in at) for (to in at) if (from != to)
        print guid[from], to, index("0123456789abcdef", substr(row[at[from]], to + 1, 1)) - 1
    }' "$1/positions" "$2" >"$1/path-levels"
  awk '/^Switch/ { guid = substr($2, 1, 18) }
    $3 == ":" && $1 ~ /^[0-9]+$/ {
      printf "%s %d %d", guid, $1, $2
      for (sl = 0; sl < 16; sl += 2) printf " 0x%x%x", $(4 + sl), $(5 + sl)
      print ""
    }' "$1/osm/opensm-sl2vl.dump" >"$1/sl2vl-tables"
  levels=$(awk '{ print $3 }' "$1/path-levels" | sort -u | wc -l)
  expect_equal "ibdmchk on $1" "$(credit_loops "$1" "$1/sl2vl-tables")" "$levels SLs"$'\n''no credit loops found'
  sed 's/ 0x.*/ 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00/' "$1/sl2vl-tables" >"$1/one-lane"
  expect_equal "ibdmchk on one lane of $1" "$(credit_loops "$1" "$1/one-lane")" "$levels SLs"$'\n''credit loops in routing'
}

# promise_kept DIR LANES STEP SPEC...: the fabric must need at most LANES lanes; checks all paths from every STEP-th adapter.
promise_kept() {
  local dir=$1 lanes=$2 step=$3 lid
  shift 3
  "$PSSP_BUILD_DIR/bin/make_topo" "$@" >"$dir.net" 2>/dev/null
  plugin_options="deadlock=require budget.seconds=600 service_level_dump=$dir.levels"
  simulate "$dir" "$dir.net"
  start_opensm "$dir" pssp -Q
  expect_equal "engine on $*" "$(used_engine "$dir")" pssp
  expect_line "$dir/opensm.log" " vls=[2-$lanes] max_vls=8 .* deadlock_free=yes .* seconds=[0-9.]+$"
  ask_paths "$dir" CA "$step"
  expect_levels_of_dump "$dir" "$dir.levels"
  expect_by_saquery "$dir" 4
  while read -r lid; do
    expect_identity "$dir" "$lid" 2
    expect_even_weights "$dir" "$lid" 2
  done < <(awk '$4 == "SW" { print $1 }' "$dir/positions" | sed -n '1p;40p')
  expect_identity "$dir" "$(awk '$4 == "CA" { print $1; exit }' "$dir/positions")" 0
  expect_confirmed "$dir" "$dir.levels"
  end_process "$opensm_pid"
  stop_simulation "$dir"
}

promise_kept "$scratch/hypercube" 4 1 hypercube 6
promise_kept "$scratch/torus" 5 5 torus 6x6x4
