#!/usr/bin/env bash
# Measures how many bisections per second eval_lft and ORCS simulate on one core, with the same forwarding tables.
# shellcheck source=benchmarks/orcs.sh
. "$(dirname "$(readlink -f "$0")")/orcs.sh"

usage() {
  cat <<'EOF'
usage: PSSP_ORCS=/path/to/orcs orcs_speed.sh [--seconds S] [--rounds N] [SPEC...]

Prints a table with one line per fabric (SPEC as for make_topo). A speed is the difference of two numbers of bisections divided by the difference of
their processor times (user + system), so that it excludes the time for reading the input. The larger number is doubled until the times differ by S
seconds (default: 5). The programs alternate for N rounds (default: 3). The table contains medians, and the smallest and largest ratio; "mean" is the
effective bisection bandwidth of the last run. Prints "skipped" if PSSP_ORCS is not set.
The default fabrics have 128, 528, 724, 4390 and 11,664 hosts. They take an hour if ORCS is compiled with -O2, nearly all of it in ORCS; `thunderbird`
alone takes five minutes.
EOF
}

seconds=5 rounds=3 specs=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --seconds) seconds=$2 && shift 2 ;;
    --rounds) rounds=$2 && shift 2 ;;
    *) specs+=("$1") && shift ;;
  esac
done
((${#specs[@]} > 0)) || specs=('director 144 --hosts 128' chic deimos thunderbird 'xgft 18,18,36 1,18,18')
require_orcs

run_orcs() { "$PSSP_ORCS" -p bisect --metric hist_max_cong -n "$1" -i "$scratch/topo.dot" </dev/null 2>/dev/null | awk '/^BW:/ { print $2 }' >"$scratch/mean"; }
run_eval_lft() { "$eval_lft" --json --no-credit-loops -j 1 -n "$1" "$scratch/topo.lft" "$scratch/topo.net" | jq .ebb.mean >"$scratch/mean"; }

# processor_time COMMAND...: prints the processor time of the command and its children in milliseconds.
processor_time() {
  local TIMEFORMAT='%U %S'
  { time "$@"; } 2>&1 | awk '{ printf "%d\n", 1000 * ($1 + $2) }'
}

# speed PROGRAM FEWEST: prints bisections per second. Stores the number of bisections that this took in $scratch/runs.PROGRAM,
# where the next round begins.
speed() {
  local first last runs=$2
  [[ ! -s $scratch/runs.$1 ]] || runs=$(<"$scratch/runs.$1")
  first=$(processor_time "run_$1" 1)
  while last=$(processor_time "run_$1" "$runs") && ((last - first < 1000 * seconds)); do runs=$((2 * runs)); done
  echo "$runs" >"$scratch/runs.$1"
  awk -v n="$((runs - 1))" -v ms="$((last - first))" 'BEGIN { printf "%.6g\n", 1000 * n / ms }'
}

printf '| fabric | hosts | ORCS, mean | eval_lft, mean | ORCS, bisections/s | eval_lft, bisections/s | eval_lft / ORCS |\n|---|---|---|---|---|---|---|\n'
for spec in "${specs[@]}"; do
  read -ra words <<<"$spec"
  prepare "${words[@]}"
  rm -f "$scratch"/runs.*
  for ((i = 0; i < rounds; i++)); do
    their_speed=$(speed orcs 3) their_mean=$(<"$scratch/mean")
    our_speed=$(speed eval_lft 1000) our_mean=$(<"$scratch/mean")
    echo "$their_speed $our_speed"
  done >"$scratch/speeds"
  awk -v spec="$spec" -v hosts="$hosts" -v their_mean="$their_mean" -v our_mean="$our_mean" '
    function sorted(values, n,   i, j, x) { for (i = 2; i <= n; i++) for (j = i; j > 1 && values[j] < values[j - 1]; j--) { x = values[j]; values[j] = values[j - 1]; values[j - 1] = x } }
    { theirs[NR] = $1; ours[NR] = $2; ratio[NR] = $2 / $1 }
    END {
      sorted(theirs, NR); sorted(ours, NR); sorted(ratio, NR)
      m = int((NR + 1) / 2)
      printf "| `%s` | %d | %.5f | %.5f | %.3g | %.0f | %.0f (%.0f .. %.0f) |\n", spec, hosts, their_mean, our_mean, theirs[m], ours[m], ratio[m], ratio[1], ratio[NR]
    }' "$scratch/speeds"
done
