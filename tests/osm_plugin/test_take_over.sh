#!/usr/bin/env bash
# Two stock opensm with the plugin: the master has tables of another engine and is killed; the standby, which never routed, reads them from
# the switches and moves nothing.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
# shellcheck source=tests/osm_plugin/changes.sh
. "$tests_dir/changes.sh"
skip_without opensm ibsim ibsim-run

# tables DIR: "switch LID port" of what an opensm has written.
tables() { awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") s = $(i + 1) } /^0x/ { print s, $1, $2 }' "$1/osm/opensm-lfts.dump" | sort; }
is_standby() { grep -qs 'Entering STANDBY state' "$1/opensm.log"; }
is_master() { (($(sweeps_of "$1") > 0)); }

cd "$scratch"
make_tree 4 4 4 1 >tree.net
first=$scratch/first second=$scratch/second
start_simulation_with_console "$first" "$scratch/tree.net"
mkdir -p "$second"/{osm,state}
cp "$first"/state/{socket,size} "$second/state/"
printf 'H9\n' >"$second/state/host"

# Another engine, so that the tables are others than those that the standby would make.
printf 'sm_priority 9\nforce_log_flush TRUE\n' >first.conf
extra_conf=$scratch/first.conf
start_opensm "$first" cassp
first_pid=$opensm_pid
change "$first" 'Unlink "L0"[5]'
change "$first" 'Unlink "L1"[6]'
tables "$first" >before

# A standby that polls a master of higher priority sends no trap, which ibsim would not answer.
printf 'sm_priority 8\nforce_log_flush TRUE\nsminfo_polling_timeout 200\npolling_retry_number 2\n' >second.conf
write_opensm_conf "$second" pssp '' "$scratch/second.conf"
prepare_opensm "$second" pssp stay -D 0x47
start_child "${opensm_command[@]}" >"$second/opensm.out" 2>&1
opensm_pid=$child_pid
eventually is_standby "$second"
kill -KILL "$first_pid"
wait "$first_pid" 2>/dev/null || true
forget_child "$first_pid"
eventually is_master "$second"
tables "$second" >after
expect_equal 'entries that the take-over changed' "$(comm -3 before after | wc -l)" 0
expect_line "$second/opensm.log" 'stable: another subnet manager has left tables in [0-9]+ switches, which were read in'
expect_line "$second/opensm.log" 'stable: goes on with the tables that another subnet manager has left'

# That says something: the engine alone would have others.
touch "$second/osm/osmpssp-pssp.rehome"
change "$second"
tables "$second" >anew
(($(comm -3 before anew | wc -l) > 0)) || fail 'the engine would have made the same tables: this shows nothing'
end_process "$opensm_pid"
