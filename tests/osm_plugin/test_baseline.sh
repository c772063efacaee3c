#!/usr/bin/env bash
# Repaired tables return to the baseline in the stock opensm. Links, switches, leaves and hosts are lost and restored. opensm is
# killed at several moments of a sweep, and starts again with and without its state file. When the fabric is complete again, every
# entry must be the same as at the start. Prints a line for each part.
# usage: test_baseline.sh [SPEC of make_topo [ENGINE [LINKS [SWITCHES [HOSTS [LEAFS]]]]]]
# For the full experiment of docs/explanation/incremental-rerouting.md: test_baseline.sh chic best 10 3 20 5
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run
spec=${1:-k-ary-n-tree 4 3}
engine=${2:-best}
links=${3:-4} switches=${4:-2} hosts=${5:-1} leaves=${6:-3}

dir=$scratch/fabric
dump=$dir/osm/opensm-lfts.dump

kill_and_start_again() {
  kill -KILL "$opensm_pid"
  wait "$opensm_pid" 2>/dev/null || true
  forget_child "$opensm_pid"
  rm -f "$dir/opensm.log"
  start_opensm "$dir" "$engine"
}

# kill_in_sweep PATTERN: disconnects two cables and kills opensm as soon as its sweep has logged PATTERN. The cables are restored
# before opensm starts again.
kill_in_sweep() {
  local before ended
  before=$(grep -c "$1" "$dir/opensm.log") || true
  ended=$(sweeps_of "$dir")
  printf 'Unlink %s\nUnlink %s\n' "${cable[links]}" "${cable[links + 1]}" >&"$console"
  kill -HUP "$opensm_pid"
  # Check more often than `eventually` does, so that opensm is still in its sweep.
  until (($(grep -c "$1" "$dir/opensm.log") > before)); do
    is_running "$opensm_pid" || fail "opensm ended: $(tail_of "$dir/opensm.log")"
    sleep 0.002
  done
  kill -STOP "$opensm_pid"
  (($(sweeps_of "$dir") > ended)) || in_mid_sweep=$((in_mid_sweep + 1))
  printf 'ReLink %s\nReLink %s\n' "${cable[links]}" "${cable[links + 1]}" >&"$console"
  kill_and_start_again
}

# baseline_again WHAT: all entries must be the same as at the start.
baseline_again() {
  local count
  count=$(differing "$dump" "$scratch/home")
  printf '%s: %d entries not as at the start\n' "$1" "$count"
  expect_equal "entries not as at the start after $1" "$count" 0
}

