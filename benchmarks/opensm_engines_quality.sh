#!/usr/bin/env bash
# How good are the tables of our engines and of OpenSM's own, all computed by the stock opensm, on a dozen fabrics?
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOF'
usage: opensm_engines_quality.sh [--patterns N] [--engines A,B,...] [SPEC...]

For each fabric (SPEC as for make_topo, or the name of a topology file) and engine, one line of tab-separated values: fabric, engine, effective
bisection bandwidth, its standard error, edge forwarding index, credit loop, milliseconds of opensm's routing phase. An engine that does not
route the fabric has a line with the reason. Defaults: a dozen generated fabrics; pssp,p2ssp,meshdor,minhop,sssp,ftree,dor,lash; 2000 patterns.
EOF
}

patterns=2000 engines=pssp,p2ssp,meshdor,minhop,sssp,ftree,dor,lash specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --patterns) patterns=$2 && shift 2 ;;
    --engines) engines=$2 && shift 2 ;;
    *) specs+=("$1") && shift ;;
  esac
done
((${#specs[@]} > 0)) || specs=('k-ary-n-tree 4 2' odin chic 'chic --kill-links 20' deimos 'xgft 16,16,16 1,8,8' 'mesh 5x5 --hosts 2' 'mesh 4x4x4 --hosts 2'
  'torus 6x6x4' 'hypercube 6 --hosts 2' 'random-regular 64 --degree 8 --hosts 8' 'dragonfly --switches 4 --global-links 2 --hosts 2')

IFS=, read -ra names <<<"$engines"
printf 'fabric\tengine\tbandwidth\tstandard error\tindex\tcredit loop\trouting ms\n'
for spec in "${specs[@]}"; do
  topology=$spec
  if [[ ! -f $spec ]]; then
    topology=$scratch/fabric.net
    read -ra words <<<"$spec"
    make_fabric "$topology" "${words[@]}"
  fi
  for engine in "${names[@]}"; do
    if dry_run "$engine" "$topology" "$patterns" "$scratch/out"; then
      jq -r --arg fabric "${spec##*/}" '[$fabric, .engine, .ebb.mean, .ebb.stderr, .edge_forwarding_index.max, .credit_loop, .routing_ms]
        | map(if type == "number" then . * 10000 | round / 10000 else . end) | @tsv' "$scratch/report.json"
    else
      printf '%s\t%s\trefused: %s\n' "${spec##*/}" "$engine" "$(reason)"
    fi
  done
done
