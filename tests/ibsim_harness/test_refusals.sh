#!/usr/bin/env bash
# Each failure has its own status, and a reason that names the problem.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"

use_stand_in_build
mesh 4 4 >"$scratch/mesh.net"

# opensm falls back to minhop and returns 0; the harness reports a failure.
expect 0 '' "$harness/start_ibsim.sh" "$scratch/mesh.net"
expect 5 '' "$harness/start_osm.sh" ftree
said stderr "did not use engine 'ftree' but 'minhop'"
said stderr 'ERR AB2B: Found more than one root'
expect 5 '' "$harness/start_osm.sh" updn
said stderr 'updn: cannot build lid matrices'
expect 2 '' "$harness/start_osm.sh"
expect 2 '' "$harness/start_osm.sh" minhop sssp
expect 2 '' "$harness/start_osm.sh" --timeout soon minhop
expect 3 '' "$harness/start_osm.sh" --conf "$scratch/none.conf" minhop
# An engine that is not opensm's own, without the plugin.
expect 20 '' "$harness/start_osm.sh" pssp
said stderr 'libosmpssp.so is not built'
expect 0 '' "$harness/stop_ibsim.sh"

# Topologies: missing, a folder, empty, another format, truncated, cabled in one direction only, binary data.
for command in "$harness/start_ibsim.sh" "$bin/dry_run --engine minhop --out $scratch/refused"; do
  # shellcheck disable=SC2086  # the command is words
  refuse() { expect 3 '' $command "$1"; }
  refuse "$scratch/none.net"
  said stderr 'is not a readable file'
  refuse "$scratch"
  : >"$scratch/bad.net"
  refuse "$scratch/bad.net"
  said stderr 'this is not a topology: it looks like an empty file'
  cp "$0" "$scratch/bad.net"
  refuse "$scratch/bad.net"
  # Truncated within a line, and between two nodes.
  head -c 700 "$scratch/mesh.net" >"$scratch/bad.net"
  refuse "$scratch/bad.net"
  said stderr "bad\.net:[0-9]+: .*the identifier of the node at the other end is missing"
  sed -n '1,/^$/p' "$scratch/mesh.net" >"$scratch/bad.net"
  printf 'Hca\t1 "H0_0"\n[1]\t"S0_0"[1]\n' >>"$scratch/bad.net"
  # A file that is truncated between two nodes is simulated with a warning.
  expect 0 '2 node.* mentioned but never defined; links to them are left out' "$bin/ibsim_files" playable "$scratch/bad.net" "$scratch/copy.net"
  sed '0,/^\[2\].*/s///' "$scratch/mesh.net" >"$scratch/bad.net"
  # A link that only one of its ends states is simulated with a warning.
  expect 0 'link.* stated by one end only' "$bin/ibsim_files" playable "$scratch/bad.net" "$scratch/copy.net"
  head -c 100000 /dev/urandom >"$scratch/bad.net"
  refuse "$scratch/bad.net"
  printf 'Switch 4 "S"\n\nHca 1 "H"\n' >"$scratch/bad.net"
  refuse "$scratch/bad.net"
  said stderr 'opensm needs such an adapter'
done

# SIM_HOST is not a node.
for command in "$harness/start_ibsim.sh" "$bin/dry_run --engine minhop --out $scratch/refused" \
  "$bin/compare_engines --engines minhop --out $scratch/compared"; do
  # shellcheck disable=SC2086  # the command is words
  expect 2 '' env SIM_HOST=H9_9 PSSP_BUILD_DIR="${bin%/bin}" $command "$scratch/mesh.net"
  said stderr "SIM_HOST 'H9_9': no node has this identifier: .*mesh.net: set SIM_HOST to .* such as 'H0_0', or unset it"
done

# Missing programs.
mkdir "$scratch/tools"
for tool in awk bash cat cut date dirname env flock grep id mkdir mktemp mv readlink rm sed sleep tail tr; do
  ln -s "$(command -v "$tool")" "$scratch/tools/$tool"
done
if [[ ! -e /usr/sbin/ibsim && ! -e /usr/local/sbin/ibsim ]]; then
  expect 20 '' env PATH="$scratch/tools" "$harness/start_ibsim.sh" "$scratch/mesh.net"
  said stderr 'ibsim is not installed; it is in the Debian package ibsim-utils'
fi

# A dry run reports all missing programs together, each with its package and its purpose.
expect 20 '' env PATH="$scratch/tools" PSSP_BUILD_DIR="$scratch/nothing" "$bin/dry_run" --out "$scratch/refused"
said stderr '^ +bin/eval_lft of this build .*: required$'
said stderr "^ +lib/libosmpssp.so of this build .*: needed only for the plugin's engines"
said stderr '^ +bin/make_topo of this build .*: needed only without the argument TOPOLOGY'
[[ ! -e $scratch/refused/chic.net ]] || fail 'something was made before it was refused'

# Wrong options of dry_run.
expect 2 '' "$bin/dry_run" --engine
expect 2 '' "$bin/dry_run" --engine ../x
expect 2 '' "$bin/dry_run" --engine minhop --engine minhop
said stderr 'given twice'
expect 2 '' "$bin/dry_run" --patterns many
: >"$scratch/file"
expect 8 '' "$bin/dry_run" --engine minhop "$scratch/mesh.net" --out "$scratch/file/below"
nothing_runs || fail "something still runs"
