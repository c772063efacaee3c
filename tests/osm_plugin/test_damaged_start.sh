#!/usr/bin/env bash
# opensm starts for the first time while cables and a switch are missing. When these are connected, the tables must be the same as
# after a start on the complete fabric.
# usage: test_damaged_start.sh [SPEC of make_topo [ENGINE [LINKS]]]
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run
spec=${1:-k-ary-n-tree 4 3}
engine=${2:-best}
links=${3:-3}

dir=$scratch/fabric
dump=$dir/osm/opensm-lfts.dump

# shellcheck disable=SC2086 # words of make_topo
"$PSSP_BUILD_DIR/bin/make_topo" $spec -o "$scratch/fabric.net" 2>/dev/null
mapfile -t cable < <(cables "$scratch/fabric.net")
((${#cable[@]} > links)) || fail "cables were not found: ${#cable[@]}"
# The switch is in the middle level of a three-level tree, where its absence can be inferred.
middle=$(awk '/^Switch/ && /"level 2 switch 6"/ { print $3 }' "$scratch/fabric.net")

start_again() {
  end_process "$opensm_pid"
  rm -f "$dir"/osm/*.state "$dir/opensm.log"
  start_opensm "$dir" "$engine"
}

start_simulation_with_console "$dir" "$scratch/fabric.net"
start_opensm "$dir" "$engine"
entries "$dump" >"$scratch/whole"
end_process "$opensm_pid"

for ((i = 0; i < links; i++)); do printf 'Unlink %s\n' "${cable[i]}" >&"$console"; done
rm -f "$dir"/osm/*.state "$dir/opensm.log"
start_opensm "$dir" "$engine"
expect_equal 'starts that infer the missing links' "$(grep -c "$links links and 0 switches are missing" "$dir/opensm.log")" 1
(($(differing "$dump" "$scratch/whole") > 0)) || fail 'dead links have changed nothing'
for ((i = 0; i < links; i++)); do change "$dir" "ReLink ${cable[i]}"; done
expect_equal 'entries not as of a start on the whole fabric after links' "$(differing "$dump" "$scratch/whole")" 0

# A switch whose GUID is unknown, and one link.
printf 'Unlink %s\nUnlink %s\n' "$middle" "${cable[0]}" >&"$console"
start_again
expect_equal 'starts with a switch inferred' "$(grep -c 'and 1 switches are missing' "$dir/opensm.log")" 1
change "$dir" "ReLink $middle"
change "$dir" "ReLink ${cable[0]}"
# The LID of the switch was unknown, so only the entries for management packets to it may differ.
lids=$(entries "$dump" | comm -3 "$scratch/whole" - | awk '{ print $2 }' | sort -u)
expect_equal 'LIDs with entries not as of a start on the whole fabric after a switch' "$(wc -w <<<"$lids")" 1
expect_equal "engine of $dir" "$(used_engine "$dir")" "$engine"
end_process "$opensm_pid"
stop_simulation "$dir"
