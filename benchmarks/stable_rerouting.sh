#!/usr/bin/env bash
# Measures the cost of a change of the fabric with our engines, with and without stable rerouting, and with OpenSM's engines.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOT'
usage: stable_rerouting.sh [--patterns N] [--seed S] [--engines A,B] [--opensm A,B] [SPEC...]

Damages each fabric (SPEC as for make_topo, or the name of a topology file) in three ways: one failed link, one failed switch, ten failed links; then
(`repaired`) the ten links return. For each damage and engine, prints two lines of tab-separated values: for tables that the engine computes from
scratch, and for its old tables after incremental rerouting. Columns: entries that both fabrics have; entries whose port is dead; entries that must
change (dead port, or on a minimal path before the damage but not after it); changed entries; effective bisection bandwidth before and after; edge
forwarding index; milliseconds of processor time.

  --patterns N   number of random bisections (default: 2000)
  --seed S       seed of the damage (default: 1)
  --engines A,B  our engines, which run offline (default: pssp,cassp)
  --opensm A,B   OpenSM's engines (default: dfsssp,nue,ftree), which run in the stock opensm on ibsim with the same LIDs before and after the damage;
                 their time is "-". If an engine refuses a fabric, a message on standard error names it. If it refuses only the damaged fabric, its
                 line describes the tables of minhop, which opensm uses instead
EOT
}

patterns=2000 seed=1 own_engines=pssp,cassp rival_list=dfsssp,nue,ftree specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --patterns) patterns=$2 && shift 2 ;;
    --seed) seed=$2 && shift 2 ;;
    --engines) own_engines=$2 && shift 2 ;;
    --opensm) rival_list=$2 && shift 2 ;;
    -*) usage >&2 && exit 2 ;;
    *) specs+=("$1") && shift ;;
  esac
done
((${#specs[@]} > 0)) || specs=('torus 4x4x3' 'dragonfly --switches 4 --global-links 2 --hosts 2' 'director 288' chic deimos)
IFS=, read -ra rivals <<<"$rival_list"

program=$PSSP_BUILD_DIR/bin/stable_rerouting

# compare_opensm NAME ENGINE FOLDER: compares FOLDER's before.net with its damaged fabrics.
compare_opensm() {
  local name=$1 engine=$2 folder=$3 damage used
  for damage in before link switch links; do
    used=$engine
    if ! dry_run "$engine" "$folder/$damage.net" 1 "$folder/$engine-$damage"; then
      printf '%s, %s: opensm -R %s refused: %s\n' "$name" "$damage" "$engine" "$(reason)" >&2
      [[ $damage != before ]] || return 0
      used="$engine, then minhop"
      dry_run minhop "$folder/$damage.net" 1 "$folder/$engine-$damage" || continue
    fi
    [[ $damage == before ]] ||
      "$program" theirs --no-header --patterns "$patterns" "$name" "$damage" "$used" "$folder/before.net" \
        "$folder/$engine-before/routing.lft" "$folder/$damage.net" "$folder/$engine-$damage/routing.lft"
  done
}

header=()
for spec in "${specs[@]}"; do
  folder=$scratch/${spec//[^a-zA-Z0-9]/_}
  "$program" ours "${header[@]}" --patterns "$patterns" --seed "$seed" --engines "$own_engines" --write "$folder" "$spec"
  header=(--no-header)
  for engine in "${rivals[@]}"; do compare_opensm "${spec##*/}" "$engine" "$folder"; done
done
