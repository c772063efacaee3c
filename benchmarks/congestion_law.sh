#!/usr/bin/env bash
# Tests whether the throughput of experiment D depends only on CCTI_Timer / q, where one of q packets is marked.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: congestion_law.sh [--bin DIR] [--seeds N] [--time T] [--marking every-nth|unmarked-between] [--json FILE]

Simulates the 30 cells of experiment D (5 seeds of 100 ms, a few minutes on two cores), or reads FILE, the output of
`simulate_fabric --scenario thesis-d --json`. Prints one line per cell, sorted by CCTI_Timer / q: this ratio in us, CCTI_Timer, Marking_Rate, mean
throughput of the seeds in GByte/s, value of the curve, and relative deviation of the cell from the curve (residual). Then prints the standard deviation
and the maximum of the residuals. The curve is a local linear regression over the logarithm of the ratio with Gaussian weights (width .35, a factor of
1.4). The value at a cell is computed from all other cells.

Exit codes: 0 the standard deviation is at most 5 %, 1 it is larger, 2 usage.
EOT
}

here=$(dirname "$(readlink -f "$0")")
bin=$here/../build/bin seeds=5 time=100ms marking=unmarked-between json=''
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --bin) bin=$2 && shift 2 ;;
    --seeds) seeds=$2 && shift 2 ;;
    --time) time=$2 && shift 2 ;;
    --marking) marking=$2 && shift 2 ;;
    --json) json=$2 && shift 2 ;;
    *) usage >&2 && exit 2 ;;
  esac
done
run() {
  if [[ -n $json ]]; then
    cat "$json"
  else
    "$bin/simulate_fabric" --scenario thesis-d --seeds "$seeds" --time "$time" --marking "$marking" --json
  fi
}

run | jq -r '.model.marking as $marking | .runs[] | select(.cell | length == 2)
  | [(.cell[0] | rtrimstr("us")), .cell[1], .throughput_bytes_per_s.mean / 1e9, (if $marking == "every-nth" then 0 else 1 end)] | @tsv' | awk -F'\t' '
  { cell = $1 " " $2; if (!(cell in count)) { name[++n] = cell; ratio[n] = $1 / ($2 + $4) }
    sum[cell] += $3; ++count[cell] }
  END {
    for (i = 1; i <= n; ++i) { x[i] = log(ratio[i]); y[i] = sum[name[i]] / count[name[i]] }
    for (i = 1; i <= n; ++i) { order[i] = i
      for (k = i; k > 1 && x[order[k]] < x[order[k - 1]]; --k) { t = order[k]; order[k] = order[k - 1]; order[k - 1] = t } }
    printf "%10s %8s %12s %8s %8s %10s\n", "timer/q us", "timer us", "Marking_Rate", "GByte/s", "curve", "residual"
    for (o = 1; o <= n; ++o) {
      i = order[o]; w = wx = wy = wxx = wxy = 0
      for (j = 1; j <= n; ++j) if (j != i) {
        d = x[j] - x[i]; u = exp(-d * d / (2 * .35 * .35)); w += u; wx += u * d; wy += u * y[j]; wxx += u * d * d; wxy += u * d * y[j] }
      below = w * wxx - wx * wx
      curve = below > 1e-9 * w * w ? (wy * wxx - wx * wxy) / below : wy / w
      residual = y[i] / curve - 1
      squares += residual * residual; if (residual < 0 ? -residual > most : residual > most) most = residual < 0 ? -residual : residual
      split(name[i], part, " ")
      printf "%10.1f %8s %12s %8.2f %8.2f %+9.1f%%\n", ratio[i], part[1], part[2], y[i], curve, 100 * residual
    }
    spread = sqrt(squares / n)
    printf "residuals: standard deviation %.1f %% (target: at most 5 %%), largest %.1f %%\n", 100 * spread, 100 * most
    exit spread > .05 }'
