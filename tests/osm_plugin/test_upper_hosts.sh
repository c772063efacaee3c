#!/usr/bin/env bash
# Hosts attached to spines, in the stock opensm without QoS. Tables are repaired for each lost cable on the only lane, and not
# routed from scratch. With all cables back, every entry is the same as at the start.
# usage: test_upper_hosts.sh [SPEC of make_topo [ENGINE [LINKS]]]
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run
spec=${1:-xgft 6,5,4 1,3,2 --upper-hosts 3 --permute-ports --shuffle-guids}
engine=${2:-best}
links=${3:-8}

dir=$scratch/fabric
dump=$dir/osm/opensm-lfts.dump

# shellcheck disable=SC2086 # words of make_topo
"$PSSP_BUILD_DIR/bin/make_topo" $spec -o "$scratch/fabric.net" 2>/dev/null
mapfile -t cable < <(cables "$scratch/fabric.net")
((${#cable[@]} > links)) || fail "cables were not found: ${#cable[@]}"

start_simulation_with_console "$dir" "$scratch/fabric.net"
start_opensm "$dir" "$engine"
entries "$dump" >"$scratch/home"
for ((i = 0; i < links; i++)); do
  change "$dir" "Unlink ${cable[i]}"
  (($(differing "$dump" "$scratch/home") > 0)) || fail 'a dead link has changed nothing'
  ((i % 2 == 1)) || change "$dir" "ReLink ${cable[i]}"
done
for ((i = 1; i < links; i += 2)); do change "$dir" "ReLink ${cable[i]}"; done
expect_equal "entries not as at the start after $links links" "$(differing "$dump" "$scratch/home")" 0
expect_equal "engine of $dir" "$(used_engine "$dir")" "$engine"
! grep 'routes from scratch' "$dir/opensm.log" || fail 'an event was not repaired'
grep -c 'routing: .* reason=repaired ' "$dir/opensm.log" | sed 's/$/ events were repaired, none was routed from scratch/'
end_process "$opensm_pid"
stop_simulation "$dir"
