#!/usr/bin/env bash
# Regression tests of dry_run and the scripts: locales, names, values, folders of the user.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"

mesh 3 2 >"$scratch/mesh.net"
cd "$scratch"
dry_run() { expect "$1" '' "$bin/dry_run" --patterns 20 "${@:2}"; }

# Folders of the user are not changed.
mkdir -p mine/state mine/osm
echo precious >mine/report.txt
dry_run 8 --engine minhop mesh.net --out mine
said stderr 'not from an earlier run'
[[ $(<mine/report.txt) == precious && -d mine/state && -d mine/osm ]] || fail 'the folder was changed'

# A name that begins with a dash, and a file without tabs.
cp mesh.net ./-x.net
dry_run 0 --engine minhop ./-x.net --out dash
expect 0 '' "$harness/start_ibsim.sh" ./-x.net
expect 0 '' "$harness/stop_ibsim.sh"
"$bin/make_topo" mesh 3x2 -o made.net 2>/dev/null
tr -d '\t' <made.net >tabs.net
dry_run 0 --engine minhop tabs.net --out tabs --json
cp stdout tabs.json
dry_run 0 --engine minhop made.net --out whole --json
numbers='[.hosts, .switches, .ebb.mean, .edge_forwarding_index.max]'
[[ $(jq -c "$numbers" tabs.json) == "$(jq -c "$numbers" stdout)" ]] || fail 'lost tabs change the numbers'

# A value can only set one option.
for setting in $'max_extra_hops=1\nsm_priority 9' 'max_extra_hops=1 stable=on' max_extra_hops; do
  dry_run 2 --engine pssp mesh.net --set "$setting" --out set
  expect 2 '' "$harness/start_osm.sh" --set "$setting" pssp
done

# If opensm does not load the plugin, tables of minhop must not be reported as ours.
mkdir -p build/bin build/lib
ln -s "$PSSP_BUILD_DIR"/bin/* build/bin/
echo 'no plugin' >build/lib/libosmpssp.so
expect 20 '' env PSSP_BUILD_DIR="$scratch/build" "$bin/dry_run" --engine pssp mesh.net --out unloaded
said stderr 'opensm did not load the plugin, and routed with minhop instead of pssp'

# Each script prints its version.
for script in start_ibsim.sh stop_ibsim.sh start_osm.sh dump_routes.sh; do
  expect 0 '' "$harness/$script" --version
  said stdout "^$script [0-9]+\\.[0-9]+\\.[0-9]+$"
done

# Locales with a decimal comma.
mkdir locale
if localedef -i de_DE -f UTF-8 locale/de_DE.UTF-8 2>/dev/null || [[ -d locale/de_DE.UTF-8 ]]; then
  without_times() { sed 's/ *[0-9.,]*$//; s/^Tables.*//' stdout; }
  dry_run 0 --engine minhop --engine sssp mesh.net --out c
  without_times >c.txt
  expect 0 '' env LOCPATH="$scratch/locale" LC_ALL=de_DE.UTF-8 "$bin/dry_run" --patterns 20 --engine minhop --engine sssp \
    mesh.net --out de
  without_times >de.txt
  expect_same c.txt de.txt 'the table follows the locale'
fi
nothing_runs || fail 'something still runs'
