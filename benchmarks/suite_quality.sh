#!/usr/bin/env bash
# Compares the tables of an engine with targets for random permutations and for structured traffic, on the fabrics below.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: suite_quality.sh [--engine NAME] [--bin DIR] [--fabrics DIR] [--patterns N] [--only TEXT]

Routes each fabric with the engine (one fabric always with heal), and prints one line per fabric: effective bisection bandwidth, S without rails,
slowdown of shifts, leaf pairs, and jobs of 16 and of 64 neighboring nodes (docs/explanation/structured-traffic.md), virtual lanes, milliseconds of the
engine, and missed targets.

  --engine NAME  engine (default: best)
  --bin DIR      folder of the programs (default: build/bin beside this script's folder)
  --fabrics DIR  folder of the saved real fabrics hdr-666-switches.ibnetdiscover and ndr-40-switches.ibnetdiscover, which are skipped if they do not exist
  --patterns N   number of bisections (default: 5000)
  --only TEXT    only fabrics whose names contain TEXT

Exit codes: 0 all targets reached, 1 a target missed, 2 usage.
EOT
}

here=$(dirname "$(readlink -f "$0")")
engine=best bin=$here/../build/bin fabrics='' patterns=5000 only=''
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --engine) engine=$2 && shift 2 ;;
    --bin) bin=$2 && shift 2 ;;
    --fabrics) fabrics=$2 && shift 2 ;;
    --patterns) patterns=$2 && shift 2 ;;
    --only) only=$2 && shift 2 ;;
    *) usage >&2 && exit 2 ;;
  esac
done
[[ -x $bin/eval_lft && -x $bin/route_lft && -x $bin/make_topo ]] || { usage >&2 && exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# fabric | minimum bandwidth | maximum S (without rails) | maximum shifts, leaf pairs, jobs of 16, jobs of 64 | engine, if another
# one is used
figures() {
  cat <<'END'
chic --kill-links 20 | .721 | 1.40 | - 1.45 1.20 2.15
chic --kill-links 60 --seed 5 | .688 | 1.65 | - - - -
chic --kill-switches 4 --seed 2 | .690 | 1.70 | - - - -
xgft 8,8,8 1,4,4 | .380 | 1.09 | 3.816 2.0 1.48 1.90
xgft 8,8,8 1,4,4 --kill-links 20 | .355 | 1.80 | - - - -
xgft 16,16,16 1,8,8 | .344 | 1.01 | - - - -
deimos | .465 | 4.4 | - 2.0 1.25 2.10
deimos --kill-links 20 | .450 | 3.1 | - - - -
k-ary-n-tree 4 3 --kill-links 20 | .685 | 1.75 | - - - -
ndr-40-switches | .787 | 1.90 | - 1.80 1.35 2.60
hdr-666-switches | .700 | 1.75 | - 1.5 1.40 2.85
thunderbird | .445 | 1.50 | - - - -
thunderbird --kill-links 100 --seed 3 | .432 | - | 4.3 - - - | heal
torus 6x6x4 | .740 | 1.71 | - - - -
mesh 5x5 --hosts 2 | .525 | 3.38 | - - - -
dragonfly --switches 4 --global-links 2 --hosts 2 | .700 | 4.65 | - - - -
random-regular 64 --degree 8 --hosts 8 | .470 | 7.8 | - - - -
hypercube 6 --hosts 2 --kill-links 9 | .665 | 3.05 | - - - -
torus 6x6x4 --kill-links 9 | .730 | 2.60 | - - - -
chic | .738 | 1.54 | 1.001 - - -
odin | .844 | - | - - - -
k-ary-n-tree 4 3 | .793 | 1.001 | 1.001 - - -
k-ary-n-tree 4 2 | .908 | - | 1.001 - - -
END
  local seed
  for seed in 1 2 3 4 5 6 7 8; do
    printf 'chic --kill-links 1 --seed %d | .735 | - | 2.05 - - -\n' "$seed"
  done
}

missed=0
# evaluate NAME VALUE at_least|at_most LIMIT: adds missed targets to `misses`.
evaluate() {
  [[ $4 != - ]] || return 0
  awk -v value="$2" -v limit="$4" -v rule="$3" 'BEGIN { exit !(rule == "at_least" ? value >= limit : value <= limit) }' ||
    misses+=" $1 $2 (target $4)"
}

printf 'fabric\tengine\tbandwidth\tS\tshifts\tleaf_pairs\tjobs_16\tjobs_64\tlanes\tengine_ms\tmissed\n'
while IFS='|' read -r spec least largest times other; do
  read -ra words <<<"$spec"
  name=${words[*]} other=${other// /}
  [[ $name == *"$only"* ]] || continue
  if [[ $name == *-switches && $name != *' '* ]]; then
    topology=$fabrics/$name.ibnetdiscover
    [[ -n $fabrics && -r $topology ]] || {
      printf 'suite_quality.sh: skipped %s: not found in the folder of --fabrics\n' "$name" >&2
      continue
    }
  else
    topology=$scratch/topo.net
    "$bin/make_topo" "${words[@]}" --lids -o "$topology" 2>/dev/null
  fi
  used=${other:-$engine}
  milliseconds=$("$bin/route_lft" -e "$used" "$topology" -o "$scratch/routing.lft" 2>&1 | sed -n 's/.*engine \([0-9.]*\) ms.*/\1/p')
  "$bin/eval_lft" -n "$patterns" --structured-suite --json "$scratch/routing.lft" "$topology" >"$scratch/report.json" 2>/dev/null
  IFS=$'\t' read -r bandwidth slowdown shifts leaf_pairs jobs_16 jobs_64 lanes < <(jq -r '
    def time($name): [.structured_suite.patterns[] | select(.name == $name).time | . * 1000 | round / 1000][0] // "-";
    [(.ebb.mean * 10000 | round / 10000), (.structured_suite.S_without_rails * 1000 | round / 1000), time("shifts"), time("leaf_pairs"), time("node_jobs_16"),
     time("node_jobs_64"), (.lanes // "more")] | @tsv' "$scratch/report.json")
  misses=
  read -ra limits <<<"$times"
  evaluate bandwidth "$bandwidth" at_least "${least// /}"
  evaluate S "$slowdown" at_most "${largest// /}"
  evaluate shifts "$shifts" at_most "${limits[0]}"
  evaluate leaf_pairs "$leaf_pairs" at_most "${limits[1]}"
  evaluate jobs_16 "$jobs_16" at_most "${limits[2]}"
  evaluate jobs_64 "$jobs_64" at_most "${limits[3]}"
  [[ -z $misses ]] || missed=1
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$used" "$bandwidth" "$slowdown" "$shifts" "$leaf_pairs" "$jobs_16" "$jobs_64" "$lanes" \
    "${milliseconds:--}" "${misses:-}"
done < <(figures)
exit $missed
