#!/usr/bin/env bash
# Measures the virtual lanes and the time that our engines and OpenSM's dfsssp need for deadlock-free routing in the stock opensm.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOF'
usage: deadlock_dfsssp.sh [--engines A,B,...] [SPEC...]

Routes each fabric (SPEC as for make_topo, or the name of a topology file) in the stock opensm on ibsim, with QoS: with each of our engines
(default: pssp) under deadlock=require, and then with dfsssp. Prints one line of tab-separated values for each of our engines:

  fabric, engine
  lanes         virtual lanes that the plugin uses; the plugin has proved them deadlock-free
  ms            routing phase in opensm's log: tables, verification, lane assignment, proof, and opensm's own work
  lanes ms      part of the routing phase for lane assignment and proof
  dfsssp, ms    lanes that dfsssp needs, and its routing phase; 'refuses' if it needs more than the eight lanes of ibsim's ports
  ratio         routing phase of dfsssp relative to ours

If an engine refuses a fabric or finds too few lanes, the line contains "-", and the reason is printed on standard error.
EOF
}

list=pssp specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --engines) list=$2 && shift 2 ;;
    *) specs+=("$1") && shift ;;
  esac
done
((${#specs[@]} > 0)) || specs=('mesh 4x4x4 --hosts 2' 'torus 6x6x4' 'hypercube 6 --hosts 2' 'random-regular 64 --degree 8 --hosts 8'
  'dragonfly --switches 4 --global-links 2 --hosts 2' chic deimos thunderbird)
IFS=, read -ra names <<<"$list"

# ours ENGINE TOPOLOGY: prints "lanes ms lanes-ms", separated by tabs.
ours() {
  if ! dry_run "$1" "$2" 1 "$scratch/ours" --set deadlock=require -- -Q; then
    printf '%s: %s\n' "$1" "$(reason)" >&2
    printf -- '-\t-\t-\n'
    return
  fi
  sed -n "s/.*osmpssp: routing: .* vls=\([0-9]*\) .*/\1\t$(jq -r .routing_ms "$scratch/report.json")/p; s/.*osmpssp: .* vls_ms=\([0-9.]*\) .*/\1/p" \
    "$scratch/ours/opensm.log" | paste -s
}

# theirs TOPOLOGY: prints dfsssp's "lanes ms", separated by a tab.
theirs() {
  if dry_run dfsssp "$1" 1 "$scratch/dfsssp"; then
    jq -r '[.lanes, .routing_ms] | @tsv' "$scratch/report.json"
  else
    printf '%s\trefuses\n' "$(reason | sed -n 's/.*needed=\([0-9]*\).*/\1/p')"
  fi
}

printf 'fabric\tengine\tlanes\tms\tlanes ms\tdfsssp\tms\tratio\n'
for spec in "${specs[@]}"; do
  take_fabric "$spec"
  for engine in "${names[@]}"; do
    ours "$engine" "$topology" >"$scratch/$engine.line"
  done
  theirs "$topology" >"$scratch/dfsssp.line"
  for engine in "${names[@]}"; do
    paste <(printf '%s\t%s\n' "${spec##*/}" "$engine") "$scratch/$engine.line" "$scratch/dfsssp.line" |
      awk -F '\t' -v OFS='\t' '{ print $0, ($4 + 0 > 0 && $7 + 0 > 0 ? sprintf("%.1f", $7 / $4) : "-") }'
  done
done
