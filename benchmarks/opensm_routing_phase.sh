#!/usr/bin/env bash
# How long is the routing phase of the stock opensm with our engines and with its own, on the same fabric in the same run?
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

usage() {
  cat <<'EOF'
usage: opensm_routing_phase.sh [--runs N] [--engines A,B,...] [--topo FILE | SPEC...]

Routes one fabric with the stock opensm on ibsim, N times (default 3) with each engine in turns, and prints a table: routing phase in opensm's
log (median, fastest, slowest), and its ratio to the first rival's. SPEC is a fabric of make_topo (default: thunderbird). Engines default
to pssp,p2ssp,sssp,dfsssp. Below the table: what our own part of the phase was, as the plugin logs it.

Keep the machine quiet meanwhile.
EOF
}

runs=3 engines=pssp,p2ssp,sssp,dfsssp topology='' spec=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --runs) runs=$2 && shift 2 ;;
    --engines) engines=$2 && shift 2 ;;
    --topo) topology=$2 && shift 2 ;;
    *) spec+=("$1") && shift ;;
  esac
done

build=${PSSP_BUILD_DIR:-$here/../build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [[ -z $topology ]]; then
  topology=$scratch/fabric.net
  ((${#spec[@]} > 0)) || spec=(thunderbird)
  "$build/bin/make_topo" "${spec[@]}" -o "$topology"
fi

IFS=, read -ra names <<<"$engines"
for ((run = 1; run <= runs; ++run)); do
  for engine in "${names[@]}"; do
    if PSSP_BUILD_DIR=$build "$here/../ibsim_harness/dry_run.sh" --json --engine "$engine" --topo "$topology" --patterns 100 \
      --out "$scratch/$engine" >"$scratch/report.json" 2>"$scratch/err"; then
      jq -r '.routing_ms' "$scratch/report.json" >>"$scratch/$engine.ms"
      grep -o 'osmpssp: .*' "$scratch/$engine/opensm.log" >>"$scratch/own" || true
    else
      printf '%s: %s\n' "$engine" "$(tail -n 1 "$scratch/err")" >&2
    fi
  done
done

printf '%-10s %10s %10s %10s   %s\n' engine 'median ms' fastest slowest "of ${names[2]:-${names[0]}}"
reference=$(sort -n "$scratch/${names[2]:-${names[0]}}.ms" 2>/dev/null | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')
for engine in "${names[@]}"; do
  [[ -s $scratch/$engine.ms ]] || {
    printf '%-10s %10s\n' "$engine" refused
    continue
  }
  sort -n "$scratch/$engine.ms" | awk -v e="$engine" -v r="${reference:-0}" '{ v[NR] = $1 }
    END { m = v[int((NR + 1) / 2)]; printf "%-10s %10.1f %10.1f %10.1f   %s\n", e, m, v[1], v[NR], (r > 0 ? sprintf("1 / %.2f", r / m) : "-") }'
done
[[ ! -s $scratch/own ]] || sort -u "$scratch/own"
