#!/usr/bin/env bash
# What does a change of the fabric cost with our engines, with and without stable rerouting, and with OpenSM's engines?
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOT'
usage: stable_rerouting.sh [--patterns N] [--seed S] [--engines A,B] [--opensm A,B] [SPEC...]

Damages each fabric (SPEC as for make_topo, or the name of a topology file) in three ways: one dead link, one dead switch, ten dead links. For each way
and each engine two lines of tab-separated values: tables that the engine makes from scratch, and its old ones rerouted stably. Columns: entries that
both fabrics have; those whose port is dead; those that could not stay (port dead, or on a minimal path before and not now); those that have
changed; effective bisection bandwidth before and after (N random bisections); largest edge forwarding index; milliseconds of processor time.

Our engines (default pssp,cassp) run offline. OpenSM's (default dfsssp,nue,ftree) run in the stock opensm on ibsim, before and after, all
LIDs the same; "-" stands for their time. One that refuses a fabric is named on standard error; where it does so after the damage only, the line is
of minhop, which opensm then falls back on. `repaired`: the ten links come back.
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
