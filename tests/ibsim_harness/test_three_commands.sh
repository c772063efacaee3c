#!/usr/bin/env bash
# start_ibsim.sh, start_osm.sh, dump_routes.sh and stop_ibsim.sh together, with opensm's own engines and several instances. The
# oracle for dump_routes.sh is opensm's own dump (opensm-lfts.dump).
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"

mesh 4 4 >"$scratch/mesh.net"
mesh 3 2 >"$scratch/small.net"
instances=$scratch/pssp-ibsim-$UID

# No instance is running.
expect 21 '' "$harness/start_osm.sh" minhop
said stderr "not running: start it with start_ibsim.sh"
expect 21 '' "$harness/dump_routes.sh"
expect 0 '' "$harness/stop_ibsim.sh"

# Two fabrics at the same time.
expect 0 '' "$harness/start_ibsim.sh" "$scratch/mesh.net"
said stderr 'instance default'
expect 0 '' env PSSP_INSTANCE=other "$harness/start_ibsim.sh" "$scratch/small.net"
expect 2 '' "$harness/start_ibsim.sh" "$scratch/mesh.net"
said stderr 'already running'

expect 0 '' env PSSP_INSTANCE=other "$harness/start_osm.sh" minhop -- -D 0x47
said stdout '^subnet up, engine minhop, routing [0-9.]+ ms$'
for engine in sssp lash nue; do
  expect 0 '' "$harness/start_osm.sh" "$engine" -- -D 0x47
  said stdout "^subnet up, engine $engine, "
  expect 0 '' "$harness/dump_routes.sh"
  cp "$scratch/stdout" "$scratch/$engine.lft"
  # Sixteen switches, each with the LIDs of 16 switches and 16 hosts.
  [[ $(entries "$scratch/$engine.lft" | wc -l) == 512 ]] || fail "$engine: not 16 tables of 32 LIDs"
  same_entries "$scratch/$engine.lft" "$instances/default/osm/opensm-lfts.dump"
done
expect 0 '' env PSSP_INSTANCE=other "$harness/dump_routes.sh"
cp "$scratch/stdout" "$scratch/other.lft"
[[ $(entries "$scratch/other.lft" | wc -l) == 72 ]] || fail "the other instance: not 6 tables of 12 LIDs"
same_entries "$scratch/other.lft" "$instances/other/osm/opensm-lfts.dump"

# Any engine of a list satisfies the request.
expect 0 '' "$harness/start_osm.sh" ftree,sssp
said stdout '^subnet up, engine sssp, '

# An opensm that keeps running, and ends with its instance.
expect 0 '' "$harness/start_osm.sh" --stay minhop
expect 2 '' "$harness/start_osm.sh" --stay minhop
said stderr 'opensm is already running'
[[ $(processes_of_test | wc -l) == 3 ]] || fail "expected two ibsim and one opensm"
expect 0 '' "$harness/stop_ibsim.sh"
[[ $(processes_of_test | wc -l) == 1 ]] || fail "stop_ibsim.sh ended the wrong processes, or too few"
expect 0 '' env PSSP_INSTANCE=other "$harness/start_ibsim.sh" --stop
nothing_runs || fail "something still runs"

# An instance name that would lead outside the folder of instances.
expect 2 '' env PSSP_INSTANCE=../x "$harness/start_ibsim.sh" "$scratch/mesh.net"
for script in start_ibsim.sh stop_ibsim.sh start_osm.sh dump_routes.sh; do
  expect 0 '' "$harness/$script" --help
  said stdout '^usage: '
  said stdout 'Exit codes: '
  expect 2 '' "$harness/$script" --no-such-option
  said stderr -- "--no-such-option"
done
