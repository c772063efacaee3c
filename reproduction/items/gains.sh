#!/usr/bin/env bash
# gains.sh patterns | gains.sh marking RATE: increase of the throughput by congestion control in per cent, for the four traffic patterns, or for the
# cells of Table 4.9 with one Marking_Rate.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

scenario() { accepted=7 kept simulate_fabric --scenario "$1" "${@:2}" --check --json --no-progress --quiet -j 1; }
if [[ $1 == patterns ]]; then
  for name in c1 c2 c3 c4; do
    answer=$(scenario "thesis-$name" --seeds 3)
    value "${name^^}" "$(jq '[.reference[] | select(.what == "gain all").found][0] * 100' "$answer")" '' %
  done
else
  answer=$(scenario thesis-d --seeds 1)
  jq -r --arg rate "$2" '([.reference[] | select(.what == "throughput all" and .run == "off").found][0]) as $off
    | .reference[] | select(.run == $rate and (.what | startswith("throughput "))) | "\(.what | ltrimstr("throughput "))\t\((.found / $off - 1) * 100)\t\t%"' \
    "$answer" >>"$OUT/values.tsv"
fi
