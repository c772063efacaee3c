#!/usr/bin/env bash
# bench.sh phases BENCHMARK ENGINE | growth ENGINE | lowest BENCHMARK | tables ENGINE | hops | placement | failure: of one run of bench_opensm, which all
# items share: times of the phases at 64 hosts; the total at 8 and 64 hosts; which place ftree has at 64 hosts; the switch tables' share of the routing phase;
# hops; eight hosts on one leaf or on eight; the answer to a dead link. Times are those of this machine and of ibsim, and have no verdict.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
need opensm ibsim gnuplot

measured() { PSSP_BUILD_DIR=$BIN/.. bench_opensm --engines minhop,updn,ftree,lash,dor,pssp --out "$work/bench" --json -; }
answer=$(kept measured)
of_benchmark() { jq -r --arg name "$1" --arg engine "$2" --argjson hosts "$3" '.benchmarks[] | select(.name == $name).results[]
  | select(.engine == $engine and .hosts == $hosts) | '"$4" "$answer"; }

case $1 in
  phases) of_benchmark "$2" "$3" 64 '.ms | to_entries[] | "\(.key)\t\(.value.mean)\t\tms"' | sort -u -t $'\t' -k 1,1 >>"$OUT/values.tsv" ;;
  growth)
    for hosts in 8 64; do value "total at $hosts hosts" "$(of_benchmark Subnet_Total_Time "$2" "$hosts" .ms.total.mean | head -n 1)" '' ms; done
    ;;
  lowest)
    place=$(jq --arg name "$2" '[.benchmarks[] | select(.name == $name).results[] | select(.hosts == 64 and .engine != "pssp")
      | {engine, total: .ms.total.mean}] | unique_by(.engine) | sort_by(.total) | map(.engine) | index("ftree") + 1' "$answer")
    value 'place of ftree' "$place"
    ;;
  tables)
    value 'switch tables of routing' "$(of_benchmark Subnet_Routing_Time "$2" 64 '100 * .ms["switch tables"].mean / .ms.total.mean' | head -n 1)" '' %
    ;;
  hops)
    value 'values of hops' "$(jq '[.hops[] | select(.pairs > 0).hops] | unique | length' "$answer")"
    ;;
  placement)
    jq -r '.hosts_per_switch[] | select(.engine == "minhop") | "\(.size)\t\(.ms.total.mean)\t\tms"' "$answer" >>"$OUT/values.tsv"
    ;;
  failure)
    for event in resweep failure repair; do
      value "total of a $event" "$(jq --arg event "$event" '[.benchmarks[] | select(.name == "Subnet_Reconfigure_Time").results[]
        | select(.engine == "pssp" and .hosts == 64 and .event == $event).ms.total.mean][0]' "$answer")" '' ms
    done
    ;;
esac
