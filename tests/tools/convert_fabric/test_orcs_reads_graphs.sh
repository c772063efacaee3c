#!/usr/bin/env bash
# ORCS itself reads the graphs that we write, and finds the same largest number of routes over a channel as eval_lft.
# Skipped where ORCS is not installed: it is looked for in PSSP_ORCS and as orcs in PATH.
# Usage: test_orcs_reads_graphs.sh BUILD_DIR SOURCE_DIR
set -euo pipefail

PATH=$1/bin:$PATH
orcs=${PSSP_ORCS:-$(command -v orcs || true)}
if [[ ! -x $orcs ]]; then
  echo "skipped: ORCS is not installed; PSSP_ORCS may name its program"
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# check ENGINE ARGUMENTS...: tables of the engine for the fabric that make_topo ARGUMENTS makes.
check() {
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
  # And back: the graph itself, with ORCS's NUL byte at its end, gives the same index.
  convert_fabric fabric.dot -o back.net 2>/dev/null
  convert_fabric fabric.dot -o back.lft 2>/dev/null
  ours=$(eval_lft --json -n 1 back.lft back.net | jq '.edge_forwarding_index.max')
  [[ $theirs == "$ours" ]] || fail "$*: $theirs routes over the busiest channel in ORCS, $ours by way of the graph"
}

check pssp k-ary-n-tree 4 2
check meshdor mesh 5x5 --hosts 2
check pssp hypercube 4 --hosts 2
check p2ssp torus 4x3x3 --rate 4xHDR
check pssp odin
