#!/usr/bin/env bash
# Reports whether better tables exist for a fabric. For cron, or before a maintenance window:
#
#   ibnetdiscover >fabric.topo && dump_lfts.sh >today.lft      # as root, on a node of the fabric
#   better_tables.sh fabric.topo today.lft                     # anywhere
#
# Exit codes: 0 at most GAIN percent (default 5) more bandwidth is possible, 1 more is possible or a pair of hosts has no path today, 2 usage,
# 3 or larger: those of pssp eval.
set -euo pipefail
if (($# < 2)); then
  echo 'usage: better_tables.sh fabric.topo today.lft [GAIN]' >&2
  exit 2
fi
readonly topology=$1 today=$2 gain=${3:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The tables that `best` computes for the fabric as it is today. Cables that are missing today cannot be used.
pssp route -e best "$topology" -o "$work/best.lft"
# Both tables are evaluated with the same 5000 random bisections, so that differences come from the tables alone.
pssp eval "$today" "$topology" --compare "$work/best.lft" --json -o "$work/answer.json"

jq -r --argjson gain "$gain" '
  .tables[0].mean as $now | .tables[1].mean as $best | (($best / $now - 1) * 100) as $more
  | "bandwidth today \($now * 1000 | round / 10) % of the link rate, with best \($best * 1000 | round / 10) %: \($more * 10 | round / 10) % more",
    if .tables[0].usable | not then "the tables of today leave some pairs of hosts without a path" else empty end,
    if .tables[0].credit_loop then "the tables of today have a credit loop on a single virtual lane" else empty end' "$work/answer.json"
jq -e --argjson gain "$gain" '.tables[1].mean / .tables[0].mean - 1 <= $gain / 100 and .tables[0].usable' "$work/answer.json" >/dev/null
