#!/usr/bin/env bash
# Measures how many virtual lanes tables need with our assignment and with OpenSM's dfsssp, and the time of the assignment.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOT'
usage: deadlock_lanes.sh [SPEC...]

Prints one line of tab-separated values per fabric (SPEC as for make_topo, or the name of a topology file; default: generated fabrics of all families):
  fabric
  dfsssp itself  lanes that opensm -R dfsssp needs, with its routing phase in milliseconds; '> 8' if it refuses the fabric
  dfsssp, minhop, pssp, p2ssp, meshdor
                 lanes that our assignment needs for the tables of each engine, with the milliseconds of the assignment. If dfsssp refuses the
                 fabric, its tables are those of sssp, which are the same. meshdor has "-" if the fabric is not a mesh.

Run nothing else on the machine meanwhile.
EOT
}

specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    *) specs+=("$1") && shift ;;
  esac
done
((${#specs[@]} > 0)) || specs=('k-ary-n-tree 4 2' odin 'director 288' chic 'chic --kill-links 20' deimos 'xgft 16,16,16 1,8,8' thunderbird
  'leaf-director --leafs 8 --hosts 64 --directors 2 --uplinks 6 --director-ports 144' 'director-chain --directors 2 --cables 10 --hosts 100 --director-ports 144'
  'mesh 5x5 --hosts 2' 'mesh 4x4x4 --hosts 2' 'torus 5x5 --hosts 2' 'torus 6x6x4' 'hyperx 4x4' 'hypercube 6 --hosts 2' 'full-mesh 8 --hosts 2'
  'random-regular 64 --degree 8 --hosts 8' 'dragonfly --switches 4 --global-links 2 --hosts 2')

# ours TOPOLOGY TABLES: prints our "lanes (ms)".
ours() {
  "$PSSP_BUILD_DIR/bin/bench_deadlock_layering" --benchmark_filter='^assign/' --benchmark_format=json "$1" "$2" 2>"$scratch/bench.err" |
    jq -r '.benchmarks[0] | "\(.lanes) (\(.real_time * 10 | round / 10))"' 2>/dev/null || printf -- '-\n'
}

printf 'fabric\tdfsssp itself (ms)\tdfsssp (ms)\tminhop (ms)\tpssp (ms)\tp2ssp (ms)\tmeshdor (ms)\n'
for spec in "${specs[@]}"; do
  take_fabric "$spec"
  if dry_run dfsssp "$topology" 1 "$scratch/dfsssp"; then
    dfsssp=$(sed -n 's/.*Virtual Lanes needed: //p' "$scratch/dfsssp/opensm.log" | tail -n 1)
    theirs="$dfsssp ($(jq -r .routing_ms "$scratch/report.json"))"
  else
    theirs='> 8'
    dry_run sssp "$topology" 1 "$scratch/dfsssp" || true
  fi
  dry_run minhop "$topology" 1 "$scratch/minhop" || true
  line="${spec##*/}"$'\t'$theirs
  for tables in "$scratch/dfsssp/routing.lft" "$scratch/minhop/routing.lft" pssp p2ssp meshdor; do
    line+=$'\t'$(ours "$topology" "$tables")
  done
  printf '%s\n' "$line"
done
