#!/usr/bin/env bash
# convert_fabric as it is called from a shell: round trips through every kind, exit codes, no partial files.
# Usage: test_convert_fabric.sh BUILD_DIR SOURCE_DIR
set -euo pipefail

PATH=$1/bin:$PATH
golden=$2/tests/fabric/formats/golden
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# expect CODE PATTERN ARGUMENTS...: convert_fabric ends with the exit code and says the pattern.
expect() {
  local code=$1 pattern=$2 got=0
  shift 2
  convert_fabric "$@" >out.txt 2>err.txt || got=$?
  ((got == code)) || fail "convert_fabric $*: exit code $got instead of $code: $(cat err.txt)"
  grep -q -- "$pattern" out.txt err.txt || fail "convert_fabric $*: no '$pattern' in: $(cat out.txt err.txt)"
}

same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }

# score TABLES TOPOLOGY: what must not change on the way.
score() { eval_lft --json -n 500 "$1" "$2" | grep -v 'seconds\|file' >"$3"; }

make_topo mesh 4x3 --hosts 2 --ports thesis --lids=hosts-first -o mesh.net 2>/dev/null
route_lft --engine meshdor mesh.net -o mesh.lft 2>/dev/null

# Graphs: there and back, with tables and without.
expect 0 'with forwarding tables' mesh.net mesh.lft -o mesh.dot
expect 0 '24 end ports, 12 switches, 17 links' mesh.dot -o again.dot
same mesh.dot again.dot
expect 0 'no forwarding tables' mesh.net -o bare.dot
expect 0 'no forwarding tables' bare.dot --to dot -o -
same out.txt bare.dot
expect 0 'with forwarding tables' mesh.dot -o from_dot.lft
expect 0 'with forwarding tables' mesh.dot -o from_dot.net
score mesh.lft mesh.net before.json
score from_dot.lft from_dot.net after.json
# The channels and their loads are the same; LIDs of switches are not in a graph.
for key in mean stderr max deviation; do
  diff <(grep "\"$key\"" before.json) <(grep "\"$key\"" after.json) >/dev/null || fail "$key changed by way of a graph"
done

# OMNeT++: there and back, in either order of the files.
expect 0 '24 end ports' mesh.net -o mesh.ned
expect 0 '24 end ports' mesh.lft mesh.net -o mesh.fdbs
expect 0 'with forwarding tables' mesh.fdbs mesh.ned -o again.fdbs
same mesh.fdbs again.fdbs
expect 0 'with forwarding tables' mesh.ned mesh.fdbs -o from_omnet.lft
expect 0 'no forwarding' mesh.ned -o from_omnet.net
score from_omnet.lft from_omnet.net omnet.json
diff <(grep '"mean"' before.json) <(grep '"mean"' omnet.json) >/dev/null || fail "bandwidth changed by way of OMNeT++"

# Topologies: link list and ibnetdiscover of one subnet are one net file; a net file stays as it is.
expect 0 '2 switches' "$golden/lmc0.opensm-subnet.lst" -o list.net
expect 0 '2 switches' "$golden/lmc0.ibnetdiscover" -o found.net
same list.net found.net
expect 0 'links' mesh.net -o mesh2.net
same mesh.net mesh2.net

# Tables: every notation becomes the one of opensm, with the topology and without.
for tables in opensm-lfts.dump dump_fts opensm.fdbs; do
  expect 0 'with forwarding tables' "$golden/lmc0.$tables" "$golden/lmc0.ibnetdiscover" -o with.lft
  same with.lft "$golden/lmc0.opensm-lfts.dump"
done
expect 0 'with forwarding tables' "$golden/lmc2.opensm-lfts.dump" -o alone.lft
sed 's/# Router/# Channel Adapter/' "$golden/lmc2.opensm-lfts.dump" >expected.lft # a dump does not tell adapters from routers to us
same alone.lft expected.lft
expect 0 'with forwarding tables' - -o alone_fts.lft <"$golden/lmc2.dump_fts"
diff <(sed 's/ Lid [0-9]*//' alone_fts.lft) <(sed 's/ Lid [0-9]*//' expected.lft) >/dev/null || fail "dump_fts alone differs"

# What does not work, and leaves no file.
expect 2 'see --help' mesh.net
expect 2 'is required\|see --help' -o x.net
expect 2 'does not tell what to write; use --to with one of net lft dot ned fdbs' mesh.net -o x.txt
expect 2 "unknown kind 'foo'" mesh.net -o x.net --to foo
expect 2 'are tables, and the input has none' mesh.net -o x.lft
expect 2 'a topology is missing' mesh.lft -o x.net
expect 2 'are both topologies' mesh.net mesh.dot -o x.net
expect 4 'name the network' mesh.fdbs -o x.lft
expect 4 'do not belong together' mesh.lft "$golden/small.net" -o x.dot
expect 3 'cannot read' nosuch.net -o x.dot
expect 3 'is it cut off' <(head -c 2000 mesh.dot) -o x.net
expect 8 'cannot write' mesh.net -o /no/such/folder/x.net
[[ -z $(ls x.* 2>/dev/null) ]] || fail "a file was left: $(ls x.*)"
expect 0 'opensm -R file' --list
expect 0 'convert_fabric [0-9]' --version
