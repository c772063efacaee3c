#!/usr/bin/env bash
# uses.sh broadcast | allgather | lu | pattern1 | pattern2: number of uses of each link by the traffic of the thesis on OpenSM and INAM, in all steps
# together, on the part of a cluster that the thesis describes.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

net=$(fabric inam35)
lft=$(tables "$net" pssp)
# The first host of each leaf: leaves have 8, 8, 8, 4, 4 and 3.
ranks=(0 8 16 24 28 32)
flow() { printf 'H%05d H%05d\n' "$1" "$2"; }
broadcast() { for pair in 0:3 0:1 3:4 1:2 4:5; do flow "${ranks[${pair%:*}]}" "${ranks[${pair#*:}]}"; done; }
case $1 in
  broadcast) broadcast ;;
  allgather)
    for _ in 1 2 3 4 5; do for ((rank = 0; rank < 6; ++rank)); do flow "${ranks[rank]}" "${ranks[(rank + 1) % 6]}"; done; done
    ;;
  # 128 ranks, eight per node, on consecutive nodes of two leaves. Each rank exchanges data with the ranks 1 and 15 after it.
  lu)
    for ((rank = 0; rank < 128; ++rank)); do
      for next in $((rank + 1)) $((rank + 15)); do
        ((next >= 128)) || for pair in "$rank $next" "$next $rank"; do
          read -r from to <<<"$pair"
          if ((from / 8 == to / 8)); then printf 'inside a node\n'; else flow $((from / 8)) $((to / 8)); fi
        done
      done
    done
    ;;
  # Eight nodes of the first leaf send to four nodes of each of the next two leaves, with one process per node.
  pattern1) for ((host = 0; host < 8; ++host)); do flow "$host" $((8 + host % 4 + 8 * (host / 4))); done ;;
  # 32 processes, four per node, send to two processes on each of the eight nodes of two leaves.
  pattern2) for ((rank = 0; rank < 32; ++rank)); do flow $((rank / 4)) $((8 + rank / 2)); done ;;
esac >"$work/flows"

inside=$(grep -c '^inside' "$work/flows" || true)
grep -v '^inside' "$work/flows" >"$work/pairs"
# links_of PATHS: prints one line per use of a link.
links_of() { jq -r '.paths[] | .links[] | "\(.from) \(.to)"' "$1"; }
paths=$(kept eval_lft "$lft" "$net" --pairs "$work/pairs" --json)
links_of "$paths" | sort | uniq -c >"$work/uses"
between() { awk '$2 ~ /^S/ && $3 ~ /^S/' "$work/uses"; }
value 'busiest link between switches' "$(between | sort -rn | awk 'NR == 1 { print $1 }')"
value 'links between switches in use' "$(between | wc -l)"
value 'of these used once' "$(between | awk '$1 == 1' | wc -l)"
# Counts both directions of the cable of a host.
for ((rank = 0; rank < 6; ++rank)); do
  value "uses of the cable of rank $rank" "$(awk -v host="$(printf 'H%05d' "${ranks[rank]}")" '$2 == host || $3 == host { n += $1 } END { print n + 0 }' "$work/uses")"
done
value 'inside a node or a switch' "$(jq --argjson inside "$inside" '[.paths[] | select(.hops == 0)] as $near | 100 * (($near | length) + $inside) / ((.paths | length) + $inside)' "$paths")" '' %
if [[ $1 == allgather ]]; then
  broadcast >"$work/broadcast"
  value 'uses of cables by the broadcast' "$(links_of "$(kept eval_lft "$lft" "$net" --pairs "$work/broadcast" --json)" | wc -l)"
  value 'uses of cables by the allgather' "$(links_of "$paths" | wc -l)"
fi