# shellcheck disable=SC2086 # words of make_topo
"$PSSP_BUILD_DIR/bin/make_topo" $spec -o "$scratch/fabric.net" 2>/dev/null
mapfile -t cable < <(cables "$scratch/fabric.net")
mapfile -t top < <(switches_without_hosts "$scratch/fabric.net")
((${#cable[@]} > links + 4 && ${#top[@]} > switches)) || fail "cables or tops were not found: ${#cable[@]}, ${#top[@]}"

start_simulation_with_console "$dir" "$scratch/fabric.net"
start_opensm "$dir" "$engine"
entries "$dump" >"$scratch/home"

# Links: some fail one after the other, and some are down at the same time.
for ((i = 0; i < links; i++)); do
  change "$dir" "Unlink ${cable[i]}"
  ((i % 3 == 0)) || change "$dir" "ReLink ${cable[i]}"
  ((i > 0 || $(differing "$dump" "$scratch/home") > 0)) || fail 'a dead link has changed nothing'
done
for ((i = 0; i < links; i += 3)); do change "$dir" "ReLink ${cable[i]}"; done
baseline_again "$links links"

# Switches: the current tables must survive a restart while a switch is missing.
change "$dir" "Unlink ${top[0]}"
entries "$dump" >"$scratch/damaged"
kill_and_start_again
expect_equal 'entries changed by a restart on a damaged fabric' "$(differing "$dump" "$scratch/damaged")" 0
for ((i = 1; i < switches; i++)); do change "$dir" "Unlink ${top[i]}"; done
for ((i = 0; i < switches; i++)); do change "$dir" "ReLink ${top[i]}"; done
baseline_again "$switches switches and a restart while one was missing"

# Leaves with all their hosts: in the end all are missing together, and a cable as well. They return in the order in which they
# left, so that each finds others missing. Paths between the remaining hosts do not change; paths between switches may use other
# leaves.
entries "$dump" >"$scratch/whole"
mapfile -t leaf < <(leaves "$scratch/fabric.net" "$(<"$dir/state/host")")
((${#leaf[@]} >= leaves)) || fail "leaves were not found: ${#leaf[@]}"
for ((i = 0; i < leaves; i++)); do change "$dir" "Unlink ${leaf[i]}"; done
expect_equal "engine while $leaves leaves are missing" "$(used_engine "$dir")" "$engine"
entries "$dump" >"$scratch/without_leaves"
expect_equal "entries for hosts that are other ones without $leaves leaves" \
  "$(comm -13 "$scratch/whole" "$scratch/without_leaves" | awk '{ print $2 }' | grep -cf <(awk '/Channel Adapter/ { print $1 }' "$dump" | sort -u))" 0
change "$dir" "Unlink ${cable[0]}"
for ((i = 0; i < leaves; i++)); do change "$dir" "ReLink ${leaf[i]}"$'\n'"Unlink ${cable[0]}"; done
change "$dir" "ReLink ${cable[0]}"
baseline_again "$leaves leaves with their hosts"

# Kill opensm when a sweep begins, when it calls the engine, and while it writes tables.
in_mid_sweep=0
kill_in_sweep 'INITIATING HEAVY SWEEP'
baseline_again 'kill -9 at the beginning of a sweep'
kill_in_sweep 'building routing with'
baseline_again 'kill -9 as the engine is asked'
kill_in_sweep 'tables configured on all switches'
baseline_again 'kill -9 while tables are written'
((in_mid_sweep > 0)) || fail 'each of the sweeps had ended before opensm was killed'
printf 'killed before the sweep had ended: %d of 3 times\n' "$in_mid_sweep"

# Hosts, with and without missing links: only entries for the host's own LID change, also when it returns.
mapfile -t host < <(awk '/^(Ca|Hca)/ && ++n % 5 == 0 { print $3 }' "$scratch/fabric.net")
((${#host[@]} >= hosts)) || fail "hosts were not found: ${#host[@]}"
for missing in 0 2; do
  for ((i = 0; i < missing; i++)); do change "$dir" "Unlink ${cable[links + 2 + i]}"; done
  entries "$dump" >"$scratch/before"
  for ((i = 0; i < hosts; i++)); do
    change "$dir" "Unlink ${host[i]}[1]"
    gone=$(entries "$dump" | comm -3 "$scratch/before" - | awk '{ print $2 }' | sort -u)
    expect_equal "LIDs concerned by the loss of a host with $missing links missing" "$(wc -w <<<"$gone")" 1
    change "$dir" "ReLink ${host[i]}[1]"
    expect_equal "entries changed when a host was lost and is back, $missing links missing" "$(differing "$dump" "$scratch/before")" 0
  done
done
for i in 2 3; do change "$dir" "ReLink ${cable[links + i]}"; done
baseline_again "$hosts hosts, twice"

# Restart without the state file while cables are missing: in a tree the baseline follows from the structure.
for i in 0 1; do change "$dir" "Unlink ${cable[i]}"; done
rm -f "$dir"/osm/*.state
kill_and_start_again
for i in 0 1; do change "$dir" "ReLink ${cable[i]}"; done
baseline_again 'a restart without a state file while two links were missing'
expect_equal "engine of $dir" "$(used_engine "$dir")" "$engine"

# A new baseline is what the engine computes for the current fabric. Touching the file requests a new baseline.
change "$dir" "Unlink ${top[0]}"
expect_equal 'lines about a new baseline' "$(grep -c 'was touched; the engine computes a new baseline' "$dir/opensm.log")" 0
touch "$dir/osm/osmpssp-$engine.rebaseline"
change "$dir"
expect_equal 'new baselines' "$(grep -c 'rebaseline was touched; the engine computes a new baseline' "$dir/opensm.log")" 1
entries "$dump" >"$scratch/new_baseline"
change "$dir" "Unlink ${cable[0]}"
change "$dir" "ReLink ${cable[0]}"
expect_equal 'entries not as in the new baseline' "$(differing "$dump" "$scratch/new_baseline")" 0
change "$dir" "ReLink ${top[0]}"
end_process "$opensm_pid"

# Restart without a state file on the complete fabric: the baseline is what the engine computes.
rm -f "$dir"/osm/*.state "$dir/opensm.log"
start_opensm "$dir" "$engine"
baseline_again 'a restart of the whole fabric without a state file'
end_process "$opensm_pid"
stop_simulation "$dir"
