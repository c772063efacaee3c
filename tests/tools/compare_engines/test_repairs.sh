#!/usr/bin/env bash
# Regression tests of compare_engines: names and values that were executed, folders that were emptied, failures without a message,
# files that could not be read.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/../../ibsim_harness/testing.sh"

[[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]] || skip "this build has no plugin"
program=$PSSP_BUILD_DIR/bin/compare_engines
compare() { expect "$1" '' "$program" "${@:2}"; }
mesh 3 2 >"$scratch/mesh.net"
cd "$scratch"

# Folder names are not executed.
compare 0 mesh.net --engines minhop --patterns 20 --out "d'; system('touch PWNED'); '" --plot p.svg
[[ ! -e PWNED && ! -e "d'; system('touch PWNED'); '/PWNED" ]] || fail 'a name was carried out'
grep -q '</svg>' p.svg || fail 'no picture'
cp mesh.net "Ann's mesh.net"
compare 0 "Ann's mesh.net" --engines minhop --patterns 20 --out "Ann's" --plot p.png
[[ $(head -c 4 p.png | tail -c 3) == PNG ]] || fail 'no PNG'

# Folders of the user are not changed.
mkdir -p mine/osm
echo precious >mine/osm/report.txt
compare 8 mesh.net --engines minhop --out mine
said stderr 'not from an earlier run'
[[ $(<mine/osm/report.txt) == precious && $(ls -A mine) == osm ]] || fail 'the folder was changed'

# Input files are not overwritten, even if they are in the output folder.
compare 0 mesh.net --engines minhop --patterns 20 --out mixed
cp mixed/minhop/opensm.conf opensm.conf
compare 2 mesh.net --engines minhop --patterns 20 --out mixed --conf mixed/minhop/opensm.conf
said stderr 'one of the files in --out'
expect_same mixed/minhop/opensm.conf opensm.conf

# Links beside the output file, such as FILE.part, are not followed.
echo precious >victim
ln -s victim r.json.part
compare 0 mesh.net --engines minhop --patterns 20 --out parts --json-file r.json
[[ $(<victim) == precious && -s r.json ]] || fail 'r.json.part was written through'

# A value can only set one option.
compare 2 mesh.net --engines "pssp:max_extra_hops=1 service_level_dump=$scratch/dump"
compare 2 mesh.net --engines $'pssp:max_extra_hops=1\nsm_priority 9'

# A topology whose name begins with a dash, and one without tabs.
cp mesh.net ./-x.net
compare 0 --engines minhop --patterns 20 --out dash -- -x.net
"$bin/make_topo" mesh 3x2 -o made.net 2>/dev/null
tr -d '\t' <made.net >tabs.net
compare 0 tabs.net --engines minhop,pssp --patterns 20 --out tabs --json-file tabs.json
compare 0 made.net --engines minhop,pssp --patterns 20 --out whole --json-file whole.json
numbers='[.engines[] | .ebb.mean, .edge_forwarding_index.max, .hops.mean]'
[[ $(jq -c "$numbers" tabs.json) == "$(jq -c "$numbers" whole.json)" ]] || fail 'lost tabs change the numbers'

# If the comparison fails, the table has no test results, and the status is an error.
mkdir -p build/bin build/lib
ln -s "$PSSP_BUILD_DIR"/bin/* build/bin/
ln -s "$PSSP_BUILD_DIR"/lib/libosmpssp.so build/lib/
rm build/bin/eval_lft
printf '#!/bin/sh\ncase " $* " in *" --compare "*) echo "eval_lft: out of memory" >&2; exit 70 ;; esac\nexec "%s" "$@"\n' \
  "$PSSP_BUILD_DIR/bin/eval_lft" >build/bin/eval_lft
chmod +x build/bin/eval_lft
expect 70 '' env PSSP_BUILD_DIR="$scratch/build" "$program" mesh.net --engines minhop,sssp --patterns 20 --out failed
said stdout '^minhop '
said stdout 'not tested for significance: pssp eval ended with status 70: eval_lft: out of memory'

# If opensm does not load the plugin, tables of minhop must not be reported as ours.
rm build/lib/libosmpssp.so
echo 'no plugin' >build/lib/libosmpssp.so
expect 20 '' env PSSP_BUILD_DIR="$scratch/build" "$program" mesh.net --engines pssp --patterns 20 --out unloaded
said stderr 'opensm did not load the plugin, and routed with minhop instead of pssp'

# A failed row has the reason: opensm's logged error, or its last output.
mkdir failing
printf '#!/bin/sh\necho starting\necho "cannot bind to the port"\nexit 7\n' >failing/opensm
chmod +x failing/opensm
PATH=$scratch/failing:$PATH "$program" mesh.net --engines minhop --patterns 20 --out unbound >stdout 2>stderr </dev/null || true
said stdout '^minhop +failed$'
said stdout '^minhop: failed: opensm -R minhop ended with status 7: cannot bind to the port$'

# Locales with a decimal comma.
mkdir locale
if localedef -i de_DE -f UTF-8 locale/de_DE.UTF-8 2>/dev/null || [[ -d locale/de_DE.UTF-8 ]]; then
  compare 0 mesh.net --engines minhop --patterns 20 --out c
  sed 's/ *[0-9.]* *[0-9]*$//; s/^Tables.*//' stdout >c.txt
  expect 0 '' env LOCPATH="$scratch/locale" LC_ALL=de_DE.UTF-8 "$program" mesh.net --engines minhop --patterns 20 --out de
  sed 's/ *[0-9.]* *[0-9]*$//; s/^Tables.*//' stdout >de.txt
  expect_same c.txt de.txt 'the table follows the locale'
fi
nothing_runs || fail 'something still runs'
