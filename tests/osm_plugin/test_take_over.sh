#!/usr/bin/env bash
# Two stock opensm with the plugin: the master is killed and the standby takes over. A standby that never routed reads the
# master's tables from the switches and changes no entry, and also finds the master's baseline on a damaged fabric. A standby with
# a state file of its own returns to the baseline in this file.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run sminfo

is_standby() { grep -qs 'Entering STANDBY state' "$1/opensm.log"; }
is_master() { (($(sweeps_of "$1") > 0)); }

# Later managers have lower priority. A standby that polls a master of higher priority sends no trap, which ibsim would not
# answer.
priority=15

# manager DIR ENGINE: starts a manager, which becomes the master, or a standby if there is a master.
manager() {
  printf 'sm_priority %d\nsminfo_polling_timeout 200\npolling_retry_number 2\n' $((--priority)) >"$1.conf"
  write_opensm_conf "$1" "$2" '' "$1.conf"
  prepare_opensm "$1" "$2" stay -D 0x47
  start_child "${opensm_command[@]}" >"$1/opensm.out" 2>&1
  opensm_pid=$child_pid
}

master() {
  manager "$@"
  master_pid=$opensm_pid
  wait_for_sweeps "$1" 1
}

standby() {
  manager "$@"
  eventually is_standby "$1"
}

kill_master() {
  kill -KILL "$master_pid"
  wait "$master_pid" 2>/dev/null || true
  forget_child "$master_pid"
}

# take_over DIR [COMMAND WORD...]: kills the master, lets ibsim execute a command at the same time, and waits until the standby is
# the master.
take_over() {
  stop_answered "$first" "$asker" "$opensm_pid"
  [[ -z ${2:-} ]] || obey "${*:2}"
  kill_master
  kill -CONT "$opensm_pid"
  master_pid=$opensm_pid
  eventually is_master "$1"
  # If the first sweep has seen changes, another one follows.
  change "$1"
}

# two_managers NAME TOPOLOGY HOST ASKER: creates a fabric with two folders, $first and $second. The second manager runs at HOST,
# and sminfo at ASKER.
two_managers() {
  first=$scratch/$1/first second=$scratch/$1/second
  mkdir -p "$first" "$second"/{osm,state}
  start_simulation_with_console "$first" "$2"
  cp "$first"/state/{socket,size} "$second/state/"
  printf '%s\n' "$3" >"$second/state/host"
  asker=$4
}

# expect_entries WHAT DIR NAME COUNT: COUNT entries must differ from those in NAME.
expect_entries() { expect_equal "$1" "$(differing "$2/osm/opensm-lfts.dump" "$3")" "$4"; }

# Entries must differ from those in NAME; otherwise the test would be meaningless.
expect_others() { (($(differing "$2/osm/opensm-lfts.dump" "$3") > 0)) || fail "$1: these are the same tables"; }

cd "$scratch"

# ---- a standby that never routed, and tables that its engine would not compute ----
make_tree 4 4 4 1 >tree.net
two_managers engines "$scratch/tree.net" H9 H5
master "$first" dmodk
change "$first" 'Unlink "L0"[5]'
change "$first" 'Unlink "L1"[6]'
entries "$first/osm/opensm-lfts.dump" >before
standby "$second" pssp
take_over "$second"
expect_entries 'entries that the take-over changed' "$second" before 0
expect_line "$second/opensm.log" 'takeover: read the tables of [0-9]+ switches, from an earlier subnet manager, in'
expect_line "$second/opensm.log" 'takeover: the tables of the earlier subnet manager stay'
touch "$second/osm/osmpssp-pssp.rebaseline"
change "$second"
expect_others 'made from scratch' "$second" before

# ---- a standby that has a state file, and tables of another engine in the switches ----
change "$second" 'ReLink "L0"[5]'$'\n''ReLink "L1"[6]'
entries "$second/osm/opensm-lfts.dump" >pssp_baseline
kill_master
rm -f "$first"/osm/*.state
master "$first" dmodk
expect_others 'of the other engine' "$first" pssp_baseline
change "$first" 'Unlink "L0"[5]'
standby "$second" pssp
take_over "$second" 'Unlink "L2"[7]'
expect_line "$second/opensm.log" 'state file: pssp: restored the tables.* of [0-9]+ switches from .*osmpssp-pssp.state'
change "$second" 'ReLink "L0"[5]'$'\n''ReLink "L2"[7]'
expect_entries 'entries not in the baseline when a standby with a state file has taken over' "$second" pssp_baseline 0
end_process "$opensm_pid"
stop_simulation "$first"

# ---- a damaged fabric ----
"$PSSP_BUILD_DIR/bin/make_topo" k-ary-n-tree 4 3 -o kary.net 2>/dev/null
mapfile -t cable < <(cables kary.net)
two_managers kary "$scratch/kary.net" H00009 H00005
master "$first" best
entries "$first/osm/opensm-lfts.dump" >baseline
change "$first" "$(printf 'Unlink %s\n' "${cable[@]:0:8}")"
expect_others 'with eight cables missing' "$first" baseline
entries "$first/osm/opensm-lfts.dump" >damaged
standby "$second" best
take_over "$second"
expect_entries 'entries that the take-over on a damaged fabric changed' "$second" damaged 0
change "$second" "$(printf 'ReLink %s\n' "${cable[@]:0:8}")"
expect_entries 'entries not in the baseline when one that never routed has taken over with eight cables missing' "$second" baseline 0

# The first manager returns and takes over again, with a state file that is older than the current damage. One cable fails during
# the takeover.
change "$second" "$(printf 'Unlink %s\n' "${cable[@]:8:4}")"
standby "$first" best
take_over "$first" "Unlink ${cable[12]}"
expect_others 'with five cables missing' "$first" baseline
change "$first" "$(printf 'ReLink %s\n' "${cable[@]:8:5}")"
expect_entries 'entries not in the baseline when a standby with a state file has taken over with five cables missing' "$first" baseline 0
end_process "$opensm_pid"
stop_simulation "$first"
