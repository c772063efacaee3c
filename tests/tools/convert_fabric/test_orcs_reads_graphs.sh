#!/usr/bin/env bash
# ORCS reads the graphs that we write, and finds the same edge forwarding index as eval_lft. Skipped unless ORCS is installed
# (PSSP_ORCS, or orcs in PATH).
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"

PATH=$bin:$PATH
orcs=${PSSP_ORCS:-$(command -v orcs || true)}
[[ -x $orcs ]] || skip 'ORCS is not installed; PSSP_ORCS may name its program'
cd "$scratch"

# compare ENGINE ARGUMENTS...: compares tables of the engine for the fabric that make_topo ARGUMENTS generates.
compare() {
  local engine=$1 theirs ours
  shift
  make_topo "$@" --lids -o fabric.net 2>/dev/null
  route_lft --engine "$engine" fabric.net -o tables.lft 2>/dev/null
  convert_fabric fabric.net tables.lft -o fabric.dot 2>/dev/null
  printf '\0' >>fabric.dot # ORCS parses its input as a C string
  "$orcs" --routequal -i fabric.dot >orcs.txt 2>&1 || fail "$*: ORCS: $(tail -n 3 orcs.txt)"
  ! grep -q 'no route\|loop' orcs.txt || fail "$*: $(grep -m 1 'no route\|loop' orcs.txt)"
  theirs=$(sed -n 's/.*gmax: //p' orcs.txt)
  ours=$(eval_lft --json -n 1 tables.lft fabric.net | jq '.edge_forwarding_index.max')
  [[ $theirs == "$ours" ]] || fail "$*: $theirs routes over the busiest channel in ORCS, $ours in eval_lft"
  # The graph with ORCS's NUL byte at its end, converted back, gives the same index.
  convert_fabric fabric.dot -o back.net 2>/dev/null
  convert_fabric fabric.dot -o back.lft 2>/dev/null
  ours=$(eval_lft --json -n 1 back.lft back.net | jq '.edge_forwarding_index.max')
  [[ $theirs == "$ours" ]] || fail "$*: $theirs routes over the busiest channel in ORCS, $ours by way of the graph"
}

compare pssp k-ary-n-tree 4 2
compare meshdor mesh 5x5 --hosts 2
compare pssp hypercube 4 --hosts 2
compare p2ssp torus 4x3x3 --rate 4xHDR
compare pssp odin
