#!/usr/bin/env bash
# How much does the order of a job's nodes matter (docs/reference/order-nodes.md)? Half of the jobs consist of consecutive nodes,
# the others of random nodes. All are given in random order.
#
#   benchmarks/order_nodes.sh [--jobs N] [--sizes N,N,..] [FABRIC...]
#
# Prints for each fabric, size and pattern the time of the slowest flow relative to the order that order_nodes finds: sorted by
# name, by leaf, and as given (geometric means over N jobs, default 6; also the maximum for the given order). Then prints the
# slowest flow in the order found, and seconds of processor time per job. A FABRIC is a family with its arguments, or an output file of
# ibnetdiscover; it is routed with best. Programs come from PSSP_BUILD_DIR (default: build).
set -euo pipefail
bin=${PSSP_BUILD_DIR:-$(dirname "$(readlink -f "$0")")/../build}/bin
jobs=6 sizes=64,256
while (($# > 0)); do
  case $1 in
    --jobs) jobs=$2 && shift 2 ;;
    --sizes) sizes=$2 && shift 2 ;;
    *) break ;;
  esac
done
(($# > 0)) || set -- chic deimos
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
topology=$scratch/fabric.topo
tables=$scratch/routing.lft

# stencil NODES DIMENSIONS: prints a stencil of NODES nodes whose sides are powers of two and as equal as possible.
stencil() {
  local -a side
  local left=$1 i
  for ((i = 0; i < $2; ++i)); do side[i]=1; done
  for ((i = 0; left > 1; i = (i + 1) % $2, left /= 2)); do side[i]=$((side[i] * 2)); done
  local IFS=x
  printf 'stencil:%s' "${side[*]}"
}

# job NUMBER NODES: prints the nodes of a job, one per line.
job() {
  local all first
  all=$(wc -l <"$scratch/nodes")
  if (($1 % 2 == 1)); then
    first=$((($1 * 7919) % (all - $2 + 1) + 1))
    sed -n "$first,$((first + $2 - 1))p" "$scratch/nodes" | shuf --random-source=<(yes "$1")
  else
    shuf -n "$2" --random-source=<(yes "$1") "$scratch/nodes"
  fi
}

printf 'fabric\tnodes\tpattern\tsorted\tby leaf\tgiven\tworst given\tfound\tseconds\n'
for fabric in "$@"; do
  if [[ -e $fabric ]]; then
    cp "$fabric" "$topology"
  else
    # The arguments of a family are separate words. Node names must be single words.
    # shellcheck disable=SC2086
    "$bin/make_topo" $fabric --lids 2>/dev/null | sed -E ':a; /^(Ca|Hca)/ s/(# "[^" ]*) ([^"]*")/\1-\2/; ta' >"$topology"
  fi
  "$bin/route_lft" -e best "$topology" -o "$tables" 2>/dev/null
  "$bin/order_nodes" "$tables" "$topology" --for pipeline -o "$scratch/named" 2>/dev/null
  sort -V "$scratch/named" >"$scratch/nodes"
  for size in ${sizes//,/ }; do
    for pattern in ring all-to-all recursive-doubling "$(stencil "$size" 2)" "$(stencil "$size" 3)"; do
      : >"$scratch/costs"
      times >"$scratch/before"
      for ((j = 1; j <= jobs; ++j)); do
        job "$j" "$size" >"$scratch/job"
        "$bin/order_nodes" "$tables" "$topology" --nodes "$scratch/job" --for "$pattern" --json 2>/dev/null |
          jq -r '[.orders[] | {(.name): .slowest_flow}] | add | [.sorted, ."by leaf", .given, .found] | @tsv' >>"$scratch/costs"
      done
      times >"$scratch/after"
      awk -v name="$fabric" -v size="$size" -v pattern="$pattern" -v before="$(sed -n 2p "$scratch/before")" -v after="$(sed -n 2p "$scratch/after")" '
        function seconds(text,  part, words, i, sum) {
          split(text, words, " ")
          for (i = 1; i <= 2; ++i) { split(words[i], part, /[ms]/); sum += 60 * part[1] + part[2] }
          return sum
        }
        { for (i = 1; i <= 3; ++i) sum[i] += log($i / $4); found += log($4); if ($3 / $4 > worst) worst = $3 / $4 }
        END {
          printf "%s\t%d\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\n", name, size, pattern, exp(sum[1] / NR), exp(sum[2] / NR), exp(sum[3] / NR),
            worst, exp(found / NR), (seconds(after) - seconds(before)) / NR
        }' "$scratch/costs"
    done
  done
done
