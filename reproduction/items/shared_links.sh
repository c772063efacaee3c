#!/usr/bin/env bash
# shared_links.sh "WORDS OF MAKE_TOPO" ENGINE FLOW...: number of flows that share the busiest link of each flow. FLOW is FROM>TO with host numbers
# from 1. One run, with the hosts in their original order.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

read -ra words <<<"$1"
net=$(fabric "${words[@]}")
lft=$(tables_of "$net" "$2")
shift 2
# The hosts are named H00000 and so on, in the order of the leaves.
printf '%s\n' "$@" | awk -F '>' '{ printf "H%05d H%05d\n", $1 - 1, $2 - 1 }' >"$work/flows"
flows_file "$work/pattern" <"$work/flows"
answer=$(kept eval_lft "$lft" "$net" --ptrn "file:$work/pattern" --node-ordering-file "$work/pattern.hosts" --no-shuffle --num-runs 1 \
  --commsize "$(wc -l <"$work/pattern.hosts")" --metric hist_max_cong --json)
value bandwidth "$(jq .hist_max_cong.bandwidth "$answer")"
# One number per flow, in descending order.
value congestion "$(jq -r '[.hist_max_cong.histogram[] | . as $bin | range(.connections) | $bin.from] | sort | reverse | join(",")' "$answer")"
value 'largest congestion' "$(jq '.hist_max_cong.histogram | map(select(.connections > 0).from) | max' "$answer")"
