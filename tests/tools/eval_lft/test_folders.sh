#!/usr/bin/env bash
# The output folder of ibdiagnet, and archives of it, give the same report as the separate files. Other folders and hostile
# archives are refused.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
skip_without jq tar gzip mkfifo
cd "$scratch"
eval_lft() { timeout 60 "$bin/eval_lft" "$@"; }

# fill FOLDER: writes a simulated fabric in ibdiagnet's format, and other files, which are ignored.
"$bin/make_topo" xgft 4,4 1,2 --lids -o made.net 2>/dev/null
"$bin/route_lft" -e pssp made.net -o made.lft 2>/dev/null
awk '/^Unicast/ { match($0, /guid 0x[0-9a-f]+/); print "dump_ucast_routes: Switch " substr($0, RSTART + 5, RLENGTH - 5); print "LID    : Port : Hops : Optimal" }
  /^0x/ { print $1 " : " $2 "  : 01   : yes" }' made.lft >made.fdbs
fill() {
  mkdir -p "$1"
  cp made.net "$1/ibdiagnet2.ibnetdiscover"
  cp made.fdbs "$1/ibdiagnet2.fdbs"
  for other in log db_csv net_dump pm slvl sm; do echo "what is in $other" >"$1/ibdiagnet2.$other"; done
}
fill ibdiagnet2
fill var/tmp/ibdiagnet2

# ---- the same report ----
expect 0 '' eval_lft ibdiagnet2/ibdiagnet2.fdbs ibdiagnet2/ibdiagnet2.ibnetdiscover -n 50 --json
jq 'del(.warnings)' stdout >single.json
check test -s single.json
tar -cf plain.tar ibdiagnet2
tar -czf packed.tgz ibdiagnet2
tar -czf nested.tar.gz var
for format in pax gnu; do tar --format "$format" -cf "$format.tar" ibdiagnet2; done
for input in ibdiagnet2 ibdiagnet2/ plain.tar packed.tgz nested.tar.gz var pax.tar gnu.tar; do
  expect 0 '' eval_lft "$input" -n 50 --json
  said stderr "warning: $input: the topology is .*ibdiagnet2.ibnetdiscover, the forwarding tables are .*ibdiagnet2.fdbs; .*slvl is not used"
  expect_equal "warnings of $input" "$(jq '.warnings | length' stdout)" 1
  jq 'del(.warnings)' stdout >"$scratch/answer.json"
  expect_same single.json answer.json "the report of $input"
done
eval_lft - -n 50 <packed.tgz >piped 2>/dev/null || fail 'an archive from standard input is not read'
check test -s piped
# Files of opensm and ibnetdiscover on ibsim.
golden=$PSSP_SOURCE_DIR/tests/fabric/formats/golden
mkdir -p stock/run
cp "$golden/lmc2.ibnetdiscover" "$golden/lmc2.opensm.fdbs" stock/run/
tar -czf stock.tgz stock
expect 0 '' eval_lft "$golden/lmc2.opensm.fdbs" "$golden/lmc2.ibnetdiscover" -n 50 --json
jq 'del(.warnings)' stdout >expected.json
for input in stock stock.tgz; do
  expect 0 '' eval_lft "$input" -n 50 --json
  jq 'del(.warnings)' stdout >answer.json
  expect_same expected.json answer.json "the report of $input"
done
# Files on the command line have precedence over files in a folder.
expect 0 'the forwarding tables are' eval_lft made.net ibdiagnet2 -n 50
! grep -q 'the topology is' stderr || fail 'the topology of the folder is read in addition to the named one'
expect 2 'omit one of the names' eval_lft ibdiagnet2 plain.tar -n 50
expect 0 '' "$bin/convert_fabric" packed.tgz -o converted.net
expect 0 '' "$bin/route_lft" -e updown ibdiagnet2 -o routed.lft
expect 0 '' "$bin/compare_fabric" ibdiagnet2 packed.tgz

