#!/usr/bin/env bash
# Measures the routing phase of the stock opensm with our engines and with its own, on the same fabric in the same run.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOF'
usage: opensm_routing_phase.sh [--runs N] [--engines A,B,...] [--topo FILE | SPEC...]

Routes one fabric in the stock opensm on ibsim, N times (default: 3) with alternating engines. Prints a table of the routing phase in opensm's log
(median, fastest, slowest) and of its ratio to that of the last engine. Below the table are the log lines of the plugin, with its part of the phase.
SPEC is a fabric as for make_topo (default: thunderbird). The default engines are pssp,p2ssp,sssp,dfsssp.

Run nothing else on the machine meanwhile.
EOF
}

runs=3 list=pssp,p2ssp,sssp,dfsssp topology='' spec=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --runs) runs=$2 && shift 2 ;;
    --engines) list=$2 && shift 2 ;;
    --topo) topology=$2 && shift 2 ;;
    *) spec+=("$1") && shift ;;
  esac
done

if [[ -z $topology ]]; then
  topology=$scratch/fabric.net
  ((${#spec[@]} > 0)) || spec=(thunderbird)
  make_fabric "$topology" "${spec[@]}"
fi

IFS=, read -ra names <<<"$list"
for ((run = 1; run <= runs; ++run)); do
  for engine in "${names[@]}"; do
    if dry_run "$engine" "$topology" 100 "$scratch/$engine"; then
      jq -r '.routing_ms' "$scratch/report.json" >>"$scratch/$engine.ms"
      grep -o 'osmpssp: routing: .*' "$scratch/$engine/opensm.log" >>"$scratch/own" || true
    else
      printf '%s: %s\n' "$engine" "$(reason)" >&2
    fi
  done
done

rival=${names[-1]}
printf '%-10s %10s %10s %10s   %s\n' engine 'median ms' fastest slowest "of $rival"
reference=$(sort -n "$scratch/$rival.ms" 2>/dev/null | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }') || true
for engine in "${names[@]}"; do
  [[ -s $scratch/$engine.ms ]] || {
    printf '%-10s %10s\n' "$engine" refused
    continue
  }
  sort -n "$scratch/$engine.ms" | awk -v e="$engine" -v r="${reference:-0}" '{ v[NR] = $1 }
    END { m = v[int((NR + 1) / 2)]; printf "%-10s %10.1f %10.1f %10.1f   %s\n", e, m, v[1], v[NR], (r > 0 ? sprintf("1 / %.2f", r / m) : "-") }'
done
[[ ! -s $scratch/own ]] || sort -u "$scratch/own"
