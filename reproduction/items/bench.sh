#!/usr/bin/env bash
# bench.sh discovery ENGINE | phases ENGINE | growth ENGINE | lowest EVENT | tables ENGINE | hops | placement | adapters | failure | reconfiguration:
# measurements of bench_opensm with the stock opensm on ibsim. Single sweeps are measured as often as `measuring_time` allows, at most ten times,
# once for all items, and have standard errors. The times are those of this machine and of ibsim, so only orders, signs and shares are compared.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
need opensm ibsim gnuplot

readonly engines=minhop,updn,ftree,lash,dor most_iterations=10
# Seconds for this item. All items of the thesis's chapter together must fit into half an hour.
measuring_time=300
[[ $1 != adapters ]] || measuring_time=60

bench() { PSSP_BUILD_DIR=$BIN/.. bench_opensm --out "$work/bench" "$@"; }

# measured WORDS..: prints one JSON object per call of bench_opensm. The first call measures once; its duration gives the number of
# iterations of the second call.
measured() {
  local began=$EPOCHSECONDS taken more
  bench "$@" --json || return
  taken=$((EPOCHSECONDS - began + 1))
  more=$(((measuring_time - taken) / taken))
  ((more < most_iterations)) || more=$((most_iterations - 1))
  ((more < 1)) || bench "$@" --iterations "$more" --json
}

# Prints the log of an opensm during which nothing changes, SIGHUP arrives, a link fails, and the link returns.
log_of_one() {
  bench --engines minhop --sizes 'xgft 4,16 1,4' --json >"$work/one.json" && cat "$work/bench/trials/0/minhop/1/opensm.log"
}

# times FILTER SPAN: stores the mean time and its standard error in ms for each group of sweeps. FILTER is a jq expression that maps a sweep to
# the name of its group, or to empty. SPAN is a list of phases, separated by blanks.
times() {
  jq -r -s --arg span "$2" '[.[].sweeps[] | . as $sweep | {group: ('"$1"'), ms: ([$span | split(" ")[] | $sweep[.]] | add / 1000)}]
    | group_by(.group)[] | (map(.ms) | length) as $n | (map(.ms) | add / $n) as $mean
    | (if $n > 1 then (map((.ms - $mean) * (.ms - $mean)) | add / ($n - 1) / $n | sqrt) else "" end) as $error
    | "\(.[0].group)\t\($mean)\t\($error)\tms"' "$answer" >>"$OUT/values.tsv"
}

# change NAME FROM TO: stores the increase from the value FROM to the value TO in per cent.
change() {
  awk -F '\t' -v name="$1" -v from="$2" -v to="$3" '{ mean[$1] = $2; error[$1] = $3 }
    END {
      ratio = mean[to] / mean[from]
      printf "%s\t%.2f\t%.2f\t%%\n", name, 100 * (ratio - 1), 100 * ratio * sqrt((error[to] / mean[to]) ^ 2 + (error[from] / mean[from]) ^ 2)
    }' "$OUT/values.tsv" >"$work/change" &&
    cat "$work/change" >>"$OUT/values.tsv"
}

readonly discovery='binding heavy_sweep' lids='partitions sm_lid subnet_lids' routing='routes tables multicast ports links'
# The phases of a sweep after the first, which have no binding.
readonly sweep="heavy_sweep $lids $routing"
# start ENGINE HOSTS: prints a filter for the first sweep.
start() { printf 'select(.series == "sizes" and .event == "start" and .engine == "%s" and .hosts == %s) | ' "$1" "$2"; }

# phases_after PATTERN: prints the phases in opensm.log after the first line with the pattern, until the subnet is up.
phases_after() {
  awk -v pattern="$1" '
    $0 ~ pattern { on = 1 }
    !on { next }
    /INITIATING HEAVY SWEEP/ { said = "heavy sweep" }
    said != "" && / SM LID ASSIGNMENT COMPLETE/ { said = said ", SM LID"; next }
    said != "" && /LID ASSIGNMENT COMPLETE/ { said = said ", subnet LIDs" }
    said != "" && /SWITCHES CONFIGURED FOR UNICAST/ { said = said ", unicast" }
    said != "" && /SWITCHES CONFIGURED FOR MULTICAST/ { said = said ", multicast" }
    said != "" && /SUBNET UP/ { print said ", subnet up"; exit }' "$log"
}

case $1 in
  failure | reconfiguration) log=$(kept log_of_one) ;;
  adapters)
    # A node with n adapters is n end ports at its leaf.
    answer=$(kept measured --engines minhop --sizes 'xgft 4,8 1,4; xgft 8,8 1,4; xgft 16,8 1,4')
    ;;
  *) answer=$(kept measured --engines "$engines") ;;
esac

