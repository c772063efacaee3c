#!/usr/bin/env bash
# weights.sh COUNT:CONGESTION..: bandwidth of COUNT flows for each CONGESTION. All hosts are at one switch, and CONGESTION senders share each receiver.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

net=$(fabric xgft 200 1)
lft=$(tables "$net" pssp)
{
  sender=0
  receiver=199
  for each; do
    for ((flow = 0; flow < ${each%:*}; ++flow)); do
      ((flow % ${each#*:} != 0)) || ((receiver--))
      printf 'H%05d H%05d\n' $((sender++)) "$receiver"
    done
  done
} >"$work/flows"
flows_file "$work/pattern" <"$work/flows"
answer=$(kept eval_lft "$lft" "$net" --ptrn "file:$work/pattern" --node-ordering-file "$work/pattern.hosts" --no-shuffle --num-runs 1 \
  --commsize "$(wc -l <"$work/pattern.hosts")" --metric hist_max_cong --json)
value bandwidth "$(jq .hist_max_cong.bandwidth "$answer")"
jq -r '.hist_max_cong.histogram[] | "congestion \(.from)\t\(.connections)"' "$answer" >>"$OUT/values.tsv"