# ---- the link list replaces a missing file of ibnetdiscover; the topology alone; neither ----
mkdir -p empty bare unsuitable two
expect 3 'empty: no topology and no forwarding tables are in it' eval_lft empty
cp made.net bare/x.ibnetdiscover
expect 2 'topology without forwarding tables' eval_lft bare
expect 0 '' "$bin/convert_fabric" bare -o bare.net
rm bare/x.ibnetdiscover
mkdir database
cp "$golden/lmc2.ibdiagnet2.db_csv" database/
: >database/x.ibnetdiscover
expect 0 'x.ibnetdiscover is not used' "$bin/convert_fabric" database -o database.net
expect 0 '' "$bin/convert_fabric" database/lmc2.ibdiagnet2.db_csv -o expected.net
expect_same expected.net database.net 'the topology of a database in a folder'
cp made.fdbs bare/opensm.fdbs
expect 2 'a topology is missing' eval_lft bare
: >unsuitable/ibdiagnet2.ibnetdiscover
expect 3 'ibnetdiscover is not used: it is an empty file' eval_lft unsuitable
cp made.net two/a.ibnetdiscover
cp made.net two/b.ibnetdiscover
expect 2 '2 files are topologies: two/a.ibnetdiscover, two/b.ibnetdiscover; name one' eval_lft two
: >two/b.ibnetdiscover
expect 0 'b.ibnetdiscover is not used: it is an empty file' "$bin/convert_fabric" two -o two.net

# ---- outdated tables ----
fill mixed
"$bin/make_topo" xgft 4,3 1,2 --lids -o mixed/ibdiagnet2.ibnetdiscover 2>/dev/null
expect 4 'ibdiagnet2.fdbs' eval_lft mixed

# ---- files that are not regular are not opened, and do not block ----
fill pipe
rm pipe/ibdiagnet2.fdbs
mkfifo pipe/ibdiagnet2.fdbs
expect 3 'pipe/ibdiagnet2.fdbs: this is not a regular file' eval_lft pipe
fill links
ln -s /nowhere links/other.lst
expect 3 'cannot read links/other.lst' eval_lft links
rm links/other.lst
ln -s . links/circle
expect 0 '' eval_lft links -n 50
odd=$'line\nbreak'
fill "$odd"
mv "$odd/ibdiagnet2.fdbs" "$odd/"$'a\nb.fdbs'
tar -cf odd.tar "$odd"
for input in "$odd" odd.tar; do
  expect 0 '' eval_lft "$input" -n 50
  expect_equal "lines of warnings" "$(wc -l <stderr)" 1
done
if [[ $EUID -ne 0 ]]; then
  fill closed
  chmod 0 closed/ibdiagnet2.fdbs
  expect 3 'closed/ibdiagnet2.fdbs' eval_lft closed
  chmod 0 closed
  expect 3 'cannot read the folder closed' eval_lft closed
  chmod 700 closed
fi

# ---- hostile and damaged archives ----
tar -cPf up.tar --transform 's,^ibdiagnet2,../ibdiagnet2,' ibdiagnet2
expect 3 "up.tar: the entry '../ibdiagnet2/?' has a name that leads out" eval_lft up.tar
tar -cPf absolute.tar "$scratch/ibdiagnet2"
expect 3 'has a name that leads out' eval_lft absolute.tar
tar -cf links.tar links
expect 3 "the entry 'links/circle' is a link" eval_lft links.tar
tar -cf pipe.tar pipe
expect 3 "the entry 'pipe/ibdiagnet2.fdbs' is a link, a device, a pipe" eval_lft pipe.tar
ln ibdiagnet2/ibdiagnet2.log ibdiagnet2/hard.log
tar -cf hard.tar ibdiagnet2
expect 3 'is a link' eval_lft hard.tar
mkdir holes
truncate -s 500M holes/ibdiagnet2.fdbs
for format in gnu pax; do
  tar --sparse --format "$format" -cf holes.tar holes
  expect 3 'or a sparse file' eval_lft holes.tar
done
mkdir bomb
head -c 1100M /dev/zero >bomb/ibdiagnet2.fdbs
tar -czf bomb.tgz bomb
rm -r bomb
expect 3 'bomb.tgz:bomb/ibdiagnet2.fdbs: the file unpacks to more than' eval_lft bomb.tgz
gzip -c made.net >made.net.gz
expect 3 'expected a complete tar archive' eval_lft made.net.gz
end=$(($(tar -tRvf plain.tar | sed -n 's/^block \([0-9]*\):.*End.*\|^block \([0-9]*\): \*\* .*/\1\2/p' | head -1) * 512))
check test "$end" -gt 5000
for ((size = 512; size <= end; size += end / 40 / 512 * 512 + 512)); do
  head -c "$size" plain.tar >cut.tar
  expect 3 'truncated' eval_lft cut.tar
done
head -c "$end" plain.tar >cut.tar
expect 3 'truncated' eval_lft cut.tar
packed=$(stat -c %s packed.tgz)
for ((size = 20; size < packed; size += packed / 20)); do
  head -c "$size" packed.tgz >cut.tgz
  expect 3 'truncated' eval_lft cut.tgz
done
