#!/usr/bin/env bash
# Host names that arrive late, in the stock opensm. A hundred hosts have the name of their adapter when the baseline is computed,
# as nodes do while they boot. They then get their own names, and later each other's, with and without a missing cable. No entry
# may change, although the engine uses names.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run
recorder=$PSSP_BUILD_DIR/tests/mad_recorder
[[ -x $recorder ]] || skip 'mad_recorder is not built'
engine=${1:-best}
dir=$scratch/fabric
dump=$dir/osm/opensm-lfts.dump
names=$scratch/names

# ibsim reads node names from its file only once; a relay replaces them.
"$PSSP_BUILD_DIR/bin/make_topo" k-ary-n-tree 5 3 -o "$scratch/fabric.net" 2>/dev/null
start_simulation_with_console "$dir" "$scratch/fabric.net"
ibsim_name=$(<"$dir/state/socket")
start_child "$recorder" --log "$scratch/requests" --names "$names" --timeout 2000 "$ibsim_name" "$ibsim_name-relay" 2>"$scratch/recorder.err"
eventually has_socket "$ibsim_name-relay"
printf '%s\n' "$ibsim_name-relay" >"$dir/state/socket"

# A hundred random hosts without the host of opensm, as "ID" and name.
awk -v manager="$(<"$dir/state/host")" '/^(Ca|Hca)/ && $3 != "\"" manager "\"" { split($0, part, "\""); print $3 "\t" part[4] }' "$scratch/fabric.net" |
  shuf --random-source=<(yes home) | sed -n 1,100p | sort -k 2 >"$scratch/hosts"
mapfile -t host < <(cut -f 1 "$scratch/hosts")
mapfile -t name < <(cut -f 2 "$scratch/hosts")
expect_equal 'hosts that are named late' "${#name[@]}" 100

# reboot: disconnects and reconnects all these hosts.
reboot() {
  change "$dir" "$(printf 'Unlink %s[1]\n' "${host[@]}")"
  change "$dir" "$(printf 'ReLink %s[1]\n' "${host[@]}")"
}

# called PATTERN COUNT: opensm must know COUNT hosts by a matching name.
called() {
  expect_equal "hosts that opensm calls $1" "$(grep -o "Channel Adapter portguid .*: '.*'" "$dump" | sort -u | grep -cE ": '$1'")" "$2"
}

# unmoved WHAT: all entries must be those of the baseline.
unmoved() {
  local count
  count=$(differing "$dump" "$scratch/home")
  printf '%s: %d entries changed\n' "$1" "$count"
  expect_equal "entries changed by $1" "$count" 0
}

printf '%s\tMT4129 ConnectX7 Mellanox Technologies\n' "${name[@]}" >"$names"
start_opensm "$dir" "$engine"
called 'MT4129 .*' 100
entries "$dump" >"$scratch/home"

rm "$names"
reboot
called 'MT4129 .*' 0
unmoved 'a hundred names that came late'

# Reversed names: in name order all hosts are now at other positions.
paste <(printf '%s\n' "${name[@]}") <(printf '%s\n' "${name[@]}" | tac) >"$names"
cable=$(cables "$scratch/fabric.net" | sed -n 1p)
change "$dir" "Unlink $cable"
entries "$dump" >"$scratch/damaged"
reboot
change "$dir" "Unlink $cable"
expect_equal 'entries changed by a hundred other names while a cable was missing' "$(differing "$dump" "$scratch/damaged")" 0
change "$dir" "ReLink $cable"
unmoved 'a hundred other names'

# Verify that the test is meaningful: with these names the engine computes other tables.
touch "$dir/osm/osmpssp-$engine.rebaseline"
change "$dir"
(($(differing "$dump" "$scratch/home") > 0)) || fail 'the engine makes the same tables of other names: this shows nothing'
end_process "$opensm_pid"
stop_simulation "$dir"