case $1 in
  discovery)
    times "$(start "$2" 64)"'"binding SM to port"' binding
    times "$(start "$2" 64)"'"heavy sweep"' heavy_sweep
    times "$(start "$2" 64)"'"total"' "$discovery"
    ;;
  phases)
    times "$(start "$2" 64)"'"discovery"' "$discovery"
    times "$(start "$2" 64)"'"LID configuration"' "$lids"
    times "$(start "$2" 64)"'"routing"' "$routing"
    times "$(start "$2" 64)"'"total"' "$discovery $lids $routing"
    times "$(start "$2" 64)"'"route calculation and switch tables"' 'routes tables'
    times "$(start "$2" 64)"'"ports and links"' 'ports links'
    ;;
  tables)
    times "$(start "$2" 64)"'"route calculation"' routes
    times "$(start "$2" 64)"'"switch tables"' tables
    times "$(start "$2" 64)"'"multicast"' multicast
    times "$(start "$2" 64)"'"ports and links"' 'ports links'
    awk -F '\t' '{ sum += $2; mean[$1] = $2 }
      END {
        printf "switch tables of routing\t%.2f\t\t%%\n", 100 * mean["switch tables"] / sum
        printf "unicast and multicast tables of routing\t%.2f\t\t%%\n", 100 * (mean["switch tables"] + mean["multicast"]) / sum
      }' "$OUT/values.tsv" >"$work/shares"
    cat "$work/shares" >>"$OUT/values.tsv"
    ;;
  growth)
    for hosts in 8 16 32 64; do
      times "$(start "$2" "$hosts")\"discovery at $hosts hosts\"" "$discovery"
      times "$(start "$2" "$hosts")\"LID configuration at $hosts hosts\"" "$lids"
      times "$(start "$2" "$hosts")\"routing at $hosts hosts\"" "$routing"
      times "$(start "$2" "$hosts")\"total at $hosts hosts\"" "$discovery $lids $routing"
    done
    # The thesis states the change of a phase for some of these steps.
    for phase in discovery routing; do
      for step in '8 16' '16 32' '32 64'; do
        change "$phase from ${step/ / to } hosts" "$phase at ${step% *} hosts" "$phase at ${step#* } hosts"
      done
    done
    ;;
  lowest)
    for engine in ${engines//,/ }; do
      for hosts in 8 16 32 64; do
        case $2 in
          routing) times "$(start "$engine" "$hosts")\"$engine at $hosts hosts\"" "$routing" ;;
          total) times "$(start "$engine" "$hosts")\"$engine at $hosts hosts\"" "$discovery $lids $routing" ;;
          # The thesis simulates failures by SIGHUP.
          reconfiguration)
            times "select(.series == \"sizes\" and .event == \"resweep\" and .engine == \"$engine\" and .hosts == $hosts) | \"$engine at $hosts hosts\"" "$sweep"
            ;;
        esac
      done
    done
    ;;
  hops)
    value 'values of hops' "$(jq -s '[.[].hops[] | select(.pairs > 0).hops] | unique | length' "$answer")"
    ;;
  placement)
    # ftree refuses fabrics with all hosts on one leaf.
    times 'select(.series == "placement") | "\(.engine), \(.size)"' "$discovery $lids $routing"
    for engine in ${engines//,/ }; do
      ! grep -q "^$engine, 8 on each of 1	" "$OUT/values.tsv" || change "$engine, eight leaves over one" "$engine, 8 on each of 1" "$engine, 1 on each of 8"
    done
    ;;
  adapters)
    times 'select(.series == "sizes" and .event == "resweep") | "\(.hosts / 32) adapters a node"' "$sweep"
    awk -F '\t' '{ n = $1 + 0; mean[n] = $2; error[n] = $3 }
      END { for (n = 2; n <= 4; n *= 2) {
        ratio = mean[n] / mean[1]
        printf "%d adapters over one\t%.3f\t%.3f\t\n", n, ratio, ratio * sqrt((error[n] / mean[n]) ^ 2 + (error[1] / mean[1]) ^ 2)
      } }' "$OUT/values.tsv" >"$work/ratios"
    cat "$work/ratios" >>"$OUT/values.tsv"
    ;;
  failure)
    value trap "$(sed -n 's/.*Received Generic Notice type:1 num:\([0-9]*\) .*Producer:2.*/\1/p' "$log" | sed -n 1p)"
    value 'phases after the trap' "$(phases_after 'Received Generic Notice type:1 num:128')"
    ;;
  reconfiguration)
    # The log does not mention the signal, but only the signal makes opensm sweep after the subnet is up.
    value 'phases after SIGHUP' "$(phases_after '[*] SUBNET UP [*]')"
    value 'phases after a failure' "$(phases_after 'Received Generic Notice type:1 num:128')"
    ;;
esac
