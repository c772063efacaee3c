#!/usr/bin/env bash
# examples/congestion_control.sh generates from traffic a file that cc_apply accepts. The commands that it prints work, too.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
export PATH=$bin:$PATH
example=$PSSP_SOURCE_DIR/examples/congestion_control.sh
[[ -x $bin/cc_apply ]] || skip 'cc_apply was not built'
cd "$scratch"

make_topo k-ary-n-tree 4 2 --lids -o fabric.topo 2>err
route_lft -e best fabric.topo -o today.lft 2>err
printf 'duration 2ms\nflow {H00000,H00001,H00004,H00005} -> H00015\nvictim H00006 -> H00014\n' >today.traffic
expect 0 '^  pssp cc apply today.cc fabric.topo' "$example" today.lft fabric.topo today.traffic
grep -q '^  today.cc ' stdout || fail "what was tuned is not simulated beside off: $(<stdout)"
# --dry-run needs no adapter.
expect 0 'would send' cc_apply --dry-run today.cc fabric.topo
expect 2 '^usage' "$example" today.lft fabric.topo
printf 'flow nobody -> H00001\n' >wrong.traffic
expect 3 'wrong.traffic:1' "$example" today.lft fabric.topo wrong.traffic
check_absent() { [[ ! -e $1 ]] || fail "$1 was left"; }
check_absent wrong.cc
