#!/usr/bin/env bash
# application_times.sh [NAME=PART,PART..]..: running time at full bandwidth, in per cent of the present running time. eval_lft computes it from the
# shares of the time and their bandwidths; each PART is SHARE%:BANDWIDTH.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

net=$(fabric xgft 4,4 1,4)
lft=$(tables "$net" pssp)
for cell; do
  answer=$(kept eval_lft "$lft" "$net" --time-shares "${cell#*=}" --json)
  value "${cell%%=*}" "$(jq '.time_at_full_bandwidth * 100 | . * 100 | round / 100' "$answer")" '' %
done
