#!/usr/bin/env bash
# Measures how many entries change if a single link fails and everything is routed from scratch, with our engines and OpenSM's.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOT'
usage: single_link_faults.sh [--faults N] [--patterns N] [--engines A,B] [--opensm A,B] [SPEC...]

Removes one link between switches from each fabric (SPEC as for make_topo; default: chic), and routes the rest from scratch; repeats this with N links.
Prints one line of tab-separated values per engine: fabric, engine, number of faults, share of changed entries (mean and maximum; of the entries that
both fabrics have), mean number of changed entries, effective bisection bandwidth without a fault, and its mean and minimum with one fault. The first
of our engines has a second line, `NAME, stable`: there, incremental rerouting repairs its old tables.

  --faults N      number of faults, one link each (default: 20)
  --patterns N    number of bisections (default: 500)
  --engines A,B   our engines, which run offline (default: best,heal,cassp,pssp)
  --opensm A,B    OpenSM's engines (default: minhop,updn,ftree,sssp), which run in the stock opensm on ibsim. opensm is restarted for each fabric; all
                  LIDs are the same. If an engine refuses the damaged fabric, a message on standard error names it, and its tables are those of
                  minhop, which opensm uses instead
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

printf 'fabric\tengine\tfaults\tchanged, mean\tlargest\tentries changed\tbandwidth\tmean with a fault\tminimum\n'
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
