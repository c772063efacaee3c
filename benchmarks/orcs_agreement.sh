#!/usr/bin/env bash
# Tests whether eval_lft and ORCS agree. Compares patterns and metrics on the same forwarding tables, which ORCS reads from the graph that
# eval_lft writes.
# shellcheck source=benchmarks/orcs.sh
. "$(dirname "$(readlink -f "$0")")/orcs.sh"

usage() {
  cat <<'EOF'
usage: PSSP_ORCS=/path/to/orcs orcs_agreement.sh [--flows N] [--batches N] [SPEC...]

Prints a table with one line per fabric (SPEC as for make_topo), pattern and metric: mean and standard error of ORCS and of eval_lft, and z, their
difference divided by its standard error. Both programs simulate the same number of batches; the standard errors come from the variance of the batches,
because ORCS does not print standard errors and has no seed. Prints "skipped" if PSSP_ORCS is not set.

  --flows N    flows per line in ORCS (default: 200000); eval_lft simulates ten times as many, except for get_cable_cong
  --batches N  number of batches (default: 20)

The default fabrics have 16, 50 and 528 hosts.

Exit codes: 0 the programs agree, 1 a z is beyond 4 or deterministic results differ.
EOF
}

flows=200000 batches=20 specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --flows) flows=$2 && shift 2 ;;
    --batches) batches=$2 && shift 2 ;;
    *) specs+=("$1") && shift ;;
  esac
done
((${#specs[@]} > 0)) || specs=('k-ary-n-tree 4 2' 'mesh 5x5 --hosts 2' chic)

require_orcs

# Prints the compared value of a metric, one number per batch. It is the share of runs below $edge for hist_acc_band, and the mean
# over all edges of the graph for get_cable_cong.
orcs_number() {
  awk -v metric="$1" -v edge="$edge" '
    metric == "hist_max_cong" && /^BW:/ { print $2 }
    metric == "sum_max_cong" && /^Average Maximal Congestion:/ { print $4 }
    metric == "dep_max_delay" && /^Average Delay:/ { print $3 }
    metric == "hist_acc_band" && NF == 3 && $1 ~ /^[0-9.]+$/ { all += $3; if ($2 < edge + 1e-6) below += $3 }
    metric == "get_cable_cong" && /congestion=/ { gsub(/[^0-9.]/, ""); all++; below += $0 }
    END { if (all > 0) print below / all }'
}

eval_lft_number() {
  case $1 in
    hist_max_cong) jq .hist_max_cong.bandwidth ;;
    hist_acc_band) jq --argjson edge "$edge" '.runs as $n | [.hist_acc_band.histogram[] | select(.to < $edge + 1e-6).runs] | add / $n' ;;
    get_cable_cong)
      cat >/dev/null # until the graph is written
      grep -o '"congestion"="[0-9.]*"' "$scratch/cables.dot" | tr -dc '0-9.\n' | awk '{ sum += $1 } END { print sum / NR }'
      ;;
    *) jq ".$1.mean" ;;
  esac
}

# simulate RUNS SEED METRIC: runs eval_lft and prints its JSON.
simulate() {
  local graph=()
  [[ $3 != get_cable_cong ]] || graph=(--cable-graph "$scratch/cables.dot")
  "$eval_lft" --json --seed "$2" --num-runs "$1" --metric "$3" "${graph[@]}" "${our_pattern[@]}" "$scratch/topo.lft" "$scratch/topo.net"
}

orcs_values() {
  for ((i = 0; i < batches; i++)); do
    "$PSSP_ORCS" --metric "$1" -n "$2" "${orcs_pattern[@]}" -i "$scratch/topo.dot" </dev/null 2>/dev/null | orcs_number "$1"
  done
}

eval_lft_values() {
  for ((i = 1; i <= batches; i++)); do simulate "$2" "$i" "$1" | eval_lft_number "$1"; done
}

