#!/usr/bin/env bash
# Tests the output of opensm_hints with opensm's engines: torus-2QoS refuses a file that does not match the fabric, and updn's
# tables show whether the roots connect all hosts without a credit loop.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/../../ibsim_harness/testing.sh"

hints=$PSSP_BUILD_DIR/bin/opensm_hints
make() {
  local words
  read -ra words <<<"$1"
  "$PSSP_BUILD_DIR/bin/make_topo" "${words[@]}" -o "$scratch/topo.net" 2>/dev/null
}
roots() {
  make "$1"
  expect 0 '' "$hints" --roots "$scratch/topo.net"
  [[ $(sed 's/.*# //; s/ (.*//' "$scratch/stdout" | paste -sd ' ') =~ ^($2)$ ]] || fail "roots of $1: $(<"$scratch/stdout")"
}

# Roots: the spines; the highest of three levels; the middle of a mesh; and if leaves are linked with each other, one leaf that is
# linked with all.
roots 'xgft 4,4 1,2' 'S00004 S00005'
roots 'xgft 2,2,2 1,2,2' 'S00008 S00009 S00010 S00011'
roots 'mesh 3x3' S00004
roots 'full-mesh 4' S00000
# The GUIDs are those of the fabric; ibsim gives the second spine this GUID.
make 'xgft 4,4 1,2'
grep -q '^0x0000000000200005 # ' < <("$hints" --roots "$scratch/topo.net") || fail 'no GUID of the second spine'

# With these roots updn connects all hosts, in a damaged or complete tree with as few hops as minhop.
for spec in 'chic --kill-links 30 --seed 3' 'random-regular 12 --degree 3' 'deimos'; do
  make "$spec"
  expect 0 '' "$hints" --roots "$scratch/topo.net" -o "$scratch/roots.txt"
  expect 0 '' "$bin/dry_run" --engine updn "$scratch/topo.net" --out "$scratch/updn" --patterns 2 --json -- -a "$scratch/roots.txt"
  jq -e '.usable and .credit_loop == false' "$scratch/stdout" >/dev/null || fail "updn on $spec: $(jq -c '[.usable, .credit_loop]' "$scratch/stdout")"
  [[ $spec == chic* ]] || continue
  updn=$(jq .hops.mean "$scratch/stdout")
  expect 0 '' "$bin/dry_run" --engine minhop "$scratch/topo.net" --out "$scratch/minhop" --patterns 2 --json
  [[ $(jq .hops.mean "$scratch/stdout") == "$updn" ]] || fail "updn on $spec: $updn hops, minhop $(jq .hops.mean "$scratch/stdout")"
done

# torus-2QoS accepts rings of three, four and more switches, open dimensions, two dimensions, and several hosts per switch.
for spec in 'torus 3x3x3' 'torus 4x4' 'torus 5x3 --hosts 17' 'mesh 2x3x4' 'torus 6x4 --hosts 2'; do
  make "$spec"
  expect 0 '' "$hints" --torus "$scratch/topo.net" -o "$scratch/torus.conf"
  expect 0 '' "$bin/dry_run" --engine torus-2QoS "$scratch/topo.net" --out "$scratch/torus" --patterns 2 --json -- \
    --torus_config "$scratch/torus.conf"
  jq -e .usable "$scratch/stdout" >/dev/null || fail "torus-2QoS on $spec"
done

make 'mesh 3x3x3x3'
expect 5 '' "$hints" --torus "$scratch/topo.net"
said stderr '4 dimensions; torus-2QoS supports at most three'
make 'xgft 4,4 1,4'
expect 5 '' "$hints" --torus "$scratch/topo.net"
said stderr 'not a mesh or torus'
{ mesh 2 3; mesh 2 3 | sed 's/"\([SH]\)/"\1x/g'; } >"$scratch/topo.net"
expect 5 '' "$hints" --torus "$scratch/topo.net"
said stderr '2 islands'
printf 'Switch\t4 "S"\n[1]\t"T"[1]\n\nSwitch\t4 "T"\n[1]\t"S"[1]\n' >"$scratch/topo.net"
expect 5 '' "$hints" --roots "$scratch/topo.net"
said stderr 'no host is cabled to a switch'
expect 3 '' "$hints" --roots /dev/null
expect 3 '' "$hints" --torus "$scratch/missing.net"
expect 2 '' "$hints" "$scratch/topo.net"
expect 2 '' "$hints" --roots --torus "$scratch/topo.net"
expect 8 '' "$hints" --roots -o "$scratch/no/such/file" <(mesh 2 2)
