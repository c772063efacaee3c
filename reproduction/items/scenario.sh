#!/usr/bin/env bash
# scenario.sh NAME [OPTION...]: the figures of a built-in scenario that simulate_fabric compares with published values.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

# simulate_fabric ends with 7 if a figure misses a bound of the scenario. published/ selects the figures that count here.
answer=$(accepted=7 kept simulate_fabric --scenario "$1" "${@:2}" --check --json --no-progress --quiet -j 1)
jq -r '.reference[] | "\(.what), \(.run)\t\(.found)\t\t\(.unit)"' "$answer" >>"$OUT/values.tsv"
