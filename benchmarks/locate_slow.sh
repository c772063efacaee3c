#!/usr/bin/env bash
# Tests whether locate_slow finds the slow component. Simulates faults on fabrics (docs/reference/locate-slow.md), and compares planned
# rounds with random rounds and shifts.
#
#   benchmarks/locate_slow.sh [FAULTS] [FABRIC...]
#
# FAULTS is the number of faults of each kind (default 100). A FABRIC is a family with its arguments, or an output file of
# ibnetdiscover. Programs come from PSSP_BUILD_DIR (default: build).
set -euo pipefail
bin=${PSSP_BUILD_DIR:-$(dirname "$(readlink -f "$0")")/../build}/bin
faults=${1:-100}
shift || true
(($# > 0)) || set -- chic deimos
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
topology=$scratch/fabric.topo
tables=$scratch/routing.lft

row() { # ROUNDS OPTION...
  "$bin/plan_pairs" "$tables" "$topology" --rehearse "$faults" --rounds "$@" 2>/dev/null
}

for fabric in "$@"; do
  if [[ -e $fabric ]]; then
    cp "$fabric" "$topology"
  else
    # The arguments of a family are separate words.
    # shellcheck disable=SC2086
    "$bin/make_topo" $fabric --lids -o "$topology" 2>/dev/null
  fi
  "$bin/route_lft" -e best "$topology" -o "$tables" 2>/dev/null
  for rounds in 3 5; do
    printf '%s, %s planned rounds\n' "$fabric" "$rounds"
    row "$rounds"
  done
  for rival in random shifts; do
    printf '%s, 3 %s\n' "$fabric" "$rival"
    row 3 --rounds-by "$rival"
  done
done
