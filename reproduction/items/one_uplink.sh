#!/usr/bin/env bash
# one_uplink.sh SIZE=BYTES..: k = 1 .. 12 pairs of hosts of CHiC, whose paths share the first uplink of a leaf, send messages at the same time.
# Stores the bandwidth of the slowest pair relative to that of a single pair.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

net=$(fabric chic)
lft=$(tables "$net" pssp)
# Destinations that leaf 1 reaches by port 13. The GUID of the port of host n is 0x100001 + 2 n.
mapfile -t destinations < <(awk '/^Unicast/ { ++block } block == 1 && $2 == "013" && /Channel Adapter/ { print $7 }' "$lft" | tr -d : | sed 's/^0x//' |
  while read -r guid; do printf '%d\n' $(((16#$guid - 16#100001) / 2)); done | awk 'int($1 / 12) != 0 && !seen[int($1 / 12)]++')
((${#destinations[@]} >= 12))
for each; do
  for k in 1 2 4 8 12; do
    for ((pair = 0; pair < k; ++pair)); do printf 'H%05d H%05d\n' "$pair" "${destinations[pair]}"; done >"$work/flows"
    flows_file "$work/pattern" <"$work/flows"
    answer=$(kept eval_lft "$lft" "$net" --ptrn "file:$work/pattern" --node-ordering-file "$work/pattern.hosts" --no-shuffle --num-runs 1 \
      --commsize "$(wc -l <"$work/pattern.hosts")" --metric hist_max_cong --json)
    awk 'NR > 1 { printf "\n" } { printf "flow %s -> %s bytes %s\n", $1, $2, bytes }' bytes="${each#*=}" "$work/flows" | grep . >"$work/traffic"
    simulated=$(kept simulate_fabric "$lft" "$net" --traffic "$work/traffic" --link-rate 4xSDR --host-rate 4xSDR --time 50ms --json --no-progress --quiet -j 1)
    longest=$(jq '[.runs[0].flows[].finished_ns] | max' "$simulated")
    [[ $k != 1 ]] || alone=$longest
    value "${each%%=*}, $k pairs: bandwidth" "$(awk -v a="$alone" -v b="$longest" 'BEGIN { print a / b }')" '' 'of one alone'
    value "$k pairs by congestion" "$(jq .hist_max_cong.bandwidth "$answer")"
  done
done
