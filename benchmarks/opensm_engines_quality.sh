#!/usr/bin/env bash
# Measures the quality of the tables of our engines and of OpenSM's own, all computed by the stock opensm.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOF'
usage: opensm_engines_quality.sh [--patterns N] [--engines A,B,...] [--timeout SECONDS] [SPEC...]

Runs compare_engines on each fabric (SPEC as for make_topo, or the name of a topology file; default: 13 generated fabrics). Prints one line of
tab-separated values per fabric and engine: fabric, engine, effective bisection bandwidth, its standard error, edge forwarding index, lower bound of
this index, credit loop, virtual lanes, and routing phase of opensm in milliseconds. If an engine refuses the fabric, its line contains the reason.

  --patterns N       number of random bisections (default: 20000)
  --engines A,B,...  engines (default: all of ours and all of OpenSM)
  --timeout SECONDS  time limit per engine (default: 120)
EOF
}

patterns=20000 list=best,cassp,pssp,p2ssp,meshdor,updown,minhop,updn,ftree,lash,dor,torus-2QoS,dfsssp,sssp,nue timeout=120 specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --patterns) patterns=$2 && shift 2 ;;
    --engines) list=$2 && shift 2 ;;
    --timeout) timeout=$2 && shift 2 ;;
    *) specs+=("$1") && shift ;;
  esac
done
((${#specs[@]} > 0)) || specs=('k-ary-n-tree 4 2' odin chic 'chic --kill-links 20' 'chic --kill-links 20 --seed 2' 'chic --kill-links 20 --seed 3' deimos
  'mesh 5x5 --hosts 2' 'mesh 4x4x4 --hosts 2' 'torus 6x6x4' 'hypercube 6 --hosts 2' 'random-regular 64 --degree 8 --hosts 8' 'dragonfly --switches 4 --global-links 2 --hosts 2')

printf 'fabric\tengine\tbandwidth\tstandard error\tindex\tbound\tcredit loop\tlanes\trouting ms\n'
for spec in "${specs[@]}"; do
  take_fabric "$spec"
  # Status 5: no engine routes the fabric; the report contains the reasons.
  "$PSSP_BUILD_DIR/bin/compare_engines" "$topology" --engines "$list" --patterns "$patterns" --timeout "$timeout" --out "$scratch/out" \
    --json-file "$scratch/report.json" >/dev/null || (($? == 5)) || exit
  jq -r --arg fabric "${spec##*/}" '.engines[] | [$fabric, .engine] + if .state == "routed"
      then [.ebb.mean, .ebb.stderr, .edge_forwarding_index.max, .edge_forwarding_index.bound, .credit_loop, .lanes, .routing_ms]
        | map(if type == "number" then . * 10000 | round / 10000 elif . == null then "-" else . end)
      else ["\(.state): \(.reasons[0])"] end | @tsv' "$scratch/report.json"
done
