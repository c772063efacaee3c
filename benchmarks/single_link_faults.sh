#!/usr/bin/env bash
# How many entries change when a single link fails and everything is routed from scratch, with our engines and with OpenSM's?
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOT'
usage: single_link_faults.sh [--faults N] [--patterns N] [--engines A,B] [--opensm A,B] [SPEC...]

Takes a link between switches out of each fabric (SPEC as for make_topo; default chic), N times (default 20) another one, and routes what is left from scratch. A
line of tab-separated values for each engine: fabric, engine, faults, share of the entries that both fabrics have whose port is another one, mean and largest;
mean of entries changed; bandwidth of as many bisections (default 500) without a fault, mean and least with one. The first of our engines stands there once
more as `NAME, stable`: what is broken is repaired, the rest stays.

Ours (default best,heal,cassp,pssp) run offline; OpenSM's (default minhop,updn,ftree,sssp) in the stock opensm on ibsim, started again for each fabric, all LIDs
the same. One that refuses a fabric after the fault is named on standard error, and its line is of minhop, which opensm then falls back on.
EOT
}

faults=20 patterns=500 own_engines=best,heal,cassp,pssp rival_list=minhop,updn,ftree,sssp specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --faults) faults=$2 && shift 2 ;;
    --patterns) patterns=$2 && shift 2 ;;
    --engines) own_engines=$2 && shift 2 ;;
    --opensm) rival_list=$2 && shift 2 ;;
    -*) usage >&2 && exit 2 ;;
    *) specs+=("$1") && shift ;;
  esac
done
((${#specs[@]} > 0)) || specs=(chic)
IFS=, read -ra own <<<"$own_engines"
IFS=, read -ra rivals <<<"$rival_list"

# compare NAME ENGINE FOLDER FAULT: compares the tables before and after the fault with `stable_rerouting`, which prints one line
# each for whole and stable.
compare() {
  "$PSSP_BUILD_DIR/bin/stable_rerouting" theirs --no-header --patterns "$patterns" "$1" "$4" "$2" "$3/before.net" "$3/$2-before.lft" "$3/$4.net" "$3/$2-$4.lft"
}

# route_ours ENGINE FOLDER FABRIC, and likewise route_theirs: writes the tables of the fabric.
route_ours() {
  "$PSSP_BUILD_DIR/bin/route_lft" -e "$1" "$2/$3.net" -o "$2/$1-$3.lft" >/dev/null 2>&1
}
route_theirs() {
  dry_run "$1" "$2/$3.net" 1 "$2/dry_run" && cp "$2/dry_run/routing.lft" "$2/$1-$3.lft" && return
  printf '%s: opensm -R %s refused: %s\n' "$3" "$1" "$(reason)" >&2
  [[ $3 != before ]] && dry_run minhop "$2/$3.net" 1 "$2/dry_run" && cp "$2/dry_run/routing.lft" "$2/$1-$3.lft"
}

# Summarizes the output of `compare` for all faults, one line per rerouting method in $1 (`whole` or `whole stable`).
summarise() {
  awk -F'\t' -v OFS='\t' -v wanted="$1" '
    index(wanted, $4) == 0 { next }
    !($4 in count) { least[$4] = $10; name[$4] = $4 == "stable" ? $3 ", stable" : $3 }
    { share = $8 / $5; ++count[$4]; shares[$4] += share; changed[$4] += $8; after[$4] += $10; before[$4] = $9 }
    share > largest[$4] { largest[$4] = share }
    $10 < least[$4] { least[$4] = $10 }
    END {
      n = split(wanted, methods, " ")
      for (i = 1; i <= n; ++i) {
        method = methods[i]
        if (method in count)
          print $1, name[method], count[method], sprintf("%.1f %%", 100 * shares[method] / count[method]), sprintf("%.1f %%", 100 * largest[method]),
            sprintf("%.0f", changed[method] / count[method]), before[method], sprintf("%.4f", after[method] / count[method]), least[method]
      }
    }'
}

printf 'fabric\tengine\tfaults\tchanged, mean\tlargest\tentries changed\tbandwidth\tmean with a fault\tleast\n'
for spec in "${specs[@]}"; do
  folder=$scratch/${spec//[^a-zA-Z0-9]/_}
  mkdir -p "$folder"
  read -ra words <<<"$spec"
  make_fabric "$folder/before.net" "${words[@]}" --lids
  for ((i = 1; i <= faults; ++i)); do make_fabric "$folder/fault-$i.net" "${words[@]}" --lids --kill-links 1 --seed "$i"; done
  for engine in "${own[@]}" "${rivals[@]}"; do
    route=route_theirs wanted=whole
    [[ " ${own[*]} " != *" $engine "* ]] || route=route_ours
    [[ $engine != "${own[0]}" ]] || wanted='whole stable'
    "$route" "$engine" "$folder" before || continue
    for ((i = 1; i <= faults; ++i)); do
      ! "$route" "$engine" "$folder" "fault-$i" || compare "$spec" "$engine" "$folder" "fault-$i"
    done | summarise "$wanted"
  done
done