# compare NAME METRIC: prints the line of a pattern, whose options are in orcs_pattern and our_pattern.
compare() {
  local per_run runs our_runs
  per_run=$(simulate 1 1 hist_max_cong | jq .flows)
  runs=$((flows / batches / per_run))
  ((runs >= 2)) || runs=2
  our_runs=$((10 * runs))
  # All values are divided by the largest sum, whose expected value depends on the number of runs, so both programs use the same
  # number.
  [[ $2 != get_cable_cong ]] || our_runs=$runs
  edge=0
  [[ $2 != hist_acc_band ]] ||
    edge=$(simulate "$our_runs" 99 "$2" | jq '.runs as $n | .hist_acc_band.histogram |
      [range(1; length) as $i | {to: .[$i - 1].to, off: ((([.[:$i][].runs] | add) / $n - 0.5) | fabs)}] | min_by(.off).to')
  orcs_values "$2" "$runs" >"$scratch/orcs.txt"
  eval_lft_values "$2" "$our_runs" >"$scratch/ours.txt"
  awk -v name="$1" -v metric="$2" -v runs="$((runs * batches))" -v wanted="$batches" '
    FNR == 1 { file++ }
    { n[file]++; sum[file] += $1; squares[file] += $1 * $1 }
    END {
      if (n[1] != wanted || n[2] != wanted) { printf "| %s | %s | FAILED: %d and %d batches |\n", name, metric, n[1], n[2]; exit 1 }
      for (f = 1; f <= 2; f++) {
        mean[f] = sum[f] / n[f]
        variance = (squares[f] / n[f] - mean[f] * mean[f]) * n[f] / (n[f] - 1)
        error[f] = variance < 1e-13 * mean[f] * mean[f] ? 0 : sqrt(variance / n[f])
      }
      difference = mean[2] - mean[1]
      both = sqrt(error[1] ^ 2 + error[2] ^ 2)
      # ORCS prints deterministic results with six digits.
      verdict = both > 0 ? sprintf("%+.2f", difference / both) : difference * difference < 1e-12 ? "equal" : "DIFFERENT"
      printf "| %s | %s | %d | %.5f +- %.5f | %.5f +- %.5f | %s |\n", name, metric, runs, mean[1], error[1], mean[2], error[2], verdict
      exit (verdict == "DIFFERENT" || (both > 0 && (difference / both) ^ 2 > 16))
    }' "$scratch/orcs.txt" "$scratch/ours.txt" || failed=1
}

# of PATTERN METRIC...: compares a pattern that takes no argument.
of() {
  local pattern=$1 metric
  orcs_pattern=(-p "$pattern") our_pattern=(--ptrn "$pattern")
  for metric in "${@:2}"; do compare "$pattern" "$metric"; done
}

# against FIRST SECOND: compares the delay of the first pattern on half of the hosts while the second runs on the others.
against() {
  local half=$((hosts / 2))
  orcs_pattern=(-p ptrnvsptrn -a "$1::$2" -z "$half")
  our_pattern=(--ptrn ptrnvsptrn --first-ptrn "$1" --second-ptrn "$2" --part-commsize "$half")
  compare "$1 against $2" dep_max_delay
}

failed=0
for spec in "${specs[@]}"; do
  read -ra words <<<"$spec"
  prepare "${words[@]}"
  printf '\n%s: %d hosts\n\n| pattern | metric | runs in ORCS | ORCS | eval_lft | z |\n|---|---|---|---|---|---|\n' "$spec" "$hosts"
  of bisect hist_max_cong hist_acc_band
  of bisect_fb_sym hist_max_cong
  of rand hist_max_cong sum_max_cong
  of tree hist_max_cong sum_max_cong
  of bruck hist_max_cong sum_max_cong
  of recdbl sum_max_cong
  of gather hist_max_cong
  of scatter sum_max_cong
  orcs_pattern=(-p neighbor -a 6) our_pattern=(--ptrn neighbor:6)
  compare neighbor:6 hist_max_cong
  against tree null
  against tree bisect
  against bruck rand
  of ring get_cable_cong
done
exit "$failed"
